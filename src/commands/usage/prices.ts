import { Command } from 'commander'

import { configHelp, readConfig } from '#commands/config-file.ts'
import { type Outside, processOutside } from '#commands/outside.ts'
import { type Column, tableOf } from '#commands/table.ts'
import type { Config } from '#config/schema.ts'
import { type ListedPrice, Prices } from '#prices/prices.ts'
import { vendorPrices } from '#prices/vendor-prices.ts'
import { brandAs } from '#std/brand.ts'
import { fitsGlob } from '#std/glob.ts'
import type { VendorName } from '#upstreams/vendors/vendors.ts'

interface PricesFlags {
  readonly config?: string
  readonly json?: boolean
}

/** `parley prices`: what models cost, and who says so. */
export function pricesCommand(outside: Outside = processOutside()): Command {
  return new Command('prices')
    .description('Show what models cost, and who says so.')
    .argument('[model]', 'a model, with or without its upstream, or a glob such as "openai/gpt-6*"')
    .option('--config <file>', configHelp)
    .option('--json', 'print JSON for programs: whole micro-dollars')
    .action(async (asked: string | undefined, { config: file, json }: PricesFlags) => {
      const { config } = await readConfig(file, outside.environment)
      const listed = matching(asked, config, new Prices(config.prices, outside.now))
      if (json === true) return outside.print(JSON.stringify(listed.map(flat)))
      if (listed.length === 0)
        return outside.print(`Nobody says what ${asked ?? 'anything'} costs. ${remedy}`)
      outside.print(tableOf(columns, listed, outside.columns))
      outside.hint(footnote(listed))
    })
}

const remedy = 'It is charged zero, unless the config sets a price under `prices`.'

/** The rows of a list for a glob; for a name, what that model costs wherever it has a price. */
function matching(
  asked: string | undefined,
  config: Config<VendorName>,
  prices: Prices,
): readonly ListedPrice[] {
  if (asked === undefined) return prices.list()
  if (!asked.includes('*')) return named(asked, config, prices)
  return prices
    .list()
    .filter(({ model }) => fitsGlob(model, asked) || fitsGlob(withoutFirst(model), asked))
}

function named(asked: string, { upstreams }: Config<VendorName>, prices: Prices): ListedPrice[] {
  const vendorsOf = new Map<string, string | undefined>([
    ...[...vendorPrices.keys()].map((vendor) => [vendor, vendor] as const),
    ...Object.entries(upstreams).map(([name, { vendor }]) => [name, vendor] as const),
  ])
  const costOf = (upstream: string, name: string): ListedPrice[] => {
    const vendor = vendorsOf.get(upstream)
    const whose = vendor === undefined ? {} : { vendor }
    const price = prices.of({ upstream, model: brandAs(name), ...whose })
    return price === undefined ? [] : [{ model: `${upstream}/${name}`, price }]
  }
  const [upstream = ''] = asked.split('/', 1)
  const own = costOf(upstream, withoutFirst(asked))
  return own.length > 0 ? own : [...vendorsOf.keys()].flatMap((name) => costOf(name, asked))
}

function withoutFirst(model: string): string {
  return model.slice(model.indexOf('/') + 1)
}

function flat({ model, price }: ListedPrice): object {
  return { model, ...price }
}

const columns: readonly Column<ListedPrice>[] = [
  { title: 'model', cell: ({ model }) => model, isName: true },
  { title: 'input', cell: ({ price }) => dollars(price.input), isNumber: true },
  { title: 'cached', cell: ({ price }) => dollars(price.cacheRead), isNumber: true },
  { title: 'written', cell: ({ price }) => dollars(price.cacheWrite), isNumber: true },
  {
    title: 'output',
    cell: ({ price }) => dollars(price.output) + (price.above === undefined ? '' : ' *'),
    isNumber: true,
  },
  { title: 'since', cell: ({ price }) => price.since },
  { title: 'source', cell: ({ price }) => price.source, isName: true },
]

/** Dollars for a million tokens; a dash where there is no price of its own. */
function dollars(microDollars: number | undefined): string {
  return microDollars === undefined ? '–' : money.format(microDollars / 1_000_000)
}

const money = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 6 })

function footnote(listed: readonly ListedPrice[]): string {
  const long = listed.flatMap(({ price: { above } }) => above ?? [])
  const [only] = long
  const words = 'Dollars for a million tokens.'
  if (only === undefined) return words
  const tokens = only.inputTokens.toLocaleString('en')
  return listed.length === 1
    ? `${words} * Above ${tokens} tokens of input: ${dollars(only.input)} in, ${dollars(only.output)} out.`
    : `${words} * More for a long input: name the model, or add --json.`
}
