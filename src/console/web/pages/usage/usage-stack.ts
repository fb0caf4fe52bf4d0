import type { Band, Stack } from '#console/web/plots/stack.ts'

import { bucketsOf, type UsageRange } from './usage-range.ts'
import {
  type Grouping,
  groupId,
  groupName,
  type Measure,
  measured,
  type UsageRow,
} from './usage-row.ts'

export interface StackOptions {
  readonly by: Grouping
  readonly measure: Measure
  readonly range: UsageRange
  /** Unix milliseconds. */
  readonly now: number
  /** So many groups are drawn, the others as one. */
  readonly most?: number
}

/** More bands than this nobody tells apart by their colours. */
const mostBands = 6

/** The bands of a plot, from rows that were added up by time and group. */
export function usageStack(
  rows: readonly UsageRow[],
  { by, measure, range, now, most = mostBands }: StackOptions,
): Stack {
  const times = bucketsOf(range, now)
  const places = new Map(times.map((time, at) => [time, at]))
  const groups = new Map<string, { name: string; values: number[]; total: number }>()
  for (const row of rows) {
    const at = places.get(timeOf(row, range))
    if (at === undefined) continue
    const id = by === 'day' ? 'all' : groupId(row, by)
    const group = groups.get(id) ?? { name: nameOf(row, by), values: times.map(() => 0), total: 0 }
    const amount = measured(row, measure)
    group.values[at] = (group.values[at] ?? 0) + amount
    group.total += amount
    groups.set(id, group)
  }
  const bands = [...groups]
    .map(([id, group]) => ({ id, ...group }))
    .filter(({ total }) => total > 0)
    .toSorted((one, other) => other.total - one.total)
  return { times, bands: withRest(named(bands), most) }
}

function withRest(bands: readonly Band[], most: number): readonly Band[] {
  // One group by itself takes no more room than a rest of one.
  if (bands.length <= most + 1) return bands
  const rest = bands.slice(most)
  const values = (rest[0]?.values ?? []).map((_, at) =>
    rest.reduce((sum, band) => sum + (band.values[at] ?? 0), 0),
  )
  const total = rest.reduce((sum, band) => sum + band.total, 0)
  return [
    ...bands.slice(0, most),
    { id: '', name: `${rest.length} others`, values, total, isRest: true },
  ]
}

/** A name that two bands have says by its id which one is meant. */
function named(bands: readonly Band[]): readonly Band[] {
  const names = bands.map(({ name }) => name)
  return bands.map((band) =>
    names.filter((name) => name === band.name).length === 1
      ? band
      : { ...band, name: `${band.name} (${band.id.slice(0, shownIdLength)})` },
  )
}

const shownIdLength = 6

/** The ledger names days as `2026-01-31` and hours as `2026-01-31T15`, in UTC. */
function timeOf({ by }: UsageRow, { bucket }: UsageRange): number {
  const said = by[bucket] ?? ''
  return Date.parse(bucket === 'hour' ? `${said}:00:00Z` : `${said}T00:00:00Z`)
}

function nameOf(row: UsageRow, by: Grouping): string {
  return by === 'day' ? 'All' : groupName(row, by)
}
