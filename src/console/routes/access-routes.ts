import { z } from 'zod'

import { AdminProblem } from '#console/access/problem.ts'
import { roles } from '#console/access/role.ts'
import { forgetSetupToken } from '#console/access/setup.ts'
import { type Asked, changes, reads, records } from '#console/api/route.ts'

import { done, okay, time } from './shapes.ts'

const password = z.string().min(1).max(1024)

export const signedIn = z
  .strictObject({
    userId: z.string(),
    name: z.string(),
    role: z.enum(roles),
    projects: z
      .array(z.string())
      .nullable()
      .meta({ description: 'The projects that the user is bound to; null for all.' }),
    sessionId: z.string(),
  })
  .meta({ id: 'SignedIn' })

export const session = z
  .strictObject({
    id: z.string(),
    userId: z.string(),
    userName: z.string(),
    createdAt: time,
    seenAt: time,
    endsAt: time,
    address: z.string().nullable(),
    agent: z.string().nullable(),
  })
  .meta({ id: 'Session' })

/** The first run, signing in and out, and one's own account. */
export const accessRoutes = {
  'setup-status': reads({
    path: '/api/setup',
    role: 'anyone',
    tenant: 'none',
    summary: 'Whether a first administrator can be made.',
    answer: z.strictObject({ isOpen: z.boolean() }),
    handle: async ({ parts, from }) => ({ isOpen: from.isLocal && (await parts.setup.isOpen()) }),
  }),
  setup: records({
    method: 'POST',
    path: '/api/setup',
    role: 'anyone',
    tenant: 'none',
    action: 'setup',
    status: 201,
    summary: 'Make an administrator with the one-time token, from this machine alone.',
    body: z.strictObject({
      token: z.string().min(1).max(200),
      name: z.string().max(100),
      password,
    }),
    answer: signedIn,
    async handle(asked) {
      const { parts, from, body } = asked
      if (!from.isLocal)
        throw new AdminProblem(
          'channel-unsafe',
          'The first administrator is made from the machine that the gateway runs on, at its loopback address.',
        )
      const right = parts.attempts.begin('', from.address)
      if (!(await parts.setup.isValid(body.token))) throw await setupRefused(asked)
      right()
      const kept = await parts.passwords.keep(body.password)
      const made = await asked.record({ id: 'setup', name: 'setup token' }, async () => {
        // Of two who come with the same token at once, one has used it up.
        if (!(await parts.setup.use(body.token))) throw tokenInvalid()
        const user = await parts.users.create(
          { name: body.name, role: 'admin', projects: null },
          kept,
        )
        const begun = await parts.sessions.begin(user.id, from)
        const deed = { action: 'setup', object: `user:${user.id}`, details: { name: user.name } }
        return { result: { user, begun }, deed: { ...deed, after: user } }
      })
      if (parts.home !== undefined) forgetSetupToken(parts.home)
      asked.setSession(made.begun)
      const { id, name, role, projects } = made.user
      return { userId: id, name, role, projects, sessionId: made.begun.id }
    },
  }),
  'sign-in': records({
    method: 'POST',
    path: '/api/login',
    role: 'anyone',
    tenant: 'none',
    action: 'sign-in',
    summary: 'Sign in with name and password. The answer sets the cookie of a new session.',
    body: z.strictObject({ name: z.string().min(1).max(100), password }),
    answer: signedIn,
    async handle(asked) {
      const { parts, from, body } = asked
      requirePrivate(asked)
      const right = parts.attempts.begin(body.name, from.address)
      const known = await parts.users.keptOf({ name: body.name })
      const isRight = await parts.passwords.isRight(body.password, known?.kept)
      if (!isRight || known === undefined) throw await signInRefused(asked, body.name)
      right()
      const made = await asked.record({ id: known.id, name: body.name }, async () => {
        const user = await parts.users.find(known.id)
        if (user === undefined) throw rejected()
        const begun = await parts.sessions.begin(known.id, from)
        const deed = { action: 'sign-in', object: `user:${known.id}` }
        return { result: { user, begun }, deed: { ...deed, details: { session: begun.id } } }
      })
      asked.setSession(made.begun)
      const { id, name, role, projects } = made.user
      return { userId: id, name, role, projects, sessionId: made.begun.id }
    },
  }),
  'sign-out': changes({
    method: 'POST',
    path: '/api/logout',
    role: 'viewer',
    tenant: 'none',
    action: 'sign-out',
    summary: 'End this session.',
    answer: done,
    async handle({ parts, actor, setSession }) {
      await parts.sessions.end(actor.sessionId)
      setSession(undefined)
      return { answer: okay, object: `session:${actor.sessionId}` }
    },
  }),
  me: reads({
    path: '/api/me',
    role: 'viewer',
    tenant: 'none',
    summary: 'Who is signed in.',
    answer: signedIn,
    async handle({ actor }) {
      const { projects, ...rest } = actor
      return { ...rest, projects: projects === 'all' ? null : projects }
    },
  }),
  'change-password': records({
    method: 'PUT',
    path: '/api/me/password',
    role: 'viewer',
    tenant: 'none',
    action: 'password-change',
    reauthenticates: true,
    summary:
      "Change one's own password. Every other session of the user ends, and this one is renewed.",
    body: z.strictObject({ password }),
    answer: done,
    async handle({ parts, actor, from, body, record, setSession }) {
      const kept = await parts.passwords.keep(body.password)
      const begun = await record({ id: actor.userId, name: actor.name }, async () => {
        await parts.users.setPassword(actor.userId, kept)
        await parts.sessions.endAll(actor.userId)
        const result = await parts.sessions.begin(actor.userId, from)
        return { result, deed: { action: 'password-change', object: `user:${actor.userId}` } }
      })
      setSession(begun)
      return okay
    },
  }),
  'own-sessions-list': reads({
    path: '/api/me/sessions',
    role: 'viewer',
    tenant: 'none',
    summary: "List one's own sessions.",
    answer: z.strictObject({ sessions: z.array(session) }),
    handle: async ({ parts, actor }) => ({ sessions: await parts.sessions.list(actor.userId) }),
  }),
  'own-sessions-end': changes({
    method: 'DELETE',
    path: '/api/me/sessions/{id}',
    role: 'viewer',
    tenant: 'none',
    action: 'session-end',
    summary: "End one of one's own sessions.",
    answer: done,
    async handle({ parts, actor, params }) {
      if (!(await parts.sessions.end(params.id, actor.userId)))
        throw new AdminProblem('not-found', `You have no session ${params.id}.`)
      return { answer: okay, object: `session:${params.id}` }
    },
  }),
}

function requirePrivate({ from }: Pick<Asked, 'from'>): void {
  if (from.isPrivate) return
  throw new AdminProblem(
    'channel-unsafe',
    'A password is not taken over plain http from another machine. Put https in front and set `listen.adminUrl`, or use an SSH tunnel to the loopback address.',
  )
}

async function setupRefused({ record }: Pick<Asked, 'record'>): Promise<AdminProblem> {
  await record({ id: 'nobody', name: 'nobody' }, async () => ({
    result: undefined,
    deed: { action: 'setup-refused', object: 'setup' },
  }))
  return tokenInvalid()
}

/** The same words whether there is no such user or the password is wrong. */
async function signInRefused(
  { record }: Pick<Asked, 'record'>,
  name: string,
): Promise<AdminProblem> {
  await record({ id: 'nobody', name: 'nobody' }, async () => ({
    result: undefined,
    deed: { action: 'sign-in-refused', object: 'session', details: { name: name.slice(0, 64) } },
  }))
  return rejected()
}

function rejected(): AdminProblem {
  return new AdminProblem('sign-in-rejected', 'The name or the password is wrong.')
}

function tokenInvalid(): AdminProblem {
  return new AdminProblem(
    'setup-rejected',
    'This token is not valid, or not any more. "parley admin setup-token" makes another.',
  )
}
