import { isObject } from '#std/json.ts'

import type { Problem } from './problem.ts'

/**
 * Targets at upstreams that are not there. Looked for in the config as it was written, so that it is told together
 * with everything else that is wrong.
 */
export function targetProblems(written: unknown, builtIn: readonly string[]): Problem[] {
  const { upstreams, models } = isObject(written) ? written : {}
  const known = [...(isObject(upstreams) ? Object.keys(upstreams) : []), ...builtIn]
  const choice = known.map((name) => `\`${name}\``).join(', ') || 'there are none'
  return targetsIn(models).flatMap(({ path, target }) =>
    known.includes(target.slice(0, target.indexOf('/')))
      ? []
      : [
          {
            path,
            found: `\`${target}\``,
            expected: `expected one of the upstreams (${choice}) before the first slash`,
          },
        ],
  )
}

/** Everything that looks like a target, and where it stands. */
function targetsIn(models: unknown): { readonly path: Problem['path']; readonly target: string }[] {
  return Object.entries(isObject(models) ? models : {}).flatMap(([name, alias]) => {
    const { targets, rescue } = isObject(alias) ? alias : {}
    const listed = (Array.isArray(targets) ? targets : []).map((target: unknown, index) => ({
      path: ['models', name, 'targets', index],
      target: isObject(target) ? target['target'] : target,
    }))
    return [...listed, { path: ['models', name, 'rescue'], target: rescue }].flatMap(
      ({ path, target }) =>
        typeof target === 'string' && target.includes('/') ? [{ path, target }] : [],
    )
  })
}
