import { AdminProblem } from './problem.ts'

const windowMs = 15 * 60_000

/** How many wrong passwords in a quarter of an hour: for an account from an address, and for each of them alone. */
const most = { pair: 5, address: 20, account: 50 } as const

/** More names and addresses than anybody has; beyond it those that were seen longest ago are forgotten. */
const maxRemembered = 20_000

/** Wrong passwords, by the account they were for and the address they came from. Unknown accounts count like others. */
export class Attempts {
  readonly #now: () => number
  readonly #failures = new Map<string, Failures>()

  constructor(now: () => number) {
    this.#now = now
  }

  /**
   * Counts an attempt before it is made, so that many at once are counted too. Throws `try-later` if there were too
   * many. What is given back takes back the count, for an attempt that was right.
   */
  begin(account: string, address: string): () => void {
    const counters = countersOf(account, address)
    const wait = Math.max(...counters.map(([name, limit]) => this.#wait(name, limit)))
    if (wait > 0)
      throw new AdminProblem(
        'try-later',
        'Too many wrong passwords. Wait before you try again; whoever runs this machine can make a new administrator with "parley admin setup-token".',
        { retryAfter: Math.ceil(wait / 1000) },
      )
    for (const [name] of counters) this.#add(name, 1)
    return () => {
      for (const [name] of counters) this.#add(name, -1)
    }
  }

  #wait(name: string, limit: number): number {
    const found = this.#failures.get(name)
    if (found === undefined || found.count < limit) return 0
    return Math.max(0, found.until - this.#now())
  }

  #add(name: string, count: number): void {
    const now = this.#now()
    const found = this.#failures.get(name)
    const isOver = found === undefined || found.until <= now
    const failures = isOver ? { count: 0, until: now + windowMs } : found
    this.#failures.delete(name)
    if (this.#failures.size >= maxRemembered) this.#forgetOne()
    const sum = Math.max(0, failures.count + count)
    if (sum > 0) this.#failures.set(name, { count: sum, until: failures.until })
  }

  #forgetOne(): void {
    const [oldest] = this.#failures.keys()
    if (oldest !== undefined) this.#failures.delete(oldest)
  }
}

interface Failures {
  readonly count: number
  /** When all of them are forgotten. */
  readonly until: number
}

function countersOf(account: string, address: string): readonly (readonly [string, number])[] {
  const name = account.toLowerCase()
  return [
    [`pair ${address} ${name}`, most.pair],
    [`address ${address}`, most.address],
    [`account ${name}`, most.account],
  ]
}
