import type { Period } from './periods.ts'

/** Names one balance that is no total. */
export type PeriodName = readonly [holder: string, period: Period, startsAt: number]

/** What the column `periods` of an open exchange holds: what its hold lies on beside the totals. */
export function periodNames(text: string | null): readonly PeriodName[] {
  return text === null ? [] : JSON.parse(text)
}
