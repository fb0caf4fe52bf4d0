import type { Answer } from '#console/web/api/contract.ts'

export type Upstream = Answer<'GET /api/upstreams'>['upstreams'][number]

/** How a target fares, as the router sees it. */
export type TargetState = Upstream['targets'][number]

/** Every target that was asked since the start, by its name. */
export function statesOf(upstreams: readonly Upstream[]): ReadonlyMap<string, TargetState> {
  return new Map(upstreams.flatMap(({ targets }) => targets.map((state) => [state.target, state])))
}
