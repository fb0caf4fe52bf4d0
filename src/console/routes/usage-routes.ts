import { z } from 'zod'

import { invalid } from '#console/access/problem.ts'
import { mayActAs } from '#console/access/role.ts'
import { changes, does, reads } from '#console/api/route.ts'
import { repair } from '#ledger/conservation.ts'
import { readDetails } from '#usage/exchange-details.ts'
import type { ExchangeRow } from '#usage/exchanges.ts'
import { readDimension } from '#usage/report.ts'
import { prunableAtEnd, prune } from '#usage/retention.ts'
import type { UsageFilter } from '#usage/usage-filter.ts'

import { contentNote } from './content-routes.ts'
import { csvLines } from './csv-lines.ts'
import { exchange, shown } from './exchange-shape.ts'
import { count, id, money, pageSize, queryNumber, queryTime, search, time } from './shapes.ts'

const result = id.meta({ description: 'How it ended; `failed` for every error' })

const range = {
  since: queryTime.exactOptional(),
  until: queryTime.exactOptional(),
  keyId: id.exactOptional(),
  projectId: id.exactOptional(),
  model: id.exactOptional(),
  target: id.exactOptional(),
  result: result.exactOptional(),
}

/** More rows than anybody reads, and as many as one answer may hold. */
const mostReportRows = 20_000

/** What is looked at where nobody says from when on. */
const usualRangeMs = 30 * 86_400_000

const usage = z
  .strictObject({
    by: z.record(z.string(), z.string().nullable()),
    keyId: z.string().exactOptional(),
    projectId: z.string().exactOptional(),
    exchanges: count,
    failed: count,
    estimated: count,
    unpriced: count,
    input: count,
    cacheRead: count,
    cacheWrite: count,
    output: count,
    reasoning: count,
    cost: money,
    excess: money,
    meanFirstByteMs: z.number().nullable().exactOptional(),
    meanTotalMs: z.number().nullable().exactOptional(),
  })
  .meta({ id: 'Usage' })

const detailed = exchange
  .extend({
    tries: z.array(
      z.strictObject({
        target: z.string(),
        result: z.string(),
        startedMs: z.number(),
        tookMs: z.number(),
        lost: z.strictObject({ input: count, output: count, cost: money }).exactOptional(),
      }),
    ),
    notes: z.array(z.strictObject({ field: z.string(), what: z.string() })),
    price: z.record(z.string(), z.unknown()).nullable(),
    corrections: z.array(
      z.strictObject({ amount: money, reason: z.string(), actor: z.string(), madeAt: time }),
    ),
    content: contentNote.exactOptional(),
  })
  .meta({ id: 'ExchangeInFull' })

const openExchange = z
  .strictObject({
    type: z.literal('open'),
    id: z.string(),
    keyId: z.string(),
    projectId: z.string(),
    asked: z.string(),
    startedAt: time,
    held: money,
  })
  .meta({ id: 'OpenExchange' })

const mismatch = z.strictObject({
  holder: z.string(),
  charged: money,
  used: money,
  underWay: money,
  held: money,
})

const exportRange = z.strictObject({
  since: time.min(0),
  until: time.exactOptional(),
  keyId: id.exactOptional(),
  projectId: id.exactOptional(),
  model: id.exactOptional(),
  target: id.exactOptional(),
  result: result.exactOptional(),
})

/** Who used what. */
export const usageRoutes = {
  'usage-report': reads({
    path: '/api/usage',
    role: 'viewer',
    tenant: 'projects',
    summary:
      'Add up what was used by hour, day, project, owner, key, model, target, asked, result, tag:<name>.',
    query: z.strictObject({
      by: z.string().max(400).default('key,model'),
      ...range,
      limit: queryNumber(1, mostReportRows).default(mostReportRows),
    }),
    answer: z.strictObject({
      since: time,
      usage: z.array(usage),
      isCut: z.boolean().meta({ description: 'Whether there are more rows than were asked for' }),
    }),
    async handle({ data, parts, query: { by, limit, ...filter } }) {
      const whole = sinceOf(filter, parts.now())
      const dimensions = [...new Set(by.split(','))].map(dimension)
      const rows = await data.usage.report(dimensions, whole, limit + 1)
      return {
        since: whole.since,
        isCut: rows.length > limit,
        usage: rows
          .slice(0, limit)
          .map((row) => ({ ...row, by: { ...row.by } as Record<string, string | null> })),
      }
    },
  }),
  'exchanges-list': reads({
    path: '/api/exchanges',
    role: 'viewer',
    tenant: 'projects',
    summary: 'List exchanges that have ended, the newest first.',
    query: z.strictObject({
      ...range,
      search: search.exactOptional(),
      before: queryNumber(1, Number.MAX_SAFE_INTEGER)
        .exactOptional()
        .meta({ description: '`next` of the page before' }),
      limit: pageSize,
    }),
    answer: z.strictObject({ exchanges: z.array(exchange), next: count.nullable() }),
    async handle({ data, parts, query: { limit, before, ...filter } }) {
      const whole = { ...sinceOf(filter, parts.now()), ...(before && { beforeSeq: before }) }
      const rows = await data.usage.list(whole, limit + 1)
      const page = rows.slice(0, limit)
      const next = rows.length > limit ? (page.at(-1)?.seq ?? null) : null
      return { exchanges: page.map(shown), next }
    },
  }),
  'exchanges-show': reads({
    path: '/api/exchanges/{id}',
    role: 'viewer',
    tenant: 'projects',
    summary: 'Show one exchange: who, what, how it went, what it cost and why.',
    answer: z.union([detailed.extend({ type: z.literal('ended') }), openExchange]),
    async handle({ data, actor, params }) {
      const found = await data.usage.find(params.id)
      if (found.type === 'open') {
        const { key_id, project_id, model, started_at, ...rest } = found.exchange
        const ids = { keyId: key_id, projectId: project_id }
        return { type: 'open' as const, ...ids, asked: model, startedAt: started_at, ...rest }
      }
      const { tries, notes, price } = readDetails(found.exchange)
      const mayRead = mayActAs(actor.role, 'operator')
      const content = mayRead ? await data.usage.contentNote(params.id) : undefined
      return {
        type: 'ended' as const,
        ...shown(found.exchange),
        tries,
        notes,
        price: price ?? null,
        corrections: found.corrections.map(({ made_at, ...rest }) => ({
          ...rest,
          madeAt: made_at,
        })),
        ...(content !== undefined && { content }),
      }
    },
  }),
  'exchanges-correct': changes({
    method: 'POST',
    path: '/api/exchanges/{id}/corrections',
    role: 'admin',
    tenant: 'whole',
    action: 'exchange-correct',
    status: 201,
    summary: 'Change what an exchange is charged. The change is written down beside it.',
    body: z.strictObject({ cost: money.min(0), reason: z.string().min(1).max(500) }),
    answer: z.strictObject({ before: money, after: money }),
    async handle({ data, actor, params, body }) {
      const changed = await data.usage.correct(params.id, { ...body, actor: actor.name })
      const details = { ...changed, reason: body.reason }
      return { answer: changed, object: `exchange:${params.id}`, details }
    },
  }),
  'usage-verify': reads({
    path: '/api/usage/verify',
    role: 'operator',
    tenant: 'whole',
    summary: 'Add up every row of the ledger and compare it with every balance.',
    answer: z.strictObject({
      exchanges: count,
      underWay: count,
      charged: money,
      corrected: money,
      retired: money,
      held: money,
      holders: count,
      wrong: z.array(mismatch),
    }),
    async handle({ parts }) {
      return parts.reader.read('verify')
    },
  }),
  'usage-repair': does({
    method: 'POST',
    path: '/api/usage/repair',
    role: 'admin',
    tenant: 'whole',
    action: 'usage-repair',
    reauthenticates: true,
    summary: 'Make the balances what the rows say.',
    body: z.strictObject({}),
    answer: z.strictObject({ repaired: z.array(mismatch) }),
    objectOf: () => ({ object: 'ledger' }),
    async handle({ parts }) {
      const repaired = await repair(parts.storage, parts.now())
      return { repaired }
    },
  }),
  'usage-prune': does({
    method: 'POST',
    path: '/api/usage/prune',
    role: 'admin',
    tenant: 'whole',
    action: 'usage-prune',
    reauthenticates: true,
    summary:
      'Delete exchanges that began before a time, and their content. Balances keep what they cost.',
    body: z.strictObject({ before: time.min(0) }),
    answer: z.strictObject({ exchanges: count, charged: money }),
    objectOf: ({ body }) => ({ object: 'ledger', details: { before: body.before } }),
    async handle({ parts, body: { before } }) {
      await parts.content.erase({ before, exchangeIds: prunableAtEnd(parts.storage, before) })
      return prune(parts.storage, before)
    },
  }),
  'usage-export': does({
    method: 'POST',
    path: '/api/usage/export',
    role: 'admin',
    tenant: 'projects',
    action: 'usage-export',
    form: 'lines',
    reauthenticates: true,
    summary: 'Every exchange, the oldest first: one JSON object a line, or CSV.',
    body: exportRange.extend({ format: z.enum(['ndjson', 'csv']).default('ndjson') }),
    answer: z.string(),
    objectOf: ({ body }) => ({ object: 'ledger', details: body }),
    async handle({ data, body: { format, ...filter } }) {
      const rows = shownRows(data.usage.all(filter))
      return format === 'csv' ? csvLines(Object.keys(exchange.shape), rows) : jsonLines(rows)
    },
  }),
}

function sinceOf<Filter extends UsageFilter>(
  filter: Filter,
  now: number,
): Filter & { readonly since: number } {
  return { ...filter, since: filter.since ?? Math.max(0, now - usualRangeMs) }
}

function dimension(word: string) {
  const found = readDimension(word.trim())
  if (found !== undefined) return found
  throw invalid(`There is nothing to add up by called ${word.slice(0, 40)}.`, 'by')
}

async function* shownRows(rows: AsyncIterable<ExchangeRow>) {
  for await (const row of rows) yield shown(row)
}

async function* jsonLines(rows: AsyncIterable<object>): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`
}
