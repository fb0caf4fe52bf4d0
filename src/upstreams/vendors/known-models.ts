import type { Profile } from '#chat/profile.ts'

import type { ModelProfiles } from './vendor.ts'

/** What OpenAI's models take, wherever they are served. */
export const openaiModels: ModelProfiles = {
  'gpt-3.5*': { reasoningControl: 'none' },
  'gpt-4*': { reasoningControl: 'none' },
  'chatgpt-*': { reasoningControl: 'none' },
  'o1*': { sampling: 'none' },
  'o3*': { sampling: 'none', maxStops: 0 },
  'o4*': { sampling: 'none', maxStops: 0 },
  'gpt-5*': { sampling: 'none', maxStops: 0 },
  'gpt-6*': { sampling: 'none', maxStops: 0 },
}

/** What Anthropic's models take. A later pattern wins over an earlier one. */
export const anthropicModels: ModelProfiles = {
  'claude-3-*': { ...olderClaude(4096), thinking: 'none' },
  'claude-3-5-*': { maxOutput: 8192 },
  'claude-3-7-*': { maxOutput: 64_000, thinking: 'budget' },
  'claude-opus-4-*': { ...olderClaude(32_000), sampling: 'one' },
  'claude-sonnet-4-*': { ...olderClaude(64_000), sampling: 'one' },
  'claude-haiku-4-*': { ...olderClaude(64_000), sampling: 'one' },
  'claude-opus-4-6*': { maxOutput: 128_000, thinking: 'adaptive', prefill: 'refuse' },
  'claude-sonnet-4-6*': { thinking: 'adaptive', prefill: 'refuse' },
}

function olderClaude(maxOutput: number): Partial<Profile> {
  return { maxOutput, sampling: 'all', topK: true, thinking: 'budget', prefill: 'native' }
}
