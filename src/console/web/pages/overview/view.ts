import { useMemo } from 'react'

import { useAsk } from '#console/web/api/use-ask.ts'
import { useLive } from '#console/web/api/use-live.ts'

import { livePoints, liveSpanMs, liveStepMs, type Point, reportPoints } from './points.ts'

/** How far back somebody looks. */
export type Span = 'now' | 'day' | 'month'

/** What is shown of a span. */
export interface View {
  readonly points: readonly Point[]
  /** What one point's sums are multiplied by, and the words for that. */
  readonly factor: number
  readonly per: string
  /** Of which kind the times of a point are. */
  readonly latency: 'median' | 'mean'
  /** Whether the last point has only begun: as a line it would look like a fall. */
  readonly isEndOpen: boolean
  /** The whole span, in words. */
  readonly within: string
  readonly error: unknown
  readonly isPending: boolean
}

const minuteMs = 60_000
const hourMs = 3_600_000
const dayMs = 86_400_000

const spans = {
  day: { by: 'hour', stepMs: hourMs, spanMs: dayMs, per: 'an hour', within: 'last 24 hours' },
  month: { by: 'day', stepMs: dayMs, spanMs: 30 * dayMs, per: 'a day', within: 'last 30 days' },
} as const satisfies Record<Exclude<Span, 'now'>, object>

/** The last minutes, renewed every second. */
export function useLiveView(): View {
  const live = useLive()
  // The ledger is asked once: from then on the stream tells.
  const openedAt = useMemo(() => Date.now(), [])
  const before = useAsk(
    'GET /api/exchanges',
    { query: { since: openedAt - liveSpanMs, limit: mostBefore } },
    { staleTime: Infinity },
  )
  const known = before.data?.next === null ? before.data.exchanges : undefined
  const points = useMemo(
    () => livePoints(live, known, live.now?.at ?? openedAt),
    [live, known, openedAt],
  )
  return {
    points,
    factor: minuteMs / liveStepMs,
    per: 'a minute',
    latency: 'median',
    isEndOpen: true,
    within: 'last 5 minutes',
    error: live.problem,
    isPending: live.now === undefined && live.problem === undefined,
  }
}

const mostBefore = 500

/** Hours or days, from the ledger. */
export function useReportView(span: Exclude<Span, 'now'>): View {
  const { by, stepMs, spanMs, per, within } = spans[span]
  const until = useMemo(() => Date.now(), [span])
  const since = until - spanMs
  const report = useAsk('GET /api/usage', { query: { by, since } }, { refetchInterval: minuteMs })
  const points = useMemo(
    () => reportPoints(report.data?.usage ?? [], { since, until, stepMs }),
    [report.data, since, until, stepMs],
  )
  return {
    points,
    factor: 1,
    latency: 'mean',
    isEndOpen: false,
    per,
    within,
    error: report.error,
    isPending: report.isPending,
  }
}
