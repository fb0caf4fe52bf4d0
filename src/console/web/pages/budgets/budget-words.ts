import type { Period } from '#budgets/periods.ts'
import type { Budget } from '#console/web/api/contract.ts'
import { moneyText } from '#console/web/parts/amounts.tsx'
import { agoText } from '#console/web/parts/when.tsx'

import type { BurnDown } from './burn-down.ts'

/** What a budget is for. */
export const periodWords = {
  day: 'Each day',
  week: 'Each week',
  month: 'Each month',
  total: 'In all',
} as const satisfies Record<Period, string>

/** When a budget begins anew. Days, weeks and months are those of UTC. */
export const periodHints = {
  day: 'Begins anew at midnight, UTC.',
  week: 'Begins anew on Mondays, UTC.',
  month: 'Begins anew on the first, UTC.',
  total: 'Never begins anew.',
} as const satisfies Record<Period, string>

/** How a budget goes, in one sentence. */
export function courseWords(
  { used, left, endsAt }: Pick<Budget, 'used' | 'left' | 'endsAt'>,
  { usedUpAt }: Pick<BurnDown, 'usedUpAt'>,
  now: number,
): string {
  if (left <= 0)
    return endsAt === undefined
      ? 'Used up.'
      : `Used up until it begins anew ${agoText(endsAt, now)}.`
  if (used === 0) return 'Nothing was spent yet.'
  if (endsAt === undefined) return `${moneyText(left)} left.`
  if (usedUpAt === undefined) return 'At this pace it lasts until it begins anew.'
  return `At this pace it is used up ${agoText(usedUpAt, now)}, before it begins anew ${agoText(endsAt, now)}.`
}
