import { type RawBuilder, sql, type SqlBool } from 'kysely'

import type { KeyChange, KeyOrder } from '#keys/key-order.ts'
import { type KeyRecord, keyRecords, recordOf, statusIs } from '#keys/key-record.ts'
import type { NewKey } from '#keys/key-register.ts'
import type { Keys } from '#keys/keys.ts'
import { defaultProject } from '#keys/project-record.ts'
import type { Storage } from '#storage/database.ts'

import { cursorOf, readCursor } from './cursor.ts'
import { invalid, notFound } from './problem.ts'
import { projectsIn, type Scope, sees } from './role.ts'

export interface KeyPage {
  readonly status?: KeyRecord['status'] | undefined
  readonly search?: string | undefined
  readonly projectId?: string | undefined
  /** Where the page before this one ended. */
  readonly after?: string | undefined
  readonly limit: number
}

/** The keys of the projects that somebody may see: others are not there. */
export class ScopedKeys {
  readonly #storage: Storage
  readonly #keys: Keys
  readonly #scope: Scope
  readonly #now: () => number

  constructor(
    { storage, keys, now }: { storage: Storage; keys: Keys; now: () => number },
    scope: Scope,
  ) {
    this.#storage = storage
    this.#keys = keys
    this.#scope = scope
    this.#now = now
  }

  /** The newest first. Throws `request-invalid` for a cursor that is none. */
  async list({ search, projectId, status, after, limit }: KeyPage) {
    const scope = this.#scope
    const from = after === undefined ? undefined : readCursor(after)
    const rows = await keyRecords(this.#storage.query)
      .$if(scope !== 'all', (all) => all.where('key.project_id', 'in', projectsIn(scope)))
      .$if(projectId !== undefined, (all) => all.where('key.project_id', '=', projectId ?? ''))
      .$if(status !== undefined, (all) => all.where(statusIs(status ?? 'active', this.#now())))
      .$if(search !== undefined, (all) => all.where(containing(search ?? '')))
      .$if(from !== undefined, (all) =>
        all.where((key) =>
          key.or([
            key('key.created_at', '<', from?.time ?? 0),
            key.and([
              key('key.created_at', '=', from?.time ?? 0),
              key('key.id', '>', from?.id ?? ''),
            ]),
          ]),
        ),
      )
      .orderBy('key.created_at', 'desc')
      .orderBy('key.id')
      .limit(limit + 1)
      .execute()
    const page = rows.slice(0, limit)
    const last = rows.length > limit ? page.at(-1) : undefined
    return {
      keys: page.map((row) => recordOf(row, this.#now())),
      next: last === undefined ? null : cursorOf(last.created_at, last.id),
    }
  }

  /** Throws `not-found`. */
  async find(id: string): Promise<KeyRecord> {
    const found = await this.#keys.find(id)
    if (found === undefined || !sees(this.#scope, found.projectId)) throw notFound(`key ${id}`)
    return found
  }

  /** Throws `request-invalid`, and `not-found` for a project that is not there. */
  async issue(order: KeyOrder, endow?: (id: string) => Promise<void>): Promise<NewKey> {
    const { projectId = defaultProject } = order
    if (!sees(this.#scope, projectId)) throw notFound(`project ${projectId}`)
    return this.#keys.issue(order, endow)
  }

  async update(id: string, change: KeyChange): Promise<KeyRecord> {
    await this.#changeable(id)
    return this.#keys.update(id, change)
  }

  /** Ends a key for good. */
  async revoke(id: string): Promise<KeyRecord> {
    await this.find(id)
    await this.#keys.revoke(id)
    return this.find(id)
  }

  async rotate(id: string, overlapMs: number): Promise<NewKey> {
    await this.#changeable(id)
    return this.#keys.rotate(id, overlapMs)
  }

  async #changeable(id: string): Promise<void> {
    const { status } = await this.find(id)
    if (status === 'revoked') throw invalid(`The key ${id} is revoked for good.`)
  }
}

function containing(search: string): RawBuilder<SqlBool> {
  const like = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  const escape = sql.lit('\\')
  return sql<SqlBool>`(key.name LIKE ${like} ESCAPE ${escape}
    OR key.owner LIKE ${like} ESCAPE ${escape} OR key.id LIKE ${like} ESCAPE ${escape})`
}
