import type { Endpoint, Policy } from '#keys/policy.ts'

import { type RateName, rateNames } from './policy-fields.ts'

/** What the endpoints are called. */
export const endpointWords = {
  'chat-completions': 'Chat completions',
  messages: 'Messages',
  embeddings: 'Embeddings',
  'count-tokens': 'Token counting',
  models: 'List of models',
} as const satisfies Record<Endpoint, string>

export const rateWords = {
  requestsPerMinute: 'Requests a minute',
  requestsPerDay: 'Requests a day',
  tokensPerMinute: 'Tokens a minute',
  tokensPerDay: 'Tokens a day',
  inputTokensPerMinute: 'Input tokens a minute',
  inputTokensPerDay: 'Input tokens a day',
  outputTokensPerMinute: 'Output tokens a minute',
  outputTokensPerDay: 'Output tokens a day',
} as const satisfies Record<RateName, string>

/** One thing that a policy may limit: what it is called, and what a policy says of it. */
export interface Limit {
  readonly id: string
  readonly title: string
  readonly of: (policy: Policy) => string | undefined
}

/** All of them, in the order in which they are shown. */
export const limits: readonly Limit[] = [
  { id: 'models', title: 'Models', of: ({ models }) => models?.join(', ') },
  {
    id: 'endpoints',
    title: 'Endpoints',
    of: ({ endpoints }) => endpoints?.map((endpoint) => endpointWords[endpoint]).join(', '),
  },
  { id: 'addresses', title: 'Addresses', of: ({ addresses }) => addresses?.join(', ') },
  { id: 'maxTokens', title: 'Tokens of one answer', of: ({ maxTokens }) => counted(maxTokens) },
  { id: 'concurrency', title: 'At once', of: ({ concurrency }) => counted(concurrency) },
  ...rateNames.map((rate) => ({
    id: `rates.${rate}`,
    title: rateWords[rate],
    of: ({ rates }: Policy) => counted(rates?.[rate]),
  })),
  {
    id: 'contentLogging',
    title: 'Keep what is said',
    of: ({ contentLogging }) =>
      contentLogging === undefined ? undefined : contentLogging ? 'on' : 'off',
  },
  {
    id: 'tags',
    title: 'Tags',
    of: ({ tags }) =>
      tags &&
      Object.entries(tags)
        .map(([name, value]) => `${name}: ${value}`)
        .join(', '),
  },
]

function counted(value: number | undefined): string | undefined {
  return value?.toLocaleString('en-US')
}
