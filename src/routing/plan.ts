import type { GatewayError } from '#chat/error.ts'
import type { Target } from '#upstreams/upstream.ts'

import type { Health } from './health.ts'
import { longestPauseMs, pauseBefore, remedyFor } from './retry.ts'

export interface PlanOptions {
  readonly health: Health
  readonly signal: AbortSignal
  /** On the clock of `performance.now`: after it nothing more is tried. */
  readonly deadlineAt: number
  /** On the same clock: when the caller stops waiting, if that is earlier. */
  readonly waitsUntil?: number
  /** How often the caller has sent this request before. Whoever repeats by himself is not helped to do so twice. */
  readonly repeats: number
  /** Whether it does no harm if the request is carried out twice. */
  readonly isRepeatable: boolean
  readonly random?: () => number
}

/** Callers retry by themselves, so that more attempts than these would multiply. */
const maxAttempts = 3

/** Who is asked next, after all that has failed. */
export class Plan {
  readonly #options: PlanOptions
  readonly #left: Target[]
  #attempts = 0
  #last: Target | undefined
  #hasRepeated = false

  constructor(targets: readonly Target[], options: PlanOptions) {
    this.#options = options
    this.#left = [...targets]
  }

  /** How many have been asked. */
  get attempts(): number {
    return this.#attempts
  }

  /** The first to ask: whoever is well, or the first of all if nobody is. Undefined if there is no target. */
  first(): Target | undefined {
    return this.#ask(this.#admitted() ?? this.#left.shift())
  }

  /**
   * The next to ask after a failure, when its time has come; undefined if the failure is to be told. `hasBegun`: the
   * failure broke an answer, so that there is no doubt that the request was being carried out.
   */
  async after(
    { code, retryAfter = 0 }: GatewayError,
    { hasBegun = false } = {},
  ): Promise<Target | undefined> {
    const { signal, isRepeatable } = this.#options
    const remedy = remedyFor(code)
    const mayGoOn = isRepeatable || !(hasBegun || remedy.isAmbiguous === true)
    if (!mayGoOn || signal.aborted || performance.now() >= this.#endAt) return undefined
    if (this.#attempts >= maxAttempts) return remedy.another ? this.#ask(this.#rescue()) : undefined
    const next = remedy.another ? (this.#admitted() ?? this.#rescue()) : undefined
    if (next !== undefined) return this.#ask(next)
    return remedy.same && this.#left.length === 0 ? this.#repeat(retryAfter * 1000) : undefined
  }

  /** After it nothing more is tried. */
  get #endAt(): number {
    const { deadlineAt, waitsUntil = Infinity } = this.#options
    return Math.min(deadlineAt, waitsUntil)
  }

  #ask(target: Target | undefined): Target | undefined {
    if (target === undefined) return undefined
    this.#attempts += 1
    this.#last = target
    return target
  }

  /** Whoever stands in when all others have failed, and is asked however many that were. */
  #rescue(): Target | undefined {
    const index = this.#left.findIndex(({ isRescue }) => isRescue === true)
    return index === -1 ? undefined : this.#left.splice(index, 1)[0]
  }

  /** The first that is well. To ask it is to use up the leave that it gives. */
  #admitted(): Target | undefined {
    const index = this.#left.findIndex(
      ({ model, isRescue }) => isRescue !== true && this.#options.health.of(model).admit(),
    )
    return index === -1 ? undefined : this.#left.splice(index, 1)[0]
  }

  /** Asks the same one again, after a pause that is at least as long as it asked for, if that is not long. */
  async #repeat(leastMs: number): Promise<Target | undefined> {
    const { health, repeats, random = Math.random, signal } = this.#options
    const target = this.#last
    if (target === undefined || this.#hasRepeated || repeats > 0) return undefined
    const pauseMs = Math.max(leastMs, pauseBefore(this.#attempts, random))
    if (pauseMs > longestPauseMs || performance.now() + pauseMs >= this.#endAt) return undefined
    if (!health.of(target.model).mayRepeat()) return undefined
    this.#hasRepeated = true
    await paused(pauseMs, signal)
    return signal.aborted ? undefined : this.#ask(target)
  }
}

/** Resolves after so long, or as soon as the caller has gone. */
function paused(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}
