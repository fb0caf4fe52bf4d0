import type { GatewayError } from '#chat/error.ts'
import type { TargetModel } from '#chat/target.ts'

import { Breaker, type BreakerState, type Surroundings } from './breaker.ts'

/** How a target fares, for whoever looks at it. */
export interface TargetState {
  readonly target: string
  readonly breaker: BreakerState
  /** Milliseconds until it may be asked again: its breaker, or the wait that it asked for itself. */
  readonly waitMs: number
  readonly inFlight: number
  /** Time to the first words, in milliseconds, recent and slow answers weighing most; absent before the first answer. */
  readonly latencyMs?: number
}

/** A wait that an upstream asks for is believed up to here. */
const longestCoolMs = 10 * 60_000
/** A busy upstream that names no wait is left alone for this long. */
const usualCoolMs = 1000

/** In this time the weight of what was measured falls to a third. */
const decayMs = 10_000

const repeatShare = 0.1
const repeatWindowMs = 10_000
const leastRepeats = 3
const mostRepeats = 20

/** More targets than any config has; callers can make names up, and what is oldest is forgotten. */
const maxRemembered = 4096

/** How every target fares: what the router goes by. */
export class Health {
  readonly #surroundings: Surroundings
  readonly #targets = new Map<string, TargetHealth>()

  constructor(surroundings: Surroundings = { now: () => performance.now(), random: Math.random }) {
    this.#surroundings = surroundings
  }

  of({ upstream, model }: Pick<TargetModel, 'upstream' | 'model'>): TargetHealth {
    const name = `${upstream}/${model}`
    const known = this.#targets.get(name)
    if (known !== undefined) return known
    const health = new TargetHealth(this.#surroundings)
    if (this.#targets.size >= maxRemembered) this.#forgetOne()
    this.#targets.set(name, health)
    return health
  }

  /** Every target that was asked since the start. */
  states(): TargetState[] {
    return [...this.#targets].map(([target, health]) => ({ target, ...health.state }))
  }

  #forgetOne(): void {
    for (const [name, { state }] of this.#targets) {
      if (state.inFlight > 0) continue
      this.#targets.delete(name)
      return
    }
  }
}

/** How one target fares. */
export class TargetHealth {
  readonly #surroundings: Surroundings
  readonly #breaker: Breaker
  #coolUntil = Number.NEGATIVE_INFINITY
  #inFlight = 0
  #latencyMs: number | undefined
  #measuredAt = 0
  /** Repetitions that may still be made: a tenth of the requests, and a few a moment in any case. */
  #repeats = leastRepeats
  #repeatsAt: number

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings
    this.#breaker = new Breaker(surroundings)
    this.#repeatsAt = surroundings.now()
  }

  get state(): Omit<TargetState, 'target'> {
    return {
      breaker: this.#breaker.state,
      waitMs: this.waitMs,
      inFlight: this.#inFlight,
      ...(this.#latencyMs !== undefined && { latencyMs: this.#latencyMs }),
    }
  }

  /** Milliseconds until it should be asked again; 0 where it may be asked now. */
  get waitMs(): number {
    return Math.max(0, this.#breaker.waitMs, this.#coolUntil - this.#surroundings.now())
  }

  get inFlight(): number {
    return this.#inFlight
  }

  /**
   * What asking it now is expected to cost in time: its peak latency by everybody who is there already. A target that
   * nobody has asked yet costs nothing, so it is tried.
   */
  get load(): number {
    return (this.#latencyMs ?? 0) * (this.#inFlight + 1)
  }

  /** Whether it may be asked now. Where its breaker is half open, this asking is the probe. */
  admit(): boolean {
    return this.#coolUntil <= this.#surroundings.now() && this.#breaker.admit()
  }

  /** Whether a request may be sent again to a target that has just failed it. To ask is to use up the leave. */
  mayRepeat(): boolean {
    const now = this.#surroundings.now()
    const earned = ((now - this.#repeatsAt) / repeatWindowMs) * leastRepeats
    if (this.#repeats < leastRepeats) this.#repeats = Math.min(leastRepeats, this.#repeats + earned)
    this.#repeatsAt = now
    if (this.#repeats < 1) return false
    this.#repeats -= 1
    return true
  }

  /** An answer is asked for. What is given back is to be called when it has ended, and again changes nothing. */
  begin(): () => void {
    this.#inFlight += 1
    this.#repeats = Math.min(mostRepeats, this.#repeats + repeatShare)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#inFlight -= 1
    }
  }

  /** It began to answer, after so long. */
  answered(afterMs: number): void {
    this.#breaker.succeeded()
    this.#measure(afterMs)
  }

  /** It failed, after so long. Only what is its own fault counts. */
  failed({ code, fault, retryAfter }: GatewayError, afterMs: number): void {
    if (fault !== 'upstream') return
    if (code === 'upstream-busy' || code === 'engine-busy') return this.#cool(retryAfter)
    if (code === 'upstream-overloaded' && retryAfter !== undefined) this.#cool(retryAfter)
    this.#breaker.failed()
    if (code === 'upstream-timeout') this.#measure(afterMs)
  }

  #cool(retryAfter: number | undefined): void {
    const ms = retryAfter === undefined ? usualCoolMs : retryAfter * 1000
    const until = this.#surroundings.now() + Math.min(Math.max(ms, 0), longestCoolMs)
    this.#coolUntil = Math.max(this.#coolUntil, until)
  }

  /** A slow answer counts at once and in full; fast ones bring it down with time. */
  #measure(ms: number): void {
    const now = this.#surroundings.now()
    const before = this.#latencyMs ?? ms
    const weight = Math.exp(-(now - this.#measuredAt) / decayMs)
    this.#latencyMs = ms > before ? ms : before * weight + ms * (1 - weight)
    this.#measuredAt = now
  }
}
