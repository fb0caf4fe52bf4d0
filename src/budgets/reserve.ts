import { costLimit } from '#prices/price.ts'

import type { HoldTerms } from './hold-terms.ts'
import type { Period } from './periods.ts'

/**
 * The most that can ever be used and held of one balance, budget or not: together with the limit of a single exchange
 * it keeps every sum within the integers that are exact.
 */
export const mostOfAll = 2 ** 52

/** What a holder has used in a period, and what is held for exchanges under way: micro-dollars. */
export interface Balance {
  readonly holder: string
  readonly period: Period
  readonly startsAt: number
  used: number
  held: number
}

/** A budget, and the balance of the period that is running. */
export interface Limit {
  readonly amount: number
  readonly isStrict: boolean
  readonly balance: Balance
}

/** What there is of one holder: everything it ever used, and what binds it. */
export interface Purse {
  readonly holder: string
  readonly total: Balance
  /** What no balance may pass, and then the budgets of this holder. */
  readonly limits: readonly [Limit, ...Limit[]]
  /** Everything that a hold lies on: the total, and the running period of every budget. */
  readonly balances: readonly Balance[]
  /** The names of those that are no total, as JSON with commas between them. */
  readonly names: string
}

/** A budget that cannot pay for an exchange, as it was when it was asked. */
export interface SpentBudget {
  readonly holder: string
  readonly period: Period
  readonly startsAt: number
  readonly amount: number
  readonly used: number
  readonly held: number
  /** The least that the exchange may cost. */
  readonly least: number
}

export type Decision =
  | {
      readonly type: 'granted'
      readonly outputCap: number
      readonly held: number
      readonly isStrict: boolean
    }
  | ({ readonly type: 'spent' } & SpentBudget)

/** What an exchange may cost with so many output tokens: whole micro-dollars, rounded up. */
export function amountOf({ base, perMillionOutput }: HoldTerms, outputCap: number): number {
  const product = perMillionOutput * outputCap
  const forOutput = Number.isSafeInteger(product)
    ? Math.ceil(product / million)
    : Number((BigInt(perMillionOutput) * BigInt(outputCap) + 999_999n) / 1_000_000n)
  return Math.min(base + forOutput, costLimit)
}

/**
 * Whether all of these purses together can pay for an exchange, and how many tokens of output: all of them, or as many
 * as the tightest budget has room for, or not even the fewest that make an answer. Changes nothing.
 */
export function decide(terms: HoldTerms, purses: readonly Purse[]): Decision {
  const wanted = amountOf(terms, terms.outputCap)
  const tightest = tightestOf(purses)
  const isStrict = purses.some(({ limits }) => limits.some((limit) => limit.isStrict))
  const granted = { type: 'granted', isStrict } as const
  // What costs nothing is never refused, even by a budget that is spent.
  if (wanted === 0 || wanted <= roomOf(tightest))
    return { ...granted, outputCap: terms.outputCap, held: wanted }
  const outputCap = affordable(terms, roomOf(tightest))
  if (outputCap >= terms.leastOutput && outputCap > 0)
    return { ...granted, outputCap, held: amountOf(terms, outputCap) }
  return spent(terms, tightest)
}

const million = 1_000_000

/** The budget with the least room; the first of the purses' if they are equal. */
function tightestOf(purses: readonly Purse[]): Limit {
  let tightest: Limit | undefined
  let room = Number.POSITIVE_INFINITY
  for (const { limits } of purses) {
    for (const limit of limits) {
      const itsRoom = roomOf(limit)
      if (itsRoom >= room) continue
      room = itsRoom
      tightest = limit
    }
  }
  if (tightest === undefined) throw new RangeError('There is no purse.')
  return tightest
}

function roomOf({ amount, balance }: Limit): number {
  return amount - balance.used - balance.held
}

/** How many tokens of output there is room for. */
function affordable({ base, perMillionOutput, outputCap }: HoldTerms, room: number): number {
  if (room < base || perMillionOutput === 0) return 0
  const tokens = (BigInt(room - base) * 1_000_000n) / BigInt(perMillionOutput)
  return Math.min(Number(tokens), outputCap)
}

function spent(terms: HoldTerms, { amount, balance }: Limit): Decision {
  const { holder, period, startsAt, used, held } = balance
  const least = amountOf(terms, Math.min(terms.leastOutput, terms.outputCap))
  return { type: 'spent', holder, period, startsAt, amount, used, held, least }
}
