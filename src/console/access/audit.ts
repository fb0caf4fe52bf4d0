import type { Storage } from '#storage/database.ts'
import type { AuditRow } from '#storage/schema.ts'
import { StorageError } from '#storage/storage-error.ts'
import { together } from '#storage/transaction.ts'

import { chainStart, linkOf, stateHash, type UnlinkedRow } from './audit-chain.ts'

/** Who did something, and with which request. */
export interface Doer {
  readonly actor: string
  readonly actorName: string
  readonly address?: string | undefined
  readonly requestId: string
}

/** What was done. */
export interface Deed {
  readonly action: string
  /** `key:<id>`, `user:<id>` and so on. */
  readonly object: string
  /** What may be known of it: names and numbers, never a secret. */
  readonly details?: Readonly<Record<string, unknown>> | undefined
  /** What the object was and what it is now, of which a hash is kept. */
  readonly before?: unknown
  readonly after?: unknown
}

/** What a look at the whole log found. */
export interface AuditVerdict {
  readonly rows: number
  /** Hash of the last row, in hexadecimal: kept elsewhere, it proves later that nothing before it was changed. */
  readonly head: string
  /** The first row that is not as it was written, and what is wrong with it; absent if all is well. */
  readonly broken?: { readonly seq: number; readonly why: string }
}

export interface AuditPage {
  readonly before?: number | undefined
  readonly action?: string | undefined
  readonly actor?: string | undefined
  readonly object?: string | undefined
  /** Unix milliseconds: from then on, and before then. */
  readonly since?: number | undefined
  readonly until?: number | undefined
  readonly limit: number
}

/** Everything that was done here, in a chain of hashes. */
export class AuditLog {
  readonly #storage: Storage
  readonly #now: () => number

  constructor(storage: Storage, now: () => number = Date.now) {
    this.#storage = storage
    this.#now = now
  }

  /** Does the work and writes down what it did, in one transaction: both are on disk or neither is. */
  async during<Result>(
    doer: Doer,
    work: () => Promise<{ readonly result: Result; readonly deed: Deed }>,
  ): Promise<Result> {
    return together(this.#storage.database, async () => {
      const { result, deed } = await work()
      await this.#append(doer, deed)
      return result
    })
  }

  /** Writes down what happened, or is about to, where the deed itself is not in the database. */
  async note(doer: Doer, deed: Deed): Promise<void> {
    await this.during(doer, async () => ({ result: undefined, deed }))
  }

  /** The newest rows, or those before one. */
  async list(page: AuditPage): Promise<AuditRow[]> {
    const { before, action, actor, object, since, until, limit } = page
    return this.#storage.query
      .selectFrom('audit')
      .selectAll()
      .$if(before !== undefined, (rows) => rows.where('seq', '<', before ?? 0))
      .$if(action !== undefined, (rows) => rows.where('action', '=', action ?? ''))
      .$if(actor !== undefined, (rows) => rows.where('actor', '=', actor ?? ''))
      .$if(object !== undefined, (rows) => rows.where('object', '=', object ?? ''))
      .$if(since !== undefined, (rows) => rows.where('at', '>=', since ?? 0))
      .$if(until !== undefined, (rows) => rows.where('at', '<', until ?? 0))
      .orderBy('seq', 'desc')
      .limit(limit)
      .execute()
  }

  /** Where the chain ends, in hexadecimal. */
  async head(): Promise<string> {
    return Buffer.from((await this.#head()).hash).toString('hex')
  }

  /**
   * Reads every row and works out its hash again. `known` is a head that was kept elsewhere, which some row has to
   * have. Rejects with `StorageError`.
   */
  async verify(known?: string): Promise<AuditVerdict> {
    try {
      return await this.#verify(known)
    } catch (error) {
      throw StorageError.from(error, this.#storage.file)
    }
  }

  async #verify(known: string | undefined): Promise<AuditVerdict> {
    let last: Link = { seq: 0, hash: chainStart }
    let isKnownFound = known === undefined || known === hexOf(last.hash)
    for (;;) {
      const rows = await this.#after(last.seq)
      for (const row of rows) {
        const why = breachOf(last, row)
        if (why !== undefined) return verdictOf(last, { seq: row.seq, why })
        last = row
        isKnownFound ||= known === hexOf(row.hash)
      }
      if (rows.length < pageRows) break
    }
    const head = await this.#head()
    if (head.seq !== last.seq || hexOf(head.hash) !== hexOf(last.hash))
      return verdictOf(last, { seq: last.seq + 1, why: 'rows at the end are missing' })
    if (!isKnownFound)
      return verdictOf(last, { seq: 1, why: 'no row has the head that was kept elsewhere' })
    return verdictOf(last)
  }

  async #append(doer: Doer, deed: Deed): Promise<void> {
    const { query } = this.#storage
    const head = await this.#head()
    const row: UnlinkedRow = {
      seq: head.seq + 1,
      at: this.#now(),
      actor: doer.actor,
      actor_name: doer.actorName,
      address: doer.address ?? null,
      action: deed.action,
      object: deed.object,
      details: deed.details === undefined ? null : JSON.stringify(deed.details),
      before_hash: stateHash(deed.before),
      after_hash: stateHash(deed.after),
      request_id: doer.requestId,
    }
    const hash = linkOf(head.hash, row)
    await query
      .insertInto('audit')
      .values({ ...row, hash })
      .execute()
    await query.updateTable('audit_head').set({ seq: row.seq, hash }).execute()
  }

  async #head(): Promise<Link> {
    return this.#storage.query
      .selectFrom('audit_head')
      .select(['seq', 'hash'])
      .executeTakeFirstOrThrow()
  }

  async #after(seq: number): Promise<AuditRow[]> {
    return this.#storage.query
      .selectFrom('audit')
      .selectAll()
      .where('seq', '>', seq)
      .orderBy('seq')
      .limit(pageRows)
      .execute()
  }
}

interface Link {
  readonly seq: number
  readonly hash: Uint8Array
}

const pageRows = 1000

/** What is wrong with a row, given the one before it. */
function breachOf(last: Link, row: AuditRow): string | undefined {
  if (row.seq !== last.seq + 1) return `a row is missing before it: ${last.seq + 1}`
  const { hash, ...said } = row
  if (hexOf(hash) === hexOf(linkOf(last.hash, said))) return undefined
  return 'it is not what was written, or not in its place'
}

function verdictOf({ seq, hash }: Link, broken?: AuditVerdict['broken']): AuditVerdict {
  return { rows: seq, head: hexOf(hash), ...(broken !== undefined && { broken }) }
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
