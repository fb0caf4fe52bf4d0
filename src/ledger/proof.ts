import type { Database } from 'bun:sqlite'

import { holdersOf } from '#budgets/holders.ts'

/** A holder whose balance is not what its rows add up to. Micro-dollars. */
export interface Mismatch {
  readonly holder: string
  /** What the rows of the ledger and the corrections say was charged, and what the balance says. */
  readonly charged: number
  readonly used: number
  /** What the exchanges under way hold, and what the balance says. */
  readonly underWay: number
  readonly held: number
}

/** What one step of the proof found. */
export interface ProofStep {
  /** Whether every row up to now is proven; if not, another step has to follow. */
  readonly isDone: boolean
  /** Everybody whose books are known not to add up. Complete only if it is done. */
  readonly wrong: readonly Mismatch[]
}

/**
 * That money is neither made nor lost: what was charged and corrected is what the balances say, and what exchanges
 * under way hold is what the balances hold. Each step reads only the rows that came since the last one, a few thousand
 * at most, and looks at the balances that they touched and at some others in turn: so its cost does not grow with the
 * ledger.
 */
export class Proof implements Disposable {
  readonly #until
  readonly #move
  readonly #charged
  readonly #corrected
  readonly #add
  readonly #next
  readonly #found
  readonly #open
  /** Whose rows were read since balances were last looked at. */
  #touched = new Set<string>()

  constructor(database: Database) {
    this.#until = database.prepare<Until, []>('SELECT * FROM proven_until')
    this.#move = database.prepare<void, [number, number, string]>(
      'UPDATE proven_until SET ledger_seq = ?, correction_seq = ?, next_holder = ?',
    )
    this.#charged = database.prepare<Sum, [number, number]>(sumSql('ledger', 'cost'))
    this.#corrected = database.prepare<Sum, [number, number]>(sumSql('corrections', 'amount'))
    this.#add = database.prepare<void, [string, number]>(addSql)
    this.#next = database.prepare<{ readonly holder: string }, [string, number]>(nextSql)
    this.#found = database.prepare<Found, [string]>(foundSql)
    this.#open = database.prepare<Sum, []>(openSql)
  }

  /** Within a transaction. `suspects` are looked at in any case. */
  step(suspects: Iterable<string> = []): ProofStep {
    const until = this.#until.get() ?? nowhere
    const charged = this.#charged.all(until.ledger_seq, rowsAtOnce)
    const corrected = this.#corrected.all(until.correction_seq, rowsAtOnce)
    const moved = {
      ledger_seq: lastOf(charged, until.ledger_seq),
      correction_seq: lastOf(corrected, until.correction_seq),
    }
    this.#addAll([...charged, ...corrected])
    const isDone = countOf(charged) < rowsAtOnce && countOf(corrected) < rowsAtOnce
    if (!isDone) {
      this.#move.run(moved.ledger_seq, moved.correction_seq, until.next_holder)
      return { isDone, wrong: [] }
    }
    const others = this.#next.all(until.next_holder, holdersAtOnce).map(({ holder }) => holder)
    const nextHolder = others.length < holdersAtOnce ? '' : (others.at(-1) ?? '')
    this.#move.run(moved.ledger_seq, moved.correction_seq, nextHolder)
    const wrong = this.#compare(new Set([...this.#touched, ...suspects, ...others]))
    this.#touched = new Set()
    return { isDone, wrong }
  }

  [Symbol.dispose](): void {
    const sums = [this.#charged, this.#corrected, this.#open]
    for (const statement of [...sums, this.#until, this.#move, this.#add, this.#next, this.#found])
      statement.finalize()
  }

  #addAll(sums: readonly Sum[]): void {
    for (const { key_id, project_id, amount } of sums)
      for (const holder of holdersOf(key_id, project_id)) {
        this.#add.run(holder, amount)
        this.#touched.add(holder)
      }
  }

  #compare(holders: Iterable<string>): Mismatch[] {
    const underWay = new Map<string, number>()
    for (const { key_id, project_id, amount } of this.#open.all())
      for (const holder of holdersOf(key_id, project_id))
        underWay.set(holder, (underWay.get(holder) ?? 0) + amount)
    const all = new Set([...holders, ...underWay.keys()])
    return [...all]
      .map((holder) => ({
        holder,
        underWay: underWay.get(holder) ?? 0,
        ...(this.#found.get(holder) ?? { charged: 0, used: 0, held: 0 }),
      }))
      .filter(({ charged, used, underWay: open, held }) => charged !== used || open !== held)
  }
}

interface Until {
  readonly ledger_seq: number
  readonly correction_seq: number
  readonly next_holder: string
}

interface Sum {
  readonly key_id: string
  readonly project_id: string
  readonly amount: number
  readonly last: number
  readonly count: number
}

interface Found {
  readonly charged: number
  readonly used: number
  readonly held: number
}

const nowhere: Until = { ledger_seq: 0, correction_seq: 0, next_holder: '' }

/** A step holds the write lock for about a millisecond. */
const rowsAtOnce = 2000
const holdersAtOnce = 500

function lastOf(sums: readonly Sum[], before: number): number {
  return sums.reduce((last, sum) => Math.max(last, sum.last), before)
}

function countOf(sums: readonly Sum[]): number {
  return sums.reduce((count, sum) => count + sum.count, 0)
}

/** Sums by key of the rows after one, at most so many. */
function sumSql(table: 'ledger' | 'corrections', column: string): string {
  return `SELECT key_id, project_id, sum(amount) AS amount, max(seq) AS last, count(*) AS count
    FROM (SELECT seq, key_id, project_id, ${column} AS amount FROM ${table} WHERE seq > ? ORDER BY seq LIMIT ?)
    GROUP BY key_id, project_id`
}

const addSql = `INSERT INTO proven (holder, used) VALUES (?, ?)
  ON CONFLICT (holder) DO UPDATE SET used = used + excluded.used`
const nextSql = `SELECT holder FROM balances WHERE holder > ? AND period = 'total' ORDER BY holder LIMIT ?`
const foundSql = `SELECT coalesce(proven.used, 0) AS charged, coalesce(total.used, 0) AS used,
    coalesce(total.held, 0) AS held
  FROM (SELECT ? AS holder) AS asked
  LEFT JOIN proven ON proven.holder = asked.holder
  LEFT JOIN balances AS total
    ON total.holder = asked.holder AND total.period = 'total' AND total.starts_at = 0`
const openSql = `SELECT key_id, project_id, sum(held) AS amount, 0 AS last, count(*) AS count
  FROM open_exchanges GROUP BY key_id, project_id`
