import { useEffect, useReducer } from 'react'

import { useLive } from '#console/web/api/use-live.ts'

import { emptyTail, type LiveTail, tailAfter, type TailStep } from './live-tail.ts'

export interface LiveTailReading {
  readonly tail: LiveTail
  readonly take: (step: TailStep) => void
  readonly state: ReturnType<typeof useLive>['state']
}

/** The tail of the ledger while a page shows it. */
export function useLiveTail(): LiveTailReading {
  const { ended, skipped, state } = useLive()
  const [tail, take] = useReducer(tailAfter, emptyTail)
  // The feed keeps the newest only; the tail takes what it has not seen, and keeps more.
  useEffect(() => take({ type: 'came', exchanges: ended.toReversed(), skipped }), [ended, skipped])
  return { tail, take, state }
}
