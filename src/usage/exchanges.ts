import { sql } from 'kysely'

import type { Storage } from '#storage/database.ts'
import type { LedgerRow } from '#storage/schema.ts'
import { StorageError } from '#storage/storage-error.ts'

import { inLedger, type UsageFilter } from './usage-filter.ts'

/** One exchange of the ledger, with what its numbers stand for. */
export interface ExchangeRow extends Omit<LedgerRow, 'price'> {
  /** JSON of the price that it was charged at. */
  readonly price: string | null
  readonly keyName: string | null
  /** Micro-dollars by which its cost was corrected afterwards. */
  readonly corrected: number
}

export interface ExchangeCorrection {
  readonly amount: number
  readonly reason: string
  readonly actor: string
  readonly made_at: number
}

/** An exchange that has ended, with its corrections, or one that is under way. */
export type FoundExchange =
  | {
      readonly type: 'ended'
      readonly exchange: ExchangeRow
      readonly corrections: readonly ExchangeCorrection[]
    }
  | { readonly type: 'open'; readonly exchange: OpenExchange }

export interface OpenExchange {
  readonly id: string
  readonly key_id: string
  readonly project_id: string
  readonly model: string
  readonly started_at: number
  readonly held: number
}

/** The newest exchanges that have ended, at most so many. Rejects with `StorageError`. */
export async function listExchanges(
  storage: Storage,
  filter: UsageFilter,
  limit: number,
): Promise<ExchangeRow[]> {
  return guarded(storage, async () => {
    const { rows } = await sql<ExchangeRow>`
      ${rowsSql} WHERE ${inLedger(filter)} ORDER BY ledger.seq DESC LIMIT ${limit}`.execute(
      storage.query,
    )
    return rows
  })
}

/** The exchange of a request id. Undefined if there is none. Rejects with `StorageError`. */
export async function findExchange(
  storage: Storage,
  id: string,
): Promise<FoundExchange | undefined> {
  return guarded(storage, async () => {
    const open = await storage.query
      .selectFrom('open_exchanges')
      .select(['id', 'key_id', 'project_id', 'model', 'started_at', 'held'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (open !== undefined) return { type: 'open', exchange: open }
    // There is no index by id, which every exchange would pay for; searched from the end, what is recent is found soon.
    const { rows } = await sql<ExchangeRow>`
      ${rowsSql} WHERE ledger.id = ${id} ORDER BY ledger.seq DESC LIMIT 1`.execute(storage.query)
    const [exchange] = rows
    if (exchange === undefined) return undefined
    const corrections = await storage.query
      .selectFrom('corrections')
      .select(['amount', 'reason', 'actor', 'made_at'])
      .where('exchange_id', '=', id)
      .orderBy('seq')
      .execute()
    return { type: 'ended', exchange, corrections }
  })
}

/** Every exchange that has ended, the oldest first, some hundreds in memory at a time. Rejects with `StorageError`. */
export async function* exportExchanges(
  storage: Storage,
  filter: UsageFilter,
): AsyncGenerator<ExchangeRow> {
  let last = 0
  for (;;) {
    const rows = await guarded(storage, () => pageAfter(storage, filter, last))
    yield* rows
    if (rows.length < pageRows) return
    last = rows.at(-1)?.seq ?? last
  }
}

const pageRows = 500

async function pageAfter(
  { query }: Storage,
  filter: UsageFilter,
  last: number,
): Promise<ExchangeRow[]> {
  const { rows } = await sql<ExchangeRow>`
    ${rowsSql} WHERE ledger.seq > ${last} AND ${inLedger(filter)}
    ORDER BY ledger.seq LIMIT ${sql.lit(pageRows)}`.execute(query)
  return rows
}

const rowsSql = sql.raw(`
  SELECT ledger.*, prices.terms AS price, keys.name AS keyName,
    coalesce((SELECT sum(amount) FROM corrections WHERE exchange_id = ledger.id), 0) AS corrected
  FROM ledger
  LEFT JOIN prices ON prices.id = ledger.price
  LEFT JOIN keys ON keys.id = ledger.key_id`)

async function guarded<Result>(storage: Storage, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw StorageError.from(error, storage.file)
  }
}
