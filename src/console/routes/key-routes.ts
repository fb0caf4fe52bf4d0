import { z } from 'zod'

import { changes, reads } from '#console/api/route.ts'
import { longestOverlapMs } from '#keys/key-register.ts'
import { Secret } from '#std/secret.ts'

import {
  budget,
  budgetTerms,
  id,
  name,
  pageSize,
  period,
  policy,
  policyChange,
  search,
  time,
} from './shapes.ts'

const status = z.enum(['active', 'early', 'expired', 'archived', 'revoked'])

const key = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    status,
    projectId: z.string(),
    projectName: z.string(),
    owner: z.string().exactOptional(),
    createdAt: time,
    notBefore: time.exactOptional(),
    expiresAt: time.exactOptional(),
    revokedAt: time.exactOptional(),
    lastUsedAt: time.exactOptional(),
    formerUntil: time
      .exactOptional()
      .meta({ description: 'Until when the text is valid that was replaced last' }),
    policy,
  })
  .meta({ id: 'Key' })

const newKey = z
  .strictObject({
    id: z.string(),
    key: z.string().meta({ description: 'The text that callers send. It is shown this once.' }),
  })
  .meta({ id: 'NewKey' })

/** The keys that callers show. */
export const keyRoutes = {
  'keys-list': reads({
    path: '/api/keys',
    role: 'viewer',
    tenant: 'projects',
    summary: 'List the keys, the newest first.',
    query: z.strictObject({
      search: search.exactOptional(),
      projectId: id.exactOptional(),
      status: status.exactOptional(),
      after: z.string().max(400).exactOptional(),
      limit: pageSize,
    }),
    answer: z.strictObject({ keys: z.array(key), next: z.string().nullable() }),
    handle: ({ data, query }) => data.keys.list(query),
  }),
  'keys-show': reads({
    path: '/api/keys/{id}',
    role: 'viewer',
    tenant: 'projects',
    summary: 'Show a key, with what those above it allow and its budgets.',
    answer: z.strictObject({
      key,
      parents: z.strictObject({ project: policy, organisation: policy }),
      budgets: z.array(budget),
    }),
    async handle({ data, parts, params }) {
      const found = await data.keys.find(params.id)
      const [project, organisation, budgets] = await Promise.all([
        data.projects.find(found.projectId),
        parts.keys.projects.organisation(),
        data.budgets.of(`key:${found.id}`),
      ])
      const parents = { project: project.policy, organisation: organisation.policy }
      return { key: found, parents, budgets }
    },
  }),
  'keys-create': changes({
    method: 'POST',
    path: '/api/keys',
    role: 'operator',
    tenant: 'projects',
    action: 'key-create',
    status: 201,
    summary: 'Issue a key. Its text is in this answer and nowhere else.',
    body: z.strictObject({
      name,
      projectId: id.exactOptional(),
      owner: name.exactOptional(),
      notBefore: time.exactOptional(),
      expiresAt: time.exactOptional(),
      policy: policy.exactOptional(),
      budgets: z.array(budgetTerms.extend({ period })).max(4).default([]),
      chosen: z
        .string()
        .max(512)
        .exactOptional()
        .meta({ description: 'A text that callers have already, in place of a new one.' }),
    }),
    answer: newKey,
    async handle({ data, body }) {
      const { budgets, chosen, ...order } = body
      const issued = await data.keys.issue(
        { ...order, ...(chosen !== undefined && { chosen: new Secret(chosen) }) },
        async (keyId) => {
          for (const { period: of, ...terms } of budgets)
            await data.budgets.set(`key:${keyId}`, of, terms)
        },
      )
      const after = await data.keys.find(issued.id)
      const details = { name: after.name, project: after.projectId }
      return {
        answer: { id: issued.id, key: issued.key.reveal() },
        object: `key:${issued.id}`,
        details,
        after,
      }
    },
  }),
  'keys-update': changes({
    method: 'PATCH',
    path: '/api/keys/{id}',
    role: 'operator',
    tenant: 'projects',
    action: 'key-update',
    summary: 'Change a key. What is absent stays, null removes. In force within a second.',
    body: z.strictObject({
      name: name.exactOptional(),
      owner: name.nullable().exactOptional(),
      notBefore: time.nullable().exactOptional(),
      expiresAt: time.nullable().exactOptional(),
      policy: policyChange.exactOptional(),
    }),
    answer: key,
    async handle({ data, params, body }) {
      const before = await data.keys.find(params.id)
      const after = await data.keys.update(params.id, body)
      const details = { name: after.name, changed: Object.keys(body) }
      return { answer: after, object: `key:${params.id}`, details, before, after }
    },
  }),
  'keys-revoke': changes({
    method: 'POST',
    path: '/api/keys/{id}/revoke',
    role: 'operator',
    tenant: 'projects',
    action: 'key-revoke',
    summary: 'End a key for good.',
    answer: key,
    async handle({ data, params }) {
      const before = await data.keys.find(params.id)
      const after = await data.keys.revoke(params.id)
      const details = { name: after.name }
      return { answer: after, object: `key:${params.id}`, details, before, after }
    },
  }),
  'keys-rotate': changes({
    method: 'POST',
    path: '/api/keys/{id}/rotate',
    role: 'operator',
    tenant: 'projects',
    action: 'key-rotate',
    summary: 'Give a key a new text. The old one stays valid for a while.',
    body: z.strictObject({
      overlapMs: z
        .int()
        .min(0)
        .max(longestOverlapMs)
        .default(24 * 60 * 60 * 1000),
    }),
    answer: newKey,
    async handle({ data, params, body }) {
      const issued = await data.keys.rotate(params.id, body.overlapMs)
      return {
        answer: { id: issued.id, key: issued.key.reveal() },
        object: `key:${issued.id}`,
        details: body,
      }
    },
  }),
}
