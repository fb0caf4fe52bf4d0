import type { ContentNote, KeptContent } from '#content/kept-content.ts'
import { type Corrected, correct } from '#ledger/corrections.ts'
import type { Storage } from '#storage/database.ts'
import { type ExchangeRow, exportExchanges, type FoundExchange } from '#usage/exchanges.ts'
import type { Dimension, UsageRow } from '#usage/report.ts'
import type { UsageFilter } from '#usage/usage-filter.ts'

import type { BooksReader } from './books-reader.ts'
import { notFound } from './problem.ts'
import { type Scope, sees } from './role.ts'

interface Surroundings {
  readonly storage: Storage
  readonly reader: BooksReader
  readonly now: () => number
}

/** Who used what, of the projects that somebody may see: the rest is not there. */
export class ScopedUsage {
  readonly #around: Surroundings
  readonly #scope: Scope

  constructor(around: Surroundings, scope: Scope) {
    this.#around = around
    this.#scope = scope
  }

  /** At most so many rows, the first of the order. */
  async report(by: readonly Dimension[], filter: UsageFilter, limit: number): Promise<UsageRow[]> {
    return this.#around.reader.read('report', { by, limit, ...this.#within(filter) })
  }

  /** The newest first. */
  async list(filter: UsageFilter, limit: number): Promise<ExchangeRow[]> {
    return this.#around.reader.read('exchanges', this.#within(filter), limit)
  }

  /** The oldest first, however many there are. */
  all(filter: UsageFilter): AsyncIterable<ExchangeRow> {
    return exportExchanges(this.#around.storage, this.#within(filter))
  }

  /** Throws `not-found`. */
  async find(id: string): Promise<FoundExchange> {
    const found = await this.#around.reader.read('exchange', id)
    if (found === undefined || !sees(this.#scope, found.exchange.project_id))
      throw notFound(`exchange ${id}`)
    return found
  }

  /** What is kept of what was said, or undefined. Throws `not-found`. */
  async content(id: string): Promise<KeptContent | undefined> {
    await this.find(id)
    return this.#around.reader.read('content', id)
  }

  /** That something is kept of it, of an exchange that was found. */
  async contentNote(id: string): Promise<ContentNote | undefined> {
    return this.#around.reader.read('contentNote', id)
  }

  /** Changes what an exchange that has ended is charged: whole micro-dollars. */
  async correct(
    id: string,
    { cost, reason, actor }: { cost: number; reason: string; actor: string },
  ): Promise<Corrected> {
    const { storage, now } = this.#around
    return correct(storage, { exchangeId: id, cost, reason, actor }, now())
  }

  #within(filter: UsageFilter): UsageFilter {
    return this.#scope === 'all' ? filter : { ...filter, projectIds: this.#scope }
  }
}
