import { type Command, InvalidArgumentError } from 'commander'

import type { Budgets } from '#budgets/budgets.ts'
import { type Period, periods } from '#budgets/periods.ts'
import { CommandFailure, exitCodes } from '#commands/exit-codes.ts'
import type { Outside } from '#commands/outside.ts'
import { confirm, type YesFlag } from '#commands/state.ts'
import { microdollars } from '#prices/money.ts'

/** What is to become of one budget: micro-dollars, or `null` to remove it. */
interface BudgetChange {
  readonly period: Period
  readonly amount: number | null
}

export interface BudgetFlags {
  readonly budget?: readonly BudgetChange[]
  /** What an answer costs beyond its hold is charged as well. */
  readonly soft?: boolean
}

/** Gives a command the options of budgets. */
export function withBudgetFlags(command: Command): Command {
  return command
    .option(
      '--budget <amount/period>',
      `dollars for a ${periods.join(', ')}, such as 50/month; may be repeated`,
      budgetChange,
    )
    .option('--soft', 'let an answer that has begun cost more than the budget has left')
}

/** Asks before a budget is removed: what it held back is spent from then on. */
export async function confirmBudgets(
  outside: Outside,
  called: string,
  { budget = [], yes }: BudgetFlags & YesFlag,
): Promise<void> {
  const removed = budget.filter(({ amount }) => amount === null).map(({ period }) => period)
  if (removed.length > 0)
    await confirm(outside, `Remove the budget of ${called} (${removed.join(', ')})?`, {
      ...(yes !== undefined && { yes }),
    })
}

/** Changes the budgets of a holder, all of them or none. Gives a way to put back what was there. */
export async function applyBudgets(
  budgets: Budgets,
  holder: string,
  { budget = [], soft }: BudgetFlags,
): Promise<() => Promise<void>> {
  if (soft === true && !budget.some(({ amount }) => amount !== null))
    throw new CommandFailure(exitCodes.usage, '--soft says how a --budget is kept. Give one too.')
  const former = budget.length === 0 ? [] : await budgets.list(holder)
  const done: Period[] = []
  const undo = async (): Promise<void> => {
    for (const period of done) {
      const before = former.find((one) => one.period === period)
      if (before === undefined) await budgets.remove(holder, period)
      else await budgets.set(holder, period, before)
    }
  }
  try {
    for (const { period, amount } of budget) {
      if (amount === null) await budgets.remove(holder, period)
      else await budgets.set(holder, period, { amount, isStrict: soft !== true })
      done.push(period)
    }
  } catch (error) {
    await undo()
    throw error
  }
  return undo
}

function budgetChange(text: string, former: readonly BudgetChange[] = []): readonly BudgetChange[] {
  if (text === 'none') return periods.map((period) => ({ period, amount: null }))
  const [, words = '', name = ''] = /^([^/]+)\/([a-z]+)$/.exec(text) ?? []
  const period = periods.find((one) => one === name)
  const amount = words === 'none' ? null : microdollars(words)
  if (period === undefined || amount === undefined || amount === 0)
    throw new InvalidArgumentError(
      `expected dollars above zero for a ${periods.join(', ')}, such as 50/month or 0.25/day, or none/month`,
    )
  return [...former.filter((one) => one.period !== period), { period, amount }]
}
