import type { Kysely } from 'kysely'

import { GatewayError } from '#chat/error.ts'
import { dollars } from '#prices/money.ts'
import type { Storage } from '#storage/database.ts'
import type { Schema } from '#storage/schema.ts'
import { StorageError } from '#storage/storage-error.ts'
import { exclusively } from '#storage/transaction.ts'

import { parentsOf, readHolder } from './holders.ts'
import {
  openPeriod,
  type PeriodOf,
  runningStart,
  type Spent,
  spentInPeriod,
  type Standing,
} from './period-spending.ts'
import { isPeriod, type Period, periodEnd, periods } from './periods.ts'

/** What a holder may spend in a period. */
export interface BudgetTerms {
  /** Micro-dollars. */
  readonly amount: number
  /** Whether an answer is cut where its hold ends, rather than charged beyond it. */
  readonly isStrict: boolean
}

/** A budget, and how it stands in the period that is running. */
export interface Budget extends BudgetTerms {
  readonly holder: string
  readonly period: Period
  /** Micro-dollars that are charged, that are held for exchanges under way, and that are left: negative if overspent. */
  readonly used: number
  readonly held: number
  readonly left: number
  /** Unix milliseconds. */
  readonly startsAt: number
  /** Absent for `total`, which never begins anew. */
  readonly endsAt?: number
}

/** The budgets of the organisation, its projects and its keys. They bind from the next exchange on, in every server. */
export class Budgets {
  readonly #storage: Storage
  readonly #now: () => number

  constructor(storage: Storage, now: () => number = Date.now) {
    this.#storage = storage
    this.#now = now
  }

  /** All there are, or those of one holder. Rejects with `StorageError`. */
  async list(holder?: string): Promise<Budget[]> {
    return this.#guarded(async () => {
      const rows = await this.#storage.query
        .selectFrom('budgets')
        .selectAll()
        .$if(holder !== undefined, (query) => query.where('holder', '=', holder ?? ''))
        .execute()
      const states = await Promise.all(rows.map((row) => this.#stateOf(row)))
      return states.toSorted(byHolderAndPeriod)
    })
  }

  /**
   * Sets what a holder may spend in a period, from now on. What was charged in it before counts. Rejects with
   * `request-invalid` for an unknown holder, for more than a parent may spend, and for less than is spent already;
   * with `StorageError` if the database fails. Nothing is changed then.
   */
  async set(holder: string, period: Period, terms: BudgetTerms): Promise<void> {
    if (!isPeriod(period))
      throw refused(`There is no period "${String(period)}": it is ${periods.join(', ')}.`)
    if (!Number.isSafeInteger(terms.amount) || terms.amount < 0)
      throw refused('A budget is a whole number of micro-dollars, from 0 to 9,007,199,254,740,991.')
    await this.#guarded(async () => {
      const { query } = this.#storage
      const startsAt = await runningStart(query, { holder, period }, this.#now())
      const running = { holder, period, startsAt }
      const before = (await needsBalance(query, running))
        ? await spentInPeriod(query, running)
        : undefined
      await exclusively(this.#storage.database, async () => {
        await this.#checkHolder(holder)
        await this.#checkParents(holder, period, terms.amount)
        await this.#write(running, before, terms)
      })
    })
  }

  /** Takes a budget away. Whether there was one. What is held for exchanges under way stays accounted for. */
  async remove(holder: string, period: Period): Promise<boolean> {
    return this.#guarded(async () => {
      const { numDeletedRows } = await this.#storage.query
        .deleteFrom('budgets')
        .where('holder', '=', holder)
        .where('period', '=', period)
        .executeTakeFirst()
      return numDeletedRows > 0n
    })
  }

  async #write(running: PeriodOf, before: Spent | undefined, terms: BudgetTerms): Promise<void> {
    const { query } = this.#storage
    const { holder, period } = running
    const { used, held } = (await needsBalance(query, running))
      ? await openPeriod(query, running, before)
      : await balanceAt(query, running)
    if (terms.amount < used + held) throw tooLittle(terms.amount, used, held)
    // From now on this is the period that has begun, also for a clock that is set back.
    await query
      .insertInto('balances')
      .values({ holder, period, starts_at: running.startsAt, used, held })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const row = { amount: terms.amount, is_strict: terms.isStrict ? 1 : 0 }
    await query
      .insertInto('budgets')
      .values({ holder, period, ...row })
      .onConflict((conflict) => conflict.columns(['holder', 'period']).doUpdateSet(row))
      .execute()
  }

  async #checkHolder(holder: string): Promise<void> {
    const read = readHolder(holder)
    if (read?.kind === 'org') return
    const { query } = this.#storage
    const table = read?.kind === 'project' ? 'projects' : 'keys'
    const found =
      read !== undefined &&
      (await query.selectFrom(table).select('id').where('id', '=', read.id).executeTakeFirst())
    if (!found)
      throw refused(
        `There is no ${holder}: a budget is of "org", of "project:<id>" or of "key:<id>".`,
      )
  }

  /** A child never exceeds its parent. */
  async #checkParents(holder: string, period: Period, amount: number): Promise<void> {
    const parents = await parentsOf(this.#storage.query, holder)
    if (parents.length === 0) return
    const rows = await this.#storage.query
      .selectFrom('budgets')
      .select(['holder', 'amount'])
      .where('holder', 'in', parents)
      .where('period', '=', period)
      .execute()
    const over = rows.find((row) => amount > row.amount)
    if (over !== undefined)
      throw refused(
        `${dollars(amount)} is more than ${over.holder}, to which ${holder} belongs, may spend in the same period: ${dollars(over.amount)}.`,
      )
  }

  async #stateOf(row: BudgetRow): Promise<Budget> {
    const { holder, amount } = row
    const period = row.period as Period
    const { query } = this.#storage
    const startsAt = await runningStart(query, { holder, period }, this.#now())
    const { used, held } = await balanceAt(query, { holder, period, startsAt })
    const endsAt = periodEnd(period, startsAt)
    const terms = { holder, period, amount, isStrict: row.is_strict === 1 }
    const standing = { used, held, left: amount - used - held, startsAt }
    return { ...terms, ...standing, ...(Number.isFinite(endsAt) && { endsAt }) }
  }

  async #guarded<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof GatewayError) throw error
      throw StorageError.from(error, this.#storage.file)
    }
  }
}

interface BudgetRow {
  readonly holder: string
  readonly period: string
  readonly amount: number
  readonly is_strict: number
}

/** A budget that is there has kept its balance, and a total always has one; that of a new one is what its period has seen. */
async function needsBalance(query: Kysely<Schema>, { holder, period }: PeriodOf): Promise<boolean> {
  if (period === 'total') return false
  const found = await query
    .selectFrom('budgets')
    .select('holder')
    .where('holder', '=', holder)
    .where('period', '=', period)
    .executeTakeFirst()
  return found === undefined
}

async function balanceAt(
  query: Kysely<Schema>,
  { holder, period, startsAt }: PeriodOf,
): Promise<Standing> {
  const row = await query
    .selectFrom('balances')
    .select(['used', 'held'])
    .where('holder', '=', holder)
    .where('period', '=', period)
    .where('starts_at', '=', startsAt)
    .executeTakeFirst()
  return row ?? { used: 0, held: 0 }
}

function byHolderAndPeriod(one: Budget, other: Budget): number {
  const byHolder = one.holder.localeCompare(other.holder)
  return byHolder === 0 ? periods.indexOf(one.period) - periods.indexOf(other.period) : byHolder
}

function tooLittle(amount: number, used: number, held: number): GatewayError {
  const under = held > 0 ? `, and ${dollars(held)} is held for requests under way` : ''
  return refused(
    `${dollars(amount)} is less than what is spent already: ${dollars(used)} is charged${under}. Give at least ${dollars(used + held)}.`,
  )
}

function refused(message: string): GatewayError {
  return new GatewayError('request-invalid', message)
}
