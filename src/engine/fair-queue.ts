import { GatewayError } from '#chat/error.ts'

export interface FairQueueOptions {
  /** How many may work at once. */
  readonly slots: number
  /** How many may wait. */
  readonly limit: number
  /** What the queue is for, in messages: the name of a model. */
  readonly name: string
}

/** Who asks for a slot. */
export interface Comer {
  /** Whoever has the same one takes turns with the others as one. */
  readonly keyId?: string | undefined
  /** Its reason is thrown when it aborts. */
  readonly signal: AbortSignal
}

/** A place among those that work. Must be released, once is enough. */
export interface Slot extends Disposable {
  /** Milliseconds that were waited for it. */
  readonly waitedMs: number
}

interface Waiter {
  readonly keyId: string
  readonly admit: () => void
}

/**
 * Lets so many work at once and the others wait, at most so many. Keys take turns: whoever asks for a hundred answers
 * at once does not stand a hundred times before somebody who asks for one.
 */
export class FairQueue {
  readonly #options: FairQueueOptions
  /** Those that wait, by key. A key that had its turn goes to the end. */
  readonly #waiting = new Map<string, Set<Waiter>>()
  #slots: number
  #working = 0
  #waiters = 0
  /** How long one has worked lately, in milliseconds: the guess when a place will be free. */
  #usualMs = 1000

  constructor(options: FairQueueOptions) {
    this.#options = options
    this.#slots = options.slots
  }

  get working(): number {
    return this.#working
  }

  get waiting(): number {
    return this.#waiters
  }

  /** How many may work from now on. Those that work go on. */
  set slots(slots: number) {
    this.#slots = Math.max(1, slots)
    this.#admitNext()
  }

  /** Resolves with a slot. Throws `engine-busy` if too many wait, and the signal's reason if it aborts first. */
  async enter({ keyId = '', signal }: Comer): Promise<Slot> {
    signal.throwIfAborted()
    if (this.#working < this.#slots) {
      this.#working++
      return this.#slot(0)
    }
    if (this.#waiters >= this.#options.limit) throw this.#busy()
    const since = performance.now()
    await this.#wait(keyId, signal)
    return this.#slot(performance.now() - since)
  }

  /** Somebody works, and was counted when that was decided, so that nobody comes between. */
  #slot(waitedMs: number): Slot {
    const takenAt = performance.now()
    let isReleased = false
    return {
      waitedMs,
      [Symbol.dispose]: () => {
        if (isReleased) return
        isReleased = true
        this.#usualMs = 0.8 * this.#usualMs + 0.2 * (performance.now() - takenAt)
        this.#leave()
      },
    }
  }

  #leave(): void {
    this.#working--
    this.#admitNext()
  }

  async #wait(keyId: string, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiter = { keyId, admit: resolve }
    const others = this.#waiting.get(keyId) ?? new Set()
    this.#waiting.set(keyId, others.add(waiter))
    this.#waiters++
    const giveUp = (): void => {
      if (this.#forget(waiter)) reject(signal.reason)
    }
    signal.addEventListener('abort', giveUp)
    try {
      await promise
    } finally {
      signal.removeEventListener('abort', giveUp)
    }
  }

  /** Whether it still waited. */
  #forget(waiter: Waiter): boolean {
    const others = this.#waiting.get(waiter.keyId)
    if (others?.delete(waiter) !== true) return false
    if (others.size === 0) this.#waiting.delete(waiter.keyId)
    this.#waiters--
    return true
  }

  #admitNext(): void {
    while (this.#working < this.#slots) {
      const waiter = this.#next()
      if (waiter === undefined) return
      this.#working++
      waiter.admit()
    }
  }

  #next(): Waiter | undefined {
    const [turn] = this.#waiting
    if (turn === undefined) return undefined
    const [keyId, waiters] = turn
    const [waiter] = waiters
    if (waiter === undefined) return undefined
    this.#forget(waiter)
    if (waiters.size > 0) {
      this.#waiting.delete(keyId)
      this.#waiting.set(keyId, waiters)
    }
    return waiter
  }

  #busy(): GatewayError {
    const { name, limit } = this.#options
    const seconds = ((this.#waiters / this.#slots) * this.#usualMs) / 1000
    return new GatewayError(
      'engine-busy',
      `The engine is busy: ${this.#working} answers of \`${name}\` are under way and ${limit} callers wait. Ask again in a while.`,
      { retryAfter: Math.min(60, Math.max(1, Math.ceil(seconds))) },
    )
  }
}
