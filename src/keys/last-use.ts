import type { Database } from 'bun:sqlite'

import type { Storage } from '#storage/database.ts'

/**
 * Writes down when each secret was last used: many at once, some seconds later, to the minute. No caller waits for it,
 * and what a crash loses of it is seconds old.
 */
export class LastUse implements Disposable {
  readonly #storage: Storage
  /** By the secret's hash as text. */
  readonly #pending = new Map<string, Use>()
  #timer: Timer | undefined

  constructor(storage: Storage) {
    this.#storage = storage
  }

  /** Takes note of a use, unless one of the last minute is written down already. */
  note(use: Use, writtenAt: number | null): void {
    const isWritten = writtenAt !== null && Math.abs(use.at - writtenAt) < exactnessMs
    if (isWritten || this.#pending.size >= mostPending) return
    const name = Buffer.from(use.hash).toString('base64')
    if (this.#pending.has(name)) return
    this.#pending.set(name, use)
    this.#timer ??= setTimeout(() => this.#beat(), beatMs).unref()
  }

  /** Writes what is noted, now. Where the database is busy or gone, it stays noted. */
  flush(): void {
    const batch = [...this.#pending].slice(0, mostAtOnce)
    if (batch.length === 0 || !this.#write(batch.map(([, use]) => use))) return
    for (const [name] of batch) this.#pending.delete(name)
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.flush()
    this.#pending.clear()
  }

  #beat(): void {
    this.#timer = undefined
    this.flush()
    if (this.#pending.size > 0) this.#timer = setTimeout(() => this.#beat(), beatMs).unref()
  }

  #write(uses: readonly Use[]): boolean {
    const { database } = this.#storage
    try {
      if (database.inTransaction) return false
      lightly(database, () => {
        const update = database.query<unknown, [number, Uint8Array]>(updateText)
        database.transaction(() => {
          for (const { hash, at } of uses) update.run(at, hash)
        })()
      })
      return true
    } catch {
      // Busy, full or closed: when a key was last used is worth no more than another try.
      return false
    }
  }
}

/** One use of a secret, by its hash, in Unix milliseconds. */
export interface Use {
  readonly hash: Uint8Array
  readonly at: number
}

/** Of a use, what is written is right to the minute. */
const exactnessMs = 60_000
const beatMs = 5000
const mostAtOnce = 500
const mostPending = 10_000

const updateText = 'UPDATE key_secrets SET last_used_at = ? WHERE hash = ?'

/** Runs synchronous work that neither waits long for the lock nor for the disk, and puts the settings back. */
function lightly(database: Database, work: () => void): void {
  database.run('PRAGMA busy_timeout = 20')
  database.run('PRAGMA synchronous = NORMAL')
  try {
    work()
  } finally {
    database.run('PRAGMA synchronous = FULL')
    database.run('PRAGMA busy_timeout = 2000')
  }
}
