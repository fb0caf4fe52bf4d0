import type { Usage } from './usage.ts'

/** How to end a stream of a protocol's own words before its time, so that its clients take it for an answer that grew too long. */
export interface StreamCut {
  /** Whether the frames hold little beside the text of the answer, so that their length tells how much of it there is. */
  readonly isPlain: boolean
  /** To be told of everything that goes out, where the end depends on more than the last of it. */
  readonly hear?: (said: Uint8Array | string) => void
  /**
   * The words for an end right after these: whole frames, the last that went out. Undefined if there is no place for
   * one: they begin the end themselves, or do not show where the answer stands.
   */
  endAfter(last: Uint8Array | string): ((usage: Usage) => string) | undefined
}
