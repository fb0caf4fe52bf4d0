import { hash } from 'node:crypto'

import { GatewayError } from '#chat/error.ts'
import type { Storage } from '#storage/database.ts'

import { Guesses } from './guesses.ts'
import { keyPrefix } from './key-format.ts'
import type { KeyChange, KeyOrder } from './key-order.ts'
import type { KeyRecord } from './key-record.ts'
import { type Endow, KeyRegister, type NewKey } from './key-register.ts'
import { LastUse } from './last-use.ts'
import type { Caller } from './policy.ts'
import { ProjectRegister } from './project-register.ts'
import { type Found, SecretFinder, type ValidSecret } from './secret-finder.ts'

export interface KeysOptions {
  /** Unix milliseconds. */
  readonly now?: () => number
}

/** The keys of the gateway, and the projects that they belong to: issued by its operator, verified on every exchange. */
export class Keys implements Disposable {
  /** The projects and the organisation. What changes there is in force within a second. */
  readonly projects: ProjectRegister
  readonly #register: KeyRegister
  readonly #finder: SecretFinder
  readonly #lastUse: LastUse
  readonly #now: () => number
  readonly #known = new Map<string, Known>()
  readonly #guesses = new Guesses()

  constructor(storage: Storage, { now = Date.now }: KeysOptions = {}) {
    this.projects = new ProjectRegister(storage, now)
    this.#register = new KeyRegister(storage, now)
    this.#finder = new SecretFinder(storage)
    this.#lastUse = new LastUse(storage)
    this.#now = now
  }

  /**
   * Says who calls. A caller may present several texts (both headers): one valid one is enough, and two that
   * are valid for different keys are refused. Throws `key-missing`, `key-rejected`, `request-invalid`,
   * `rate-exceeded` for an address that has guessed too often, or `storage-unavailable`.
   */
  verify(presented: readonly string[], address: () => string | undefined = nowhere): Caller {
    try {
      return this.#verify(presented, address)
    } catch (error) {
      if (error instanceof GatewayError && error.code === 'key-rejected')
        this.#guesses.note(address())
      throw error
    }
  }

  #verify(presented: readonly string[], address: () => string | undefined): Caller {
    let caller: Caller | undefined
    let refusal: GatewayError | undefined
    const wrong: string[] = []
    for (const text of presented) {
      if (text === '') continue
      const found = this.#look(text, address)
      if (found.type === 'valid') {
        if (caller !== undefined && caller.keyId !== found.caller.keyId) throw ambiguous()
        caller = found.caller
      } else {
        refusal ??= found.type === 'unasked' ? guessing(found.wait) : refusalOf(found, text)
        if (found.type === 'unknown') wrong.push(text)
      }
    }
    if (caller === undefined) throw refusal ?? missing()
    for (const text of wrong) this.#guesses.noteBeside(address, text)
    return caller
  }

  /** `endow` is done before the key can be used; if it fails there is no key. Throws `request-invalid`. */
  async issue(order: KeyOrder, endow?: Endow): Promise<NewKey> {
    return this.#register.issue(order, endow)
  }

  async list(projectId?: string): Promise<KeyRecord[]> {
    return this.#register.list(projectId)
  }

  async find(id: string): Promise<KeyRecord | undefined> {
    return this.#register.find(id)
  }

  async isEmpty(): Promise<boolean> {
    return this.#register.isEmpty()
  }

  async update(id: string, change: KeyChange): Promise<KeyRecord> {
    const record = await this.#register.update(id, change)
    this.#known.clear()
    return record
  }

  async revoke(id: string): Promise<boolean> {
    const wasThere = await this.#register.revoke(id)
    this.#known.clear()
    return wasThere
  }

  async rotate(id: string, overlapMs: number): Promise<NewKey> {
    const key = await this.#register.rotate(id, overlapMs)
    this.#known.clear()
    return key
  }

  /** The time by which keys begin and end: Unix milliseconds. */
  now(): number {
    return this.#now()
  }

  /** Writes down what is noted of when keys were used, which happens by itself every few seconds. */
  flushLastUse(): void {
    this.#lastUse.flush()
  }

  [Symbol.dispose](): void {
    this.#lastUse[Symbol.dispose]()
  }

  /** What another process changed is noticed when what is known of a key is a second old. */
  #look(text: string, address: () => string | undefined): Found | Unasked {
    const now = this.#now()
    const digest = hash('sha256', text, 'base64')
    const known = this.#known.get(digest)
    if (known !== undefined && isFresh(known, now)) return known.found
    const wait = known === undefined ? this.#waitFor(text, address) : 0
    if (wait > 0) return { type: 'unasked', wait }
    const found = this.#finder.find(text, now)
    this.#known.delete(digest)
    if (found.type !== 'valid') return found
    this.#remember(digest, { found, readAt: now })
    this.#lastUse.note({ hash: found.hash, at: now }, found.lastUsedAt)
    return found
  }

  /**
   * Our own keys cannot be guessed, and looking one up is cheap; so nobody who has one is kept out because somebody
   * else behind the same address guesses. A text that an operator chose may be short enough to be guessed.
   */
  #waitFor(text: string, address: () => string | undefined): number {
    return text.startsWith(keyPrefix) ? 0 : this.#guesses.waitOf(address)
  }

  #remember(digest: string, known: Known): void {
    if (this.#known.size >= maxKnown) {
      // What was read longest ago stands first: each reading moves an entry to the end.
      const [oldest] = this.#known.keys()
      if (oldest !== undefined) this.#known.delete(oldest)
    }
    this.#known.set(digest, known)
  }
}

/** A text that was not looked up: its address has guessed too often, and waits for so many seconds. */
interface Unasked {
  readonly type: 'unasked'
  readonly wait: number
}

/** A key that was found valid, and when. */
interface Known {
  readonly found: ValidSecret
  readonly readAt: number
}

const maxKnown = 10_000
const maxAgeMs = 1000

/** A clock that was set back makes everything stale, never anything young again. */
function isFresh({ found, readAt }: Known, now: number): boolean {
  const age = now - readAt
  return age >= 0 && age < maxAgeMs && now < found.expiresAt
}

type Unusable = Exclude<Found, ValidSecret>

const reasons = {
  damaged: 'is damaged or incomplete. Copy it again, in full',
  unknown: 'is not known here. Check it, or ask the operator of this gateway for one',
  revoked: 'was revoked. Ask the operator of this gateway for a new one',
  archived:
    'belongs to a project that was archived. Ask the operator of this gateway for a new one',
  expired: 'has expired. Ask the operator of this gateway for a new one',
} as const satisfies Record<Exclude<Unusable['type'], 'early'>, string>

function refusalOf(found: Unusable, text: string): GatewayError {
  const reason =
    found.type === 'early'
      ? `is not valid before ${new Date(found.notBefore).toISOString()}. Wait until then, or ask the operator of this gateway`
      : reasons[found.type]
  return new GatewayError('key-rejected', `The key${shown(text)} ${reason}.`)
}

/** Enough of a long key to know it again, and nothing of a short one. */
function shown(text: string): string {
  const isSafe = text.length >= 20 && /^[!-~]+$/.test(text)
  const first = text.startsWith(keyPrefix) ? 12 : 4
  return isSafe ? ` ${text.slice(0, first)}…${text.slice(-4)}` : ''
}

function nowhere(): undefined {}

function guessing(wait: number): GatewayError {
  return new GatewayError(
    'rate-exceeded',
    'Too many wrong keys have come from this address. Wait a moment, and check the key.',
    { retryAfter: wait },
  )
}

function missing(): GatewayError {
  return new GatewayError(
    'key-missing',
    'This gateway asks for a key. Send it as "Authorization: Bearer <key>" or as "x-api-key: <key>".',
  )
}

function ambiguous(): GatewayError {
  return new GatewayError(
    'request-invalid',
    'Two different keys were sent, and both are valid. Send one, in either header.',
  )
}
