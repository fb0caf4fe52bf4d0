import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { noUsage } from '#chat/usage.ts'
import { mayActAs, type Role } from '#console/access/role.ts'
import { type RouteName, routes } from '#console/api/route-table.ts'
import type { Route } from '#console/api/route.ts'
import { Router } from '#console/api/router.ts'
import { SqliteLedger } from '#ledger/ledger.ts'

import { adminRig, type AdminRig, type Browser, goodPassword, type Json } from './admin-rig.ts'

/** What there is to ask about: everything once in the actor's own project, and once in another. */
interface World {
  readonly project: string
  readonly key: string
  readonly exchange: string
}

interface Request {
  readonly path: string
  readonly body?: Json
}

const withPassword = { yourPassword: goodPassword }
const inOtherWords = 'a password for others'

/** A valid request of every route. Whoever adds a route has to say here what one looks like. */
const examples: Readonly<Record<RouteName, (world: World) => Promise<Request> | Request>> = {
  health: () => ({ path: '/healthz' }),
  ready: () => ({ path: '/readyz' }),
  'setup-status': () => ({ path: '/api/setup' }),
  setup: () => ({
    path: '/api/setup',
    body: { token: freshToken(), name: `setup ${++made}`, password: goodPassword },
  }),
  'sign-in': () => ({
    path: '/api/login',
    body: { name: admin.user.name, password: goodPassword },
  }),
  'sign-out': () => ({ path: '/api/logout' }),
  me: () => ({ path: '/api/me' }),
  'change-password': () => ({
    path: '/api/me/password',
    body: { ...withPassword, password: goodPassword },
  }),
  'own-sessions-list': () => ({ path: '/api/me/sessions' }),
  'own-sessions-end': () => ({ path: '/api/me/sessions/{own session}' }),
  'users-list': () => ({ path: '/api/users' }),
  'users-show': () => ({ path: `/api/users/${admin.user.id}` }),
  'users-create': () => ({
    path: '/api/users',
    body: { ...withPassword, name: `made ${++made}`, role: 'viewer', password: inOtherWords },
  }),
  'users-update': async () => ({
    path: `/api/users/${await newUser()}`,
    body: { ...withPassword, role: 'operator' },
  }),
  'users-set-password': async () => ({
    path: `/api/users/${await newUser()}/password`,
    body: { ...withPassword, password: inOtherWords },
  }),
  'users-remove': async () => ({ path: `/api/users/${await newUser()}` }),
  'sessions-list': () => ({ path: '/api/sessions' }),
  'sessions-end': async () => ({ path: `/api/sessions/${await newSession()}` }),
  'keys-list': () => ({ path: '/api/keys' }),
  'keys-show': ({ key }) => ({ path: `/api/keys/${key}` }),
  'keys-create': ({ project }) => ({
    path: '/api/keys',
    body: {
      name: 'made',
      projectId: project,
      budgets: [{ period: 'day', amount: 5_000_000 }],
    },
  }),
  'keys-update': ({ key }) => ({ path: `/api/keys/${key}`, body: { owner: 'somebody' } }),
  'keys-revoke': async (world) => ({ path: `/api/keys/${await newKey(world)}/revoke` }),
  'keys-rotate': ({ key }) => ({ path: `/api/keys/${key}/rotate`, body: {} }),
  'projects-list': () => ({ path: '/api/projects' }),
  'projects-show': ({ project }) => ({ path: `/api/projects/${project}` }),
  'projects-create': () => ({ path: '/api/projects', body: { name: `project ${++made}` } }),
  'projects-update': ({ project }) => ({
    path: `/api/projects/${project}`,
    body: { policy: { concurrency: 50 } },
  }),
  'projects-archive': async () => ({ path: `/api/projects/${await newProject()}/archive` }),
  'organisation-show': () => ({ path: '/api/organisation' }),
  'organisation-update': () => ({ path: '/api/organisation', body: { name: 'all of us' } }),
  'budgets-list': ({ key }) => ({ path: `/api/budgets?holder=key:${key}` }),
  'budgets-set': ({ key }) => ({
    path: `/api/budgets/key:${key}/month`,
    body: { amount: 70_000_000 },
  }),
  'budgets-remove': async ({ key }) => {
    await admin.ask('PUT', `/api/budgets/key:${key}/week`, { amount: 60_000_000 })
    return { path: `/api/budgets/key:${key}/week` }
  },
  'usage-report': ({ project }) => ({ path: `/api/usage?by=project,key&projectId=${project}` }),
  'exchanges-list': ({ project }) => ({ path: `/api/exchanges?projectId=${project}&since=0` }),
  'exchanges-show': ({ exchange }) => ({ path: `/api/exchanges/${exchange}` }),
  'content-show': ({ exchange }) => ({ path: `/api/exchanges/${exchange}/content` }),
  'content-erase': ({ exchange }) => ({ path: `/api/exchanges/${exchange}/content` }),
  'exchanges-correct': ({ exchange }) => ({
    path: `/api/exchanges/${exchange}/corrections`,
    body: { cost: ++made, reason: 'a mistake' },
  }),
  'usage-verify': () => ({ path: '/api/usage/verify' }),
  'usage-repair': () => ({ path: '/api/usage/repair', body: withPassword }),
  'usage-prune': () => ({ path: '/api/usage/prune', body: { ...withPassword, before: 1 } }),
  'usage-export': () => ({ path: '/api/usage/export', body: { ...withPassword, since: 0 } }),
  'models-list': () => ({ path: '/api/models' }),
  'upstreams-list': () => ({ path: '/api/upstreams' }),
  'upstreams-test': () => ({ path: '/api/upstreams/nowhere/test' }),
  'vendors-list': () => ({ path: '/api/vendors' }),
  'upstreams-try': () => ({
    path: '/api/upstream-trials',
    body: { name: 'new', protocol: 'chat-completions', url: 'http://127.0.0.1:9/v1' },
  }),
  'prices-list': () => ({ path: '/api/prices' }),
  'config-show': () => ({ path: '/api/config' }),
  live: () => ({ path: '/api/live' }),
  'engine-status': () => ({ path: '/api/engine' }),
  'engine-models': () => ({ path: '/api/engine/models' }),
  'engine-load': () => ({ path: '/api/engine/models/none/load' }),
  'engine-unload': () => ({ path: '/api/engine/models/none/unload' }),
  'engine-remove': () => ({ path: '/api/engine/models/none' }),
  'engine-pull': () => ({
    path: '/api/engine/pulls',
    body: { source: 'https://127.0.0.1/x.gguf' },
  }),
  'playground-show': () => ({ path: '/api/playground' }),
  'playground-chat-completions': ({ project }) => ({
    path: '/api/playground/chat-completions',
    body: { projectId: project, request: { model: 'none', messages: [] } },
  }),
  'playground-messages': ({ project }) => ({
    path: '/api/playground/messages',
    body: { projectId: project, request: { model: 'none', max_tokens: 9, messages: [] } },
  }),
  'audit-list': () => ({ path: '/api/audit' }),
  'audit-verify': () => ({ path: '/api/audit/verify' }),
  openapi: () => ({ path: '/api/openapi.json' }),
}

/** There is no engine in this gateway, so these get past every door and then no further. */
const withoutEngine = ['engine-load', 'engine-unload', 'engine-remove', 'engine-pull']

const names = Object.keys(routes) as RouteName[]
const rowOf = (name: RouteName): Route => routes[name]

let rig: AdminRig
let own: World
let other: World
let admin: Awaited<ReturnType<AdminRig['signedIn']>>
let tokens: string[] = []
let made = 0

beforeAll(async () => {
  rig = await adminRig({
    config: {
      upstreams: { nowhere: { protocol: 'chat-completions', url: 'http://127.0.0.1:9/v1' } },
    },
  })
  admin = await rig.signedIn('admin')
  own = await newWorld('own')
  other = await newWorld('other')
})

afterAll(() => rig[Symbol.asyncDispose]())

const freshToken = () => tokens.pop() ?? 'none'
const newUser = async () =>
  (
    await admin.ask('POST', '/api/users', {
      ...withPassword,
      name: `user ${++made}`,
      role: 'viewer',
      password: inOtherWords,
    })
  ).id
const newSession = async () => {
  const somebody = await rig.signedIn('viewer')
  return (await somebody.ask('GET', '/api/me')).sessionId
}
const newProject = async () =>
  (await admin.ask('POST', '/api/projects', { name: `project ${++made}` })).id
const newKey = async ({ project }: World) =>
  (await admin.ask('POST', '/api/keys', { name: 'key', projectId: project })).id

/** A project with a key, and an exchange that has ended. */
async function newWorld(name: string): Promise<World> {
  const { id: project } = await admin.ask('POST', '/api/projects', { name })
  const { id: key } = await admin.ask('POST', '/api/keys', {
    name: `key of ${name}`,
    projectId: project,
  })
  await using ledger = await SqliteLedger.open(rig.storage, { now: () => rig.clock.now })
  const exchange = `req_${name}`
  await ledger.begin({
    id: exchange,
    keyId: key,
    projectId: project,
    endpoint: 'chat',
    protocol: 'messages',
    model: 'm',
    stream: false,
    startedAt: rig.clock.now,
    hold: { base: 0, perMillionOutput: 0, outputCap: 10, leastOutput: 1 },
  })
  const outcome = { result: 'complete', attempts: 1, usage: noUsage, counted: 'none' } as const
  await ledger.settle(exchange, { ...outcome, cost: 0, totalMs: 5, notes: [] })
  return { project, key, exchange }
}

type Who = 'anonymous' | 'viewer' | 'operator' | 'admin' | 'bound viewer' | 'bound operator'
const everybody: readonly Who[] = [
  'anonymous',
  'viewer',
  'operator',
  'admin',
  'bound viewer',
  'bound operator',
]

const isBound = (who: Who) => who.startsWith('bound')
const roleOf = (who: Who) => who.replace('bound ', '') as Role

/** The browser of somebody who has just signed in: a session may end with what is asked. */
async function browserOf(who: Who): Promise<Browser> {
  if (who === 'anonymous') return rig.browser()
  return rig.signedIn(roleOf(who), isBound(who) ? [own.project] : undefined)
}

/** What belongs to one project: asked about another one's, it is not there. */
const isOfOneProject = (name: RouteName) =>
  ![
    'keys-list',
    'projects-list',
    'usage-report',
    'exchanges-list',
    'usage-export',
    'live',
  ].includes(name)

/** What the row says has to come of it. */
function expected(name: RouteName, who: Who, whose: 'own' | 'other'): number {
  const { role, tenant, status } = rowOf(name)
  const well = withoutEngine.includes(name) ? 409 : status
  if (role === 'anyone') return well
  if (who === 'anonymous') return 401
  if (!mayActAs(roleOf(who), role)) return 403
  if (!isBound(who) || tenant === 'none') return well
  if (tenant === 'whole') return 403
  return whose === 'other' && isOfOneProject(name) ? 404 : well
}

async function requestOf(name: RouteName, world: World, browser: Browser): Promise<Request> {
  const { path, body } = await examples[name](world)
  if (!path.includes('{own session}')) return { path, body }
  const response = await browser.send('GET', '/api/me')
  const { sessionId = 'none' } = response.ok ? ((await response.json()) as Json) : {}
  return { path: path.replace('{own session}', sessionId), body }
}

describe('the authorisation matrix, made from the route table:', () => {
  test('every route has an example, and every example leads to its route', async () => {
    expect(Object.keys(examples).toSorted()).toEqual(names.toSorted())
    const router = new Router(routes)
    for (const name of names) {
      const { path } = await examples[name](own)
      expect(router.find(rowOf(name).method, path.split('?')[0] ?? '').name).toBe(name)
    }
  })

  const cells = names.flatMap((name) =>
    everybody.flatMap((who) => (['own', 'other'] as const).map((whose) => ({ name, who, whose }))),
  )

  test.each(cells)('$name as $who about the $whose project', async ({ name, who, whose }) => {
    if (name === 'setup') await openSetup()
    const browser = await browserOf(who)
    const world = whose === 'own' ? own : other
    const { path, body } = await requestOf(name, world, browser)
    const { method, form } = rowOf(name)
    const response = await browser.send(method, path, body)
    const isStream = form === 'events' && response.ok
    const text = isStream ? await firstOf(response) : await response.text()
    expect({ status: response.status, text }).toEqual({ status: expected(name, who, whose), text })
    if (!isBound(who)) return
    for (const secret of [other.project, other.key, other.exchange])
      if (!path.includes(secret) && !JSON.stringify(body ?? null).includes(secret))
        expect(text).not.toContain(secret)
  })

  test('a path without a row is not there, for anybody', async () => {
    for (const path of [
      '/api',
      '/api/',
      '/api/nothing',
      '/api/keys/',
      '/api//keys',
      '/api/../api/users/x/y',
    ])
      for (const browser of [rig.browser(), admin])
        expect((await browser.send('GET', path)).status).toBe(404)
    expect((await admin.send('OPTIONS', '/api/keys')).status).toBe(405)
    expect((await admin.send('DELETE', '/api/keys')).status).toBe(405)
  })
})

describe('whoever is bound to a project', () => {
  test('finds nothing of another in lists, reports and searches', async () => {
    const bound = await rig.signedIn('operator', [own.project])
    for (const path of [
      '/api/keys',
      `/api/keys?projectId=${other.project}`,
      '/api/keys?search=key',
      '/api/projects',
      '/api/budgets',
      '/api/exchanges?since=0',
      `/api/exchanges?since=0&projectId=${other.project}`,
      '/api/exchanges?since=0&search=req_',
      '/api/usage?by=key,project&since=0',
      `/api/usage?by=key&since=0&keyId=${other.key}`,
    ]) {
      const text = JSON.stringify(await bound.ask('GET', path))
      for (const secret of [other.project, other.key, other.exchange])
        expect({ path, has: text.includes(secret) }).toEqual({ path, has: false })
    }
    const keys = await bound.ask('GET', '/api/keys')
    expect(keys.keys.map(({ id }: { id: string }) => id)).toContain(own.key)
  })

  test('makes no key in another, sets no budget above its keys, and moves no key', async () => {
    const bound = await rig.signedIn('operator', [own.project])
    const statusOf = async (...request: Parameters<Browser['send']>) =>
      (await bound.send(...request)).status
    expect(await statusOf('POST', '/api/keys', { name: 'x', projectId: other.project })).toBe(404)
    expect(await statusOf('POST', '/api/keys', { name: 'x' })).toBe(404)
    const amount = { amount: 1_000_000 }
    expect(await statusOf('PUT', `/api/budgets/project:${own.project}/day`, amount)).toBe(403)
    expect(await statusOf('PUT', `/api/budgets/project:${other.project}/day`, amount)).toBe(404)
    expect(await statusOf('PUT', '/api/budgets/org/day', amount)).toBe(404)
    const moved = { projectId: own.project }
    expect(await statusOf('PATCH', `/api/keys/${other.key}`, moved)).toBe(400)
    expect(await statusOf('PATCH', `/api/keys/${other.key}`, { name: 'mine' })).toBe(404)
  })

  test('is told of the upstreams, and not of what others ask them for', async () => {
    const { key } = await admin.ask('POST', '/api/keys', { name: 'a', projectId: other.project })
    const chat = { model: 'nowhere/of-another', messages: [{ role: 'user', content: 'hi' }] }
    const headers = { authorization: `Bearer ${key}` }
    await (await rig.gateway.post('/v1/chat/completions', chat, headers)).text()
    const bound = await rig.signedIn('viewer', [own.project])
    const { upstreams } = await bound.ask('GET', '/api/upstreams')
    expect(upstreams).toMatchObject([{ name: 'nowhere', targets: [] }])
    expect(JSON.stringify(await admin.ask('GET', '/api/upstreams'))).toContain('of-another')
  })

  test('sees nothing at all when bound to no project', async () => {
    const bound = await rig.signedIn('operator', [])
    expect(await bound.ask('GET', '/api/keys')).toEqual({ keys: [], next: null })
    expect(await bound.ask('GET', '/api/exchanges?since=0')).toEqual({ exchanges: [], next: null })
    expect((await bound.ask('GET', '/api/usage?since=0')).usage).toEqual([])
    expect(await bound.ask('GET', '/api/budgets')).toEqual({ budgets: [], next: null })
  })
})

async function openSetup(): Promise<void> {
  const { SetupTokens } = await import('#console/access/setup.ts')
  const token = await new SetupTokens(rig.storage, () => rig.clock.now).issue()
  tokens = [token.reveal()]
}

/** The first part of a stream, which is left then. */
async function firstOf(response: Response): Promise<string> {
  for await (const bytes of response.body ?? []) return new TextDecoder().decode(bytes)
  return ''
}
