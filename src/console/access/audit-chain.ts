import { createHash } from 'node:crypto'

import type { AuditRow } from '#storage/schema.ts'

/** A row of the audit log before it is linked to those before it. */
export type UnlinkedRow = Omit<AuditRow, 'hash'>

/** What the first row is linked to. */
export const chainStart = new Uint8Array(32)

/** The hash of a row: over the hash of the one before it and over everything that it says. */
export function linkOf(previous: Uint8Array, row: UnlinkedRow): Buffer {
  const said = [
    row.seq,
    row.at,
    row.actor,
    row.actor_name,
    row.address,
    row.action,
    row.object,
    row.details,
    row.before_hash,
    row.after_hash,
    row.request_id,
  ]
  return createHash('sha256').update(previous).update(JSON.stringify(said)).digest()
}

/** The hash of what something was, whatever the order of its members. Null where it was nothing. */
export function stateHash(value: unknown): string | null {
  if (value === undefined) return null
  return createHash('sha256')
    .update(JSON.stringify(ordered(value)))
    .digest('hex')
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, ordered(member)]))
}
