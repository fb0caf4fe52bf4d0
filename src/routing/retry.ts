import type { ErrorCode } from '#chat/error.ts'

/** What may be tried after a failure that came before the first word of an answer. */
export interface Remedy {
  /** Another target may do better. */
  readonly another: boolean
  /** If there is no other target, the same one once more, after a pause. */
  readonly same: boolean
  /** The request may have been carried out although no answer came. */
  readonly isAmbiguous?: boolean
}

const nothing: Remedy = { another: false, same: false }
const another: Remedy = { another: true, same: false }
const anyhow: Remedy = { another: true, same: true }

/**
 * By what went wrong. What the caller did wrong stays wrong everywhere, and a refusal for what was said is not to be
 * shopped for elsewhere; an upstream that is out of reach, or busy, is not better a moment later.
 */
const remedies: Partial<Record<ErrorCode, Remedy>> = {
  'upstream-unreachable': another,
  'upstream-unauthorised': another,
  'upstream-busy': another,
  'engine-busy': another,
  'upstream-overloaded': anyhow,
  'upstream-failed': anyhow,
  'upstream-lost': { another: true, same: false, isAmbiguous: true },
  'upstream-timeout': { another: true, same: false, isAmbiguous: true },
}

export function remedyFor(code: ErrorCode): Remedy {
  return remedies[code] ?? nothing
}

const firstPauseMs = 200
/** Longer than this a caller is not kept waiting; it can come again by itself. */
export const longestPauseMs = 2000

/** How long to wait before the `nth` repetition, counted from 1: a chance share of what doubles each time, so that nobody marches in step. */
export function pauseBefore(nth: number, random: () => number): number {
  return random() * Math.min(firstPauseMs * 2 ** (nth - 1), longestPauseMs)
}
