import type { Transaction } from 'kysely'

import { GatewayError } from '#chat/error.ts'
import { Secret } from '#std/secret.ts'
import type { Storage } from '#storage/database.ts'
import type { Schema } from '#storage/schema.ts'

import { guarded, inTransaction, isTaken } from './in-transaction.ts'
import { issueKey, newKeyId } from './key-format.ts'
import { checkChange, checkOrder, type KeyChange, type KeyOrder } from './key-order.ts'
import { type KeyRecord, keyRecords, recordOf } from './key-record.ts'
import { changedPolicy, checkPolicy } from './policy-schema.ts'
import { defaultProject, parentsOf } from './project-record.ts'
import { secretHash } from './secret-finder.ts'
import { requireWithin } from './within-parent.ts'

/** A new key. This is the only time that its text is there to be shown. */
export interface NewKey {
  readonly id: string
  readonly key: Secret
}

/** What has to be done for a new key before it can be used, such as giving it a budget. If it fails there is no key. */
export type Endow = (id: string) => Promise<void>

/** How long both texts of a rotated key may be valid at most. */
export const longestOverlapMs = 7 * 24 * 60 * 60 * 1000

/** For so long a text that was replaced is still known for what it was. */
const rememberedMs = 30 * 24 * 60 * 60 * 1000

/** The keys as their administrator sees them. Failures of the database are thrown as `storage-unavailable`. */
export class KeyRegister {
  readonly #storage: Storage
  readonly #now: () => number

  constructor(storage: Storage, now: () => number) {
    this.#storage = storage
    this.#now = now
  }

  /** Throws `request-invalid`, with the field at fault, for an order that cannot be carried out: then there is no key. */
  async issue(order: KeyOrder, endow?: Endow): Promise<NewKey> {
    checkOrder(order, this.#now())
    const { id, text } =
      order.chosen === undefined ? issueKey() : { id: newKeyId(), text: order.chosen.reveal() }
    await inTransaction(this.#storage, async (all) => this.#add(all, id, order))
    try {
      await endow?.(id)
      // Without a secret the key is of no use to anybody, so it comes last.
      await this.#addSecret(id, text)
    } catch (error) {
      await this.#forget(id)
      throw error
    }
    return { id, key: new Secret(text) }
  }

  /** All keys, or those of a project; the newest first. */
  async list(projectId?: string): Promise<KeyRecord[]> {
    const rows = await guarded(this.#storage, ({ query }) =>
      keyRecords(query)
        .$if(projectId !== undefined, (all) => all.where('key.project_id', '=', projectId ?? ''))
        .orderBy('key.created_at', 'desc')
        .orderBy('key.id')
        .execute(),
    )
    return rows.map((row) => recordOf(row, this.#now()))
  }

  /** The key of that id, or undefined. */
  async find(id: string): Promise<KeyRecord | undefined> {
    const row = await guarded(this.#storage, ({ query }) =>
      keyRecords(query).where('key.id', '=', id).executeTakeFirst(),
    )
    return row && recordOf(row, this.#now())
  }

  /** Whether there is any key at all. */
  async isEmpty(): Promise<boolean> {
    const row = await guarded(this.#storage, ({ query }) =>
      query.selectFrom('keys').select('id').limit(1).executeTakeFirst(),
    )
    return row === undefined
  }

  /** Throws `request-invalid`, with the field at fault, for a change that cannot be made: then nothing is changed. */
  async update(id: string, change: KeyChange): Promise<KeyRecord> {
    const now = this.#now()
    return inTransaction(this.#storage, async (all) => {
      const row = await keyRecords(all).where('key.id', '=', id).executeTakeFirst()
      if (row === undefined) throw unknownKey(id)
      if (row.revoked_at !== null)
        throw refused(`The key ${id} is revoked for good, and cannot be changed.`)
      const former = recordOf(row, now)
      checkChange(change, former, now)
      const policy = changedPolicy(former.policy, change.policy ?? {})
      if (change.policy !== undefined) requireWithin(policy, await parentsOf(all, former.projectId))
      const { name, owner, notBefore, expiresAt } = change
      await all
        .updateTable('keys')
        .set({
          policy: JSON.stringify(policy),
          ...(name !== undefined && { name }),
          ...(owner !== undefined && { owner }),
          ...(notBefore !== undefined && { not_before: notBefore }),
          ...(expiresAt !== undefined && { expires_at: expiresAt }),
        })
        .where('id', '=', id)
        .execute()
      const changed = await keyRecords(all).where('key.id', '=', id).executeTakeFirstOrThrow()
      return recordOf(changed, now)
    })
  }

  /** Ends a key for good. Returns whether there was such a key; to revoke it twice changes nothing. */
  async revoke(id: string): Promise<boolean> {
    const now = this.#now()
    const result = await guarded(this.#storage, ({ query }) =>
      query
        .updateTable('keys')
        .set((key) => ({ revoked_at: key.fn.coalesce('revoked_at', key.val(now)) }))
        .where('id', '=', id)
        .executeTakeFirst(),
    )
    return result.numUpdatedRows > 0
  }

  /**
   * Gives a key a new text. The old one stays valid for `overlapMs`, so that callers can be changed one by one.
   * Throws `request-invalid` if the key is unknown, revoked, expired, or its project is archived.
   */
  async rotate(id: string, overlapMs: number): Promise<NewKey> {
    const { text } = issueKey(id)
    const now = this.#now()
    const until = now + Math.min(Math.max(overlapMs, 0), longestOverlapMs)
    await inTransaction(this.#storage, async (all) => {
      const row = await keyRecords(all).where('key.id', '=', id).executeTakeFirst()
      const status = row === undefined ? 'unknown' : recordOf(row, now).status
      if (status !== 'active' && status !== 'early')
        throw refused(
          `The key ${id} cannot be rotated: it is ${status}. "parley keys list" shows the keys there are.`,
        )
      await all
        .updateTable('key_secrets')
        .set({ expires_at: until })
        .where('key_id', '=', id)
        .where((old) => old.or([old('expires_at', 'is', null), old('expires_at', '>', until)]))
        .execute()
      await all
        .deleteFrom('key_secrets')
        .where('key_id', '=', id)
        .where('expires_at', '<', now - rememberedMs)
        .execute()
      await all
        .insertInto('key_secrets')
        .values(secretRow(id, text, now))
        .execute()
    })
    return { id, key: new Secret(text) }
  }

  async #add(all: Transaction<Schema>, id: string, order: KeyOrder): Promise<void> {
    const { name, projectId = defaultProject, owner, notBefore, expiresAt } = order
    const policy = checkPolicy(order.policy ?? {})
    requireWithin(policy, await parentsOf(all, projectId))
    const row = {
      id,
      name,
      created_at: this.#now(),
      expires_at: expiresAt ?? null,
      revoked_at: null,
      project_id: projectId,
      owner: owner ?? null,
      not_before: notBefore ?? null,
      policy: JSON.stringify(policy),
    }
    await all.insertInto('keys').values(row).execute()
  }

  async #addSecret(id: string, text: string): Promise<void> {
    const row = secretRow(id, text, this.#now())
    await guarded(this.#storage, ({ query }) =>
      query
        .insertInto('key_secrets')
        .values(row)
        .execute()
        .catch((error: unknown) => {
          throw isTaken(error) ? taken(error) : error
        }),
    )
  }

  /** Takes back what was begun. Nobody has seen the key, so nothing was spent with it. */
  async #forget(id: string): Promise<void> {
    const holder = `key:${id}`
    await inTransaction(this.#storage, async (all) => {
      await all.deleteFrom('budgets').where('holder', '=', holder).execute()
      await all.deleteFrom('balances').where('holder', '=', holder).execute()
      await all.deleteFrom('keys').where('id', '=', id).execute()
    })
  }
}

function secretRow(id: string, text: string, now: number) {
  return {
    hash: secretHash(text),
    key_id: id,
    created_at: now,
    expires_at: null,
    last_used_at: null,
  }
}

function refused(message: string): GatewayError {
  return new GatewayError('request-invalid', message)
}

function unknownKey(id: string): GatewayError {
  return refused(`There is no key ${id}. "parley keys list" shows the keys there are.`)
}

function taken(cause: unknown): GatewayError {
  return new GatewayError(
    'request-invalid',
    'There is a key with this text already. Choose another one.',
    { param: 'key', cause },
  )
}
