import { isObject, type JsonObject, listIn } from '#std/json.ts'

/** Why a choice ended, in the words that clients of this protocol know. */
export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'function_call'

/** Tokens as this protocol counts them: the prompt includes what a cache read or wrote, the completion the thoughts. */
export interface WireUsage {
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly total_tokens: number
  readonly prompt_tokens_details?: {
    readonly cached_tokens?: number
    readonly cache_write_tokens?: number
  }
  readonly completion_tokens_details?: { readonly reasoning_tokens?: number }
}

export interface WireCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

export interface WireMessage {
  readonly role: 'assistant'
  readonly content: string | null
  readonly refusal: string | null
  readonly reasoning_content?: string
  readonly reasoning?: string
  readonly annotations?: readonly unknown[]
  readonly tool_calls?: readonly WireCall[]
  readonly function_call?: WireCall['function']
  readonly thinking_blocks?: readonly unknown[]
}

/** A whole answer, as we write it. */
export interface WireReply {
  readonly id: string
  readonly object: 'chat.completion'
  readonly created: number
  readonly model: string
  readonly choices: readonly {
    readonly index: number
    readonly message: WireMessage
    readonly logprobs?: object
    readonly finish_reason: FinishReason
  }[]
  readonly usage: WireUsage
}

/** A failure, as we write it. All four members are always there. */
export interface WireError {
  readonly error: {
    readonly message: string
    readonly type: string
    readonly param: string | null
    readonly code: string | null
  }
}

/** One kind of content in an answer: servers write it as a string or as a list of parts. */
export interface ContentPart {
  readonly type: 'text' | 'reasoning' | 'refusal'
  readonly text: string
}

// What upstreams send is read member by member, since every member is missing or null somewhere.

/** The string that a member holds; empty for anything else. */
export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The object that a member holds. */
export function objectIn(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined
}

/** The parts of a content that is a list. Images and other kinds that no answer of text has are left out. */
export function partsIn(content: unknown): ContentPart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return listIn(content).flatMap((part) => partIn(part))
}

function partIn(part: unknown): ContentPart[] {
  if (typeof part === 'string') return partsIn(part)
  const object = objectIn(part)
  if (object === undefined) return []
  if (object['thinking'] !== undefined) return thoughtsIn(object['thinking'])
  if (object['type'] === 'reasoning') return thoughtsIn(object['text'])
  const refusal = textIn(object['refusal'])
  if (refusal !== '') return [{ type: 'refusal', text: refusal }]
  const text = textIn(object['text'])
  return text === '' ? [] : [{ type: 'text', text }]
}

// Thoughts may themselves be a string or a list of text parts.
function thoughtsIn(value: unknown): ContentPart[] {
  const text = partsIn(value)
    .map((part) => part.text)
    .join('')
  return text === '' ? [] : [{ type: 'reasoning', text }]
}
