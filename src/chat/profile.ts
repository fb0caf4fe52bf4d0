import type { RawJson } from '#std/json.ts'

import type { Effort, Family } from './conversation.ts'

/**
 * What a target can take, asked by the codecs when they translate. It comes from the vendor's data and the
 * operator's config; no codec ever looks at a model's name.
 */
export interface Profile {
  readonly family: Family

  // What both kinds of upstream differ in.
  /** Largest answer of the model. The messages protocol must be told a number: this, or `defaultMaxTokens`. */
  readonly maxOutput?: number
  readonly defaultMaxTokens: number
  /** Which sampling parameters it accepts: all, temperature or top_p but not both, or none. */
  readonly sampling: 'all' | 'one' | 'none'
  readonly topK: boolean
  /** A system turn after the first user turn: taken in place, or said inside a user turn. */
  readonly midSystem: 'native' | 'user'
  /** An answer that the caller began: continued natively, by vLLM's flags, by a `prefix` mark, or refused. */
  readonly prefill: 'native' | 'continue' | 'prefix' | 'refuse'
  readonly structuredOutput: 'native' | 'instruction'
  readonly strictTools: boolean
  /** Call ids that the upstream accepts. Others are rewritten on both sides of the history. */
  readonly callIds: 'any' | 'word' | 'nine'
  readonly toolNameLimit: number
  /** Whether unknown members of a translated request go on. */
  readonly forwardUnknown: boolean
  /** Whether it fetches http(s) image URLs itself. */
  readonly fetchesUrls: boolean
  /** Its answers break clients of its own protocol, so they are told again in our words. */
  readonly retell?: boolean
  /** How many inputs one request for embeddings may hold; 2048 unless said. */
  readonly embeddingBatch?: number
  /** Tokens of prompt and answer together, and what it can take, where that is known: for the choice among several targets. */
  readonly contextSize?: number
  readonly takesImages?: boolean
  readonly takesTools?: boolean

  // Upstreams of the chat-completions protocol.
  /** It refuses members that change nothing, such as an empty `tools`, so they are taken out. */
  readonly dropsEmpty?: boolean
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens'
  readonly systemRole: 'system' | 'developer'
  /** Whether content may be a list of text parts, or must be one string. */
  readonly textParts: boolean
  /** What an assistant turn of calls alone carries as content. */
  readonly emptyContent: 'null' | 'string'
  readonly toolResultImages: 'inline' | 'after'
  readonly streamUsage: boolean
  /** How thoughts go back in history: under which member, and whether an empty one is required beside calls. */
  readonly reasoningReplay: 'none' | 'reasoning_content' | 'reasoning' | 'required'
  /** How the caller's wish to think is said: `reasoning_effort`, another member, or not at all. */
  readonly reasoningControl: 'effort' | 'none'
  /** The hardest thinking that can be asked for by effort; `high` unless said. */
  readonly highestEffort?: Effort
  /** Members to add so that a model which thinks by default does not: `{"think":false}`. */
  readonly reasoningOff?: RawJson
  /** Whether `user`, `safety_identifier`, `metadata` and the like are understood. */
  readonly callerFields: boolean
  readonly maxStops: number
  /** Adds `"properties":{}` to a schema that has none. */
  readonly schemaNeedsProperties: boolean

  // Upstreams of the messages protocol.
  /** How thinking is asked for: by effort, by a budget of tokens, or not at all. */
  readonly thinking: 'adaptive' | 'budget' | 'none'
  /** Cache marks, tool extras and other members that only the first party takes are passed on. */
  readonly firstParty: boolean
  /** A version to send in place of a newer one of the caller's. */
  readonly version?: string
}
