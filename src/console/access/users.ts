import type { Selectable } from 'kysely'

import { parseJson } from '#std/json.ts'
import { randomText } from '#std/random-id.ts'
import type { Storage } from '#storage/database.ts'
import type { Schema } from '#storage/schema.ts'

import { AdminProblem, invalid, notFound } from './problem.ts'
import type { Role, Scope } from './role.ts'

/** What may be known of a user. Times are Unix milliseconds. */
export interface UserRecord {
  readonly id: string
  readonly name: string
  readonly role: Role
  /** The projects that the user is bound to; `null` for all of them. */
  readonly projects: readonly string[] | null
  readonly createdAt: number
  readonly disabledAt: number | null
}

export interface UserOrder {
  readonly name: string
  readonly role: Role
  readonly projects: readonly string[] | null
}

/** What is to become of a user. What is absent stays as it is. */
export interface UserChange {
  readonly name?: string
  readonly role?: Role
  readonly projects?: readonly string[] | null
  readonly isDisabled?: boolean
}

/** Those who administer. What it writes is part of the transaction that is open. */
export class Users {
  readonly #storage: Storage
  readonly #now: () => number

  constructor(storage: Storage, now: () => number) {
    this.#storage = storage
    this.#now = now
  }

  async isEmpty(): Promise<boolean> {
    const row = await this.#all().select('id').limit(1).executeTakeFirst()
    return row === undefined
  }

  async list(): Promise<UserRecord[]> {
    const rows = await this.#all().selectAll().orderBy('name').execute()
    return rows.map(recordOf)
  }

  async find(id: string): Promise<UserRecord | undefined> {
    const row = await this.#all().selectAll().where('id', '=', id).executeTakeFirst()
    return row && recordOf(row)
  }

  /** What the password of a user is checked against. Undefined for an unknown or a disabled one. */
  async keptOf(
    by: { readonly name: string } | { readonly id: string },
  ): Promise<{ readonly id: string; readonly kept: string } | undefined> {
    const row = await this.#all()
      .select(['id', 'password as kept'])
      .where('disabled_at', 'is', null)
      .$if('name' in by, (users) => users.where('name', '=', 'name' in by ? by.name : ''))
      .$if('id' in by, (users) => users.where('id', '=', 'id' in by ? by.id : ''))
      .executeTakeFirst()
    return row
  }

  /** Throws `request-invalid` or `conflict`. `kept` is what its password is checked against. */
  async create(order: UserOrder, kept: string): Promise<UserRecord> {
    checkName(order.name)
    await this.#checkFree(order.name)
    await this.#checkProjects(order)
    const row = {
      id: randomText(12),
      name: order.name,
      role: order.role,
      projects: order.projects && JSON.stringify(order.projects),
      password: kept,
      created_at: this.#now(),
      disabled_at: null,
    }
    await this.#storage.query.insertInto('users').values(row).execute()
    return recordOf(row)
  }

  /** Throws `not-found`, `request-invalid` or `conflict`, and then nothing is changed. */
  async update(id: string, change: UserChange): Promise<UserRecord> {
    const former = await this.find(id)
    if (former === undefined) throw notFound(`user ${id}`)
    const { isDisabled, ...said } = change
    const after = { ...former, ...said, disabledAt: this.#disabledAt(former, isDisabled) }
    if (after.name !== former.name) {
      checkName(after.name)
      await this.#checkFree(after.name, id)
    }
    await this.#checkProjects(after)
    await this.#storage.query
      .updateTable('users')
      .set({
        name: after.name,
        role: after.role,
        projects: after.projects && JSON.stringify(after.projects),
        disabled_at: after.disabledAt,
      })
      .where('id', '=', id)
      .execute()
    await this.#checkAnAdminIsLeft()
    return after
  }

  async setPassword(id: string, kept: string): Promise<void> {
    await this.#storage.query
      .updateTable('users')
      .set({ password: kept })
      .where('id', '=', id)
      .execute()
  }

  /** Removes a user with all sessions. Throws `not-found`, or `conflict` for the last administrator. */
  async remove(id: string): Promise<UserRecord> {
    const former = await this.find(id)
    if (former === undefined) throw notFound(`user ${id}`)
    await this.#storage.query.deleteFrom('users').where('id', '=', id).execute()
    await this.#checkAnAdminIsLeft()
    return former
  }

  #disabledAt(former: UserRecord, isDisabled: boolean | undefined): number | null {
    if (isDisabled === undefined) return former.disabledAt
    return isDisabled ? (former.disabledAt ?? this.#now()) : null
  }

  #all() {
    return this.#storage.query.selectFrom('users')
  }

  async #checkFree(name: string, id?: string): Promise<void> {
    const other = await this.#all().select('id').where('name', '=', name).executeTakeFirst()
    if (other === undefined || other.id === id) return
    throw new AdminProblem('conflict', `There is a user ${name} already.`, { param: 'name' })
  }

  async #checkProjects({ role, projects }: Pick<UserOrder, 'role' | 'projects'>): Promise<void> {
    if (projects === null) return
    if (role === 'admin')
      throw invalid('An admin sees every project, and cannot be bound to some.', 'projects')
    const found = await this.#storage.query
      .selectFrom('projects')
      .select('id')
      .where('id', 'in', [...projects, ''])
      .execute()
    const unknown = projects.find((id) => !found.some((project) => project.id === id))
    if (unknown !== undefined) throw invalid(`There is no project ${unknown}.`, 'projects')
  }

  /** Nobody could let anybody in again. */
  async #checkAnAdminIsLeft(): Promise<void> {
    const admin = await this.#all()
      .select('id')
      .where('role', '=', 'admin')
      .where('disabled_at', 'is', null)
      .limit(1)
      .executeTakeFirst()
    if (admin === undefined)
      throw new AdminProblem('conflict', 'The last admin has to stay one. Make another one first.')
  }
}

/** What a user may see, from what the database keeps; what cannot be read shows nothing. */
export function scopeOf(projects: string | null): Scope {
  if (projects === null) return 'all'
  const parsed = parseJson(projects)
  const list: unknown = parsed.ok ? parsed.value : []
  return Array.isArray(list) ? list.filter((id) => typeof id === 'string') : []
}

function recordOf(row: Selectable<Schema['users']>): UserRecord {
  const scope = scopeOf(row.projects)
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    projects: scope === 'all' ? null : scope,
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
  }
}

/** A name is written into logs and shown in tables. */
function checkName(name: string): void {
  if (/^[\p{L}\p{N}][\p{L}\p{N} ._@+-]{0,63}$/u.test(name)) return
  throw invalid(
    'A name has to have 1 to 64 letters, digits, blanks and . _ @ + -, led by no sign.',
    'name',
  )
}
