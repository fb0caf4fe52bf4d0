import { z } from 'zod'

import { AdminProblem, notFound } from '#console/access/problem.ts'
import { roles } from '#console/access/role.ts'
import type { UserChange, UserRecord } from '#console/access/users.ts'
import { type Asked, changes, reads, records } from '#console/api/route.ts'

import { session } from './access-routes.ts'
import { done, id, okay, time } from './shapes.ts'

const user = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    role: z.enum(roles),
    projects: z.array(z.string()).nullable(),
    createdAt: time,
    disabledAt: time.nullable(),
  })
  .meta({ id: 'User' })

const projects = z
  .array(id)
  .max(200)
  .nullable()
  .meta({ description: 'The projects to be bound to; null for all of them.' })

const password = z.string().min(1).max(1024)

/** Those who administer. */
export const userRoutes = {
  'users-list': reads({
    path: '/api/users',
    role: 'admin',
    tenant: 'whole',
    summary: 'List the users.',
    answer: z.strictObject({ users: z.array(user) }),
    handle: async ({ parts }) => ({ users: await parts.users.list() }),
  }),
  'users-show': reads({
    path: '/api/users/{id}',
    role: 'admin',
    tenant: 'whole',
    summary: 'Show a user, with sessions.',
    answer: z.strictObject({ user, sessions: z.array(session) }),
    async handle({ parts, params }) {
      const found = await userOf(parts, params.id)
      return { user: found, sessions: await parts.sessions.list(found.id) }
    },
  }),
  'users-create': records({
    method: 'POST',
    path: '/api/users',
    role: 'admin',
    tenant: 'whole',
    action: 'user-create',
    status: 201,
    reauthenticates: true,
    summary: 'Make a user. The password is one to begin with.',
    body: z.strictObject({
      name: z.string().max(100),
      role: z.enum(roles),
      projects: projects.default(null),
      password,
    }),
    answer: user,
    async handle({ parts, actor, body, record }) {
      const { password: given, ...order } = body
      const kept = await parts.passwords.keep(given)
      return record({ id: actor.userId, name: actor.name }, async () => {
        const after = await parts.users.create(order, kept)
        const details = { name: after.name, role: after.role, projects: after.projects }
        const deed = { action: 'user-create', object: `user:${after.id}`, details, after }
        return { result: after, deed }
      })
    },
  }),
  'users-update': changes({
    method: 'PATCH',
    path: '/api/users/{id}',
    role: 'admin',
    tenant: 'whole',
    action: 'user-update',
    reauthenticates: true,
    summary: 'Change a user. Whoever may do other things from now on has to sign in again.',
    body: z.strictObject({
      name: z.string().max(100).exactOptional(),
      role: z.enum(roles).exactOptional(),
      projects: projects.exactOptional(),
      isDisabled: z.boolean().exactOptional(),
    }),
    answer: user,
    async handle({ parts, params, body }) {
      const before = await userOf(parts, params.id)
      const after = await parts.users.update(params.id, body)
      if (changesRights(body)) await parts.sessions.endAll(params.id)
      const details = { name: after.name, ...body }
      return { answer: after, object: `user:${params.id}`, details, before, after }
    },
  }),
  'users-set-password': records({
    method: 'PUT',
    path: '/api/users/{id}/password',
    role: 'admin',
    tenant: 'whole',
    action: 'user-password',
    reauthenticates: true,
    summary: 'Give a user another password, and end all sessions of that user.',
    body: z.strictObject({ password }),
    answer: done,
    async handle({ parts, actor, params, body, record }) {
      const found = await userOf(parts, params.id)
      const kept = await parts.passwords.keep(body.password)
      await record({ id: actor.userId, name: actor.name }, async () => {
        await parts.users.setPassword(found.id, kept)
        await parts.sessions.endAll(found.id)
        const deed = { action: 'user-password', object: `user:${found.id}` }
        return { result: undefined, deed: { ...deed, details: { name: found.name } } }
      })
      return okay
    },
  }),
  'users-remove': changes({
    method: 'DELETE',
    path: '/api/users/{id}',
    role: 'admin',
    tenant: 'whole',
    action: 'user-remove',
    summary: 'Remove a user, with all sessions.',
    answer: done,
    async handle({ parts, actor, params }) {
      if (params.id === actor.userId)
        throw new AdminProblem('conflict', 'Nobody removes the account they are signed in with.')
      const before = await parts.users.remove(params.id)
      return {
        answer: okay,
        object: `user:${params.id}`,
        details: { name: before.name },
        before,
      }
    },
  }),
  'sessions-list': reads({
    path: '/api/sessions',
    role: 'admin',
    tenant: 'whole',
    summary: 'List every session.',
    answer: z.strictObject({ sessions: z.array(session) }),
    handle: async ({ parts }) => ({ sessions: await parts.sessions.list() }),
  }),
  'sessions-end': changes({
    method: 'DELETE',
    path: '/api/sessions/{id}',
    role: 'admin',
    tenant: 'whole',
    action: 'session-end',
    summary: 'End a session of anybody.',
    answer: done,
    async handle({ parts, params }) {
      if (!(await parts.sessions.end(params.id))) throw notFound(`session ${params.id}`)
      return { answer: okay, object: `session:${params.id}` }
    },
  }),
}

async function userOf(parts: Asked['parts'], userId: string): Promise<UserRecord> {
  const found = await parts.users.find(userId)
  if (found === undefined) throw notFound(`user ${userId}`)
  return found
}

function changesRights({ role, projects: bound, isDisabled }: UserChange): boolean {
  return role !== undefined || bound !== undefined || isDisabled !== undefined
}
