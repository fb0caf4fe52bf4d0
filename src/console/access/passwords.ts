import { randomBytes, scrypt, type ScryptOptions, timingSafeEqual } from 'node:crypto'

import { AdminProblem, invalid } from './problem.ts'

export interface PasswordsOptions {
  /** The binary logarithm of scrypt's cost; only tests take less than the usual one. */
  readonly costLog2?: number
}

const usualCostLog2 = 17
const blockSize = 8
const parallelism = 1
const keyBytes = 32

/** Each check takes 128 MiB and a third of a second: more than these at once would take the machine. */
const mostAtOnce = 2
const mostWaiting = 30

const shortest = 12
const longest = 256

/** Turns passwords into what can be kept, and checks them against it. */
export class Passwords {
  readonly #costLog2: number
  #running = 0
  readonly #waiting: (() => void)[] = []
  /** What a password is checked against where there is no user, so that it takes as long. */
  #decoy: Promise<string> | undefined

  constructor({ costLog2 = usualCostLog2 }: PasswordsOptions = {}) {
    this.#costLog2 = costLog2
  }

  /** What to keep of a password. Throws `request-invalid` for one that is too short or too long. */
  async keep(password: string, param = 'password'): Promise<string> {
    if (password.length < shortest || password.length > longest)
      throw invalid(
        `A password has to have ${shortest} to ${longest} characters. Four words are easier to remember than signs.`,
        param,
      )
    return this.#made(password)
  }

  /**
   * Whether it is the password that this was kept of; never, and after the same time, if nothing was. Throws
   * `try-later` if too many are being checked.
   */
  async isRight(password: string, kept: string | undefined): Promise<boolean> {
    this.#decoy ??= this.#made(randomBytes(16).toString('hex'))
    const [, costLog2 = '', salt = '', key = ''] = (kept ?? (await this.#decoy)).split('$')
    const expected = Buffer.from(key, 'base64')
    // What is longer than any password that was kept is not worth hashing in full.
    const given = password.slice(0, longest + 1)
    const found = await this.#derive(given, Buffer.from(salt, 'base64'), Number(costLog2))
    return timingSafeEqual(found, expected) && kept !== undefined
  }

  async #made(password: string): Promise<string> {
    const salt = randomBytes(16)
    const key = await this.#derive(password, salt, this.#costLog2)
    return ['scrypt', this.#costLog2, salt.toString('base64'), key.toString('base64')].join('$')
  }

  async #derive(password: string, salt: Buffer, costLog2: number): Promise<Buffer> {
    await this.#enter()
    try {
      const cost = 2 ** costLog2
      const most = 256 * cost * blockSize
      // The same letters may be typed as different code points.
      return await derived(password.normalize('NFKC'), salt, {
        N: cost,
        r: blockSize,
        p: parallelism,
        maxmem: most,
      })
    } finally {
      this.#leave()
    }
  }

  async #enter(): Promise<void> {
    if (this.#running < mostAtOnce) {
      this.#running++
      return
    }
    if (this.#waiting.length >= mostWaiting)
      throw new AdminProblem(
        'try-later',
        'Too many people are signing in. Try again in a moment.',
        {
          retryAfter: 5,
        },
      )
    // Who leaves hands its place on.
    await new Promise<void>((resolve) => this.#waiting.push(resolve))
  }

  #leave(): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#running--
    else next()
  }
}

function derived(password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password, salt, keyBytes, options, (error, key) => {
      // Bun leaves it undefined where Node says null.
      if (error) reject(error)
      else resolve(key)
    })
  })
}
