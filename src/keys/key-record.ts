import type { Kysely } from 'kysely'

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
    policy: policyOf(row.policy),
  }
}

function statusOf(row: KeyRow, now: number): KeyRecord['status'] {
  if (row.revoked_at !== null) return 'revoked'
  if (row.archived_at !== null) return 'archived'
  if (row.expires_at !== null && row.expires_at <= now) return 'expired'
  return row.not_before !== null && row.not_before > now ? 'early' : 'active'
}
