import type { Exchange } from '#console/web/api/contract.ts'

/** The end of the ledger as it grows, bounded however long and however fast it does. */
export interface LiveTail {
  /** The newest first, at most `mostRows`. */
  readonly rows: readonly Exchange[]
  /** What is shown in their place while nothing shall move. */
  readonly held: readonly Exchange[] | undefined
  /** How many have come since then. */
  readonly cameSince: number
  /** How many were too many at once to be told of one by one, as the feed counts them. */
  readonly skipped: number
}

export const mostRows = 200

export const emptyTail: LiveTail = { rows: [], held: undefined, cameSince: 0, skipped: 0 }

export type TailStep =
  /** The newest of the feed, those that are known among them, the oldest first. */
  | { readonly type: 'came'; readonly exchanges: readonly Exchange[]; readonly skipped: number }
  | { readonly type: 'pause' }
  | { readonly type: 'resume' }

/** What the tail is after one step more. */
export function tailAfter(tail: LiveTail, step: TailStep): LiveTail {
  switch (step.type) {
    case 'came':
      return grown(tail, step)
    case 'pause':
      return tail.held === undefined ? { ...tail, held: tail.rows, cameSince: 0 } : tail
    case 'resume':
      return { ...tail, held: undefined, cameSince: 0 }
    default:
      return step satisfies never
  }
}

/** What is to be seen of it. */
export function shownRows({ rows, held }: LiveTail): readonly Exchange[] {
  return held ?? rows
}

function grown(
  tail: LiveTail,
  { exchanges, skipped }: Extract<TailStep, { type: 'came' }>,
): LiveTail {
  const newest = tail.rows[0]?.seq ?? 0
  const fresh = exchanges.filter(({ seq }) => seq > newest)
  // A feed that was opened anew counts from nought.
  const more = skipped >= tail.skipped ? skipped - tail.skipped : skipped
  return {
    ...tail,
    rows: [...fresh.toReversed(), ...tail.rows].slice(0, mostRows),
    cameSince: tail.held === undefined ? 0 : tail.cameSince + fresh.length + more,
    skipped,
  }
}
