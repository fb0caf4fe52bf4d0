import { GatewayError } from '#chat/error.ts'

/** How much may be under way at once. */
export interface CrowdLimits {
  readonly exchanges: number
  /** Bytes of request bodies that are held, all together. */
  readonly bodyBytes: number
}

/** One exchange's place in the crowd. */
export interface Place {
  /** Says whose it is. Throws `gateway-overloaded` if that key holds its share of the places already. */
  claim(keyId: string): void
  /** Takes room for so many bytes of its body. Throws `gateway-overloaded` if there is none, or none for its key. */
  take(bytes: number): void
  /** Gives back everything. Later calls change nothing. */
  leave(): void
}

/**
 * One key may hold so many times what is still free. So one alone may have nine tenths of everything, two may have nine
 * nineteenths each, and however many there are, what they leave is there for whoever has nothing yet.
 */
const timesFree = 9

interface Held {
  exchanges: number
  bodyBytes: number
}

/**
 * Everything under way, so that there is never more of it than the process can carry: whoever comes on top is refused
 * at once, while nothing has been done for it, and told to come again in a moment. No key can fill it alone.
 */
export class Crowd {
  readonly #all: Held = { exchanges: 0, bodyBytes: 0 }
  readonly #ofKeys = new Map<string, Held>()

  get exchanges(): number {
    return this.#all.exchanges
  }

  get bodyBytes(): number {
    return this.#all.bodyBytes
  }

  /** How many keys have something under way. */
  get keys(): number {
    return this.#ofKeys.size
  }

  /** Throws `gateway-overloaded` if there is no place. */
  enter(limits: CrowdLimits): Place {
    const all = this.#all
    if (all.exchanges >= limits.exchanges)
      throw overloaded(`${limits.exchanges} exchanges are under way`)
    all.exchanges += 1
    let taken = 0
    let keyId: string | undefined
    let isThere = true
    return {
      claim: (claimed) => {
        if (!isThere || keyId !== undefined) return
        this.#claim(claimed, limits)
        keyId = claimed
      },
      take: (bytes) => {
        if (!isThere) return
        this.#take(bytes, limits, { taken, own: this.#ofKeys.get(keyId ?? '') })
        taken += bytes
      },
      leave: () => {
        if (!isThere) return
        isThere = false
        all.exchanges -= 1
        all.bodyBytes -= taken
        if (keyId !== undefined) this.#giveBack(keyId, taken)
      },
    }
  }

  #claim(keyId: string, limits: CrowdLimits): void {
    const own = this.#ofKeys.get(keyId) ?? { exchanges: 0, bodyBytes: 0 }
    const free = limits.exchanges - this.#all.exchanges + 1
    if (own.exchanges >= timesFree * free)
      throw overloaded(
        `${own.exchanges} exchanges of this key are under way, and few places are left`,
      )
    own.exchanges += 1
    this.#ofKeys.set(keyId, own)
  }

  #take(
    bytes: number,
    limits: CrowdLimits,
    { taken, own }: { taken: number; own?: Held | undefined },
  ): void {
    const free = limits.bodyBytes - this.#all.bodyBytes
    if (bytes > free) throw overloaded('the requests under way hold as many bytes as they may')
    // One request may be as large as there is room for; it is many of them that are a share.
    const others = (own?.bodyBytes ?? 0) - taken
    if (others > 0 && others + taken + bytes > timesFree * free)
      throw overloaded(
        'the requests of this key that are under way hold nearly all bytes that may be held',
      )
    this.#all.bodyBytes += bytes
    if (own !== undefined) own.bodyBytes += bytes
  }

  #giveBack(keyId: string, bytes: number): void {
    const own = this.#ofKeys.get(keyId)
    if (own === undefined) return
    own.exchanges -= 1
    own.bodyBytes -= bytes
    if (own.exchanges === 0) this.#ofKeys.delete(keyId)
  }
}

function overloaded(why: string): GatewayError {
  return new GatewayError(
    'gateway-overloaded',
    `The gateway has as much to do as it can: ${why}. Send the request again in a moment.`,
    { retryAfter: 1 },
  )
}
