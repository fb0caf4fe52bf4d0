import type { ModelName, UpstreamModel } from '#chat/names.ts'
import type { TargetModel } from '#chat/target.ts'
import { brandAs } from '#std/brand.ts'
import type { Target, Upstream } from '#upstreams/upstream.ts'

import type { Catalogue } from './catalogue.ts'
import { fitting } from './fitting.ts'
import type { Health } from './health.ts'
import { unknownModel } from './open-first.ts'
import { type Candidate, type Order, orderOf, type Strategy } from './order.ts'
import type { Wish } from './wish.ts'

interface AliasTarget {
  readonly upstream: string
  readonly model: string
  /** Its share of the work; 1 unless said. */
  readonly weight?: number | undefined
}

/** A name of the config, and the targets that answer to it. */
export interface Alias {
  readonly name: string
  readonly targets: readonly AliasTarget[]
  /** `fallback` unless said. */
  readonly strategy?: Strategy
  /** Asked when all others have failed, if the caller accepts it. */
  readonly rescue?: AliasTarget | undefined
}

export interface RouterOptions {
  readonly upstreams: readonly Upstream[]
  readonly aliases: readonly Alias[]
  readonly catalogue: Pick<Catalogue, 'listing' | 'lists'>
  readonly health: Health
  /** What so much input costs at a target, in any unit; infinite where nobody knows. */
  readonly costAt?: (model: TargetModel, inputTokens: number) => number
  readonly random?: () => number
}

/** Finds the targets of a model name. */
export class Router {
  readonly #options: RouterOptions
  readonly #upstreams: ReadonlyMap<string, Upstream>
  readonly #aliases: ReadonlyMap<string, Known>
  readonly #catalogue: RouterOptions['catalogue']

  /** Throws a `TypeError` for an alias that names an upstream which is not there. */
  constructor(options: RouterOptions) {
    const { upstreams, aliases, catalogue } = options
    this.#options = options
    this.#upstreams = new Map(upstreams.map((upstream) => [upstream.name, upstream]))
    this.#aliases = new Map(aliases.map((alias) => [alias.name, this.#known(alias)]))
    this.#catalogue = catalogue
  }

  /**
   * Those to ask for a model, best first: the targets of the config's name, the one addressed as `upstream/model`,
   * those that list it, one that is known for such names, or the only one there is. Targets that cannot do what the
   * request needs are left out. Throws `model-unknown`, or `not-expressible` if none can do it.
   */
  async route(name: ModelName, wish: Wish): Promise<Order> {
    const known = this.#aliases.get(name) ?? plain(await this.#targetsFor(name))
    const { candidates, strategy, rescue } = known
    const able = candidates.length === 1 ? candidates : fitting(candidates, wish, name)
    const order = orderOf(able, { ...this.#ordering(wish), strategy })
    if (rescue === undefined || !wish.acceptsRescue()) return order
    return { ...order, targets: [...order.targets, rescue] }
  }

  /** The targets behind a name of the config, as `upstream/model`; undefined for any other name. */
  targetNames(name: string): readonly string[] | undefined {
    const known = this.#aliases.get(name)
    return known?.candidates.map(({ target: { model } }) => `${model.upstream}/${model.model}`)
  }

  #ordering({ leastInput, prefix }: Wish) {
    const { health, random = Math.random, costAt = () => Infinity } = this.#options
    return { health, random, prefix, costAt: ({ model }: Target) => costAt(model, leastInput) }
  }

  async #targetsFor(name: ModelName): Promise<readonly Target[]> {
    const addressed = this.#addressed(name)
    if (addressed !== undefined) return [addressed]
    const listing = await this.#catalogue.listing(name)
    if (listing.length > 0) return listing.map((upstream) => targetOf(upstream, name))
    const likely = this.#likely(name)
    if (likely === undefined) throw unknownModel(name)
    return [{ ...targetOf(likely, name), isUnlisted: true }]
  }

  #known({ name, targets, strategy = 'fallback', rescue }: Alias): Known {
    const candidates = targets.map((target) => ({
      target: this.#targetOf(name, target),
      weight: target.weight ?? 1,
    }))
    if (rescue === undefined) return { candidates, strategy }
    return { candidates, strategy, rescue: { ...this.#targetOf(name, rescue), isRescue: true } }
  }

  #targetOf(name: string, { upstream, model }: AliasTarget): Target {
    const found = this.#upstreams.get(upstream)
    if (found !== undefined) return targetOf(found, model)
    throw new TypeError(
      `The model \`${name}\` has a target at \`${upstream}\`, which is no upstream.`,
    )
  }

  #addressed(name: string): Target | undefined {
    const slash = name.indexOf('/')
    const upstream = this.#upstreams.get(name.slice(0, Math.max(0, slash)))
    const model = name.slice(slash + 1)
    if (upstream === undefined || model === '') return undefined
    const isUnlisted = this.#catalogue.lists(upstream, model) !== true
    return { ...targetOf(upstream, model), isUnlisted }
  }

  /** Lists leave out aliases and deployments, so a name that is on none may still be served. */
  #likely(name: string): Upstream | undefined {
    const all = [...this.#upstreams.values()].filter(({ listsAll }) => listsAll !== true)
    const claiming = all.find((upstream) => upstream.mayServe?.(name) === true)
    return claiming ?? (all.length === 1 ? all[0] : undefined)
  }
}

interface Known {
  readonly candidates: readonly Candidate[]
  readonly strategy: Strategy
  readonly rescue?: Target
}

/** Those of a name that is none of the config's: in the order of the config's upstreams. */
function plain(targets: readonly Target[]): Known {
  return { candidates: targets.map((target) => ({ target, weight: 1 })), strategy: 'fallback' }
}

function targetOf(upstream: Upstream, model: string): Target {
  return { upstream, model: upstream.target(brandAs<UpstreamModel>(model)) }
}
