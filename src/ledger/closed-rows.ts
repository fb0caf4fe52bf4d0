import type { Database } from 'bun:sqlite'

import { closeManySql, closeSql, rowsAtOnce } from './ledger-statements.ts'

export type Value = string | number | null

/** The rows of exchanges that have ended, on their way into the ledger in the order in which they came. */
export class ClosedRows implements Disposable {
  readonly #one
  readonly #many
  /** Fewer than are written at once. */
  readonly #waiting: (readonly Value[])[] = []

  constructor(database: Database) {
    this.#one = database.prepare<void, Value[]>(closeSql)
    this.#many = database.prepare<void, Value[]>(closeManySql)
  }

  /** Takes what `closeSql` binds. Within a transaction, at the end of which `save` has to be called. */
  add(values: readonly Value[]): void {
    this.#waiting.push(values)
    if (this.#waiting.length === rowsAtOnce) this.#many.run(...this.#waiting.splice(0).flat())
  }

  /** Writes what still waits. */
  save(): void {
    for (const values of this.#waiting.splice(0)) this.#one.run(...values)
  }

  /** To be called when a transaction was undone. */
  forget(): void {
    this.#waiting.length = 0
  }

  [Symbol.dispose](): void {
    this.#one.finalize()
    this.#many.finalize()
  }
}
