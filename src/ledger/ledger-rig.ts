import type { HoldTerms } from '#budgets/hold-terms.ts'
import { GatewayError } from '#chat/error.ts'
import { Storage } from '#storage/database.ts'

import type { NewEntry, Outcome } from './entry.ts'
import { SqliteLedger } from './ledger.ts'
import type { Mismatch } from './proof.ts'

/*
 * What the tests of the ledger share: exchanges to begin and to end, and what lies on disk of them.
 */

/** Costs exactly what it says, however short the answer is. */
export function fixed(base: number): HoldTerms {
  return { base, perMillionOutput: 0, outputCap: 100, leastOutput: 16 }
}

/** A database in memory with one key, a ledger on it that was proven once, and the alarms that it gives. */
export async function openBooks() {
  const storage = await Storage.open(':memory:')
  addKey(storage)
  const alarms: Mismatch[] = []
  const ledger = await SqliteLedger.open(storage, { onAlarm: (alarm) => void alarms.push(alarm) })
  return {
    storage,
    ledger,
    alarms,
    async [Symbol.asyncDispose]() {
      await ledger[Symbol.asyncDispose]()
      storage[Symbol.dispose]()
    },
  }
}

export function entry(id: string, more: Partial<NewEntry> = {}): NewEntry {
  return {
    id,
    keyId: 'key-1',
    projectId: 'default',
    endpoint: 'chat',
    protocol: 'messages',
    model: 'fast',
    stream: true,
    startedAt: Date.UTC(2026, 10, 21),
    hold: { base: 100, perMillionOutput: 2_000_000, outputCap: 50, leastOutput: 16 },
    ...more,
  }
}

export function outcome(cost: number, more: Partial<Outcome> = {}): Outcome {
  return {
    result: 'complete',
    attempts: 1,
    usage: { input: 10, output: 5 },
    counted: 'exact',
    cost,
    totalMs: 1,
    notes: [],
    ...more,
  }
}

/** Puts a key in the default project. */
export function addKey({ database }: Storage, id = 'key-1', project = 'default'): void {
  database.run('INSERT INTO keys (id, name, created_at, project_id) VALUES (?, ?, 0, ?)', [
    id,
    id,
    project,
  ])
}

/** `used` and `held` of a holder in a period, added up over all times at which it began. */
export function balanceOf({ database }: Storage, holder: string, period = 'total'): number[] {
  const found = database
    .query<{ used: number; held: number }, [string, string]>(
      `SELECT coalesce(sum(used), 0) AS used, coalesce(sum(held), 0) AS held
       FROM balances WHERE holder = ? AND period = ?`,
    )
    .get(holder, period)
  return [found?.used ?? 0, found?.held ?? 0]
}

/** The failure of something that is to fail as a caller is told it. */
export async function failureOf(work: Promise<unknown>): Promise<GatewayError> {
  const failure = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (failure instanceof GatewayError) return failure
  throw new TypeError('It did not fail as expected.', { cause: failure })
}
