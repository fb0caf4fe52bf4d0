import type { Admission } from '#chat/admission.ts'
import type { Caller, Holder } from '#keys/policy.ts'

import {
  amountsOf,
  CountedAdmission,
  giveBack,
  type Held,
  leased,
  type Place,
} from './counted-admission.ts'
import { nsPerMs, waitFor } from './gcra.ts'
import { CounterBook } from './holder-counters.ts'
import { limitReport } from './limit-report.ts'
import { type Amounts, costOf } from './rate-limits.ts'
import { type Binding, refusalOf } from './rate-refusal.ts'

export interface LimiterOptions {
  /** A clock that only goes forward, in milliseconds. */
  readonly now?: () => number
  /** How many holders are remembered. */
  readonly maxHolders?: number
  /** After how long a place counts as forgotten: longer than any exchange may take. */
  readonly leaseMs?: number
}

/** What an exchange asks for, in tokens: an estimate of its input, and the most that its answer may have. */
export interface Ask {
  readonly input: number
  /** Of all its choices together; infinite if nobody said. */
  readonly output: number
}

/**
 * Admits exchanges by the rates and the concurrency of all of a caller's holders at once. It is one synchronous step:
 * nothing can come between the look and the charge, and a refusal takes nothing. Everything is kept in memory, so a
 * restart begins with full limits; what must never be lost is in the ledger.
 */
export class Limiter {
  readonly #book: CounterBook
  readonly #clock: () => number
  #leaseNs: number
  #lastNow = 0
  /** The last net under a place that nobody gave back: its admission is gone. */
  readonly #forgotten = new FinalizationRegistry<Held>(giveBack)

  constructor({ now = () => performance.now(), maxHolders, leaseMs }: LimiterOptions = {}) {
    this.#clock = now
    this.#book = new CounterBook(maxHolders ?? defaultHolders)
    this.#leaseNs = (leaseMs ?? defaultLeaseMs) * nsPerMs
  }

  /** No exchange takes longer than this from now on, in milliseconds: so long a place is held, and a while more. */
  follow(longestMs: number): void {
    this.#leaseNs = (longestMs + leaseMarginMs) * nsPerMs
  }

  /** How many holders are remembered now. */
  get holders(): number {
    return this.#book.size
  }

  /** Throws `rate-exceeded`, having counted nothing, if any limit of any holder stands in the way. */
  admit({ holders }: Caller, ask: Ask): Admission {
    if (!holders.some(isLimited)) return unlimited
    const now = this.#now()
    const places = this.#placesOf(holders, now)
    const asked = amountsOf(Math.ceil(ask.input), Math.min(ask.output, usualOutput))
    const binding = this.#bindingOf(places, asked, now)
    if (binding !== undefined) throw refusalOf(binding, limitReport(places, now))
    for (const place of places) charge(place, asked, now)
    return this.#admitted(places, asked, now)
  }

  #placesOf(holders: Caller['holders'], now: number): Place[] {
    const places: Place[] = []
    for (const whose of whoses) {
      const holder = holders[whose]
      if (!isLimited(holder)) continue
      const counters = this.#book.of(holder, now)
      counters.usedAt = now
      counters.follow(holder.policy)
      places.push({ whose, holder, counters, limits: counters.limits })
    }
    return places
  }

  /** The limit that stands in the way longest, if any does: whoever waits for it need not come twice. */
  #bindingOf(places: readonly Place[], asked: Amounts, now: number): Binding | undefined {
    let binding: Binding | undefined
    for (const place of places) {
      const { whose, counters, limits } = place
      for (const limit of limits.rates) {
        const cost = costOf(limit, asked)
        const wait = waitFor(limit, counters.ahead(limit, now), cost)
        if (wait > (binding?.wait ?? 0)) binding = { type: 'rate', whose, limit, cost, wait }
      }
      const full = this.#fullness(place, now)
      if (full !== undefined && full.wait > (binding?.wait ?? 0)) binding = full
    }
    return binding
  }

  #fullness({ whose, counters, limits }: Place, now: number): Binding | undefined {
    const { concurrency: most } = limits
    const { leases } = counters
    if (most === undefined || leases.size < most) return undefined
    for (const lease of leases) {
      if (now - lease.since < this.#leaseNs) break
      leases.delete(lease)
    }
    if (leases.size < most) return undefined
    const wait = most === 0 ? Number.POSITIVE_INFINITY : leaseWaitNs
    return { type: 'concurrency', whose, most, wait }
  }

  #admitted(places: readonly Place[], asked: Amounts, now: number): Admission {
    const held = leased(places, now)
    const counting = { places, asked, held, book: this.#book, now: this.#now, freed: this.#freed }
    const admission = new CountedAdmission(counting)
    if (held !== undefined) this.#forgotten.register(admission, held, held)
    return admission
  }

  readonly #freed = (held: Held): void => {
    giveBack(held)
    this.#forgotten.unregister(held)
  }

  readonly #now = (): number => {
    this.#lastNow = Math.max(this.#lastNow, Math.floor(this.#clock() * nsPerMs))
    return this.#lastNow
  }
}

/** What the answers of most callers stay below. An answer that nobody limited must not take a day's tokens beforehand. */
const usualOutput = 1000

const defaultHolders = 1_000_000
/** For what comes before and after an exchange's own time: a body that is long on its way, a disk that is slow. */
const leaseMarginMs = 30 * 60_000
const defaultLeaseMs = 10 * 60_000 + leaseMarginMs
const leaseWaitNs = 1000 * nsPerMs
const whoses = [0, 1, 2] as const

const noLimits: ReadonlyMap<string, string> = new Map()

const unlimited: Admission = Object.freeze({
  limits: () => noLimits,
  settle: () => undefined,
  cancel: () => undefined,
})

function isLimited({ policy: { rates, concurrency } }: Holder): boolean {
  return rates !== undefined || concurrency !== undefined
}

function charge({ counters, limits }: Place, asked: Amounts, now: number): void {
  for (const limit of limits.rates) counters.take(limit, costOf(limit, asked), now)
}
