import { GatewayError } from '#chat/error.ts'
import { dollars } from '#prices/money.ts'

import { readHolder } from './holders.ts'
import { type Period, periodEnd } from './periods.ts'
import type { SpentBudget } from './reserve.ts'

/** What a caller is told when a budget cannot pay for its request. To try again soon would not help, so nothing says when. */
export function budgetRefusal(spent: SpentBudget): GatewayError {
  const { amount, used, held } = spent
  const name = `The ${periodWords[spent.period]} budget of ${holderWords[readHolder(spent.holder)?.kind ?? 'org']}`
  const isSpent = used + held >= amount
  const said = isSpent ? 'is spent' : 'cannot pay for this request'
  const paid = `${dollars(used + held)} of ${dollars(amount)}`
  const under = held > 0 ? `, of which ${dollars(held)} is held for requests under way` : ''
  const least = isSpent ? '' : ` are spent, and it may cost ${dollars(spent.least)} at least`
  return new GatewayError(
    'budget-spent',
    `${name} ${said}: ${paid}${under}${least}; ${again(spent)}.`,
  )
}

const periodWords: Readonly<Record<Period, string>> = {
  day: 'daily',
  week: 'weekly',
  month: 'monthly',
  total: 'total',
}

const holderWords = {
  key: 'this key',
  project: "this key's project",
  org: 'the organisation',
} as const

function again({ period, startsAt }: SpentBudget): string {
  const end = periodEnd(period, startsAt)
  if (end === Number.POSITIVE_INFINITY) return 'only an operator can raise it'
  return `it starts again on ${new Date(end).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
