import type { Database } from 'bun:sqlite'

import { failAt } from '#std/fail-at.ts'
import { inMemory } from '#storage/connection.ts'

import { type Run, sweepDead } from './boot.ts'
import type { LedgerBook } from './ledger-book.ts'
import { Proof, type ProofStep } from './proof.ts'

/**
 * What every living server does now and then, on the connection that it writes on: it closes what servers that died
 * have left open, proves that the books add up, and keeps the write-ahead log short.
 */
export class Upkeep implements Disposable {
  readonly #database: Database
  readonly #book: LedgerBook
  readonly #run: Run
  readonly #proof: Proof

  constructor(database: Database, book: LedgerBook, run: Run) {
    this.#database = database
    this.#book = book
    this.#run = run
    this.#proof = new Proof(database)
  }

  /** One short step. From where the books do not add up, no more money is promised out of a budget. */
  step(now: number): ProofStep {
    sweepDead(this.#book, this.#run, now)
    const step = this.#book.transaction(now, () => this.#proof.step(this.#book.distrusted))
    if (!step.isDone) return step
    this.#book.distrusted = new Set(step.wrong.map(({ holder }) => holder))
    if (this.#run.file !== inMemory) this.#checkpoint()
    return step
  }

  [Symbol.dispose](): void {
    this.#proof[Symbol.dispose]()
  }

  /** Waits for nobody. What a reader still needs stays in the log. */
  #checkpoint(): void {
    this.#database.run('PRAGMA wal_checkpoint(PASSIVE)')
    failAt('during-checkpoint')
  }
}
