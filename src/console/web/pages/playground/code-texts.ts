import type { Protocol, Setting, Turn } from './conversation.ts'
import { wordsOf } from './words.ts'

export interface CodeOptions {
  /** The gateway's origin. */
  readonly url: string
  readonly protocol: Protocol
  readonly model: string
  readonly setting: Setting
  readonly turns: readonly Turn[]
}

/** The last request as a command of curl, by the protocol that the column has. */
export function curlText({ url, protocol, model, setting, turns }: CodeOptions): string {
  const body = JSON.stringify(wordsOf[protocol].bodyOf(model, setting, turns), undefined, 2)
  const [path, ...headers] = curlFacts[protocol]
  return [
    `curl ${url}${path} \\`,
    ...headers.map((header) => `  -H "${header}" \\`),
    `  -H "content-type: application/json" \\`,
    // Inside of single quotes a shell takes everything as it is, but for the single quote.
    `  -d '${body.replaceAll("'", String.raw`'\''`)}'`,
  ].join('\n')
}

const curlFacts = {
  'chat-completions': ['/v1/chat/completions', 'authorization: Bearer $PARLEY_KEY'],
  messages: ['/v1/messages', 'x-api-key: $PARLEY_KEY', 'anthropic-version: 2023-06-01'],
} as const satisfies Record<Protocol, readonly string[]>

/** The same for the `openai` package. */
export function openaiText({ url, model, setting, turns }: CodeOptions): string {
  const body = wordsOf['chat-completions'].bodyOf(model, setting, turns)
  return [
    `import OpenAI from 'openai'`,
    '',
    `const client = new OpenAI({ baseURL: '${url}/v1', apiKey: process.env.PARLEY_KEY })`,
    `const answer = await client.chat.completions.create(${literal(body)})`,
    ...(setting.isStream
      ? [
          'for await (const chunk of answer)',
          "  process.stdout.write(chunk.choices[0]?.delta.content ?? '')",
        ]
      : ['console.log(answer.choices[0]?.message)']),
  ].join('\n')
}

/** The same for the `@anthropic-ai/sdk` package. */
export function anthropicText({ url, model, setting, turns }: CodeOptions): string {
  const { stream: _, ...body } = wordsOf.messages.bodyOf(model, setting, turns)
  return [
    `import Anthropic from '@anthropic-ai/sdk'`,
    '',
    `const client = new Anthropic({ baseURL: '${url}', apiKey: process.env.PARLEY_KEY })`,
    ...(setting.isStream
      ? [
          `const answer = client.messages.stream(${literal(body)})`,
          "answer.on('text', (text) => process.stdout.write(text))",
          'await answer.finalMessage()',
        ]
      : [
          `const answer = await client.messages.create(${literal(body)})`,
          'console.log(answer.content)',
        ]),
  ].join('\n')
}

/** JSON is JavaScript, and names that need no quotes are better read without. */
function literal(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replace(/^(\s+)"([a-z_]\w*)":/gim, '$1$2:')
}
