import type { Answer } from '#console/web/api/contract.ts'

/** One sum of a report. */
export type UsageRow = Answer<'GET /api/usage'>['usage'][number]

/** What usage can be split by on the page, and what each is called there. */
export const groupings = [
  ['model', 'Model'],
  ['key', 'Key'],
  ['project', 'Project'],
  ['owner', 'Owner'],
  ['asked', 'Model asked for'],
  ['result', 'Result'],
  ['day', 'Day'],
] as const

export type Grouping = (typeof groupings)[number][0]

/** What can be drawn over time. */
export const measures = [
  ['cost', 'Cost'],
  ['exchanges', 'Requests'],
  ['input', 'Input tokens'],
  ['output', 'Output tokens'],
  ['failed', 'Failures'],
] as const

export type Measure = (typeof measures)[number][0]

/** How much of something a row has. Input is all that went in, what was read from a cache too. */
export function measured(row: UsageRow, measure: Measure): number {
  return measure === 'input' ? row.input + row.cacheRead + row.cacheWrite : row[measure]
}

/** What tells a group from the others: a name may be given to two keys. */
export function groupId(row: UsageRow, by: Grouping): string {
  if (by === 'key') return row.keyId ?? ''
  if (by === 'project') return row.projectId ?? ''
  return row.by[by] ?? ''
}

/** What a group is called. */
export function groupName(row: UsageRow, by: Grouping): string {
  const name = row.by[by]
  if (name !== null && name !== undefined && name !== '') return name
  return nameless[by] ?? 'none'
}

const nameless: Readonly<Partial<Record<Grouping, string>>> = {
  owner: 'No owner',
  project: 'No project',
  key: 'No key',
}
