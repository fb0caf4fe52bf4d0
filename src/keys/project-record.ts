import type { Kysely, Transaction } from 'kysely'

import { GatewayError } from '#chat/error.ts'
import type { Schema } from '#storage/schema.ts'

import { policyReader } from './policy-schema.ts'
import type { Policy } from './policy.ts'
import type { Parent } from './within-parent.ts'

/** Keys of which nobody says otherwise belong to it. */
export const defaultProject = 'default'

/** What may be known of a project by whoever administers it. Times are Unix milliseconds. */
export interface ProjectRecord {
  readonly id: string
  readonly name: string
  readonly createdAt: number
  readonly archivedAt?: number
  /** Its keys that are not revoked. */
  readonly keys: number
  readonly policy: Policy
}

export interface OrganisationRecord {
  readonly name: string
  readonly policy: Policy
}

const policyOf = policyReader()

/** Who stands above the keys of a project. Throws `request-invalid` if there is no such project, or it is archived. */
export async function parentsOf(
  all: Transaction<Schema>,
  projectId: string,
): Promise<readonly Parent[]> {
  const project = await all
    .selectFrom('projects')
    .selectAll()
    .where('id', '=', projectId)
    .executeTakeFirst()
  if (project === undefined) throw unknownProject(projectId)
  if (project.archived_at !== null) throw archivedProject(project.name)
  const parent = { called: `the project ${project.name}`, policy: policyOf(project.policy) }
  return [parent, await organisationAsParent(all)]
}

export async function organisationRecord(query: Kysely<Schema>): Promise<OrganisationRecord> {
  const { name, policy } = await query
    .selectFrom('organisation')
    .selectAll()
    .executeTakeFirstOrThrow()
  return { name, policy: policyOf(policy) }
}

/** The organisation as what it allows is compared with. */
export async function organisationAsParent(query: Kysely<Schema>): Promise<Parent> {
  const { policy } = await organisationRecord(query)
  return { called: 'the organisation', policy }
}

/** Projects with the number of their keys, which takes as long as there are keys. */
export function projectRecords(query: Kysely<Schema>) {
  return query
    .selectFrom('projects as project')
    .selectAll('project')
    .select((record) =>
      record
        .selectFrom('keys as key')
        .whereRef('key.project_id', '=', 'project.id')
        .where('key.revoked_at', 'is', null)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('keys'),
    )
}

type ProjectRow = Awaited<ReturnType<ReturnType<typeof projectRecords>['executeTakeFirstOrThrow']>>

export function recordOf(row: ProjectRow): ProjectRecord {
  return {
    id: row.id,
    name: row.name,
    createdAt: row.created_at,
    ...(row.archived_at !== null && { archivedAt: row.archived_at }),
    keys: row.keys ?? 0,
    policy: policyOf(row.policy),
  }
}

/** The project of that id or name, with the number of its keys. */
export async function findProject(
  query: Kysely<Schema>,
  idOrName: string,
): Promise<ProjectRecord | undefined> {
  const found = await lookUp(query, idOrName)
  if (found === undefined) return undefined
  const row = await projectRecords(query).where('project.id', '=', found.id).executeTakeFirst()
  return row && recordOf(row)
}

/** An id wins over a name, and no name is another one's id. */
export async function lookUp(query: Kysely<Schema>, idOrName: string) {
  const projects = query.selectFrom('projects').selectAll()
  const byId = await projects.where('id', '=', idOrName).executeTakeFirst()
  return byId ?? projects.where('name', '=', idOrName).executeTakeFirst()
}

export function unknownProject(id: string): GatewayError {
  return new GatewayError(
    'request-invalid',
    `There is no project ${id}. "parley projects list" shows the projects there are.`,
    { param: 'project' },
  )
}

export function archivedProject(name: string): GatewayError {
  return new GatewayError(
    'request-invalid',
    `The project ${name} is archived for good. Choose another one: "parley projects list".`,
    { param: 'project' },
  )
}
