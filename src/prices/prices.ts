import type { TargetModel } from '#chat/target.ts'
import { fitsGlob } from '#std/glob.ts'

import { type PriceList, type PriceRow, priceOfRow } from './price-list.ts'
import type { Price } from './price.ts'
import { vendorPrices } from './vendor-prices.ts'

/** A price that an operator set. The rest of it is when and by whom. */
export type ConfiguredPrice = Omit<Price, 'since' | 'source' | 'above'>

/** Prices by globs over `upstream/model`. */
export type ConfiguredPrices = Readonly<Record<string, ConfiguredPrice>>

/** What is needed of a target to know its price. */
export type Priced = Pick<TargetModel, 'upstream' | 'vendor' | 'model'>

/** A price, and the models that it is for: a glob of `upstream/model` if it is configured, else of `vendor/model`. */
export interface ListedPrice {
  readonly model: string
  readonly price: Price
}

/** What every target costs. */
export class Prices {
  readonly #configured: readonly Entry[]
  readonly #now: () => number
  readonly #known = new Map<string, Price | undefined>()
  /** The rows of every vendor that hold today, as the vendor has them, and as they are looked through. */
  #listed: ReadonlyMap<string, readonly Entry[]> = new Map()
  #sorted: ReadonlyMap<string, readonly Entry[]> = new Map()
  /** When the next price of a list begins: everything known until then is looked up again. */
  #validUntil = 0

  /** What is configured wins over what the vendors say. `now` gives Unix milliseconds. */
  constructor(configured: ConfiguredPrices = {}, now: () => number = Date.now) {
    const since = dayOf(now())
    const prices = Object.entries(configured).map(([pattern, price]) => ({
      pattern,
      price: { ...price, since, source: 'config' },
    }))
    this.#configured = prices.toSorted(bySpecificity)
    this.#now = now
  }

  /** What the model of a target costs now; undefined if nobody says, and then it is charged zero and said so. */
  of(target: Priced): Price | undefined {
    this.#refresh()
    const { vendor = '', upstream, model } = target
    const key = `${vendor} ${upstream}/${model}`
    const known = this.#known.get(key)
    if (known !== undefined || this.#known.has(key)) return known
    const price = this.#find(vendor, upstream, model)
    if (this.#known.size >= maxRemembered) this.#known.clear()
    this.#known.set(key, price)
    return price
  }

  /** Every price that is in force: those of the config first. A vendor that has another's prices is left out. */
  list(): readonly ListedPrice[] {
    this.#refresh()
    const own = this.#configured.map(({ pattern, price }) => ({ model: pattern, price }))
    const listed = [...this.#listed]
      .filter(([vendor]) => vendorPrices.get(vendor)?.sameAs === undefined)
      .flatMap(([vendor, entries]) =>
        entries.map(({ pattern, price }) => ({ model: `${vendor}/${pattern}`, price })),
      )
    return [...own, ...listed]
  }

  #find(vendor: string, upstream: string, model: string): Price | undefined {
    const entries = this.#sorted.get(vendor) ?? []
    const plain = withoutPrefix(model, vendorPrices.get(vendor)?.prefix ?? '')
    return (
      priceIn(this.#configured, `${upstream}/${model}`) ??
      priceIn(entries, plain) ??
      // A snapshot costs as much as the model, unless it has a row of its own.
      priceIn(entries, plain.replace(snapshot, ''))
    )
  }

  #refresh(): void {
    const now = this.#now()
    if (now < this.#validUntil) return
    const today = dayOf(now)
    this.#known.clear()
    const listed = [...vendorPrices].map(
      ([vendor, list]) => [vendor, entriesOn(today, list)] as const,
    )
    this.#listed = new Map(listed)
    this.#sorted = new Map(
      listed.map(([vendor, entries]) => [vendor, entries.toSorted(bySpecificity)]),
    )
    this.#validUntil = nextChange(today)
  }
}

/** More targets than anybody has; callers choose the names of some. */
const maxRemembered = 4096

/** `-2024-08-06`, `-20251001` or `-latest` at the end of a name. */
const snapshot = /-(?:\d{4}-\d{2}-\d{2}|\d{8}|latest)$/

interface Entry {
  readonly pattern: string
  readonly price: Price
}

/** The rows that hold on a day: of those for the same models the one that began last. */
function entriesOn(today: string, { rows, source }: PriceList): readonly Entry[] {
  const latest = new Map<string, PriceRow>()
  for (const row of rows) {
    const [pattern, since] = row
    if (since <= today && since >= (latest.get(pattern)?.[1] ?? '')) latest.set(pattern, row)
  }
  return [...latest].map(([pattern, row]) => ({ pattern, price: priceOfRow(row, source) }))
}

function nextChange(today: string): number {
  const coming = [...vendorPrices.values()]
    .flatMap(({ rows }) => rows.map(([, since]) => since))
    .filter((since) => since > today)
  return coming.length === 0 ? Number.POSITIVE_INFINITY : Date.parse(coming.toSorted()[0] ?? '')
}

/** Names before globs, and of the globs first the one that says more. */
function bySpecificity({ pattern: one }: Entry, { pattern: other }: Entry): number {
  return (
    Number(one.includes('*')) - Number(other.includes('*')) || lettersIn(other) - lettersIn(one)
  )
}

function lettersIn(pattern: string): number {
  return pattern.replaceAll('*', '').length
}

function priceIn(entries: readonly Entry[], name: string): Price | undefined {
  return entries.find(({ pattern }) => fitsGlob(name, pattern))?.price
}

function withoutPrefix(model: string, prefix: string): string {
  return model.startsWith(prefix) ? model.slice(prefix.length) : model
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}
