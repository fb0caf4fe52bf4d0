import type { Database } from 'bun:sqlite'

import { Balances } from '#budgets/balances.ts'
import { holdersOf } from '#budgets/holders.ts'
import { periodNames } from '#budgets/period-names.ts'
import { type Balance, decide, type Purse } from '#budgets/reserve.ts'
import { failAt } from '#std/fail-at.ts'

import { ClosedRows, type Value } from './closed-rows.ts'
import { type Batch, type CloseRow, type OpenRow, type Reply, termsOf } from './ledger-rows.ts'
import { bootsSql, forgetSql, holdSql, openOfBootSql, openSql } from './ledger-statements.ts'
import { Prices } from './price-rows.ts'

/** The ledger's tables on one connection. */
export class LedgerBook implements Disposable {
  readonly #database: Database
  readonly #boot: string
  readonly #begin
  readonly #commit
  readonly #open
  readonly #forget
  readonly #held
  readonly #boots
  readonly #openOfBoot
  readonly #closed: ClosedRows
  readonly #prices: Prices
  readonly #balances: Balances
  /** Holds that were written here, as long as nobody else has written to the database. */
  readonly #holds = new Map<string, Hold>()
  /** Holders whose books were found not to add up. */
  distrusted: ReadonlySet<string> = new Set()

  /** For the run of a server. `isShared` if others write on this connection too. */
  constructor(database: Database, boot: string, isShared = false) {
    this.#database = database
    this.#boot = boot
    this.#begin = database.prepare('BEGIN IMMEDIATE')
    this.#commit = database.prepare('COMMIT')
    this.#open = database.prepare<void, Value[]>(openSql)
    this.#forget = database.prepare<void, [string]>(forgetSql)
    this.#held = database.prepare<HoldRow, [string]>(holdSql)
    this.#boots = database.prepare<{ readonly boot: string }, []>(bootsSql)
    this.#openOfBoot = database.prepare<{ readonly id: string }, [string]>(openOfBootSql)
    this.#closed = new ClosedRows(database)
    this.#prices = new Prices(database)
    this.#balances = new Balances(database, isShared)
  }

  /**
   * Writes the batch in one transaction, which is on disk when this returns. What is returned tells of those exchanges
   * that were not granted all they asked for, or that are bound by a strict budget. Throws, having written nothing, if
   * SQLite does.
   */
  write([opened, closed, now]: Batch): Reply[] {
    return this.transaction(now, () => {
      if (opened.length > 0) failAt('before-reserve')
      const replies = this.#openAll(opened)
      if (opened.length > 0) failAt('after-reserve')
      for (const row of closed) this.#closeOne(row)
      return replies
    })
  }

  /** Does the work in one transaction that is on disk when this returns, and undoes all of it if it throws. */
  transaction<Result>(now: number, work: () => Result): Result {
    this.#begin.run()
    try {
      const result = this.within(now, work)
      failAt('before-commit')
      this.#commit.run()
      failAt('after-commit')
      return result
    } catch (error) {
      this.#closed.forget()
      this.#balances.forget()
      this.#holds.clear()
      this.#prices.forget()
      // SQLite has rolled back by itself after some failures, and would refuse to do it twice.
      if (this.#database.inTransaction) this.#database.run('ROLLBACK')
      throw error
    }
  }

  /** Does the work as a part of a transaction that the caller has begun, and ends. */
  within<Result>(now: number, work: () => Result): Result {
    if (!this.#balances.begin(now)) this.#holds.clear()
    const result = work()
    this.#closed.save()
    this.#balances.save()
    return result
  }

  /** Whose exchanges are under way: this run's and that of others. */
  boots(): string[] {
    return this.#boots.all().map(({ boot }) => boot)
  }

  /**
   * Closes as `crashed` whatever a run that is no more has left open. What it used is not known: it is charged what
   * was held for it, which is the most that it can have cost. Within a transaction.
   */
  closeCrashed(boot: string): void {
    for (const { id } of this.#openOfBoot.all(boot)) {
      const hold = this.#readHold(id)
      if (hold !== undefined) this.#closeCrashedOne(id, hold)
    }
  }

  [Symbol.dispose](): void {
    const hot = [this.#begin, this.#commit, this.#open, this.#forget]
    for (const statement of [...hot, this.#held, this.#boots, this.#openOfBoot])
      statement.finalize()
    this.#closed[Symbol.dispose]()
    this.#prices[Symbol.dispose]()
    this.#balances[Symbol.dispose]()
  }

  #openAll(rows: readonly OpenRow[]): Reply[] {
    const replies: Reply[] = []
    for (const [index, row] of rows.entries()) {
      const reply = this.#openOne(row)
      if (reply !== undefined) replies.push({ index, ...reply })
    }
    return replies
  }

  /** Undefined if all that was asked for is granted, and nothing binds it. */
  #openOne(row: OpenRow): Answer | undefined {
    const terms = termsOf(row)
    const purses = holdersOf(row[1], row[2]).map((holder) => this.#balances.purse(holder))
    const distrusted = this.#distrustedOf(purses)
    if (distrusted !== undefined) return { type: 'distrusted', holder: distrusted }
    const decision = decide(terms, purses)
    if (decision.type === 'spent') return decision
    const { held, isStrict, outputCap } = decision
    const known: readonly Value[] = row.slice(0, 8)
    const periods = periodsText(purses)
    const { changes } = this.#open.run(...known, this.#boot, held, isStrict ? 1 : 0, periods)
    if (changes === 0) return { type: 'taken' }
    const balances = purses.flatMap((purse) => purse.balances)
    for (const balance of balances) this.#balances.change(balance, 0, held)
    this.#holds.set(row[0], { known, held, isStrict, balances })
    return isStrict || outputCap < terms.outputCap ? decision : undefined
  }

  /** Money is not promised again out of a purse that does not add up. */
  #distrustedOf(purses: readonly Purse[]): string | undefined {
    if (this.distrusted.size === 0) return undefined
    if (purses.every(({ limits }) => limits.length === 1)) return undefined
    return purses.find(({ holder }) => this.distrusted.has(holder))?.holder
  }

  /** Changes nothing if no exchange of that id is open. */
  #closeOne(row: CloseRow): void {
    const id = row[0]
    const hold = this.#holds.get(id) ?? this.#readHold(id)
    if (hold === undefined) return
    const cost = row[16]
    const charged = hold.isStrict ? Math.min(cost, hold.held) : cost
    const bound: Value[] = row.slice(1, 16)
    bound.push(charged, cost - charged, this.#prices.idOf(row[17]), ...hold.known, hold.held)
    this.#closed.add(bound)
    this.#charge(id, hold, charged)
  }

  #closeCrashedOne(id: string, hold: Hold): void {
    const counted = hold.held > 0 ? 'estimated' : 'none'
    const tokens = [null, null, null, null, null]
    const ended = ['crashed', null, 0, ...tokens, counted, null, 0, null, null, null, null]
    this.#closed.add([...ended, hold.held, 0, null, ...hold.known, hold.held])
    this.#charge(id, hold, hold.held)
  }

  /** Takes the hold from exactly the balances that it lies on. */
  #charge(id: string, { held, balances }: Hold, charged: number): void {
    this.#forget.run(id)
    this.#holds.delete(id)
    for (const balance of balances) this.#balances.change(balance, charged, -held)
  }

  /** Undefined if no exchange of that id is open. */
  #readHold(id: string): Hold | undefined {
    const row = this.#held.get(id)
    if (row === null) return undefined
    const { held, is_strict, periods, ...known } = row
    const totals = holdersOf(row.key_id, row.project_id).map((holder) =>
      this.#balances.total(holder),
    )
    const others = periodNames(periods).map((name) => this.#balances.at(...name))
    const balances = [...totals, ...others]
    return { known: Object.values(known), held, isStrict: is_strict === 1, balances }
  }
}

/** What is held for one exchange, and everything that it lies on. */
interface Hold {
  /** What the exchange is known by from its beginning, as its row has it. */
  readonly known: readonly Value[]
  readonly held: number
  readonly isStrict: boolean
  readonly balances: readonly Balance[]
}

/** As a reply, to one exchange. */
type Answer = Reply extends infer One
  ? One extends { readonly index: number }
    ? Omit<One, 'index'>
    : never
  : never

/** What is known of an exchange in the order of its columns, and then its hold. */
interface HoldRow {
  readonly id: string
  readonly key_id: string
  readonly project_id: string
  readonly endpoint: string
  readonly protocol: string
  readonly model: string
  readonly stream: number
  readonly started_at: number
  readonly held: number
  readonly is_strict: number
  readonly periods: string | null
}

/** What a hold lies on beside the totals, for the row of the exchange. */
function periodsText(purses: readonly Purse[]): string | null {
  let names = ''
  for (const purse of purses)
    if (purse.names !== '') names += names === '' ? purse.names : `,${purse.names}`
  return names === '' ? null : `[${names}]`
}
