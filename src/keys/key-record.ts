import { type Kysely, type RawBuilder, sql, type SqlBool } from 'kysely'

import type { Schema } from '#storage/schema.ts'

import { policyReader } from './policy-schema.ts'
import type { Policy } from './policy.ts'

/** What may be known of a key by whoever administers it. Times are Unix milliseconds. */
export interface KeyRecord {
  readonly id: string
  readonly name: string
  readonly status: 'active' | 'early' | 'expired' | 'archived' | 'revoked'
  readonly projectId: string
  readonly projectName: string
  readonly owner?: string
  readonly createdAt: number
  readonly notBefore?: number
  readonly expiresAt?: number
  readonly revokedAt?: number
  /** To the minute. */
  readonly lastUsedAt?: number
  /** Until when a text is still valid that was replaced. */
  readonly formerUntil?: number
  readonly policy: Policy
}

/** All that a record of a key is made from. */
export function keyRecords(query: Kysely<Schema>) {
  return query
    .selectFrom('keys as key')
    .leftJoin('projects as project', 'project.id', 'key.project_id')
    .selectAll('key')
    .select(['project.name as project_name', 'project.archived_at'])
    .select((record) =>
      record
        .selectFrom('key_secrets as secret')
        .whereRef('secret.key_id', '=', 'key.id')
        .select(({ fn }) => fn.max('secret.last_used_at').as('last'))
        .as('last_used_at'),
    )
    .select((record) =>
      record
        .selectFrom('key_secrets as secret')
        .whereRef('secret.key_id', '=', 'key.id')
        .select(({ fn }) => fn.max('secret.expires_at').as('until'))
        .as('former_until'),
    )
}

type KeyRow = Awaited<ReturnType<ReturnType<typeof keyRecords>['executeTakeFirstOrThrow']>>

const policyOf = policyReader()

/** Throws `storage-unavailable` for a policy that cannot be read. */
export function recordOf(row: KeyRow, now: number): KeyRecord {
  return {
    id: row.id,
    name: row.name,
    status: statusOf(row, now),
    projectId: row.project_id,
    projectName: row.project_name ?? row.project_id,
    ...(row.owner !== null && { owner: row.owner }),
    createdAt: row.created_at,
    ...(row.not_before !== null && { notBefore: row.not_before }),
    ...(row.expires_at !== null && { expiresAt: row.expires_at }),
    ...(row.revoked_at !== null && { revokedAt: row.revoked_at }),
    ...(row.last_used_at !== null && { lastUsedAt: row.last_used_at }),
    ...(row.former_until !== null && row.former_until > now && { formerUntil: row.former_until }),
    policy: policyOf(row.policy),
  }
}

/** The same as a condition on the records of `keyRecords`. */
export function statusIs(status: KeyRecord['status'], now: number): RawBuilder<SqlBool> {
  const word = sql`CASE
    WHEN key.revoked_at IS NOT NULL THEN 'revoked'
    WHEN project.archived_at IS NOT NULL THEN 'archived'
    WHEN key.expires_at <= ${now} THEN 'expired'
    WHEN key.not_before > ${now} THEN 'early'
    ELSE 'active' END`
  return sql<SqlBool>`${word} = ${status}`
}

function statusOf(row: KeyRow, now: number): KeyRecord['status'] {
  if (row.revoked_at !== null) return 'revoked'
  if (row.archived_at !== null) return 'archived'
  if (row.expires_at !== null && row.expires_at <= now) return 'expired'
  return row.not_before !== null && row.not_before > now ? 'early' : 'active'
}
