import { csvLine } from '#console/routes/csv-line.ts'
import { usageSums } from '#console/routes/usage-sums.ts'

import { type Grouping, groupName, type UsageRow } from './usage-row.ts'

/** A report as CSV, the names of the columns first. Money is whole micro-dollars, as everywhere in the API. */
export function usageCsv(rows: readonly UsageRow[], by: Grouping): string {
  const ids = by === 'key' ? (['keyId'] as const) : by === 'project' ? (['projectId'] as const) : []
  const columns = [...ids, ...usageSums]
  const lines = rows.map((row) =>
    csvLine([groupName(row, by), ...columns.map((column) => row[column])]),
  )
  return [csvLine([by, ...columns]), ...lines].join('')
}

/** The same as JSON, as the API says it. */
export function usageJson(rows: readonly UsageRow[]): string {
  return `${JSON.stringify(rows, null, 2)}\n`
}
