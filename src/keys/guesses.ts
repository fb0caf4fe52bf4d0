import { hash } from 'node:crypto'

export interface GuessesOptions {
  /** A clock that only goes forward, in milliseconds. */
  readonly now?: () => number
}

/** So many wrong keys may come from one address in a minute. */
const perMinute = 20
const minuteMs = 60_000
const stepMs = minuteMs / perMinute

/** Wrong keys that came beside right ones; beyond so many all are forgotten, and count once more. */
const maxStrays = 1000

/** More addresses than anybody who guesses has; beyond it those that were seen longest ago are forgotten. */
const maxRemembered = 100_000

/** Wrong keys, by the address that they came from. */
export class Guesses {
  readonly #now: () => number
  /** Until when each address has used up what it may, if it went on at the allowed rate. */
  readonly #until = new Map<string, number>()
  readonly #strays = new Set<string>()

  constructor({ now = () => performance.now() }: GuessesOptions = {}) {
    this.#now = now
  }

  /** How many seconds an address has to wait before it may guess again; 0 if it may now. */
  waitOf(address: () => string | undefined): number {
    // Nearly always nobody has guessed, and then the address is not even asked for.
    if (this.#until.size === 0) return 0
    const until = this.#until.get(networkOf(address() ?? '')) ?? 0
    return Math.max(0, until - this.#now() - minuteMs + stepMs) / 1000
  }

  /** A wrong key came from there. */
  note(address: string | undefined): void {
    const now = this.#now()
    const network = networkOf(address ?? '')
    const until = Math.max(this.#until.get(network) ?? 0, now) + stepMs
    this.#until.delete(network)
    if (this.#until.size >= maxRemembered) this.#forget(now)
    // Who goes on all the same is not made to wait for longer than a minute.
    this.#until.set(network, Math.min(until, now + minuteMs + stepMs))
  }

  /**
   * A wrong key came beside a right one: programs send one that somebody else is meant for, always the same, and only the first
   * time is a guess.
   */
  noteBeside(address: () => string | undefined, text: string): void {
    const digest = hash('sha256', text, 'base64')
    if (this.#strays.has(digest)) return
    if (this.#strays.size >= maxStrays) this.#strays.clear()
    this.#strays.add(digest)
    this.note(address())
  }

  #forget(now: number): void {
    for (const [network, until] of this.#until) {
      if (until > now && this.#until.size < maxRemembered) return
      this.#until.delete(network)
    }
  }
}

/** Whoever has one address of the sixth version has all of its /64. */
function networkOf(address: string): string {
  if (!address.includes(':') || address.startsWith('::ffff:')) return address
  const [head = '', tail] = address.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length)
  return [...before, ...Array<string>(zeros).fill('0'), ...after].slice(0, 4).join(':')
}
