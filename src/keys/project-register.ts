import type { Transaction } from 'kysely'

import { GatewayError } from '#chat/error.ts'
import type { Storage } from '#storage/database.ts'
import type { Schema } from '#storage/schema.ts'

import { guarded, inTransaction } from './in-transaction.ts'
import { newKeyId } from './key-format.ts'
import { checkName } from './key-order.ts'
import { changedPolicy, checkPolicy, type PolicyChange, policyReader } from './policy-schema.ts'
import type { Policy } from './policy.ts'
import {
  archivedProject,
  defaultProject,
  findProject,
  lookUp,
  organisationAsParent,
  organisationRecord,
  type OrganisationRecord,
  type ProjectRecord,
  projectRecords,
  recordOf,
  unknownProject,
} from './project-record.ts'
import { excessesOf, requireWithin } from './within-parent.ts'

/** What is to become of a project or the organisation. What is absent stays as it is. */
export interface HolderChange {
  readonly name?: string
  readonly policy?: PolicyChange
}

/** A child that asks for more than its parent allows now. It is held to the parent's limits from now on. */
export interface Narrowed {
  /** `key ci (AbC…)`, `project research`. */
  readonly called: string
  readonly fields: readonly string[]
}

/** Whoever was changed, and whom that narrows. */
export interface Changed<Record> {
  readonly record: Record
  readonly narrowed: readonly Narrowed[]
}

/** What is done for a new project before it is there for anybody. If it fails there is no project. */
type Endow = (id: string) => Promise<void>

const policyOf = policyReader()

/** The projects and their organisation as an administrator sees them. Failures of the database are thrown as `storage-unavailable`. */
export class ProjectRegister {
  readonly #storage: Storage
  readonly #now: () => number

  constructor(storage: Storage, now: () => number) {
    this.#storage = storage
    this.#now = now
  }

  /** Throws `request-invalid`, with the field at fault: then there is no project. */
  async create(order: { name: string; policy?: Policy }, endow?: Endow): Promise<ProjectRecord> {
    const id = newKeyId()
    checkName(order.name, 'project')
    const policy = checkPolicy(order.policy ?? {})
    const createdAt = this.#now()
    await inTransaction(this.#storage, async (all) => {
      requireWithin(policy, [await organisationAsParent(all)])
      await requireFreeName(all, order.name, id)
      const row = { id, name: order.name, created_at: createdAt, archived_at: null }
      await all
        .insertInto('projects')
        .values({ ...row, policy: JSON.stringify(policy) })
        .execute()
    })
    try {
      await endow?.(id)
    } catch (error) {
      await this.#forget(id)
      throw error
    }
    return { id, name: order.name, createdAt, keys: 0, policy }
  }

  /** All projects, by name. */
  async list(): Promise<ProjectRecord[]> {
    const rows = await guarded(this.#storage, ({ query }) =>
      projectRecords(query).orderBy('project.name').execute(),
    )
    return rows.map(recordOf)
  }

  /** The project of that id or name, or undefined. */
  async find(idOrName: string): Promise<ProjectRecord | undefined> {
    return guarded(this.#storage, async ({ query }) => findProject(query, idOrName))
  }

  /** Throws `request-invalid`, with the field at fault, if it cannot be changed so: then nothing is changed. */
  async update(id: string, change: HolderChange): Promise<Changed<ProjectRecord>> {
    if (change.name !== undefined) checkName(change.name, 'project')
    return inTransaction(this.#storage, async (all) => {
      const former = await findProject(all, id)
      if (former === undefined) throw unknownProject(id)
      if (former.archivedAt !== undefined) throw archivedProject(former.name)
      const { name = former.name } = change
      const policy = changedPolicy(former.policy, change.policy ?? {})
      requireWithin(policy, [await organisationAsParent(all)])
      if (name !== former.name) await requireFreeName(all, name, former.id)
      await all
        .updateTable('projects')
        .set({ name, policy: JSON.stringify(policy) })
        .where('id', '=', former.id)
        .execute()
      const narrowed = await narrowedKeys(all, policy, former.id)
      return { record: { ...former, name, policy }, narrowed }
    })
  }

  /** Ends a project for good, and all of its keys with it. Throws `request-invalid` for the default one and unknown ones. */
  async archive(id: string): Promise<void> {
    if (id === defaultProject)
      throw refused(
        'The default project cannot be archived: keys of which nobody says otherwise belong to it. Revoke its keys instead.',
      )
    const now = this.#now()
    const result = await guarded(this.#storage, ({ query }) =>
      query
        .updateTable('projects')
        .set((project) => ({
          archived_at: project.fn.coalesce('archived_at', project.val(now)),
        }))
        .where('id', '=', id)
        .executeTakeFirst(),
    )
    if (result.numUpdatedRows === 0n) throw unknownProject(id)
  }

  async organisation(): Promise<OrganisationRecord> {
    return guarded(this.#storage, async ({ query }) => organisationRecord(query))
  }

  /** Throws `request-invalid`, with the field at fault, if it cannot be changed so: then nothing is changed. */
  async updateOrganisation(change: HolderChange): Promise<Changed<OrganisationRecord>> {
    if (change.name !== undefined) checkName(change.name, 'organisation')
    return inTransaction(this.#storage, async (all) => {
      const former = await organisationRecord(all)
      const { name = former.name } = change
      const policy = changedPolicy(former.policy, change.policy ?? {})
      await all
        .updateTable('organisation')
        .set({ name, policy: JSON.stringify(policy) })
        .where('id', '=', 1)
        .execute()
      const projects = await projectRecords(all).where('project.archived_at', 'is', null).execute()
      const narrowed = projects
        .map(recordOf)
        .flatMap((project) => narrowedBy(policy, `project ${project.name}`, project.policy))
      return {
        record: { name, policy },
        narrowed: [...narrowed, ...(await narrowedKeys(all, policy))],
      }
    })
  }

  /** Takes back what was begun. Nobody has seen the project, so nothing was spent in it. */
  async #forget(id: string): Promise<void> {
    const holder = `project:${id}`
    await inTransaction(this.#storage, async (all) => {
      await all.deleteFrom('budgets').where('holder', '=', holder).execute()
      await all.deleteFrom('balances').where('holder', '=', holder).execute()
      await all.deleteFrom('projects').where('id', '=', id).execute()
    })
  }
}

async function requireFreeName(all: Transaction<Schema>, name: string, id: string): Promise<void> {
  const other = await lookUp(all, name)
  if (other === undefined || other.id === id) return
  throw new GatewayError(
    'request-invalid',
    `There is a project ${name} already${other.archived_at === null ? '' : ', an archived one'}. Choose another name.`,
    { param: 'name' },
  )
}

/** The keys, of one project or of all, that ask for more than a policy allows. Most have no policy of their own, and are not read. */
async function narrowedKeys(
  all: Transaction<Schema>,
  policy: Policy,
  projectId?: string,
): Promise<Narrowed[]> {
  const rows = await all
    .selectFrom('keys')
    .select(['id', 'name', 'policy'])
    .where('revoked_at', 'is', null)
    .where('policy', '!=', '{}')
    .$if(projectId !== undefined, (keys) => keys.where('project_id', '=', projectId ?? ''))
    .execute()
  return rows.flatMap((row) =>
    narrowedBy(policy, `key ${row.name} (${row.id})`, policyOf(row.policy)),
  )
}

function narrowedBy(parent: Policy, called: string, child: Policy): Narrowed[] {
  const fields = excessesOf(child, parent).map(({ field }) => field)
  return fields.length === 0 ? [] : [{ called, fields }]
}

function refused(message: string): GatewayError {
  return new GatewayError('request-invalid', message)
}
