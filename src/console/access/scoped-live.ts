import { sql } from 'kysely'

import type { Storage } from '#storage/database.ts'
import { type ExchangeRow, listExchanges } from '#usage/exchanges.ts'
import { inLedger, type UsageFilter } from '#usage/usage-filter.ts'

import type { Scope } from './role.ts'

/** What the exchanges that ended between two looks used at one target, together. */
export interface TargetCounts {
  readonly target: string | null
  readonly exchanges: number
  readonly failed: number
  readonly input: number
  readonly output: number
  /** Micro-dollars. */
  readonly cost: number
}

/** What a look at the end of the ledger found. */
export interface Look {
  /** The last row that it has seen. */
  readonly seq: number
  readonly targets: readonly TargetCounts[]
  readonly inFlight: number
}

/** What is happening in the projects that somebody may see. Each look reads only what is new, by the ledger's own order. */
export class ScopedLive {
  readonly #storage: Storage
  readonly #scope: UsageFilter

  constructor({ storage }: { readonly storage: Storage }, scope: Scope) {
    this.#storage = storage
    this.#scope = scope === 'all' ? {} : { projectIds: scope }
  }

  /** The last row of the ledger. */
  async end(): Promise<number> {
    const row = await this.#storage.query
      .selectFrom('ledger')
      .select(({ fn }) => fn.max('seq').as('seq'))
      .executeTakeFirst()
    return row?.seq ?? 0
  }

  async look(after: number): Promise<Look> {
    const seq = await this.end()
    const { rows } = await sql<TargetCounts>`
      SELECT target, count(*) AS exchanges,
        sum(result NOT IN ('complete', 'client-left', 'budget-stop')) AS failed,
        CAST(total(input) + total(cache_read) + total(cache_write) AS INTEGER) AS input,
        CAST(total(output) AS INTEGER) AS output,
        sum(cost) AS cost
      FROM ledger
      WHERE seq > ${after} AND seq <= ${seq} AND ${inLedger(this.#scope)}
      GROUP BY target ORDER BY exchanges DESC LIMIT 200`.execute(this.#storage.query)
    return { seq, targets: rows, inFlight: await this.#inFlight() }
  }

  /** The newest of those that ended between two rows, at most so many, the oldest first. */
  async ended(after: number, until: number, limit: number): Promise<readonly ExchangeRow[]> {
    const filter = { ...this.#scope, beforeSeq: until + 1, afterSeq: after }
    return (await listExchanges(this.#storage, filter, limit)).toReversed()
  }

  async #inFlight(): Promise<number> {
    const { projectIds } = this.#scope
    const row = await this.#storage.query
      .selectFrom('open_exchanges')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .$if(projectIds !== undefined, (all) =>
        all.where('project_id', 'in', [...(projectIds ?? []), '']),
      )
      .executeTakeFirstOrThrow()
    return row.count
  }
}
