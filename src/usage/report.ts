import { type RawBuilder, sql } from 'kysely'

import type { Storage } from '#storage/database.ts'
import { StorageError } from '#storage/storage-error.ts'

import { inLedger, type UsageFilter } from './usage-filter.ts'

/** What usage can be added up by; `model` is who answered, or what was asked for where nobody did. */
export const plainDimensions = [
  'hour',
  'day',
  'project',
  'owner',
  'key',
  'model',
  'target',
  'asked',
  'result',
] as const

/** One of those, or a tag of keys: `tag:team`. */
export type Dimension = (typeof plainDimensions)[number] | `tag:${string}`

export interface ReportOptions extends UsageFilter {
  readonly by: readonly Dimension[]
  /** At most so many rows, the first of the order. */
  readonly limit?: number
}

/** What those of one key, model, day and so on used together. */
export interface UsageRow {
  /** For every dimension that was asked for, its value: names for keys and projects, days as `2026-01-31` and hours as `2026-01-31T15` in UTC. */
  readonly by: Readonly<Partial<Record<Dimension, string | null>>>
  /** Present if they were asked for. */
  readonly keyId?: string
  readonly projectId?: string
  readonly exchanges: number
  /** Those that ended with an error. A caller that left, or a budget that stopped an answer, is none. */
  readonly failed: number
  /** Those whose tokens or costs are an estimate, in part or in whole. */
  readonly estimated: number
  /** Those without a price, which cost nothing. */
  readonly unpriced: number
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly output: number
  readonly reasoning: number
  /** Micro-dollars that were charged, corrections included, and what upstreams will bill beyond that. */
  readonly cost: number
  readonly excess: number
  /** How long callers waited on average for the first byte and for the whole, in milliseconds; null where nobody knows. */
  readonly meanFirstByteMs?: number | null
  readonly meanTotalMs?: number | null
}

/** Who used what, from the ledger: the latest day or hour first, then whoever cost most. Rejects with `StorageError`. */
export async function usageReport(storage: Storage, options: ReportOptions): Promise<UsageRow[]> {
  try {
    const { rows } = await reportQuery(options).execute(storage.query)
    return rows.map((row) => rowOf(row, options.by))
  } catch (error) {
    throw StorageError.from(error, storage.file)
  }
}

type FoundRow = Omit<UsageRow, 'by'> & Readonly<Record<string, string | number | null>>

function reportQuery({ by, limit, ...filter }: ReportOptions): RawBuilder<FoundRow> {
  const groups = by.map((dimension, at) => sql`${valueOf(dimension)} AS ${sql.ref(`by${at}`)}`)
  const named = [
    ...(by.includes('key') ? [sql`ledger.key_id AS ${sql.ref('keyId')}`] : []),
    ...(by.includes('project') ? [sql`ledger.project_id AS ${sql.ref('projectId')}`] : []),
  ]
  const grouped = by.length === 0 ? sql`` : sql`GROUP BY ${sql.join(groupsOf(by))}`
  const order = by.map((dimension, at) =>
    isTime(dimension) ? sql`${sql.ref(`by${at}`)} DESC,` : sql``,
  )
  return sql<FoundRow>`
    SELECT ${sql.join([...groups, ...named, sums])}
    FROM ledger
    LEFT JOIN keys ON keys.id = ledger.key_id
    LEFT JOIN projects ON projects.id = ledger.project_id
    LEFT JOIN (SELECT exchange_id, sum(amount) AS amount FROM corrections GROUP BY exchange_id)
      AS corrected ON corrected.exchange_id = ledger.id
    WHERE ${inLedger(filter)}
    ${grouped}
    HAVING count(*) > 0
    ORDER BY ${sql.join(order, sql` `)} cost DESC, exchanges DESC
    ${limit === undefined ? sql`` : sql`LIMIT ${limit}`}`
}

const msPer = { hour: 3_600_000, day: 86_400_000 } as const

const values: Readonly<Record<(typeof plainDimensions)[number], RawBuilder<unknown>>> = {
  hour: sql`ledger.started_at / ${sql.lit(msPer.hour)}`,
  day: sql`ledger.started_at / ${sql.lit(msPer.day)}`,
  key: sql`keys.name`,
  project: sql`projects.name`,
  owner: sql`keys.owner`,
  model: sql`coalesce(ledger.target, ledger.model)`,
  target: sql`ledger.target`,
  asked: sql`ledger.model`,
  result: sql`ledger.result`,
}

function valueOf(dimension: Dimension): RawBuilder<unknown> {
  if (isPlain(dimension)) return values[dimension]
  return sql`json_extract(keys.policy, ${`$.tags."${tagOf(dimension)}"`})`
}

/** Keys and projects are told apart by their ids: a name may be given twice. */
function groupsOf(by: readonly Dimension[]): RawBuilder<unknown>[] {
  return by.map((dimension, at) => {
    if (dimension === 'key') return sql`ledger.key_id`
    return dimension === 'project' ? sql`ledger.project_id` : sql.ref(`by${at}`)
  })
}

/** Sums of tokens are taken as floating point: an upstream that counts nonsense must not make them overflow. */
const sums = sql.raw(`
  count(*) AS exchanges,
  sum(result NOT IN ('complete', 'client-left', 'budget-stop')) AS failed,
  sum(counted = 'estimated') AS estimated,
  sum(price IS NULL) AS unpriced,
  CAST(total(input) AS INTEGER) AS input,
  CAST(total(cache_read) AS INTEGER) AS cacheRead,
  CAST(total(cache_write) AS INTEGER) AS cacheWrite,
  CAST(total(output) AS INTEGER) AS output,
  CAST(total(reasoning) AS INTEGER) AS reasoning,
  sum(cost) + coalesce(sum(corrected.amount), 0) AS cost,
  sum(excess) AS excess,
  round(avg(first_byte_ms), 1) AS meanFirstByteMs,
  round(avg(total_ms), 1) AS meanTotalMs`)

function rowOf(row: FoundRow, by: readonly Dimension[]): UsageRow {
  const { keyId, projectId, ...rest } = row
  const counts = Object.entries(rest).filter(([name]) => !/^by\d+$/.test(name))
  const named = by.map((dimension, at) => {
    const value = row[`by${at}`] ?? null
    return [dimension, isTime(dimension) ? timeOf(dimension, value) : nameOf(dimension, value, row)]
  })
  return {
    by: Object.fromEntries(named),
    ...(keyId !== undefined && { keyId }),
    ...(projectId !== undefined && { projectId }),
    ...(Object.fromEntries(counts) as Omit<UsageRow, 'by'>),
  }
}

/** A key that is in the ledger alone is known by its id. */
function nameOf(
  dimension: Dimension,
  value: string | number | null,
  { keyId, projectId }: FoundRow,
): string | null {
  if (value !== null && value !== '') return String(value)
  if (dimension === 'key') return keyId ?? null
  return dimension === 'project' ? (projectId ?? null) : null
}

function isTime(dimension: Dimension): dimension is keyof typeof msPer {
  return dimension in msPer
}

function timeOf(dimension: keyof typeof msPer, value: string | number | null): string {
  const said = new Date(Number(value) * msPer[dimension]).toISOString()
  return dimension === 'day' ? said.slice(0, 10) : said.slice(0, 13)
}

function isPlain(dimension: Dimension): dimension is (typeof plainDimensions)[number] {
  return (plainDimensions as readonly string[]).includes(dimension)
}

/** Reads a dimension as people type it. Undefined for what is none. */
export function readDimension(word: string): Dimension | undefined {
  if ((plainDimensions as readonly string[]).includes(word)) return word as Dimension
  return /^tag:[\w.-]{1,64}$/.test(word) ? (word as Dimension) : undefined
}

function tagOf(dimension: `tag:${string}`): string {
  return dimension.slice('tag:'.length)
}
