/** A time that is looked at, in Unix milliseconds, and how finely. */
export interface UsageRange {
  readonly since: number
  /** The moment after it; absent where it goes on. */
  readonly until?: number
  readonly bucket: 'hour' | 'day'
}

/** The ranges that have a name, as the address of the page has it. */
export const namedRanges = [
  ['24h', 'Last 24 hours'],
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
  ['90d', 'Last 90 days'],
] as const

export const usualRange = '30d'

const hourMs = 3_600_000
export const dayMs = 24 * hourMs

/** Up to this length a range is drawn by the hour. */
const longestByHourMs = 7 * dayMs

const named: ReadonlyMap<string, readonly [bucket: 'hour' | 'day', count: number]> = new Map([
  ['24h', ['hour', 24]],
  ['7d', ['day', 7]],
  ['30d', ['day', 30]],
  ['90d', ['day', 90]],
])

export interface RangeWords {
  readonly range?: string | undefined
  /** Days in UTC as `2026-01-31`, both included. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/**
 * The range that an address names. Its ends lie on whole hours or days in UTC, as the ledger adds up: so it stays the
 * same from one look to the next, and no bar of a plot is half a day. What cannot be read is the usual range.
 */
export function rangeOf({ range, from, to }: RangeWords, now: number): UsageRange {
  const first = dayIn(from)
  const last = dayIn(to)
  if (range === 'custom' && first !== undefined && last !== undefined && first <= last) {
    const until = last + dayMs
    return { since: first, until, bucket: until - first <= longestByHourMs ? 'hour' : 'day' }
  }
  const [bucket, count] = named.get(range ?? '') ?? ['day', 30]
  const step = bucket === 'hour' ? hourMs : dayMs
  return { since: Math.floor(now / step) * step - (count - 1) * step, bucket }
}

/** The beginnings of all hours or days of a range, the first one first. */
export function bucketsOf({ since, until, bucket }: UsageRange, now: number): readonly number[] {
  const step = bucket === 'hour' ? hourMs : dayMs
  const first = Math.floor(since / step) * step
  const end = Math.max(until ?? now + 1, first + 1)
  return Array.from({ length: Math.ceil((end - first) / step) }, (_, at) => first + at * step)
}

/** A day in UTC as the address has it. */
export function dayText(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

function dayIn(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const time = Date.parse(`${text}T00:00:00Z`)
  return Number.isNaN(time) ? undefined : time
}
