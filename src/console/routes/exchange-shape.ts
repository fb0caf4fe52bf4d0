import { z } from 'zod'

import type { ExchangeRow } from '#usage/exchanges.ts'

import { count, money, time } from './shapes.ts'

/** One exchange of the ledger, as it is listed. */
export const exchange = z
  .strictObject({
    id: z.string(),
    seq: count.meta({ description: 'Its place in the ledger' }),
    startedAt: time,
    keyId: z.string(),
    keyName: z.string().nullable(),
    projectId: z.string(),
    endpoint: z.string(),
    protocol: z.string(),
    asked: z.string().meta({ description: 'The model that was asked for' }),
    target: z.string().nullable(),
    isStream: z.boolean(),
    result: z.string(),
    attempts: count,
    input: count.nullable(),
    cacheRead: count.nullable(),
    cacheWrite: count.nullable(),
    output: count.nullable(),
    reasoning: count.nullable(),
    counted: z.string(),
    held: money,
    cost: money,
    corrected: money,
    excess: money,
    queueMs: z.number().nullable(),
    firstByteMs: z.number().nullable(),
    totalMs: z.number(),
    route: z.string().nullable(),
  })
  .meta({ id: 'Exchange' })

/** A row of the ledger in that shape. */
export function shown(row: ExchangeRow) {
  return {
    id: row.id,
    seq: row.seq,
    startedAt: row.started_at,
    keyId: row.key_id,
    keyName: row.keyName,
    projectId: row.project_id,
    endpoint: row.endpoint,
    protocol: row.protocol,
    asked: row.model,
    target: row.target,
    isStream: row.stream === 1,
    result: row.result,
    attempts: row.attempts,
    input: row.input,
    cacheRead: row.cache_read,
    cacheWrite: row.cache_write,
    output: row.output,
    reasoning: row.reasoning,
    counted: row.counted,
    held: row.held,
    cost: row.cost,
    corrected: row.corrected,
    excess: row.excess,
    queueMs: row.queue_ms,
    firstByteMs: row.first_byte_ms,
    totalMs: row.total_ms,
    route: row.route,
  }
}
