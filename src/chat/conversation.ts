import type { RawJson } from '#std/json.ts'

/** Whose datum it is: signatures and encrypted thoughts are sent back only to the family that made them. */
export type Family = (typeof families)[number]

export const families = [
  'openai',
  'anthropic',
  'google',
  'mistral',
  'deepseek',
  'engine',
  'unknown',
] as const

/** Data that only its origin can read. */
export interface Opaque {
  readonly family: Family
  /** `signature` of a thought, `redacted` thoughts whole, or a vendor's own member beside a tool call (`extra`, raw JSON). */
  readonly kind: 'signature' | 'redacted' | 'extra'
  readonly data: string
}

export type MediaSource =
  /** `data` is the caller's base64 text, copied and never decoded. */
  | { readonly type: 'base64'; readonly mediaType: string; readonly data: string }
  | { readonly type: 'url'; readonly url: string }
  | { readonly type: 'file'; readonly id: string }
  | { readonly type: 'text'; readonly text: string }

/** The cache mark of the messages protocol, as it was said. */
export type CacheMark = RawJson

export type Block =
  | {
      readonly type: 'text'
      readonly text: string
      readonly cache?: CacheMark
      readonly citations?: RawJson
    }
  | {
      readonly type: 'image'
      readonly source: MediaSource
      readonly detail?: string
      readonly cache?: CacheMark
    }
  | {
      readonly type: 'document'
      readonly source: MediaSource
      readonly title?: string
      readonly context?: string
      readonly citations?: RawJson
      readonly cache?: CacheMark
    }
  | { readonly type: 'audio'; readonly data: string; readonly format: string }
  | { readonly type: 'reasoning'; readonly text: string; readonly opaque: readonly Opaque[] }
  | { readonly type: 'refusal'; readonly text: string }
  /** `arguments` is the raw text of the caller; on the chat side it may be no JSON at all. */
  | {
      readonly type: 'call'
      readonly id: string
      readonly name: string
      readonly arguments: string
      readonly opaque?: readonly Opaque[]
      readonly cache?: CacheMark
    }
  | ResultBlock
  /** A block that only its own protocol knows: search results, server tools, container uploads. */
  | {
      readonly type: 'other'
      readonly kind: string
      readonly raw: RawJson
      readonly cache?: CacheMark
    }

export interface ResultBlock {
  readonly type: 'result'
  readonly callId: string
  /** Absent means that the tool returned nothing, which is not the same as an empty text. */
  readonly content?: string | readonly Block[]
  readonly isError?: boolean
  readonly cache?: CacheMark
}

export interface Turn {
  readonly role: 'system' | 'user' | 'assistant'
  /** A system turn that the chat protocol called `developer`. */
  readonly isDeveloper?: boolean
  readonly name?: string
  /** Whether the caller wrote a string or a list: kept, so that the bytes of a prompt stay stable. */
  readonly shape: 'string' | 'list'
  readonly blocks: readonly Block[]
  /** Where it stood in the caller's request: `messages[3]`, `system`. For notes and refusals. */
  readonly field: string
}

export interface Tool {
  readonly name: string
  readonly description?: string
  /** The JSON Schema of the arguments, as the caller wrote it. Absent: no arguments. */
  readonly schema?: RawJson
  readonly strict?: boolean
  readonly cache?: CacheMark
  readonly field: string
}

/** `any` and `named` force a call; `allowed` narrows the list to some of the tools. */
export type ToolChoice =
  | { readonly type: 'auto' }
  | { readonly type: 'none' }
  | { readonly type: 'any' }
  | { readonly type: 'named'; readonly name: string }
  | { readonly type: 'allowed'; readonly mode: 'auto' | 'any'; readonly names: readonly string[] }

/** How hard to think, the least first. */
export const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const

export type Effort = (typeof efforts)[number]

/** Whether and how hard to think. Absent in a conversation: the caller said nothing. */
export interface Reasoning {
  readonly mode: 'off' | 'on' | 'adaptive'
  readonly effort?: Effort
  readonly budgetTokens?: number
  /** What the messages protocol says of showing thoughts. */
  readonly display?: string
}

export type Format =
  | { readonly type: 'json' }
  | {
      readonly type: 'schema'
      readonly schema: RawJson
      readonly name?: string
      readonly description?: string
      readonly strict?: boolean
    }

export interface Sampling {
  readonly temperature?: number
  readonly topP?: number
  readonly topK?: number
  readonly minP?: number
  readonly seed?: RawJson
  readonly frequencyPenalty?: number
  readonly presencePenalty?: number
  readonly logitBias?: RawJson
}

/**
 * What a request means, in our own words: the block model of the messages protocol with the parameters of both.
 * Leading system turns come first in `turns`.
 */
export interface Conversation {
  readonly turns: readonly Turn[]
  readonly tools: readonly Tool[]
  readonly toolChoice?: ToolChoice
  readonly parallelCalls?: boolean
  readonly maxTokens?: number
  readonly sampling: Sampling
  readonly stop: readonly string[]
  readonly reasoning?: Reasoning
  readonly format?: Format
  /** How many answers; 1 unless the caller asked for more. */
  readonly choices: number
  readonly logprobs?: { readonly top?: number }
  readonly verbosity?: string
  readonly caller?: { readonly user?: string; readonly cacheKey?: string }
  readonly tier?: string
  /** The caller used the chat protocol's old `functions`: its answer has to speak of `function_call`. */
  readonly isLegacyFunctions?: boolean
  /** Members that our vocabulary has no word for, by name, as they were said. */
  readonly extra: ReadonlyMap<string, RawJson>
}
