import { z } from 'zod'

import { reads } from '#console/api/route.ts'
import { isObject, parseJson } from '#std/json.ts'
import type { AuditRow } from '#storage/schema.ts'

import { count, id, pageSize, queryNumber, queryTime, time } from './shapes.ts'

const auditRow = z
  .strictObject({
    seq: count,
    at: time,
    actor: z.string(),
    actorName: z.string(),
    address: z.string().nullable(),
    action: z.string(),
    object: z.string(),
    details: z.record(z.string(), z.unknown()),
    beforeHash: z.string().nullable(),
    afterHash: z.string().nullable(),
    requestId: z.string(),
    hash: z.string(),
  })
  .meta({ id: 'AuditRow' })

const hexHash = z.string().regex(/^[0-9a-f]{64}$/)

/** What was done here, and by whom. */
export const auditRoutes = {
  'audit-list': reads({
    path: '/api/audit',
    role: 'admin',
    tenant: 'whole',
    summary: 'List what was done, the newest first.',
    query: z.strictObject({
      before: queryNumber(1, Number.MAX_SAFE_INTEGER).exactOptional(),
      action: id.exactOptional(),
      actor: id.exactOptional(),
      object: id.exactOptional(),
      since: queryTime.exactOptional(),
      until: queryTime.exactOptional(),
      limit: pageSize,
    }),
    answer: z.strictObject({ rows: z.array(auditRow), next: count.nullable() }),
    async handle({ parts, query: { limit, ...page } }) {
      const rows = await parts.audit.list({ ...page, limit: limit + 1 })
      const shownRows = rows.slice(0, limit)
      const next = rows.length > limit ? (shownRows.at(-1)?.seq ?? null) : null
      return { rows: shownRows.map(shown), next }
    },
  }),
  'audit-verify': reads({
    path: '/api/audit/verify',
    role: 'admin',
    tenant: 'whole',
    summary: 'Work out the hash of every row again. With `head`, some row has to have that one.',
    query: z.strictObject({ head: hexHash.exactOptional() }),
    answer: z.strictObject({
      rows: count,
      head: hexHash,
      broken: z.strictObject({ seq: count, why: z.string() }).exactOptional(),
    }),
    handle: ({ parts, query }) => parts.reader.read('verifyAudit', query.head),
  }),
}

function shown(row: AuditRow) {
  const details = row.details === null ? undefined : parseJson(row.details)
  return {
    seq: row.seq,
    at: row.at,
    actor: row.actor,
    actorName: row.actor_name,
    address: row.address,
    action: row.action,
    object: row.object,
    details: details?.ok === true && isObject(details.value) ? details.value : {},
    beforeHash: row.before_hash,
    afterHash: row.after_hash,
    requestId: row.request_id,
    hash: Buffer.from(row.hash).toString('hex'),
  }
}
