import type { ChatEvent } from './event.ts'
import type { ProtocolName } from './names.ts'

/**
 * What one network read of an answer brought: what it means, and the words it was said in.
 * A caller of the same protocol is given the words; any other caller is given the meaning.
 *
 * Where there are words, `means` holds only what accounting needs (start, usage, end). The end of an answer
 * comes in a step of its own, so that its words can be held back until the usage is on disk.
 */
export interface Step {
  readonly means: readonly ChatEvent[]
  readonly said?: Uint8Array | string
  /** The words are only a beginning (a role, a `message_start`, pings): another target could still be asked. */
  readonly isPreamble?: boolean
}

/** In which protocol and form the words of an answer are. */
export interface Words {
  readonly protocol: ProtocolName
  readonly form: 'stream' | 'reply'
}

/** An answer that an upstream has begun to give. Whoever is given one must iterate it, or call `return()` on its iterator. */
export interface Answer {
  readonly steps: AsyncIterable<Step>
  /** Present if the steps carry words. */
  readonly words?: Words
  /** Headers of the upstream that a caller may see: its own request id, rate limits. */
  readonly headers?: ReadonlyMap<string, string>
  /** How long the call waited for its turn, in milliseconds, where the upstream makes callers wait and tells of it. */
  readonly queuedMs?: number
}
