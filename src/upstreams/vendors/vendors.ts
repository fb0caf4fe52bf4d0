import type { Profile } from '#chat/profile.ts'
import { rawJson } from '#std/json.ts'

import { anthropicModels, openaiModels } from './known-models.ts'
import type { Dialect, Vendor } from './vendor.ts'

const openaiProfile: Partial<Profile> = {
  family: 'openai',
  maxTokensField: 'max_completion_tokens',
  dropsEmpty: true,
  callerFields: true,
  schemaNeedsProperties: true,
}

/** What open model servers have in common: they run any chat template and know the wider set of parameters. */
const openServer: Partial<Profile> = {
  topK: true,
  reasoningReplay: 'reasoning_content',
  reasoningOff: rawJson({ chat_template_kwargs: { enable_thinking: false } }),
}

/** The messages protocol as open model servers speak it beside their own. */
const openServerMessages: Dialect = { auth: 'bearer', profile: { thinking: 'budget' } }

export const vendors = {
  openai: {
    speaks: {
      'chat-completions': {
        url: 'https://api.openai.com/v1',
        profile: openaiProfile,
        models: openaiModels,
      },
    },
    keyVariable: 'OPENAI_API_KEY',
    claims: ['gpt-*', 'chatgpt-*', 'o1*', 'o3*', 'o4*', 'text-embedding-*'],
    hides: [
      'whisper-*',
      'tts-*',
      'dall-e-*',
      'gpt-image-*',
      'sora-*',
      'omni-moderation-*',
      'text-moderation-*',
      '*-realtime*',
      '*-transcribe*',
      '*-tts*',
      'babbage-*',
      'davinci-*',
      '*-instruct*',
    ],
  },
  azure: {
    speaks: {
      'chat-completions': {
        auth: 'api-key',
        profile: openaiProfile,
        models: openaiModels,
        paths: {
          chat: '/openai/deployments/{model}/chat/completions',
          embeddings: '/openai/deployments/{model}/embeddings',
          models: '/openai/models',
        },
        query: { 'api-version': '2024-10-21' },
      },
    },
    keyVariable: 'AZURE_OPENAI_API_KEY',
  },
  anthropic: {
    speaks: {
      messages: {
        url: 'https://api.anthropic.com',
        profile: {
          family: 'anthropic',
          defaultMaxTokens: 32_000,
          sampling: 'none',
          topK: false,
          prefill: 'refuse',
          structuredOutput: 'native',
          strictTools: true,
          thinking: 'adaptive',
          firstParty: true,
        },
        models: anthropicModels,
      },
    },
    keyVariable: 'ANTHROPIC_API_KEY',
    claims: ['claude-*'],
  },
  gemini: {
    speaks: {
      'chat-completions': {
        url: 'https://generativelanguage.googleapis.com/v1beta/openai',
        // It leaves out the index of tool calls, which the official clients need.
        profile: { family: 'google', retell: true, fetchesUrls: false, embeddingBatch: 100 },
      },
    },
    keyVariable: 'GEMINI_API_KEY',
    claims: ['gemini-*', 'gemma-*'],
    hides: ['*imagen-*', '*veo-*', '*-tts*', '*aqa*', '*-live-*', '*native-audio*'],
    listPrefix: 'models/',
  },
  mistral: {
    speaks: {
      'chat-completions': {
        url: 'https://api.mistral.ai/v1',
        // Its content may be a list of parts, thoughts among them, where clients expect one string.
        profile: {
          family: 'mistral',
          retell: true,
          callIds: 'nine',
          prefill: 'prefix',
          streamUsage: false,
          reasoningControl: 'none',
          embeddingBatch: 128,
        },
      },
    },
    keyVariable: 'MISTRAL_API_KEY',
    claims: ['mistral-*', 'ministral-*', 'magistral-*', 'codestral-*', 'devstral-*', 'pixtral-*'],
    hides: ['*-ocr-*', '*-moderation-*', '*-transcribe-*'],
  },
  deepseek: {
    speaks: {
      'chat-completions': {
        url: 'https://api.deepseek.com/v1',
        profile: {
          family: 'deepseek',
          textParts: false,
          strictTools: false,
          fetchesUrls: false,
          reasoningReplay: 'required',
          reasoningOff: rawJson({ thinking: { type: 'disabled' } }),
        },
      },
      messages: { url: 'https://api.deepseek.com/anthropic', profile: { family: 'deepseek' } },
    },
    keyVariable: 'DEEPSEEK_API_KEY',
    claims: ['deepseek-*'],
  },
  groq: {
    speaks: {
      'chat-completions': {
        url: 'https://api.groq.com/openai/v1',
        profile: {
          maxTokensField: 'max_completion_tokens',
          reasoningReplay: 'reasoning',
          reasoningControl: 'none',
        },
        models: { '*gpt-oss*': { reasoningControl: 'effort' } },
      },
    },
    keyVariable: 'GROQ_API_KEY',
    hides: ['*whisper*', '*-tts*', '*guard*'],
  },
  together: {
    speaks: {
      'chat-completions': { url: 'https://api.together.xyz/v1', profile: { topK: true } },
    },
    keyVariable: 'TOGETHER_API_KEY',
  },
  fireworks: {
    speaks: {
      'chat-completions': {
        url: 'https://api.fireworks.ai/inference/v1',
        profile: { topK: true, reasoningReplay: 'reasoning_content' },
      },
    },
    keyVariable: 'FIREWORKS_API_KEY',
  },
  xai: {
    speaks: {
      'chat-completions': {
        url: 'https://api.x.ai/v1',
        profile: { reasoningControl: 'none' },
        models: { 'grok-3-mini*': { reasoningControl: 'effort' } },
      },
      messages: { url: 'https://api.x.ai' },
    },
    keyVariable: 'XAI_API_KEY',
    claims: ['grok-*'],
    hides: ['*-image*', '*-video*'],
  },
  openrouter: {
    speaks: {
      'chat-completions': {
        url: 'https://openrouter.ai/api/v1',
        profile: { topK: true, reasoningReplay: 'reasoning' },
      },
      messages: { url: 'https://openrouter.ai/api', auth: 'bearer' },
    },
    keyVariable: 'OPENROUTER_API_KEY',
  },
  cerebras: {
    speaks: {
      'chat-completions': {
        url: 'https://api.cerebras.ai/v1',
        profile: { maxTokensField: 'max_completion_tokens', reasoningControl: 'none' },
        models: { 'gpt-oss*': { reasoningControl: 'effort' } },
      },
    },
    keyVariable: 'CEREBRAS_API_KEY',
  },
  ollama: {
    speaks: {
      'chat-completions': {
        url: 'http://127.0.0.1:11434/v1',
        // It repeats the role in every delta, which the official Python client joins into nonsense.
        profile: {
          retell: true,
          fetchesUrls: false,
          reasoningReplay: 'reasoning',
          reasoningOff: rawJson({ reasoning_effort: 'none' }),
          strictTools: false,
        },
      },
      messages: {
        ...openServerMessages,
        url: 'http://127.0.0.1:11434',
        // It signs no thoughts, and one official client takes none without a signature.
        profile: { thinking: 'budget', retell: true, fetchesUrls: false },
      },
    },
    port: 11434,
  },
  vllm: {
    speaks: {
      'chat-completions': {
        url: 'http://127.0.0.1:8000/v1',
        profile: {
          ...openServer,
          prefill: 'continue',
          reasoningReplay: 'reasoning',
          dropsEmpty: true,
        },
      },
      messages: { ...openServerMessages, url: 'http://127.0.0.1:8000' },
    },
    port: 8000,
  },
  sglang: {
    speaks: {
      'chat-completions': {
        url: 'http://127.0.0.1:30000/v1',
        profile: { ...openServer, prefill: 'continue' },
      },
      messages: { ...openServerMessages, url: 'http://127.0.0.1:30000' },
    },
    port: 30000,
  },
  llamacpp: {
    speaks: {
      'chat-completions': {
        url: 'http://127.0.0.1:8080/v1',
        profile: { ...openServer, prefill: 'native' },
      },
      messages: { ...openServerMessages, url: 'http://127.0.0.1:8080' },
    },
    port: 8080,
  },
  lmstudio: {
    speaks: {
      'chat-completions': {
        url: 'http://127.0.0.1:1234/v1',
        profile: { ...openServer, retell: true, fetchesUrls: false },
      },
      messages: { ...openServerMessages, url: 'http://127.0.0.1:1234' },
    },
    port: 1234,
  },
  litellm: {
    speaks: {
      'chat-completions': { url: 'http://127.0.0.1:4000/v1', profile: { topK: true } },
      messages: { url: 'http://127.0.0.1:4000' },
    },
    keyVariable: 'LITELLM_API_KEY',
    port: 4000,
  },
  parley: {
    speaks: {
      'chat-completions': {
        url: 'http://127.0.0.1:8700/v1',
        profile: { topK: true, callerFields: true },
      },
      messages: { url: 'http://127.0.0.1:8700', profile: { structuredOutput: 'native' } },
    },
  },
} as const satisfies Record<string, Vendor>

export type VendorName = keyof typeof vendors

/** The vendor of this name, as plain data. */
export function vendorNamed(name: VendorName): Vendor {
  return vendors[name]
}

/** Every vendor, in the order in which they are offered. */
export const vendorNames = Object.keys(vendors).filter(isVendorName)

export function isVendorName(name: string): name is VendorName {
  return Object.hasOwn(vendors, name)
}
