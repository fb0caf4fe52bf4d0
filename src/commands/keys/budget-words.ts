import pc from 'picocolors'

import type { Budget } from '#budgets/budgets.ts'
import type { Outside } from '#commands/outside.ts'
import { minute, tableOf } from '#commands/table.ts'
import { dollars } from '#prices/money.ts'

/** Budgets with what is left of them, and how long that lasts. Empty if there are none. */
export function budgetTable(budgets: readonly Budget[], { columns, now }: Outside): string {
  if (budgets.length === 0) return ''
  const time = now()
  const rows = budgets.map((budget) => ({ ...budget, lasts: lastsUntil(budget, time) }))
  return tableOf(budgetColumns, rows, columns)
}

/**
 * When a budget is used up if its period goes on as it began, in Unix milliseconds. Undefined if it lasts, or if there
 * is nothing to tell it from.
 */
export function lastsUntil(
  { amount, used, startsAt, endsAt }: Budget,
  now: number,
): number | undefined {
  // A total begins at no time that says anything about its pace.
  if (endsAt === undefined || used <= 0 || now <= startsAt) return undefined
  if (used >= amount) return now
  const end = startsAt + Math.ceil(((now - startsAt) * amount) / used)
  return end < endsAt ? end : undefined
}

type Row = Budget & { readonly lasts: number | undefined }

const budgetColumns = [
  { title: 'budget', cell: ({ period, isStrict }: Row) => period + (isStrict ? '' : ' (soft)') },
  { title: 'amount', cell: ({ amount }: Row) => dollars(amount), isNumber: true },
  { title: 'used', cell: ({ used }: Row) => dollars(used), isNumber: true },
  { title: 'held', cell: ({ held }: Row) => dollars(held), isNumber: true },
  {
    title: 'left',
    cell: ({ left }: Row) => dollars(left),
    isNumber: true,
  },
  { title: '', cell: bar },
  { title: 'used up at this pace', cell: ({ lasts }: Row) => minute(lasts) },
] as const

const barWidth = 10
const colours = [
  [0.9, pc.red],
  [0.7, pc.yellow],
  [0, pc.green],
] as const

/** How much of a budget is gone, what is held included. */
function bar({ amount, left }: Row): string {
  const share = amount === 0 ? 1 : Math.min((amount - left) / amount, 1)
  const full = Math.round(share * barWidth)
  const [, colour] = colours.find(([least]) => share >= least) ?? colours[0]
  return `${colour('█'.repeat(full))}${pc.dim('░'.repeat(barWidth - full))} ${Math.floor(share * 100)}%`
}
