import type { Database } from 'bun:sqlite'

import { type Period, periodEnd, periodStart } from './periods.ts'
import { type Balance, type Limit, mostOfAll, type Purse } from './reserve.ts'

/**
 * The balances that a connection works on. Each is read once and, where a transaction changed it, written once at its
 * end. What was read stays known until somebody else has written to the database.
 */
export class Balances implements Disposable {
  readonly #isShared: boolean
  readonly #version
  readonly #budgets
  readonly #latest
  readonly #one
  readonly #write
  readonly #rows = new Map<string, Balance>()
  readonly #purses = new Map<string, HeldPurse>()
  readonly #changed = new Set<Balance>()
  /** Changes when another connection has written to the database. */
  #known: number | undefined
  #now = 0

  /** With `isShared`, others write on this connection too, and nothing that was read stays known. */
  constructor(database: Database, isShared: boolean) {
    this.#isShared = isShared
    this.#version = database.prepare<VersionRow, []>(versionSql)
    this.#budgets = database.prepare<BudgetRow, [string]>(budgetsSql)
    this.#latest = database.prepare<BalanceRow, [string, Period]>(latestSql)
    this.#one = database.prepare<BalanceRow, [string, Period, number]>(oneSql)
    this.#write = database.prepare<void, [string, Period, number, number, number]>(writeSql)
  }

  /**
   * To be called when a transaction has begun. `now`, in Unix milliseconds, decides which periods are running. Whether
   * what was read before is still so, and the same objects stand for it.
   */
  begin(now: number): boolean {
    this.#now = now
    const version = this.#version.get()?.data_version
    const isSame = version === this.#known && !this.#isShared && this.#rows.size <= mostKept
    if (!isSame) this.forget()
    this.#known = version
    return isSame
  }

  /** What a holder has, and what binds it now. */
  purse(holder: string): Purse {
    const known = this.#purses.get(holder)
    if (known !== undefined && known.beganAt <= this.#now && this.#now < known.endsAt) return known
    const purse = this.#read(holder)
    this.#purses.set(holder, purse)
    return purse
  }

  total(holder: string): Balance {
    return this.#purses.get(holder)?.total ?? this.at(holder, 'total', 0)
  }

  /** The balance of one period, whether or not it is running. */
  at(holder: string, period: Period, startsAt: number): Balance {
    const key = `${holder} ${period} ${startsAt}`
    const known = this.#rows.get(key)
    if (known !== undefined) return known
    const { used, held } = this.#one.get(holder, period, startsAt) ?? nothing
    const balance = { holder, period, startsAt, used, held }
    this.#rows.set(key, balance)
    return balance
  }

  /** Adds to what is used and to what is held; either may be negative. */
  change(balance: Balance, used: number, held: number): void {
    balance.used += used
    // No hold can be less than nothing. Where one would be, the books are wrong already, and the proof will say so.
    balance.held = Math.max(0, balance.held + held)
    this.#changed.add(balance)
  }

  /** Writes what has changed: the last thing before a commit. */
  save(): void {
    for (const { holder, period, startsAt, used, held } of this.#changed)
      this.#write.run(holder, period, startsAt, used, held)
    this.#changed.clear()
  }

  /** To be called when a transaction was undone. */
  forget(): void {
    this.#rows.clear()
    this.#purses.clear()
    this.#changed.clear()
    this.#known = undefined
  }

  [Symbol.dispose](): void {
    for (const statement of [this.#version, this.#budgets, this.#latest, this.#one, this.#write])
      statement.finalize()
  }

  #read(holder: string): HeldPurse {
    const total = this.at(holder, 'total', 0)
    const limits: [Limit, ...Limit[]] = [{ amount: mostOfAll, isStrict: false, balance: total }]
    let beganAt = 0
    let endsAt = Number.POSITIVE_INFINITY
    for (const { period, amount, is_strict } of this.#budgets.all(holder)) {
      const balance = this.#running(holder, period)
      limits.push({ amount, isStrict: is_strict === 1, balance })
      beganAt = Math.max(beganAt, balance.startsAt)
      endsAt = Math.min(endsAt, periodEnd(period, balance.startsAt))
    }
    const balances = [...new Set(limits.map(({ balance }) => balance))]
    const names = balances
      .filter(({ period }) => period !== 'total')
      .map(({ period, startsAt }) => JSON.stringify([holder, period, startsAt]))
      .join(',')
    return { holder, total, limits, balances, names, beganAt, endsAt }
  }

  /** A clock that was set back does not open again what has ended: the latest period there is goes on. */
  #running(holder: string, period: Period): Balance {
    const startsAt = periodStart(period, this.#now)
    const latest = this.#latest.get(holder, period)
    return this.at(holder, period, Math.max(startsAt, latest?.starts_at ?? 0))
  }
}

interface HeldPurse extends Purse {
  /** When the last of its periods began, and when the first of them ends. */
  readonly beganAt: number
  readonly endsAt: number
}

interface VersionRow {
  readonly data_version: number
}

interface BudgetRow {
  readonly period: Period
  readonly amount: number
  readonly is_strict: number
}

interface BalanceRow {
  readonly starts_at: number
  readonly used: number
  readonly held: number
}

const nothing = { used: 0, held: 0 }

/** More balances than this are read again rather than kept. */
const mostKept = 20_000

const versionSql = 'PRAGMA data_version'
const budgetsSql = 'SELECT period, amount, is_strict FROM budgets WHERE holder = ?'
const latestSql =
  'SELECT starts_at, used, held FROM balances WHERE holder = ? AND period = ? ORDER BY starts_at DESC LIMIT 1'
const oneSql =
  'SELECT starts_at, used, held FROM balances WHERE holder = ? AND period = ? AND starts_at = ?'
const writeSql = `INSERT INTO balances (holder, period, starts_at, used, held) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (holder, period, starts_at) DO UPDATE SET used = excluded.used, held = excluded.held`
