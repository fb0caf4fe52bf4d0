import type { Keys } from '#keys/keys.ts'
import type { Policy } from '#keys/policy.ts'
import type { ProjectRecord } from '#keys/project-record.ts'
import type { Changed, HolderChange } from '#keys/project-register.ts'

import { notFound } from './problem.ts'
import { type Scope, sees } from './role.ts'

/** The projects that somebody may see: others are not there. */
export class ScopedProjects {
  readonly #projects: Keys['projects']
  readonly #scope: Scope

  constructor({ keys }: { readonly keys: Keys }, scope: Scope) {
    this.#projects = keys.projects
    this.#scope = scope
  }

  async list(): Promise<ProjectRecord[]> {
    const all = await this.#projects.list()
    return all.filter(({ id }) => sees(this.#scope, id))
  }

  /** By its id alone: a name is not what it is asked for here. Throws `not-found`. */
  async find(id: string): Promise<ProjectRecord> {
    const found = sees(this.#scope, id) ? await this.#projects.find(id) : undefined
    if (found?.id !== id) throw notFound(`project ${id}`)
    return found
  }

  async create(order: { name: string; policy?: Policy }): Promise<ProjectRecord> {
    return this.#projects.create(order)
  }

  async update(id: string, change: HolderChange): Promise<Changed<ProjectRecord>> {
    await this.find(id)
    return this.#projects.update(id, change)
  }

  async archive(id: string): Promise<ProjectRecord> {
    await this.find(id)
    await this.#projects.archive(id)
    return this.find(id)
  }
}
