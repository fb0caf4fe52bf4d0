import { useMemo, useRef } from 'react'

import { useAsk } from '#console/web/api/use-ask.ts'

import type { UsageView } from './usage-address.ts'
import { usageStack } from './usage-stack.ts'

/** So many groups are listed; the API has the rest. */
const mostListed = 500

/** All that the page asks for: each group, everything together, and the same over time. */
export function useUsageReport(view: UsageView) {
  const { range, by, filters } = view
  const { since, until, bucket } = range
  const query = { since, until, ...filters }
  // What was split by hours is listed by days: a list of hours says little.
  const groups = useAsk('GET /api/usage', { query: { ...query, by, limit: mostListed } }, kept)
  const sums = useAsk('GET /api/usage', { query: { ...query, by: 'result' } }, kept)
  const over = by === 'day' ? bucket : `${bucket},${by}`
  const times = useAsk('GET /api/usage', { query: { ...query, by: over } }, kept)
  const groupsView = useSettled(view, groups.isPlaceholderData)
  const timesView = useSettled(view, times.isPlaceholderData)
  const rows = times.data?.usage
  const stack = useMemo(
    () => usageStack(rows ?? [], { ...timesView, now: Date.now() }),
    [rows, timesView],
  )
  return { groups, groupsView, sums, times, timesView, stack }
}

const kept = { keepsFormer: true } as const

/** The view that what is shown was asked for by: the former one, until there is an answer for the new one. */
function useSettled(view: UsageView, isPlaceholder: boolean): UsageView {
  const settled = useRef(view)
  if (!isPlaceholder) settled.current = view
  return settled.current
}
