import type { ModelCard } from '#chat/model-card.ts'
import type { UpstreamModel } from '#chat/names.ts'
import type { TargetModel } from '#chat/target.ts'
import { brandAs } from '#std/brand.ts'
import type { Upstream } from '#upstreams/upstream.ts'

import type { Catalogue } from './catalogue.ts'
import type { Strategy } from './order.ts'
import type { Alias } from './router.ts'

/** One of those who may answer to a name. */
export interface ServedTarget {
  readonly model: TargetModel
  /** Its share of the work, beside the weights of the others. */
  readonly weight: number
  /** It is asked when all others have failed. */
  readonly isRescue: boolean
}

/** A model that can be asked for, and who answers. */
export interface ServedModel extends ModelCard {
  /** By what the first to be asked is chosen; absent where the config says nothing of the name. */
  readonly strategy?: Strategy
  readonly targets: readonly ServedTarget[]
}

export interface Offered {
  readonly upstreams: readonly Upstream[]
  readonly aliases: readonly Alias[]
  readonly catalogue: Pick<Catalogue, 'list' | 'lists'>
}

/** Every model that can be asked for, with its targets as the router would take them. */
export async function servedModels(offered: Offered): Promise<readonly ServedModel[]> {
  const cards = await offered.catalogue.list()
  const aliases = new Map(offered.aliases.map((alias) => [alias.name, alias]))
  return cards.map((card) => {
    const alias = card.upstream === 'parley' ? aliases.get(card.id) : undefined
    if (alias === undefined) return { ...card, targets: listing(card, offered) }
    return { ...card, strategy: alias.strategy ?? 'fallback', targets: named(alias, offered) }
  })
}

function named({ targets, rescue }: Alias, { upstreams }: Offered): readonly ServedTarget[] {
  const all = [
    ...targets.map((target) => ({ ...target, isRescue: false })),
    ...(rescue === undefined ? [] : [{ ...rescue, isRescue: true }]),
  ]
  return all.flatMap(({ upstream: name, model, weight = 1, isRescue }) => {
    const upstream = upstreams.find((one) => one.name === name)
    return upstream === undefined ? [] : [{ model: modelAt(upstream, model), weight, isRescue }]
  })
}

/** Those that list it by this name; or the one that it addresses, where its plain name means something else. */
function listing({ id, upstream: name }: ModelCard, offered: Offered): readonly ServedTarget[] {
  const { upstreams, catalogue } = offered
  const found = upstreams.filter((upstream) => catalogue.lists(upstream, id) === true)
  const holder = upstreams.find((upstream) => upstream.name === name)
  const plain = id.startsWith(`${name}/`) ? id.slice(name.length + 1) : id
  const models =
    found.length > 0 || holder === undefined
      ? found.map((upstream) => modelAt(upstream, id))
      : [modelAt(holder, plain)]
  return models.map((model) => ({ model, weight: 1, isRescue: false }))
}

function modelAt(upstream: Upstream, model: string): TargetModel {
  return upstream.target(brandAs<UpstreamModel>(model))
}
