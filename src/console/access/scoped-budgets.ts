import { sql } from 'kysely'

import type { Budget, Budgets, BudgetTerms } from '#budgets/budgets.ts'
import { readHolder } from '#budgets/holders.ts'
import type { Period } from '#budgets/periods.ts'
import type { Keys } from '#keys/keys.ts'
import type { Storage } from '#storage/database.ts'

import { AdminProblem, notFound } from './problem.ts'
import { projectsIn, type Scope, sees } from './role.ts'

export interface BudgetPage {
  readonly holder?: string | undefined
  /** The holder that the page before this one ended with. */
  readonly after?: string | undefined
  readonly limit: number
}

interface Surroundings {
  readonly storage: Storage
  readonly keys: Keys
  readonly budgets: Budgets
}

/** The budgets of the projects that somebody may see, and of their keys: others are not there. */
export class ScopedBudgets {
  readonly #around: Surroundings
  readonly #scope: Scope

  constructor(around: Surroundings, scope: Scope) {
    this.#around = around
    this.#scope = scope
  }

  /** By holder. Throws `not-found` for a holder that is named and not there. */
  async list({ holder, after = '', limit }: BudgetPage): Promise<{
    readonly budgets: readonly Budget[]
    readonly next: string | null
  }> {
    if (holder !== undefined) return { budgets: await this.of(holder), next: null }
    const holders = await this.#holders(after, limit + 1)
    const page = holders.slice(0, limit)
    const budgets: Budget[] = []
    for (const one of page) budgets.push(...(await this.#around.budgets.list(one)))
    return { budgets, next: holders.length > limit ? (page.at(-1) ?? null) : null }
  }

  /** Those of one holder. */
  async of(holder: string): Promise<readonly Budget[]> {
    await this.#require(holder)
    return this.#around.budgets.list(holder)
  }

  /** Who is bound to projects may say what their keys spend, not what they spend themselves. */
  async set(holder: string, period: Period, terms: BudgetTerms): Promise<void> {
    await this.#requireChangeable(holder)
    await this.#around.budgets.set(holder, period, terms)
  }

  /** Throws `not-found` where there is none. */
  async remove(holder: string, period: Period): Promise<void> {
    await this.#requireChangeable(holder)
    if (await this.#around.budgets.remove(holder, period)) return
    throw notFound(`budget of ${holder} for a ${period}`)
  }

  async #requireChangeable(holder: string): Promise<void> {
    await this.#require(holder)
    if (this.#scope === 'all' || readHolder(holder)?.kind === 'key') return
    throw new AdminProblem(
      'role-insufficient',
      'The budget of a project is set by somebody who is not bound to it.',
    )
  }

  async #require(holder: string): Promise<void> {
    if (await this.#isSeen(holder)) return
    throw notFound(`holder ${holder}`)
  }

  async #isSeen(holder: string): Promise<boolean> {
    const read = readHolder(holder)
    if (read === undefined) return false
    if (read.kind === 'org') return this.#scope === 'all'
    if (read.kind === 'project')
      return (
        sees(this.#scope, read.id) &&
        (await this.#around.keys.projects.find(read.id))?.id === read.id
      )
    const key = await this.#around.keys.find(read.id)
    return key !== undefined && sees(this.#scope, key.projectId)
  }

  async #holders(after: string, limit: number): Promise<readonly string[]> {
    const scope = this.#scope
    const rows = await this.#around.storage.query
      .selectFrom('budgets')
      .select('holder')
      .distinct()
      .where('holder', '>', after)
      .$if(scope !== 'all', (all) =>
        all.where((budget) =>
          budget.or([
            budget(
              'holder',
              'in',
              projectsIn(scope).map((id) => `project:${id}`),
            ),
            budget(
              'holder',
              'in',
              budget
                .selectFrom('keys')
                .where('project_id', 'in', projectsIn(scope))
                .select(sql<string>`'key:' || id`.as('holder')),
            ),
          ]),
        ),
      )
      .orderBy('holder')
      .limit(limit)
      .execute()
    return rows.map(({ holder }) => holder)
  }
}
