/** What can be asked for with a key, by the words that a policy has for it. */
export const endpoints = [
  'chat-completions',
  'messages',
  'embeddings',
  'count-tokens',
  'models',
] as const

export type Endpoint = (typeof endpoints)[number]

/** The most of each in a minute or in a day. Absent: no limit. */
export interface Rates {
  readonly requestsPerMinute?: number
  readonly requestsPerDay?: number
  readonly inputTokensPerMinute?: number
  readonly inputTokensPerDay?: number
  readonly outputTokensPerMinute?: number
  readonly outputTokensPerDay?: number
  /** Input and output together. */
  readonly tokensPerMinute?: number
  readonly tokensPerDay?: number
}

/** What an organisation, a project or a key may do. What is absent is limited by the parent alone. */
export interface Policy {
  /** Globs of models: names that callers ask for, or targets as `upstream/model`. */
  readonly models?: readonly string[]
  readonly endpoints?: readonly Endpoint[]
  /** Networks that a caller may come from, as CIDR. */
  readonly addresses?: readonly string[]
  /** The most tokens of one answer. */
  readonly maxTokens?: number
  readonly rates?: Rates
  /** Exchanges under way at once. */
  readonly concurrency?: number
  readonly tags?: Readonly<Record<string, string>>
  /** Whether what is said may be kept. */
  readonly contentLogging?: boolean
}

/** Whoever has a policy, a balance and budgets: `org`, `project:<id>` or `key:<id>`. */
export interface Holder {
  readonly id: string
  readonly policy: Policy
}

/** Who calls, as the rest of an exchange knows it. */
export interface Caller {
  readonly keyId: string
  readonly name: string
  readonly projectId: string
  /** The organisation, the project and the key. */
  readonly holders: readonly [Holder, Holder, Holder]
  /** Present if what is said with the key is kept. */
  readonly keepsContent?: true
}
