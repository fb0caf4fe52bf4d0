import { describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Budgets } from '#budgets/budgets.ts'
import type { KeyOrder } from '#keys/key-order.ts'
import { Storage } from '#storage/database.ts'

import { asked, recorded, recording } from './chat-callers.ts'
import {
  json,
  type RecordedRequest,
  type Script,
  startScriptedUpstream,
} from './scripted-upstream.ts'
import { startGateway, type TestGateway } from './start-gateway.ts'

// What a key, its project and the organisation allow, as callers of both protocols meet it.

const answering = (request: RecordedRequest): Script => {
  if (request.path === '/v1/models') return json(200, recording('models.json'))
  if (request.path === '/v1/embeddings') return json(200, recording('embeddings.json'))
  return recorded('text')(request)
}

/** Two upstreams, and a name of the config that both serve. */
async function started(database?: string) {
  const [one, other] = await Promise.all([
    startScriptedUpstream(answering),
    startScriptedUpstream(answering),
  ])
  const gateway = await startGateway(
    {
      upstreams: {
        one: { protocol: 'chat-completions', url: one.url, key: 'k' },
        other: { protocol: 'chat-completions', url: other.url, key: 'k' },
      },
      models: { fast: { targets: ['one/gpt-4o-mini', 'other/gpt-4o-mini'] } },
      prices: { 'one/*': { input: 1000, output: 1000 }, 'other/*': { input: 1000, output: 1000 } },
    },
    database,
  )
  return {
    gateway,
    one,
    other,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]()
      await Promise.all([one, other].map((upstream) => upstream[Symbol.asyncDispose]()))
    },
  }
}

type Policy = NonNullable<KeyOrder['policy']>

/** The headers of a new key. */
async function keyWith(
  { gateway }: TestGateway,
  policy: Policy,
  order: Partial<KeyOrder> = {},
): Promise<{ authorization: string; id: string }> {
  const { id, key } = await gateway.keys.issue({ name: 'n', ...order, policy })
  return { id, authorization: `Bearer ${key.reveal()}` }
}

const chatBody = { ...asked, model: 'fast' }
const messagesBody = { ...chatBody, max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }] }

/** Asks for a chat under a key in both protocols: the statuses, the errors, and who answered. */
async function both(gateway: TestGateway, authorization: string, model: string) {
  const chat = await gateway.post('/v1/chat/completions', { ...chatBody, model }, { authorization })
  const messages = await gateway.post('/v1/messages', { ...messagesBody, model }, { authorization })
  return {
    statuses: [chat.status, messages.status],
    targets: [chat, messages].map(({ headers }) => headers.get('x-parley-target')),
    retries: [chat, messages].map(({ headers }) => headers.get('x-should-retry')),
    errors: await Promise.all([chat, messages].map(errorOf)),
  }
}

async function errorOf(response: Response): Promise<{ readonly message: string } | undefined> {
  const { error } = (await response.json()) as { error?: { message: string } }
  return error
}

describe('a model that a key may not use', () => {
  test.each([
    ['the key', 0],
    ['the project', 1],
    ['the organisation', 2],
  ])(
    'is refused in the words of each protocol if %s does not allow it (V07 AUTH-09)',
    async (_who, level) => {
      await using rig = await started()
      const { gateway } = rig
      const policy = { models: ['text-*'] }
      if (level === 2) await gateway.gateway.keys.projects.updateOrganisation({ policy })
      const project = await gateway.gateway.keys.projects.create({
        name: 'search',
        policy: level === 1 ? policy : {},
      })
      const { authorization } = await keyWith(gateway, level === 0 ? policy : {}, {
        projectId: project.id,
      })
      const { statuses, errors, retries } = await both(gateway, authorization, 'fast')
      expect(statuses).toEqual([403, 403])
      expect(errors[0]).toMatchObject({
        type: 'invalid_request_error',
        code: 'model_not_found',
        param: null,
      })
      expect(errors[1]).toMatchObject({ type: 'permission_error' })
      for (const error of errors) expect(error?.message).toContain('may not use the model `fast`')
      expect(retries).toEqual(['false', 'false'])
      const upstreamChats = [rig.one, rig.other].flatMap(({ requests }) =>
        requests.filter(({ method }) => method === 'POST'),
      )
      expect(upstreamChats).toEqual([])
    },
  )

  test('is used by its name, or by those of its targets that are allowed', async () => {
    await using rig = await started()
    const byName = await keyWith(rig.gateway, { models: ['fa*'] })
    const byTarget = await keyWith(rig.gateway, { models: ['other/*'] })
    const named = await both(rig.gateway, byName.authorization, 'fast')
    expect(named.targets).toEqual(['one/gpt-4o-mini', 'one/gpt-4o-mini'])
    const targeted = await both(rig.gateway, byTarget.authorization, 'fast')
    expect(targeted.targets).toEqual(['other/gpt-4o-mini', 'other/gpt-4o-mini'])
    expect((await both(rig.gateway, byTarget.authorization, 'one/gpt-4o-mini')).statuses).toEqual([
      403, 403,
    ])
  })

  test('stands in no list, and cannot be looked at', async () => {
    await using rig = await started()
    const { authorization } = await keyWith(rig.gateway, { models: ['text-embedding-*'] })
    const get = (path: string) => fetch(`${rig.gateway.url}${path}`, { headers: { authorization } })
    const { data } = (await (await get('/v1/models')).json()) as { data: { id: string }[] }
    expect(data.map(({ id }) => id)).toEqual(['text-embedding-3-small'])
    expect((await get('/v1/models/text-embedding-3-small')).status).toBe(200)
    expect((await get('/v1/models/fast')).status).toBe(404)
  })
})

describe('a key for some endpoints or networks', () => {
  test('is refused at all others, before its body is read', async () => {
    await using rig = await started()
    const { authorization } = await keyWith(rig.gateway, { endpoints: ['chat-completions'] })
    const { statuses, errors } = await both(rig.gateway, authorization, 'fast')
    expect(statuses).toEqual([200, 403])
    expect(errors[1]).toMatchObject({ type: 'permission_error' })
    const others = [
      rig.gateway.post('/v1/embeddings', '{"no":', { authorization }),
      rig.gateway.post('/v1/messages/count_tokens', messagesBody, { authorization }),
      fetch(`${rig.gateway.url}/v1/models`, { headers: { authorization } }),
    ]
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([403, 403, 403])
  })

  test('is refused from elsewhere', async () => {
    await using rig = await started()
    const inside = await keyWith(rig.gateway, { addresses: ['127.0.0.0/8', '::1'] })
    const outside = await keyWith(rig.gateway, { addresses: ['10.0.0.0/8'] })
    expect((await both(rig.gateway, inside.authorization, 'fast')).statuses).toEqual([200, 200])
    const refused = await both(rig.gateway, outside.authorization, 'fast')
    expect(refused.statuses).toEqual([403, 403])
    expect(refused.errors[0]).toMatchObject({
      type: 'invalid_request_error',
      code: 'permission_denied',
    })
    expect(refused.errors[1]?.message).toContain('may not be used from 127.0.0.1')
  })
})

test('a key that is changed in the server itself is held to it at once', async () => {
  await using rig = await started()
  const { keys } = rig.gateway.gateway
  const project = await keys.projects.create({ name: 'search' })
  const { id, authorization } = await keyWith(rig.gateway, {}, { projectId: project.id })
  expect((await both(rig.gateway, authorization, 'fast')).statuses).toEqual([200, 200])
  await keys.update(id, { policy: { models: ['other/gpt-9'] } })
  expect((await both(rig.gateway, authorization, 'fast')).statuses).toEqual([403, 403])
  await keys.update(id, { policy: { models: null } })
  expect((await both(rig.gateway, authorization, 'fast')).statuses).toEqual([200, 200])
})

test('the most tokens of an answer are those that the strictest above a key allows', async () => {
  await using rig = await started()
  const { authorization } = await keyWith(rig.gateway, { maxTokens: 40 })
  const { statuses } = await both(rig.gateway, authorization, 'fast')
  expect(statuses).toEqual([200, 200])
  const sent = rig.one.requests
    .filter(({ method }) => method === 'POST')
    .map((request) => request.json() as Record<string, unknown>)
  expect(sent.map((body) => body['max_completion_tokens'] ?? body['max_tokens'])).toEqual([40, 40])
})

test('a budget that is spent is said so, for good until its period ends (ERR-02)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-policy-'))
  try {
    const file = join(folder, 'parley.db')
    await using rig = await started(file)
    using storage = await Storage.open(file)
    const budgets = new Budgets(storage)
    const rich = await keyWith(rig.gateway, {})
    const poor = await keyWith(rig.gateway, {})
    await budgets.set(`key:${rich.id}`, 'month', { amount: 100_000_000, isStrict: true })
    await budgets.set(`key:${poor.id}`, 'month', { amount: 1, isStrict: true })
    expect((await both(rig.gateway, rich.authorization, 'fast')).statuses).toEqual([200, 200])
    expect((await budgets.list(`key:${rich.id}`))[0]?.used).toBeGreaterThan(0)
    const asks = rig.one.requests.length
    const { statuses, errors, retries } = await both(rig.gateway, poor.authorization, 'fast')
    expect(statuses).toEqual([429, 429])
    expect(retries).toEqual(['false', 'false'])
    expect(errors[0]).toMatchObject({ type: 'insufficient_quota', code: 'insufficient_quota' })
    expect(errors[1]).toMatchObject({ type: 'rate_limit_error' })
    expect(rig.one.requests).toHaveLength(asks)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
