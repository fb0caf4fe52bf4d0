import { z } from 'zod'

import type { Period } from '#budgets/periods.ts'
import { invalid } from '#console/access/problem.ts'
import { changes, reads } from '#console/api/route.ts'

import {
  budget,
  budgetTerms,
  count,
  done,
  id,
  name,
  narrowed,
  okay,
  pageSize,
  period,
  policy,
  policyChange,
  time,
} from './shapes.ts'

const project = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    createdAt: time,
    archivedAt: time.exactOptional(),
    keys: count.meta({ description: 'Those that are not revoked' }),
    policy,
  })
  .meta({ id: 'Project' })

const organisation = z.strictObject({ name: z.string(), policy }).meta({ id: 'Organisation' })

const change = z.strictObject({ name: name.exactOptional(), policy: policyChange.exactOptional() })

/** What keys belong to, and what they may spend. */
export const projectRoutes = {
  'projects-list': reads({
    path: '/api/projects',
    role: 'viewer',
    tenant: 'projects',
    summary: 'List the projects, by name.',
    answer: z.strictObject({ projects: z.array(project) }),
    handle: async ({ data }) => ({ projects: await data.projects.list() }),
  }),
  'projects-show': reads({
    path: '/api/projects/{id}',
    role: 'viewer',
    tenant: 'projects',
    summary: 'Show a project with its budgets.',
    answer: z.strictObject({ project, budgets: z.array(budget) }),
    async handle({ data, params }) {
      const found = await data.projects.find(params.id)
      return { project: found, budgets: await data.budgets.of(`project:${found.id}`) }
    },
  }),
  'projects-create': changes({
    method: 'POST',
    path: '/api/projects',
    role: 'operator',
    tenant: 'whole',
    action: 'project-create',
    status: 201,
    summary: 'Create a project.',
    body: z.strictObject({ name, policy: policy.exactOptional() }),
    answer: project,
    async handle({ data, body }) {
      const after = await data.projects.create(body)
      return { answer: after, object: `project:${after.id}`, details: { name: after.name }, after }
    },
  }),
  'projects-update': changes({
    method: 'PATCH',
    path: '/api/projects/{id}',
    role: 'operator',
    tenant: 'whole',
    action: 'project-update',
    summary: 'Change a project, and say whom that narrows.',
    body: change,
    answer: z.strictObject({ project, narrowed }),
    async handle({ data, params, body }) {
      const before = await data.projects.find(params.id)
      const { record: after, narrowed: those } = await data.projects.update(params.id, body)
      const details = { name: after.name, changed: Object.keys(body) }
      const answer = { project: after, narrowed: those }
      return { answer, object: `project:${params.id}`, details, before, after }
    },
  }),
  'projects-archive': changes({
    method: 'POST',
    path: '/api/projects/{id}/archive',
    role: 'admin',
    tenant: 'whole',
    action: 'project-archive',
    summary: 'End a project for good, and all of its keys with it.',
    answer: project,
    async handle({ data, params }) {
      const before = await data.projects.find(params.id)
      const after = await data.projects.archive(params.id)
      const details = { name: after.name, keys: after.keys }
      return { answer: after, object: `project:${params.id}`, details, before, after }
    },
  }),
  'organisation-show': reads({
    path: '/api/organisation',
    role: 'viewer',
    tenant: 'whole',
    summary: 'Show what every project and key is held to.',
    answer: z.strictObject({ organisation, budgets: z.array(budget) }),
    handle: async ({ data, parts }) => ({
      organisation: await parts.keys.projects.organisation(),
      budgets: await data.budgets.of('org'),
    }),
  }),
  'organisation-update': changes({
    method: 'PATCH',
    path: '/api/organisation',
    role: 'admin',
    tenant: 'whole',
    action: 'organisation-update',
    summary: 'Change the organisation, and say whom that narrows.',
    body: change,
    answer: z.strictObject({ organisation, narrowed }),
    async handle({ parts, body }) {
      const { projects } = parts.keys
      const before = await projects.organisation()
      const { record: after, narrowed: those } = await projects.updateOrganisation(body)
      const answer = { organisation: after, narrowed: those }
      return { answer, object: 'org', details: { changed: Object.keys(body) }, before, after }
    },
  }),
  'budgets-list': reads({
    path: '/api/budgets',
    role: 'viewer',
    tenant: 'projects',
    summary: 'List budgets and how they stand, by holder.',
    query: z.strictObject({
      holder: id.exactOptional(),
      after: id.exactOptional(),
      limit: pageSize,
    }),
    answer: z.strictObject({ budgets: z.array(budget), next: z.string().nullable() }),
    handle: ({ data, query }) => data.budgets.list(query),
  }),
  'budgets-set': changes({
    method: 'PUT',
    path: '/api/budgets/{holder}/{period}',
    role: 'operator',
    tenant: 'projects',
    action: 'budget-set',
    summary: 'Set what a holder (`org`, `project:<id>`, `key:<id>`) may spend in a period.',
    body: budgetTerms,
    answer: z.strictObject({ budgets: z.array(budget) }),
    async handle({ data, params: { holder, period: said }, body }) {
      const of = periodIn(said)
      const before = await data.budgets.of(holder)
      await data.budgets.set(holder, of, body)
      const after = await data.budgets.of(holder)
      const details = { period: of, ...body }
      return { answer: { budgets: after }, object: holder, details, before, after }
    },
  }),
  'budgets-remove': changes({
    method: 'DELETE',
    path: '/api/budgets/{holder}/{period}',
    role: 'operator',
    tenant: 'projects',
    action: 'budget-remove',
    summary: 'Take a budget away.',
    answer: done,
    async handle({ data, params: { holder, period: said } }) {
      const of = periodIn(said)
      const before = await data.budgets.of(holder)
      await data.budgets.remove(holder, of)
      return { answer: okay, object: holder, details: { period: of }, before }
    },
  }),
}

/** The period that a path names. */
function periodIn(text: string): Period {
  const found = period.safeParse(text)
  if (found.success) return found.data
  throw invalid(`Expected one of ${period.options.join(', ')}.`, 'period')
}
