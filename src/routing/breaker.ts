/** What time it is, in milliseconds from anywhere that never goes back, and chance from 0 to 1. */
export interface Surroundings {
  readonly now: () => number
  readonly random: () => number
}

/** `closed` lets everything through, `open` nothing, `half-open` one probe now and then. */
export type BreakerState = 'closed' | 'open' | 'half-open'

/** So many failures one after another, or this share of at least so many in the window, open the breaker. */
const consecutiveLimit = 5
const shareLimit = 0.5
const shareLeast = 20
const windowMs = 30_000
const slots = 6

const firstOpenMs = 30_000
const longestOpenMs = 300_000
const jitter = 0.2
const probeEveryMs = 5000

/**
 * Keeps requests away from what fails anyway, and lets one through now and then to see whether it is well again.
 * What counts as a failure is the upstream's own fault alone: a caller who leaves, or asks for nonsense, says nothing
 * of its health.
 */
export class Breaker {
  readonly #surroundings: Surroundings
  readonly #window: Slot[] = []
  #consecutive = 0
  /** How many times it has opened since it was last well. */
  #openings = 0
  #openUntil: number | undefined
  #probedAt = Number.NEGATIVE_INFINITY

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings
  }

  get state(): BreakerState {
    if (this.#openUntil === undefined) return 'closed'
    return this.#surroundings.now() < this.#openUntil ? 'open' : 'half-open'
  }

  /** Milliseconds until it lets a probe through; 0 where it lets through now. */
  get waitMs(): number {
    if (this.#openUntil === undefined) return 0
    const now = this.#surroundings.now()
    return Math.max(0, this.#openUntil - now, this.#probedAt + probeEveryMs - now)
  }

  /** Whether a request may go through. In the half-open state the one that may is the probe. */
  admit(): boolean {
    if (this.#openUntil === undefined) return true
    if (this.waitMs > 0) return false
    this.#probedAt = this.#surroundings.now()
    return true
  }

  succeeded(): void {
    this.#consecutive = 0
    this.#count(false)
    if (this.state !== 'half-open') return
    this.#openUntil = undefined
    this.#openings = 0
    this.#window.length = 0
  }

  failed(): void {
    this.#consecutive += 1
    this.#count(true)
    const { state } = this
    if (state === 'half-open' || (state === 'closed' && this.#isTooMuch())) this.#open()
  }

  #open(): void {
    this.#openings += 1
    const { now, random } = this.#surroundings
    const length = Math.min(firstOpenMs * this.#openings, longestOpenMs)
    this.#openUntil = now() + length * (1 - jitter + 2 * jitter * random())
    this.#consecutive = 0
  }

  #isTooMuch(): boolean {
    if (this.#consecutive >= consecutiveLimit) return true
    const asked = this.#window.reduce((sum, slot) => sum + slot.asked, 0)
    const failed = this.#window.reduce((sum, slot) => sum + slot.failed, 0)
    return asked >= shareLeast && failed / asked >= shareLimit
  }

  #count(hasFailed: boolean): void {
    const length = windowMs / slots
    const index = Math.floor(this.#surroundings.now() / length)
    while ((this.#window[0]?.index ?? index) <= index - slots) this.#window.shift()
    let slot = this.#window.at(-1)
    if (slot?.index !== index) {
      slot = { index, asked: 0, failed: 0 }
      this.#window.push(slot)
    }
    slot.asked += 1
    if (hasFailed) slot.failed += 1
  }
}

interface Slot {
  readonly index: number
  asked: number
  failed: number
}
