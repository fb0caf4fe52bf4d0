import { GatewayError } from '#chat/error.ts'

import { isReachable, type Origin } from './reachable.ts'

/** What can be called off for a reason. */
interface Waiting {
  fail(reason: GatewayError): void
}

export interface ReachGuardOptions {
  /** The upstream's name, for the message. */
  readonly upstream: string
  readonly origin: Origin
  /** After so much silence somebody looks, and has so long to get through: together the deadline of a connection. */
  readonly quietMs?: number
  readonly lookMs?: number
}

/** Who answered so recently is there. */
const trustMs = 10_000

/**
 * Tells an upstream that thinks from one that is not there. `fetch` cannot: to it a connection that never comes about
 * looks like an answer that takes long, which may be minutes. So when nothing has come for a while, a connection of
 * our own is tried; if that fails too, the request is given up.
 */
export class ReachGuard {
  readonly #options: Required<ReachGuardOptions>
  #reachedAt = Number.NEGATIVE_INFINITY

  constructor(options: ReachGuardOptions) {
    this.#options = { quietMs: 2000, lookMs: 3000, ...options }
  }

  /** Waits for the head of a response. What is waited for is failed if the upstream turns out to be out of reach. */
  async over<T>(waiting: Waiting, head: Promise<T>): Promise<T> {
    const isTrusted = performance.now() - this.#reachedAt < trustMs
    const timer = isTrusted
      ? undefined
      : setTimeout(() => void this.#look(waiting, head), this.#options.quietMs)
    try {
      const response = await head
      this.#reachedAt = performance.now()
      return response
    } finally {
      clearTimeout(timer)
    }
  }

  async #look(waiting: Waiting, head: Promise<unknown>): Promise<void> {
    const { upstream, origin, quietMs, lookMs } = this.#options
    let isOver = false
    const over = (): void => {
      isOver = true
    }
    head.then(over, over)
    if ((await isReachable(origin, lookMs)) || isOver) return
    const seconds = (quietMs + lookMs) / 1000
    waiting.fail(
      new GatewayError(
        'upstream-unreachable',
        `The upstream \`${upstream}\` cannot be reached: no connection came about within ${seconds} s.`,
      ),
    )
  }
}
