import { GatewayError } from '#chat/error.ts'

/** How much may be under way at once. */
export interface CrowdLimits {
  readonly exchanges: number
  /** Bytes of request bodies that are held, all together. */
  readonly bodyBytes: number
}

/** One exchange's place in the crowd. */
export interface Place {
  /** Takes room for so many bytes of its body. Throws `gateway-overloaded` if there is none. */
  take(bytes: number): void
  /** Gives back everything. Later calls change nothing. */
  leave(): void
}

/**
 * Everything under way, so that there is never more of it than the process can carry: whoever comes on top is refused
 * at once, while nothing has been done for it, and told to come again in a moment.
 */
export class Crowd {
  #exchanges = 0
  #bodyBytes = 0

  get exchanges(): number {
    return this.#exchanges
  }

  get bodyBytes(): number {
    return this.#bodyBytes
  }

  /** Throws `gateway-overloaded` if there is no place. */
  enter(limits: CrowdLimits): Place {
    if (this.#exchanges >= limits.exchanges)
      throw overloaded(`${limits.exchanges} exchanges are under way`)
    this.#exchanges += 1
    let taken = 0
    let isThere = true
    return {
      take: (bytes) => {
        if (!isThere) return
        if (this.#bodyBytes + bytes > limits.bodyBytes)
          throw overloaded('the requests under way hold as many bytes as they may')
        taken += bytes
        this.#bodyBytes += bytes
      },
      leave: () => {
        if (!isThere) return
        isThere = false
        this.#exchanges -= 1
        this.#bodyBytes -= taken
      },
    }
  }
}

function overloaded(why: string): GatewayError {
  return new GatewayError(
    'gateway-overloaded',
    `The gateway has as much to do as it can: ${why}. Send the request again in a moment.`,
    { retryAfter: 1 },
  )
}
