import { hash, randomBytes } from 'node:crypto'

import { randomText } from '#std/random-id.ts'
import { Secret } from '#std/secret.ts'
import type { Storage } from '#storage/database.ts'

import type { Actor } from './role.ts'
import { scopeOf } from './users.ts'

/** What may be known of a session. Times are Unix milliseconds. */
export interface SessionRecord {
  readonly id: string
  readonly userId: string
  readonly userName: string
  readonly createdAt: number
  /** To the minute. */
  readonly seenAt: number
  /** When it ends, if nothing more is heard from it. */
  readonly endsAt: number
  readonly address: string | null
  readonly agent: string | null
}

/** Where somebody signs in from. */
export interface SignedInFrom {
  readonly address?: string | undefined
  readonly agent?: string | undefined
}

/** A new session. This is the only time that what the browser shows for it is there. */
export interface NewSession {
  readonly id: string
  readonly shown: Secret
}

export const idleMs = 30 * 60_000
export const longestMs = 12 * 60 * 60_000
const touchEveryMs = 60_000

/** Who is signed in. What it writes is part of the transaction that is open. */
export class Sessions {
  readonly #storage: Storage
  readonly #now: () => number

  constructor(storage: Storage, now: () => number) {
    this.#storage = storage
    this.#now = now
  }

  /** Whose session this is, if it is one that lives. `touch`: that it was used keeps it alive. */
  async actorOf(shown: string, { touch }: { readonly touch: boolean }): Promise<Actor | undefined> {
    const now = this.#now()
    const row = await this.#living()
      .innerJoin('users as user', 'user.id', 'session.user_id')
      .select(['session.id', 'session.hash', 'session.seen_at', 'user.id as userId'])
      .select(['user.name', 'user.role', 'user.projects'])
      .where('session.hash', '=', hashOf(shown))
      .where('user.disabled_at', 'is', null)
      .executeTakeFirst()
    if (row === undefined) return undefined
    if (touch && now - row.seen_at >= touchEveryMs)
      await this.#storage.query
        .updateTable('sessions')
        .set({ seen_at: now })
        .where('hash', '=', row.hash)
        .execute()
    const { userId, name, role, projects, id } = row
    return { userId, name, role, projects: scopeOf(projects), sessionId: id }
  }

  async begin(userId: string, { address, agent }: SignedInFrom): Promise<NewSession> {
    const shown = randomBytes(32).toString('base64url')
    const id = randomText(12)
    const now = this.#now()
    await this.#storage.query
      .insertInto('sessions')
      .values({
        hash: hashOf(shown),
        id,
        user_id: userId,
        created_at: now,
        seen_at: now,
        address: address ?? null,
        agent: agent?.slice(0, longestAgent) ?? null,
      })
      .execute()
    await this.#forgetEnded()
    return { id, shown: new Secret(shown) }
  }

  /** Those of a user, or of all, the latest first. */
  async list(userId?: string): Promise<SessionRecord[]> {
    const rows = await this.#living()
      .innerJoin('users as user', 'user.id', 'session.user_id')
      .selectAll('session')
      .select('user.name as user_name')
      .$if(userId !== undefined, (all) => all.where('session.user_id', '=', userId ?? ''))
      .orderBy('session.seen_at', 'desc')
      .orderBy('session.id')
      .execute()
    return rows.map((row) => ({
      id: row.id,
      userId: row.user_id,
      userName: row.user_name,
      createdAt: row.created_at,
      seenAt: row.seen_at,
      endsAt: Math.min(row.seen_at + idleMs, row.created_at + longestMs),
      address: row.address,
      agent: row.agent,
    }))
  }

  /** Ends one session. Whether there was one, of that user if one is named. */
  async end(id: string, userId?: string): Promise<boolean> {
    const { numDeletedRows } = await this.#storage.query
      .deleteFrom('sessions')
      .where('id', '=', id)
      .$if(userId !== undefined, (all) => all.where('user_id', '=', userId ?? ''))
      .executeTakeFirst()
    return numDeletedRows > 0n
  }

  /** Ends every session of a user, but for one that is named. Gives how many. */
  async endAll(userId: string, but = ''): Promise<number> {
    const { numDeletedRows } = await this.#storage.query
      .deleteFrom('sessions')
      .where('user_id', '=', userId)
      .where('id', '!=', but)
      .executeTakeFirst()
    return Number(numDeletedRows)
  }

  #living() {
    const now = this.#now()
    return this.#storage.query
      .selectFrom('sessions as session')
      .where('session.seen_at', '>', now - idleMs)
      .where('session.created_at', '>', now - longestMs)
  }

  async #forgetEnded(): Promise<void> {
    const now = this.#now()
    await this.#storage.query
      .deleteFrom('sessions')
      .where((session) =>
        session.or([
          session('seen_at', '<=', now - idleMs),
          session('created_at', '<=', now - longestMs),
        ]),
      )
      .execute()
  }
}

const longestAgent = 200

function hashOf(shown: string): Buffer {
  return hash('sha256', shown, 'buffer')
}
