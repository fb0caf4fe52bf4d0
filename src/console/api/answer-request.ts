import { AdminProblem } from '#console/access/problem.ts'
import { type Actor, mayActAs } from '#console/access/role.ts'
import type { NewSession } from '#console/access/sessions.ts'
import type { Visitor } from '#console/access/visitor.ts'
import { randomHex } from '#std/random-id.ts'

import { eventsAnswer, jsonAnswer, linesAnswer, problemAnswer } from './answer.ts'
import type { ConsoleSite } from './console-site.ts'
import { type Guard, unattendedHeader } from './guard.ts'
import { metricsAnswer, metricsPath, metricsRight } from './metrics-answer.ts'
import { bodyOf } from './open-api.ts'
import { type AdminParts, scopedData } from './parts.ts'
import { checked, readBody, readQuery } from './read-input.ts'
import type { Asked, Changed, Route } from './route.ts'
import type { Matched, Router } from './router.ts'
import { secureHeaders } from './security-headers.ts'
import { sessionCookie, shownSession } from './session-cookie.ts'

export interface Answering {
  readonly parts: AdminParts
  readonly guard: Guard
  readonly router: Router
  readonly site: ConsoleSite
  /** Told of failures that are the gateway's own. */
  readonly report: (problem: AdminProblem, requestId: string) => void
}

/** One request from beginning to end: who sent it, what it asks for, whether it may, and only then the deed. */
export async function answerRequest(
  answering: Answering,
  request: Request,
  { address, unhurried }: Connection,
): Promise<Response> {
  const requestId = `adm_${randomHex(32)}`
  let headers = secureHeaders(requestId, false)
  try {
    const visitor = answering.guard.visitor(request.headers, address)
    headers = secureHeaders(requestId, visitor.isHttps)
    const { method, headers: asked } = request
    const path = pathOf(request.url)
    if (path === metricsPath) {
      answering.guard.check(method, asked)
      const admit = (): Promise<Actor> =>
        actorFor(answering.parts, metricsRight, { request, visitor })
      return await metricsAnswer(answering.parts.metrics, { request, visitor, headers, admit })
    }
    // What the console consists of is no secret, and a link from anywhere may lead to it.
    const page = await answering.site.answer({ method, path, asked, headers })
    if (page !== undefined) return page
    answering.guard.check(method, asked)
    const matched = answering.router.find(method, path)
    const actor = await actorFor(answering.parts, matched.route, { request, visitor })
    if (matched.route.manner === 'does') unhurried()
    return await carriedOut(answering, { request, matched, visitor, actor, requestId, headers })
  } catch (error) {
    const problem = AdminProblem.from(error)
    if (problem.status >= 500) answering.report(problem, requestId)
    return problemAnswer(problem, requestId, headers)
  }
}

export interface Connection {
  readonly address: string | undefined
  /** Lets the answer take as long as it takes. */
  readonly unhurried: () => void
}

interface Admitted {
  readonly request: Request
  readonly matched: Matched
  readonly visitor: Visitor
  readonly actor: Actor
  readonly requestId: string
  readonly headers: Headers
}

/** Who is not signed in sees nothing of any project. */
const nobody: Actor = { userId: '', name: 'nobody', role: 'viewer', projects: [], sessionId: '' }

async function actorFor(
  parts: AdminParts,
  { role, tenant }: Pick<Route, 'role' | 'tenant'>,
  { request, visitor }: { readonly request: Request; readonly visitor: Visitor },
): Promise<Actor> {
  if (role === 'anyone') return nobody
  const shown = shownSession(request.headers, visitor.isHttps)
  const isChannelSafe = visitor.isPrivate
  const actor =
    shown === undefined || !isChannelSafe
      ? undefined
      : await parts.sessions.actorOf(shown, { touch: !request.headers.has(unattendedHeader) })
  if (actor === undefined)
    throw new AdminProblem('session-missing', 'Nobody is signed in here, or not any more. Sign in.')
  if (!mayActAs(actor.role, role))
    throw new AdminProblem(
      'role-insufficient',
      `This takes the role ${role}; yours is ${actor.role}.`,
    )
  if (tenant === 'whole' && actor.projects !== 'all')
    throw new AdminProblem(
      'role-insufficient',
      'This is about all projects, and your account is bound to some.',
    )
  return actor
}

async function carriedOut(answering: Answering, admitted: Admitted): Promise<Response> {
  const { matched, headers } = admitted
  const { route } = matched
  const asked = await askedOf(answering, admitted)
  const value = await done(answering.parts, route, asked)
  switch (route.form) {
    case 'json':
      return jsonAnswer(route, value, headers)
    case 'events':
      return eventsAnswer(route, value as Parameters<typeof eventsAnswer>[1], headers)
    case 'lines':
      return linesAnswer(value as AsyncIterable<string>, headers)
    default:
      return route.form satisfies never
  }
}

async function askedOf({ parts }: Answering, admitted: Admitted): Promise<Asked> {
  const { request, matched, visitor, actor, requestId, headers } = admitted
  const { route, params } = matched
  const given = readQuery(new URL(request.url, 'http://localhost'))
  const query = route.query === undefined ? refuseAny(given) : checked(route.query, given)
  const body = await bodyFor(parts, { route, request, actor, visitor, requestId })
  const shown = shownSession(request.headers, visitor.isHttps)
  return {
    parts,
    data: scopedData(parts, actor.projects),
    actor,
    params,
    query,
    body,
    from: visitor,
    requestId,
    signal: request.signal,
    isStillIn: async () =>
      shown !== undefined &&
      (await parts.sessions.actorOf(shown, { touch: false }))?.role === actor.role,
    setSession: (session: NewSession | undefined) =>
      headers.set('set-cookie', sessionCookie(session, visitor.isHttps)),
    record: ({ id, name }, work) =>
      parts.audit.during({ actor: id, actorName: name, address: visitor.address, requestId }, work),
  }
}

interface Bodied {
  readonly requestId: string
  readonly route: Route
  readonly request: Request
  readonly actor: Actor
  readonly visitor: Visitor
}

/** What has passed the row's schema; the password that was asked for again has been checked and is not in it. */
async function bodyFor(parts: AdminParts, bodied: Bodied): Promise<unknown> {
  const { route, request, actor, visitor } = bodied
  if (route.method === 'GET') return undefined
  const given = await readBody(request, route.bodyBytes)
  const schema = bodyOf(route)
  if (schema === undefined) return refuseAny(given)
  const body = checked(schema, given)
  if (!route.reauthenticates) return body
  // The schema that has just been passed has this field, whatever the row's own are.
  const { yourPassword, ...rest } = body as { readonly yourPassword: string }
  await reauthenticated(parts, { actor, visitor, yourPassword, requestId: bodied.requestId })
  return rest
}

async function reauthenticated(
  parts: AdminParts,
  { actor, visitor, yourPassword, requestId }: Reauthentication,
): Promise<void> {
  const right = parts.attempts.begin(actor.name, visitor.address)
  const known = await parts.users.keptOf({ id: actor.userId })
  if (await parts.passwords.isRight(yourPassword, known?.kept)) return right()
  const who = { actor: actor.userId, actorName: actor.name, address: visitor.address, requestId }
  await parts.audit.note(who, { action: 'password-refused', object: `user:${actor.userId}` })
  throw new AdminProblem('password-wrong', 'This is not your password.', { param: 'yourPassword' })
}

interface Reauthentication {
  readonly actor: Actor
  readonly visitor: Visitor
  readonly yourPassword: string
  readonly requestId: string
}

/** Does it, and writes down that it was done, as the row's manner is. */
async function done(parts: AdminParts, route: Route, asked: Asked): Promise<unknown> {
  const { actor, from, requestId } = asked
  const who = { actor: actor.userId, actorName: actor.name, address: from.address, requestId }
  switch (route.manner) {
    case 'reads':
    case 'records':
      return route.handle(asked)
    case 'does':
      await parts.audit.note(who, { action: route.action, ...route.objectOf(asked) })
      return route.handle(asked)
    case 'changes':
      return parts.audit.during(who, async () => {
        // What a row of this manner gives is of this type: `changes` takes no other handler.
        const { answer, ...deed } = (await route.handle(asked)) as Changed<unknown>
        return { result: answer, deed: { action: route.action, ...deed } }
      })
    default:
      return route.manner satisfies never
  }
}

/** Where nothing is expected, whatever comes is one field too many. */
function refuseAny(given: unknown): undefined {
  const [first] = Object.keys(typeof given === 'object' && given !== null ? given : { body: given })
  if (first === undefined) return undefined
  throw new AdminProblem('request-invalid', 'Nothing is expected here.', {
    param: first.slice(0, 60),
  })
}

/** The path as it was sent, without its query: what is resolved first could be matched as something else. */
function pathOf(url: string): string {
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3)
  const query = url.indexOf('?', start)
  return query === -1 ? url.slice(start) : url.slice(start, query)
}
