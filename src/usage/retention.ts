import type { Database } from 'bun:sqlite'

import { holdersOf } from '#budgets/holders.ts'
import { Proof } from '#ledger/proof.ts'
import { failAt } from '#std/fail-at.ts'
import type { Storage } from '#storage/database.ts'
import { StorageError } from '#storage/storage-error.ts'

/** What was pruned. */
export interface Pruned {
  readonly exchanges: number
  /** What they had been charged: micro-dollars. It stays in the balances, and in the proof that they add up. */
  readonly charged: number
}

/**
 * Takes out of the ledger what began before a time, in Unix milliseconds, a few thousand rows at a time, so that a
 * server beside it goes on. Only rows that were proven go, and their sums stay. Rejects with `StorageError`; what was
 * pruned until then stays pruned.
 */
export async function prune(storage: Storage, before: number): Promise<Pruned> {
  const { database, file } = storage
  try {
    await proveAll(database)
    let exchanges = 0
    let charged = 0
    for (;;) {
      const some = exclusive(database, () => pruneSome(database, before))
      exchanges += some.exchanges
      charged += some.charged
      if (some.exchanges < rowsAtOnce) break
      await nextTurn()
    }
    exclusive(database, () => database.prepare(oldBalancesSql).run(before - longestPeriod))
    return { exchanges, charged }
  } catch (error) {
    throw StorageError.from(error, file)
  }
}

/** How much there is to prune: rows, and what they were charged in micro-dollars. */
export function prunable({ database }: Storage, before: number): Pruned {
  const found = database
    .query<Pruned, [number]>(
      'SELECT count(*) AS exchanges, coalesce(sum(cost), 0) AS charged FROM ledger WHERE started_at < ?',
    )
    .get(before)
  return found ?? { exchanges: 0, charged: 0 }
}

/**
 * Exchanges that began before a time and were over only then, or nearly so: what was said in them is as old as their
 * end. Ask before they are pruned.
 */
export function prunableAtEnd({ database }: Storage, before: number): string[] {
  return database
    .query<{ id: string }, [number, number]>(
      'SELECT id FROM ledger WHERE started_at < ? AND started_at + total_ms >= ?',
    )
    .all(before, before - mostDelay)
    .map(({ id }) => id)
}

/** What was said is kept a moment after its exchange is over. */
const mostDelay = 60_000

async function proveAll(database: Database): Promise<void> {
  using proof = new Proof(database)
  while (!exclusive(database, () => proof.step().isDone)) await nextTurn()
}

function pruneSome(database: Database, before: number): Pruned {
  const sums = database.query<Sum, [number, number]>(sumsSql).all(before, rowsAtOnce)
  const retire = database.query<void, [string, number]>(retireSql)
  for (const { key_id, project_id, amount } of sums)
    for (const holder of holdersOf(key_id, project_id)) retire.run(holder, amount)
  database.query<void, [number, number]>(deleteSql).run(before, rowsAtOnce)
  failAt('during-prune')
  return {
    exchanges: sums.reduce((total, { count }) => total + count, 0),
    charged: sums.reduce((total, { amount }) => total + amount, 0),
  }
}

interface Sum {
  readonly key_id: string
  readonly project_id: string
  readonly amount: number
  readonly count: number
}

const rowsAtOnce = 2000
const longestPeriod = 31 * 86_400_000

// The last row stays, whatever its age: SQLite would give its number again, to a row that seems proven then.
const oldest = `SELECT seq FROM ledger
  WHERE started_at < ? AND seq <= (SELECT ledger_seq FROM proven_until) AND seq < (SELECT max(seq) FROM ledger)
  ORDER BY started_at, seq LIMIT ?`

const sumsSql = `SELECT key_id, project_id, sum(cost) AS amount, count(*) AS count
  FROM ledger WHERE seq IN (${oldest}) GROUP BY key_id, project_id`
const deleteSql = `DELETE FROM ledger WHERE seq IN (${oldest})`
const retireSql = `INSERT INTO proven (holder, used, retired) VALUES (?, 0, ?)
  ON CONFLICT (holder) DO UPDATE SET retired = retired + excluded.retired`

/** Balances of periods that are long over and hold nothing, except the latest of each budget. */
const oldBalancesSql = `DELETE FROM balances
  WHERE period <> 'total' AND held = 0 AND starts_at < ?
    AND EXISTS (SELECT 1 FROM balances AS later WHERE later.holder = balances.holder
      AND later.period = balances.period AND later.starts_at > balances.starts_at)`

function exclusive<Result>(database: Database, work: () => Result): Result {
  return database.transaction(work).immediate()
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
