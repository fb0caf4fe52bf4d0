import { Badge } from '@radix-ui/themes'

import { useMe } from '#console/web/api/me.ts'
import { tookText } from '#console/web/parts/amounts.tsx'

import type { TargetState } from './target-state.ts'

/** How a target fares, in a word. Whoever is bound to projects is not told. */
export function HealthBadge({ state }: { readonly state: TargetState | undefined }) {
  const { seesAll } = useMe()
  if (state === undefined)
    return <Badge color="gray">{seesAll ? 'not asked yet' : 'not shown'}</Badge>
  if (state.breaker === 'open')
    return <Badge color="red">kept away for {tookText(state.waitMs)}</Badge>
  if (state.breaker === 'half-open') return <Badge color="amber">being tried again</Badge>
  if (state.waitMs > 0) return <Badge color="amber">busy for {tookText(state.waitMs)}</Badge>
  if (state.latencyMs === undefined) return <Badge color="amber">no answer yet</Badge>
  return <Badge color="green">well</Badge>
}
