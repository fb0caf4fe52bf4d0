import type { Problem } from '#config/problem.ts'
import type { Config } from '#config/schema.ts'
import { problemWith } from '#upstreams/build-remote.ts'
import { engineName } from '#upstreams/engine-upstream.ts'
import type { VendorName } from '#upstreams/vendors/vendors.ts'

/** What is wrong with the upstreams of a config, beyond what its schema can see. */
export function upstreamProblems(config: Config<VendorName>): Problem[] {
  return [...unbuildable(config), ...targetsOfNoEngine(config)]
}

function unbuildable({ upstreams }: Config<VendorName>): Problem[] {
  return Object.entries(upstreams).flatMap(([name, settings]) => {
    const expected =
      name === engineName
        ? 'must have another name: this one is that of the engine'
        : problemWith({ name, ...settings })
    return expected === undefined ? [] : [{ path: ['upstreams', name], expected }]
  })
}

/** Targets at an engine that is switched off. */
function targetsOfNoEngine({ engine, models }: Config<VendorName>): Problem[] {
  if (engine.enabled) return []
  const expected = 'names the engine, which `engine.enabled` switches off'
  return Object.entries(models).flatMap(([name, { targets, rescue }]) => {
    const places = targets.map(({ upstream }, index) => ({ upstream, at: ['targets', index] }))
    if (rescue !== undefined) places.push({ upstream: rescue.upstream, at: ['rescue'] })
    return places
      .filter(({ upstream }) => upstream === engineName)
      .map(({ at }) => ({ path: ['models', name, ...at], expected }))
  })
}
