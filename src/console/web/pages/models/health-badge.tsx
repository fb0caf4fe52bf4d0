import { Badge } from '@radix-ui/themes'

import { tookText } from '#console/web/parts/amounts.tsx'

import type { TargetState } from './target-state.ts'

/** How a target fares, in a word. */
export function HealthBadge({ state }: { readonly state: TargetState | undefined }) {
  if (state === undefined) return <Badge color="gray">not asked yet</Badge>
  if (state.breaker === 'open')
    return <Badge color="red">kept away for {tookText(state.waitMs)}</Badge>
  if (state.breaker === 'half-open') return <Badge color="amber">being tried again</Badge>
  if (state.waitMs > 0) return <Badge color="amber">busy for {tookText(state.waitMs)}</Badge>
  if (state.latencyMs === undefined) return <Badge color="amber">no answer yet</Badge>
  return <Badge color="green">well</Badge>
}
