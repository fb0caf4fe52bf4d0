import { type Kysely, type RawBuilder, sql, type SqlBool } from 'kysely'

import type { Schema } from '#storage/schema.ts'

import { readHolder } from './holders.ts'
import { periodNames } from './period-names.ts'
import { type Period, periodEnd, periodStart } from './periods.ts'

export interface PeriodOf {
  readonly holder: string
  readonly period: Period
  readonly startsAt: number
}

/** What a holder was charged in a period, as far as two rows of the books. */
export interface Spent {
  readonly used: number
  readonly ledgerSeq: number
  readonly correctionSeq: number
}

const nothing: Spent = { used: 0, ledgerSeq: 0, correctionSeq: 0 }

/**
 * What the books say that a holder was charged in a period. With `before`, only what they say since then is read: the
 * long part can be done before the database is locked, and the short one after it.
 */
export async function spentInPeriod(
  query: Kysely<Schema>,
  { holder, period, startsAt }: PeriodOf,
  before: Spent = nothing,
): Promise<Spent> {
  const endsAt = Math.min(periodEnd(period, startsAt), Number.MAX_SAFE_INTEGER)
  const charged = await query
    .selectFrom('ledger')
    .select(({ fn }) => [fn.sum<number | null>('cost').as('sum')])
    .where(ofHolder(holder))
    .where('started_at', '>=', startsAt)
    .where('started_at', '<', endsAt)
    .$if(before !== nothing, (rows) => rows.where('seq', '>', before.ledgerSeq))
    .executeTakeFirst()
  const corrected = await query
    .selectFrom('corrections')
    .select(({ fn }) => [fn.sum<number | null>('amount').as('sum')])
    .where(ofHolder(holder))
    .where('started_at', '>=', startsAt)
    .where('started_at', '<', endsAt)
    .where('seq', '>', before.correctionSeq)
    .executeTakeFirst()
  return {
    used: before.used + (charged?.sum ?? 0) + (corrected?.sum ?? 0),
    ...(await lastRows(query)),
  }
}

/** When the period of a holder began that is running at a time. A clock that was set back does not open again what has ended. */
export async function runningStart(
  query: Kysely<Schema>,
  { holder, period }: Pick<PeriodOf, 'holder' | 'period'>,
  now: number,
): Promise<number> {
  const { latest } = await query
    .selectFrom('balances')
    .select(({ fn }) => fn.max('starts_at').as('latest'))
    .where('holder', '=', holder)
    .where('period', '=', period)
    .executeTakeFirstOrThrow()
  return Math.max(periodStart(period, now), latest ?? 0)
}

/** Gives a period its balance in the middle of it: what was charged since its beginning, and what is held now. */
export async function openPeriod(
  query: Kysely<Schema>,
  period: PeriodOf,
  before?: Spent,
): Promise<Standing> {
  const { used } = await spentInPeriod(query, period, before)
  const held = await joinOpen(query, period)
  const row = { used, held }
  await query
    .insertInto('balances')
    .values({ holder: period.holder, period: period.period, starts_at: period.startsAt, ...row })
    .onConflict((conflict) => conflict.columns(['holder', 'period', 'starts_at']).doUpdateSet(row))
    .execute()
  return row
}

/** What is charged and what is held: micro-dollars. */
export interface Standing {
  readonly used: number
  readonly held: number
}

/** Puts the holds of a holder's exchanges under way on the balance of a period that they began in. Gives their sum. */
async function joinOpen(
  query: Kysely<Schema>,
  { holder, period, startsAt }: PeriodOf,
): Promise<number> {
  let sum = 0
  const rows = await query
    .selectFrom('open_exchanges')
    .select(['id', 'held', 'started_at', 'periods'])
    .where(ofHolder(holder))
    .execute()
  for (const { id, held, started_at, periods } of rows) {
    const names = periodNames(periods)
    const own = names.find(([whose, which]) => whose === holder && which === period)
    if (own === undefined && started_at < startsAt) continue
    if (own !== undefined && own[2] !== startsAt) continue
    sum += held
    if (own !== undefined) continue
    const joined = JSON.stringify([...names, [holder, period, startsAt]])
    await query.updateTable('open_exchanges').set('periods', joined).where('id', '=', id).execute()
  }
  return sum
}

/** The rows of any of the three tables that count for a holder. */
function ofHolder(holder: string): RawBuilder<SqlBool> {
  const read = readHolder(holder)
  if (read === undefined) return sql<SqlBool>`false`
  if (read.kind === 'org') return sql<SqlBool>`true`
  return read.kind === 'project'
    ? sql<SqlBool>`project_id = ${read.id}`
    : sql<SqlBool>`key_id = ${read.id}`
}

async function lastRows(query: Kysely<Schema>) {
  const ledger = await query
    .selectFrom('ledger')
    .select(({ fn }) => fn.max('seq').as('seq'))
    .executeTakeFirst()
  const corrections = await query
    .selectFrom('corrections')
    .select(({ fn }) => fn.max('seq').as('seq'))
    .executeTakeFirst()
  return { ledgerSeq: ledger?.seq ?? 0, correctionSeq: corrections?.seq ?? 0 }
}
