import { type Kysely, sql } from 'kysely'

import { holdersOf } from '#budgets/holders.ts'
import { periods, periodStart } from '#budgets/periods.ts'
import { GatewayError } from '#chat/error.ts'
import { costLimit } from '#prices/price.ts'
import type { Storage } from '#storage/database.ts'
import type { Schema } from '#storage/schema.ts'
import { StorageError } from '#storage/storage-error.ts'
import { exclusively } from '#storage/transaction.ts'

export interface Correction {
  readonly exchangeId: string
  /** What it is to have cost: micro-dollars. */
  readonly cost: number
  readonly reason: string
  /** Who says so. */
  readonly actor: string
}

/** What a correction changed: micro-dollars. */
export interface Corrected {
  readonly before: number
  readonly after: number
}

/**
 * Changes what an exchange that has ended is charged, with a row that says why and by whom, and the balances with it.
 * `now` in Unix milliseconds. Rejects with `request-invalid` for an exchange that is not in the ledger, a cost that is
 * none, or no reason; with `StorageError` if the database fails.
 */
export async function correct(
  storage: Storage,
  correction: Correction,
  now: number = Date.now(),
): Promise<Corrected> {
  const { cost, reason } = correction
  if (!Number.isSafeInteger(cost) || cost < 0 || cost > costLimit)
    throw refused(
      'A cost is a whole number of micro-dollars, not negative, a million dollars at most.',
    )
  if (reason.trim() === '')
    throw refused('Say why: a correction without a reason explains nothing later.')
  try {
    return await exclusively(storage.database, () => write(storage.query, correction, now))
  } catch (error) {
    throw error instanceof GatewayError ? error : StorageError.from(error, storage.file)
  }
}

/** What was charged for an exchange, corrections included. Undefined if the ledger has no such exchange. */
export async function chargedFor(
  query: Kysely<Schema>,
  exchangeId: string,
): Promise<number | undefined> {
  const found = await exchangeOf(query, exchangeId)
  return found === undefined ? undefined : found.cost + (await correctedBy(query, exchangeId))
}

async function write(
  query: Kysely<Schema>,
  { exchangeId, cost, reason, actor }: Correction,
  now: number,
): Promise<Corrected> {
  const exchange = await exchangeOf(query, exchangeId)
  if (exchange === undefined)
    throw refused(`There is no exchange ${exchangeId} in the ledger, or it is still under way.`)
  const { key_id, project_id, started_at } = exchange
  const before = exchange.cost + (await correctedBy(query, exchangeId))
  const amount = cost - before
  const about = { exchange_id: exchangeId, key_id, project_id, started_at }
  if (amount !== 0) {
    const row = { ...about, amount, reason: reason.trim(), actor, made_at: now }
    await query.insertInto('corrections').values(row).execute()
    for (const holder of holdersOf(key_id, project_id))
      await change(query, { holder, startedAt: started_at, amount })
  }
  return { before, after: cost }
}

/** Everything a holder ever used, and those periods that the exchange began in and that have a balance. */
async function change(query: Kysely<Schema>, { holder, startedAt, amount }: Change): Promise<void> {
  for (const period of periods)
    await query
      .updateTable('balances')
      .set({ used: sql<number>`max(0, used + ${amount})` })
      .where('holder', '=', holder)
      .where('period', '=', period)
      .where('starts_at', '=', periodStart(period, startedAt))
      .execute()
}

interface Change {
  readonly holder: string
  readonly startedAt: number
  readonly amount: number
}

/** The ledger has no index by id, which every exchange would pay for. Searching from its end finds what is recent first. */
async function exchangeOf(query: Kysely<Schema>, id: string) {
  return query
    .selectFrom('ledger')
    .select(['key_id', 'project_id', 'started_at', 'cost'])
    .where('id', '=', id)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
}

async function correctedBy(query: Kysely<Schema>, id: string): Promise<number> {
  const { sum } = await query
    .selectFrom('corrections')
    .select(({ fn }) => fn.sum<number | null>('amount').as('sum'))
    .where('exchange_id', '=', id)
    .executeTakeFirstOrThrow()
  return sum ?? 0
}

function refused(message: string): GatewayError {
  return new GatewayError('request-invalid', message)
}
