import type { Answer, Exchange } from '#console/web/api/contract.ts'
import type { Live } from '#console/web/api/live-feed.ts'

type UsageRow = Answer<'GET /api/usage'>['usage'][number]

/** What happened in one stretch of time. */
export interface Point {
  /** When it began: Unix milliseconds. */
  readonly at: number
  readonly exchanges: number
  readonly failed: number
  readonly input: number
  readonly output: number
  /** Micro-dollars. */
  readonly cost: number
  /** Milliseconds; null where nothing was answered, or nobody knows. */
  readonly firstByteMs: number | null
  readonly totalMs: number | null
}

/** Stretches of the live view, and how many there are. */
export const liveStepMs = 5000
export const liveSpanMs = 300_000

/**
 * The last minutes, from what the live stream has told, and from the ledger for the time before the page was opened.
 * `before` is undefined where the ledger had more than was asked for: half of the truth would look like all of it.
 */
export function livePoints(
  { seconds, ended }: Pick<Live, 'seconds' | 'ended'>,
  before: readonly Exchange[] | undefined,
  now: number,
): readonly Point[] {
  const first = seconds[0]
  const heardFrom = first === undefined ? now : first.at - first.intervalMs
  const told = [...(before ?? []).filter((one) => endOf(one) < heardFrom), ...ended]
  const last = stretchOf(now, liveStepMs)
  return stretches(last - liveSpanMs + liveStepMs, last, liveStepMs).map((at) => {
    const until = at + liveStepMs
    const looks = seconds.filter((look) => look.at > at && look.at <= until)
    const rows = told.filter((one) => endOf(one) >= at && endOf(one) < until)
    const early = rows.filter((one) => endOf(one) < heardFrom)
    const sums = [...looks, ...early.map(countsOf)]
    return { at, ...sumsOf(sums), ...mediansOf(rows) }
  })
}

type Sums = Pick<Point, 'exchanges' | 'failed' | 'input' | 'output' | 'cost'>

/** Hours or days, from a report by either; a stretch without a row is one where nothing happened. */
export function reportPoints(
  rows: readonly UsageRow[],
  { since, until, stepMs }: { since: number; until: number; stepMs: number },
): readonly Point[] {
  const found = new Map(rows.map((row) => [startOf(row), row]))
  return stretches(stretchOf(since, stepMs), stretchOf(until, stepMs), stepMs).map((at) => {
    const row = found.get(at)
    if (row === undefined) return { at, ...sumsOf([]), firstByteMs: null, totalMs: null }
    const { exchanges, failed, output, cost } = row
    const input = row.input + row.cacheRead + row.cacheWrite
    const { meanFirstByteMs: firstByteMs = null, meanTotalMs: totalMs = null } = row
    return { at, exchanges, failed, input, output, cost, firstByteMs, totalMs }
  })
}

/** All of it together. */
export function sumsOf(all: readonly Sums[]): Sums {
  const sum = (of: keyof Sums): number => all.reduce((total, one) => total + one[of], 0)
  return {
    exchanges: sum('exchanges'),
    failed: sum('failed'),
    input: sum('input'),
    output: sum('output'),
    cost: sum('cost'),
  }
}

/** The value in the middle; null where there is none. */
export function medianOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null).toSorted((one, other) => one - other)
  return known[Math.floor((known.length - 1) / 2)] ?? null
}

function mediansOf(rows: readonly Exchange[]): Pick<Point, 'firstByteMs' | 'totalMs'> {
  return {
    firstByteMs: medianOf(rows.map(({ firstByteMs }) => firstByteMs)),
    totalMs: medianOf(rows.map(({ totalMs }) => totalMs)),
  }
}

const wellEnded = new Set(['complete', 'client-left', 'budget-stop'])

function countsOf(row: Exchange): Sums {
  return {
    exchanges: 1,
    failed: wellEnded.has(row.result) ? 0 : 1,
    input: (row.input ?? 0) + (row.cacheRead ?? 0) + (row.cacheWrite ?? 0),
    output: row.output ?? 0,
    cost: row.cost,
  }
}

function endOf({ startedAt, totalMs }: Exchange): number {
  return startedAt + totalMs
}

/** `2026-01-31` and `2026-01-31T15`, both in UTC. */
function startOf({ by }: UsageRow): number {
  const text = by['hour'] ?? by['day'] ?? ''
  return Date.parse(text.length > 10 ? `${text}:00:00Z` : `${text}T00:00:00Z`)
}

function stretchOf(at: number, stepMs: number): number {
  return Math.floor(at / stepMs) * stepMs
}

function stretches(first: number, last: number, stepMs: number): number[] {
  const count = Math.max(0, Math.round((last - first) / stepMs) + 1)
  return Array.from({ length: count }, (_, index) => first + index * stepMs)
}
