import type { Config } from '#config/schema.ts'
import { Prices } from '#prices/prices.ts'
import { brandAs } from '#std/brand.ts'
import type { VendorName } from '#upstreams/vendors/vendors.ts'

/** The targets that a config names and that nobody has a price for, as `upstream/model`: they are charged zero. */
export function unpricedIn({ upstreams, models, prices }: Config<VendorName>): string[] {
  const known = new Prices(prices)
  const targets = [
    ...Object.values(models).flatMap((alias) => alias.targets),
    ...Object.entries(upstreams).flatMap(([upstream, { serves = [] }]) =>
      serves.map((model) => ({ upstream, model })),
    ),
  ]
  const unpriced = targets.flatMap(({ upstream, model }) => {
    const settings = upstreams[upstream]
    if (settings === undefined) return []
    const whose = settings.vendor === undefined ? {} : { vendor: settings.vendor }
    const price = known.of({ upstream, model: brandAs(model), ...whose })
    return price === undefined ? [`${upstream}/${model}`] : []
  })
  return [...new Set(unpriced)]
}
