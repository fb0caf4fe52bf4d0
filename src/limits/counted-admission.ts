import type { Admission } from '#chat/admission.ts'
import { totalInput, type Usage } from '#chat/usage.ts'
import type { Holder } from '#keys/policy.ts'

import type { CounterBook, Counters, Lease } from './holder-counters.ts'
import { limitReport } from './limit-report.ts'
import { type Amounts, costOf } from './rate-limits.ts'
import type { Whose } from './rate-refusal.ts'

/** A holder whose limits an exchange is counted by, as they were when it was admitted. */
export interface Place {
  readonly whose: Whose
  readonly holder: Holder
  readonly counters: Counters
  readonly limits: Counters['limits']
}

/** What an admission counts, and where. */
export interface Counting {
  readonly places: readonly Place[]
  readonly asked: Amounts
  /** Its place among those under way, where that is limited. */
  readonly held: Held | undefined
  readonly book: CounterBook
  readonly now: () => number
  readonly freed: (held: Held) => void
}

/** The admission of a caller with limits. */
export class CountedAdmission implements Admission {
  readonly #counting: Counting
  #isOver = false

  constructor(counting: Counting) {
    this.#counting = counting
  }

  limits(): ReadonlyMap<string, string> {
    return limitReport(this.#counting.places, this.#counting.now())
  }

  settle(usage: Usage): void {
    this.#end(usedIn(usage, this.#counting.asked))
  }

  cancel(): void {
    this.#end(nothing)
  }

  #end(used: Amounts): void {
    if (this.#isOver) return
    this.#isOver = true
    const { places, asked, held, book } = this.#counting
    if (held !== undefined) this.#counting.freed(held)
    const now = this.#counting.now()
    for (const { holder, limits } of places) {
      const counters = book.of(holder, now)
      for (const limit of limits.rates)
        counters.take(limit, used[limit.of] - costOf(limit, asked), now)
    }
  }
}

const nothing = { requests: 0, input: 0, output: 0, tokens: 0 } as const

/** What was used in the end. Where only the output was told, the estimate of the input stands; where nothing was, nothing was used. */
function usedIn(usage: Usage, asked: Amounts): Amounts {
  const hasInput = [usage.input, usage.cacheRead, usage.cacheWrite].some((n) => n !== undefined)
  const wasAnswered = hasInput || usage.output !== undefined
  if (!wasAnswered) return amountsOf(0, 0)
  return amountsOf(hasInput ? totalInput(usage) : asked.input, usage.output ?? 0)
}

/** A lease and everywhere it is held. Nothing in it leads to its admission, which would keep that alive. */
export interface Held {
  readonly lease: Lease
  readonly in: readonly Set<Lease>[]
}

/** Takes a place of every holder that counts them. */
export function leased(places: readonly Place[], now: number): Held | undefined {
  const counted = places.filter(({ limits }) => limits.concurrency !== undefined)
  if (counted.length === 0) return undefined
  const held = { lease: { since: now }, in: counted.map(({ counters }) => counters.leases) }
  for (const leases of held.in) leases.add(held.lease)
  return held
}

export function giveBack({ lease, in: places }: Held): void {
  for (const leases of places) leases.delete(lease)
}

/** One exchange and its tokens. */
export function amountsOf(input: number, output: number): Amounts {
  return { requests: 1, input, output, tokens: input + output }
}
