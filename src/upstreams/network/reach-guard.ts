import { GatewayError } from '#chat/error.ts'

import { proxyBefore } from './proxies.ts'
import { isReachable, type Origin } from './reachable.ts'

/** What can be called off for a reason. */
interface Waiting {
  fail(reason: GatewayError): void
}

export interface ReachGuardOptions {
  /** The upstream's name, for the message. */
  readonly upstream: string
  readonly origin: Origin
  /** What stands before it; usually what the environment says. */
  readonly proxy?: Origin | undefined
  /** After so much silence somebody looks, and has so long to get through: together the deadline of a connection. */
  readonly quietMs?: number
  readonly lookMs?: number
}

/** Who answered so recently is there. */
const trustMs = 10_000

/**
 * Tells an upstream that thinks from one that is not there. `fetch` cannot: to it a connection that never comes about
 * looks like an answer that takes long, which may be minutes. So when nothing has come for a while, a connection of
 * our own is tried; if that fails too, the request is given up. Behind a proxy it is enough that the proxy is there.
 */
export class ReachGuard {
  readonly #options: Required<Omit<ReachGuardOptions, 'origin' | 'proxy'>>
  /** Where a connection may be made to. */
  readonly #ways: readonly Origin[]
  #reachedAt = Number.NEGATIVE_INFINITY

  constructor({ origin, proxy = proxyBefore(origin), ...rest }: ReachGuardOptions) {
    this.#options = { quietMs: 2000, lookMs: 3000, ...rest }
    this.#ways = proxy === undefined ? [origin] : [origin, proxy]
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
    const { upstream, quietMs, lookMs } = this.#options
    let isOver = false
    const over = (): void => {
      isOver = true
    }
    head.then(over, over)
    const isThere = await Promise.all(this.#ways.map((way) => isReachable(way, lookMs)))
    if (isThere.includes(true) || isOver) return
    const seconds = (quietMs + lookMs) / 1000
    waiting.fail(
      new GatewayError(
        'upstream-unreachable',
        `The upstream \`${upstream}\` cannot be reached: no connection came about within ${seconds} s.`,
      ),
    )
  }
}
