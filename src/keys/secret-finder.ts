import { hash, timingSafeEqual } from 'node:crypto'

import { sql } from 'kysely'

import { GatewayError } from '#chat/error.ts'
import type { Storage } from '#storage/database.ts'

import { keepsContent } from './keeps-content.ts'
import { readKey } from './key-format.ts'
import { policyReader } from './policy-schema.ts'
import type { Caller } from './policy.ts'

/** A secret that is valid now. */
export interface ValidSecret {
  readonly type: 'valid'
  readonly caller: Caller
  /** Unix milliseconds, or infinite. */
  readonly expiresAt: number
  readonly hash: Uint8Array
  readonly lastUsedAt: number | null
}

/** What a presented text turned out to be. */
export type Found =
  | ValidSecret
  | { readonly type: 'early'; readonly notBefore: number }
  | { readonly type: 'damaged' | 'unknown' | 'revoked' | 'archived' | 'expired' }

/** The SHA-256 of a key's whole text: all that is ever stored of it. */
export function secretHash(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}

/** The two ways to look a secret up, each from index to index. */
export function secretQueries({ query }: Pick<Storage, 'query'>) {
  const secrets = query
    .selectFrom('key_secrets as secret')
    .innerJoin('keys as key', 'key.id', 'secret.key_id')
    .innerJoin('projects as project', 'project.id', 'key.project_id')
    .innerJoin('organisation', (join) => join.on('organisation.id', '=', sql.lit(1)))
    .select(['key.id', 'key.name', 'key.project_id', 'key.revoked_at', 'key.not_before'])
    .select(['key.expires_at as key_expires_at', 'secret.expires_at as secret_expires_at'])
    .select(['secret.hash', 'secret.last_used_at', 'project.archived_at'])
    .select(['organisation.policy as organisation_policy', 'project.policy as project_policy'])
    .select('key.policy as key_policy')
  return {
    byKey: secrets.where('key.id', '=', '').compile(),
    byHash: secrets.where('secret.hash', '=', new Uint8Array()).compile(),
  }
}

/** Looks a presented text up in the database: by its public id if it is one of ours, else by its hash. */
export class SecretFinder {
  readonly #byKey
  readonly #byHash
  readonly #policyOf = policyReader()

  constructor(storage: Storage) {
    const { byKey, byHash } = secretQueries(storage)
    this.#byKey = storage.prepare<SecretRow, [string]>(byKey)
    this.#byHash = storage.prepare<SecretRow, [Uint8Array]>(byHash)
  }

  /** Synchronous, and as dear with a million keys as with one. Throws `storage-unavailable`. */
  find(text: string, now: number): Found {
    const read = readKey(text)
    if (read.type === 'damaged') return read
    const presented = secretHash(text)
    const rows = this.#read(() =>
      read.type === 'ours' ? this.#byKey.all(read.id) : this.#byHash.all(presented),
    )
    return this.#judge(matching(rows, presented), now)
  }

  #judge(row: SecretRow | undefined, now: number): Found {
    if (row === undefined) return { type: 'unknown' }
    if (row.revoked_at !== null) return { type: 'revoked' }
    if (row.archived_at !== null) return { type: 'archived' }
    const expiresAt = Math.min(row.key_expires_at ?? Infinity, row.secret_expires_at ?? Infinity)
    if (expiresAt <= now) return { type: 'expired' }
    if (row.not_before !== null && row.not_before > now)
      return { type: 'early', notBefore: row.not_before }
    const { hash: found, last_used_at: lastUsedAt } = row
    return { type: 'valid', caller: this.#callerOf(row), expiresAt, hash: found, lastUsedAt }
  }

  #callerOf(row: SecretRow): Caller {
    const { id, name, project_id: projectId } = row
    const holders: Caller['holders'] = [
      { id: 'org', policy: this.#policyOf(row.organisation_policy) },
      { id: `project:${projectId}`, policy: this.#policyOf(row.project_policy) },
      { id: `key:${id}`, policy: this.#policyOf(row.key_policy) },
    ]
    const kept = keepsContent(holders) ? ({ keepsContent: true } as const) : {}
    return { keyId: id, name, projectId, holders, ...kept }
  }

  #read(rows: () => SecretRow[]): SecretRow[] {
    try {
      return rows()
    } catch (cause) {
      throw new GatewayError(
        'storage-unavailable',
        'Keys cannot be checked at the moment: the database does not answer. Try again in a moment.',
        { cause, retryAfter: 1 },
      )
    }
  }
}

interface SecretRow {
  readonly id: string
  readonly name: string
  readonly project_id: string
  readonly revoked_at: number | null
  readonly not_before: number | null
  readonly key_expires_at: number | null
  readonly secret_expires_at: number | null
  readonly hash: Uint8Array
  readonly last_used_at: number | null
  readonly archived_at: number | null
  readonly organisation_policy: string
  readonly project_policy: string
  readonly key_policy: string
}

/** Compared with what nobody presents, so that an unknown id takes as long as a wrong secret. */
const nobody = Buffer.alloc(32)

function matching(rows: readonly SecretRow[], presented: Buffer): SecretRow | undefined {
  let match: SecretRow | undefined
  if (rows.length === 0) timingSafeEqual(nobody, presented)
  for (const row of rows) {
    if (timingSafeEqual(row.hash, presented)) match = row
  }
  return match
}
