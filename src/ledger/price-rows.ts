import type { Database } from 'bun:sqlite'

import { addPriceSql, priceSql } from './ledger-statements.ts'

/** The prices that anything was ever charged at, each written once and named by a number. */
export class Prices implements Disposable {
  readonly #add
  readonly #find
  readonly #ids = new Map<string, number>()

  constructor(database: Database) {
    this.#add = database.prepare<void, [string]>(addPriceSql)
    this.#find = database.prepare<{ readonly id: number }, [string]>(priceSql)
  }

  /** Within a transaction. Null for no price. */
  idOf(terms: string | null): number | null {
    if (terms === null) return null
    const known = this.#ids.get(terms)
    if (known !== undefined) return known
    this.#add.run(terms)
    const id = this.#find.get(terms)?.id ?? null
    if (id !== null) this.#ids.set(terms, id)
    return id
  }

  /** To be called when a transaction was undone: what it added is not there. */
  forget(): void {
    this.#ids.clear()
  }

  [Symbol.dispose](): void {
    this.#add.finalize()
    this.#find.finalize()
  }
}
