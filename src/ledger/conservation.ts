import { type Kysely, sql } from 'kysely'

import { holdersOf } from '#budgets/holders.ts'
import { openPeriod, runningStart } from '#budgets/period-spending.ts'
import { isPeriod } from '#budgets/periods.ts'
import type { Storage } from '#storage/database.ts'
import type { Schema } from '#storage/schema.ts'
import { StorageError } from '#storage/storage-error.ts'
import { exclusively } from '#storage/transaction.ts'

import type { Mismatch } from './proof.ts'

/** What the whole of the books was found to be, from their first row on. Micro-dollars. */
export interface Verification {
  readonly exchanges: number
  readonly underWay: number
  readonly charged: number
  readonly corrected: number
  /** Charged by rows that were pruned since. */
  readonly retired: number
  readonly held: number
  readonly holders: number
  /** Empty if the books add up. */
  readonly wrong: readonly Mismatch[]
}

/** Adds up every row there is and compares it with every balance. Rejects with `StorageError`. */
export async function verify(storage: Storage): Promise<Verification> {
  try {
    // One transaction, so that all of it is read as of one moment, beside servers that go on writing.
    return await storage.query.transaction().execute((query) => addUp(query))
  } catch (error) {
    throw StorageError.from(error, storage.file)
  }
}

/**
 * Makes the balances what the rows say, which are the truth. Running budgets of a holder that was wrong start again
 * from its rows. Gives what was wrong. Rejects with `StorageError`.
 */
export async function repair(
  storage: Storage,
  now: number = Date.now(),
): Promise<readonly Mismatch[]> {
  try {
    return await exclusively(storage.database, async () => {
      const { wrong } = await addUp(storage.query)
      for (const mismatch of wrong) await putRight(storage.query, mismatch, now)
      await proveAgain(storage.query)
      return wrong
    })
  } catch (error) {
    throw StorageError.from(error, storage.file)
  }
}

async function addUp(query: Kysely<Schema>): Promise<Verification> {
  const ledger = await sumsOf(query, 'ledger', 'cost')
  const corrections = await sumsOf(query, 'corrections', 'amount')
  const open = await sumsOf(query, 'open_exchanges', 'held')
  const proven = await query.selectFrom('proven').select(['holder', 'retired']).execute()
  const balances = await query
    .selectFrom('balances')
    .select(['holder', 'used', 'held'])
    .where('period', '=', 'total')
    .execute()
  const books = new Map<string, Found>()
  const of = (holder: string): Found => {
    const known = books.get(holder) ?? { charged: 0, used: 0, underWay: 0, held: 0 }
    books.set(holder, known)
    return known
  }
  for (const { key_id, project_id, amount } of [...ledger, ...corrections])
    for (const holder of holdersOf(key_id, project_id)) of(holder).charged += amount
  for (const { key_id, project_id, amount } of open)
    for (const holder of holdersOf(key_id, project_id)) of(holder).underWay += amount
  for (const { holder, retired } of proven) of(holder).charged += retired
  for (const { holder, used, held } of balances) Object.assign(of(holder), { used, held })
  return {
    exchanges: sum(ledger, 'count'),
    underWay: sum(open, 'count'),
    charged: sum(ledger, 'amount'),
    corrected: sum(corrections, 'amount'),
    retired: proven.find(({ holder }) => holder === 'org')?.retired ?? 0,
    held: sum(open, 'amount'),
    holders: books.size,
    wrong: [...books]
      .map(([holder, found]) => ({ holder, ...found }))
      .filter(({ charged, used, underWay, held }) => charged !== used || underWay !== held),
  }
}

interface Found {
  charged: number
  used: number
  underWay: number
  held: number
}

interface Sum {
  readonly key_id: string
  readonly project_id: string
  readonly amount: number
  readonly count: number
}

async function sumsOf(
  query: Kysely<Schema>,
  table: 'ledger' | 'corrections' | 'open_exchanges',
  column: 'cost' | 'amount' | 'held',
): Promise<Sum[]> {
  const { rows } = await sql<Sum>`
    SELECT key_id, project_id, sum(${sql.ref(column)}) AS amount, count(*) AS count
    FROM ${sql.table(table)} GROUP BY key_id, project_id`.execute(query)
  return rows
}

async function putRight(
  query: Kysely<Schema>,
  { holder, charged, underWay }: Mismatch,
  now: number,
): Promise<void> {
  const row = { used: charged, held: underWay }
  await query
    .insertInto('balances')
    .values({ holder, period: 'total', starts_at: 0, ...row })
    .onConflict((conflict) => conflict.columns(['holder', 'period', 'starts_at']).doUpdateSet(row))
    .execute()
  const budgets = await query
    .selectFrom('budgets')
    .select('period')
    .where('holder', '=', holder)
    .where('period', '<>', 'total')
    .execute()
  for (const { period } of budgets) {
    if (!isPeriod(period)) continue
    const startsAt = await runningStart(query, { holder, period }, now)
    await openPeriod(query, { holder, period, startsAt })
  }
}

/** Servers go on from here, and not from what they had proven of balances that were wrong. */
async function proveAgain(query: Kysely<Schema>): Promise<void> {
  await sql`UPDATE proven SET used = coalesce((SELECT used FROM balances AS total
    WHERE total.holder = proven.holder AND total.period = 'total'), 0)`.execute(query)
  await sql`INSERT INTO proven (holder, used) SELECT holder, used FROM balances
    WHERE period = 'total' ON CONFLICT DO NOTHING`.execute(query)
  await sql`UPDATE proven_until SET
    ledger_seq = (SELECT coalesce(max(seq), 0) FROM ledger),
    correction_seq = (SELECT coalesce(max(seq), 0) FROM corrections)`.execute(query)
}

function sum(sums: readonly Sum[], column: 'amount' | 'count'): number {
  return sums.reduce((total, row) => total + row[column], 0)
}
