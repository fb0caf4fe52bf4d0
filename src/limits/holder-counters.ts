import type { Holder, Policy } from '#keys/policy.ts'

import { aheadAfter } from './gcra.ts'
import { dimensions, limitsOf, type PolicyLimits, type RateLimit } from './rate-limits.ts'

/** A place among the exchanges under way. */
export interface Lease {
  /** Nanoseconds of the limiter's clock. */
  readonly since: number
}

/** What is counted of one holder. Times are nanoseconds of the limiter's clock. */
export class Counters {
  /** The leases of exchanges under way, the oldest first. */
  readonly leases = new Set<Lease>()
  usedAt = 0
  /** For every dimension, when the last of what was taken has come back. What is past is as good as never. */
  readonly #arrivals = new Float64Array(dimensions.length)
  #policy: Policy
  #limits: PolicyLimits

  constructor(policy: Policy) {
    this.#policy = policy
    this.#limits = limitsOf(policy)
  }

  get limits(): PolicyLimits {
    return this.#limits
  }

  /** Goes by another policy from now on. What was taken stays taken, whatever number was changed. */
  follow(policy: Policy): void {
    if (policy === this.#policy) return
    this.#policy = policy
    this.#limits = limitsOf(policy)
  }

  ahead({ at }: RateLimit, now: number): number {
    return Math.max(0, (this.#arrivals[at] ?? 0) - now)
  }

  /** Takes units, or gives them back if they are fewer than none. */
  take(limit: RateLimit, units: number, now: number): void {
    if (units !== 0)
      this.#arrivals[limit.at] = now + aheadAfter(limit, this.ahead(limit, now), units)
  }

  /** Whether counters that are forgotten and begun anew would be the same. */
  isAtRest(now: number): boolean {
    return this.leases.size === 0 && this.#arrivals.every((arrival) => arrival <= now)
  }
}

/**
 * The counters of all holders that have limits. When there are too many, those that have nothing to remember go
 * first, then those that were not asked for longest. Whoever has exchanges under way stays.
 */
export class CounterBook {
  readonly #counters = new Map<string, Counters>()
  readonly #most: number

  constructor(most: number) {
    this.#most = most
  }

  get size(): number {
    return this.#counters.size
  }

  /** The counters of a holder, as they are. */
  of({ id, policy }: Holder, now: number): Counters {
    const known = this.#counters.get(id)
    if (known !== undefined) return known
    if (this.#counters.size >= this.#most) this.#makeRoom(now)
    const added = new Counters(policy)
    this.#counters.set(id, added)
    return added
  }

  /** Looks at a few only, those that were looked at longest ago, so that a full book costs each newcomer the same. */
  #makeRoom(now: number): void {
    let stalest: readonly [id: string, usedAt: number] | undefined
    for (const [id, counters] of this.#counters.entries().take(looks).toArray()) {
      this.#counters.delete(id)
      // What was asked for at this very time may be about to be charged.
      if (counters.usedAt < now && counters.isAtRest(now)) continue
      this.#counters.set(id, counters)
      if (counters.leases.size > 0 || counters.usedAt >= (stalest?.[1] ?? now)) continue
      stalest = [id, counters.usedAt]
    }
    if (this.#counters.size >= this.#most && stalest !== undefined)
      this.#counters.delete(stalest[0])
  }
}

const looks = 16
