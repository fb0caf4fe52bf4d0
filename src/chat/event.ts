import type { RawJson } from '#std/json.ts'

import type { Opaque } from './conversation.ts'
import type { Usage } from './usage.ts'

/** Why an answer ended, in our words. */
export type StopReason =
  | 'end'
  | 'stop-sequence'
  | 'length'
  | 'context-full'
  | 'tool-use'
  | 'refusal'
  | 'pause'

/** What opens a block of an answer. */
export type BlockStart =
  | { readonly type: 'text' }
  | { readonly type: 'refusal' }
  /** Thoughts. Withheld ones have no deltas, only their opaque mark. */
  | { readonly type: 'reasoning' }
  /** A call of one of the caller's tools. Its deltas are the raw JSON text of the arguments. */
  | { readonly type: 'call'; readonly id: string; readonly name: string }
  /** A block that only its own protocol knows, whole: server tools and their results. */
  | { readonly type: 'other'; readonly kind: string; readonly raw: RawJson }

/**
 * What an answer says, in order. One block is open at a time: a block starts, grows and ends before
 * the next one starts; decoders linearise what upstreams interleave.
 *
 * Grammar: answer-start (block | usage | idle | note)* answer-end, where
 * block = block-start (block-delta | block-mark | block-citation | usage | idle | note)* block-end.
 * A failure is thrown, never an event.
 */
export type ChatEvent =
  | { readonly type: 'answer-start'; readonly id?: string; readonly model?: string }
  | { readonly type: 'block-start'; readonly block: BlockStart }
  /** `logprobs` are of the tokens that the text is made of, where the caller asked for them. */
  | {
      readonly type: 'block-delta'
      readonly text: string
      readonly logprobs?: readonly TokenLogprob[]
    }
  /** Data on a reasoning or call block that only its origin can read: a signature. Whole, at most one of a kind a block. */
  | { readonly type: 'block-mark'; readonly opaque: Opaque }
  /** A citation on the open text block, as the messages protocol words it. */
  | { readonly type: 'block-citation'; readonly raw: RawJson }
  | { readonly type: 'block-end' }
  /** The count so far. Sent whenever the upstream tells, so an abandoned answer is still paid for. */
  | { readonly type: 'usage'; readonly usage: Usage }
  /** The upstream is alive and has nothing to say. */
  | { readonly type: 'idle' }
  | { readonly type: 'note'; readonly field: string; readonly what: string }
  | AnswerEnd

/** A piece of text, and the natural logarithm of how probable it was there. */
export interface Likelihood {
  readonly text: string
  readonly logprob: number
}

/** A token of an answer: how probable it was, and what else was likely in its place, the likeliest first. */
export interface TokenLogprob extends Likelihood {
  readonly top: readonly Likelihood[]
}

export interface AnswerEnd {
  readonly type: 'answer-end'
  readonly reason: StopReason
  /** The upstream's own word for the reason. */
  readonly said?: string
  /** Which stop sequence matched, where the upstream tells. */
  readonly stopSequence?: string
  /** Why it refused, where it tells. */
  readonly refusal?: string
  /** What kind of request it refuses, in the messages protocol's words. */
  readonly refusalCategory?: string
}

const preambles: ReadonlySet<ChatEvent['type']> = new Set(['answer-start', 'usage', 'idle', 'note'])

/** Whether an event is content or an end. While none has come, nobody would miss what came. */
export function saysSomething(event: ChatEvent): boolean {
  return !preambles.has(event.type)
}
