import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'

import { SseReader } from '#std/sse.ts'

import { adminRig, type AdminRig, type Browser, type Json } from './admin-rig.ts'
import { newPerson } from './run-parley.ts'
import { until } from './until.ts'

// The playground's part of the admin API, in front of the real gateway with the real engine and its model in the box.

setDefaultTimeout(30_000)

const model = 'parley-mini'

let rig: AdminRig
let operator: Awaited<ReturnType<AdminRig['signedIn']>>
beforeAll(async () => {
  rig = await adminRig({ config: { engine: {} } })
  operator = await rig.signedIn('operator')
})
afterAll(() => rig[Symbol.asyncDispose]())

interface Told {
  readonly event: string
  readonly data: Json
}

async function told(response: Response): Promise<readonly Told[]> {
  const reader = new SseReader()
  const frames = reader.push(await response.bytes())
  return frames.map(({ event, data }) => ({ event, data: JSON.parse(data) }))
}

const chat = '/api/playground/chat-completions'
const messages = '/api/playground/messages'
const hello = { model, max_tokens: 12, messages: [{ role: 'user', content: 'Hello!' }] }

const ask = async (browser: Browser, path: string, body: object) =>
  told(await browser.send('POST', path, body))

const only = (events: readonly Told[], event: string): Json =>
  events.find((one) => one.event === event)?.data

describe('an answer', () => {
  test('comes as it is streamed by chat completions, and the ledger says what it was', async () => {
    const events = await ask(operator, chat, { request: { ...hello, stream: true } })
    expect(events[0]).toMatchObject({ event: 'head', data: { status: 200 } })
    const frames = events.filter(({ event }) => event === 'frame').map(({ data }) => data.data)
    expect(frames.at(-1)).toBe('[DONE]')
    expect(JSON.parse(frames[0])).toMatchObject({ object: 'chat.completion.chunk' })
    const { exchange } = only(events, 'ended')
    expect(exchange).toMatchObject({ id: only(events, 'head').requestId, asked: model, cost: 0 })
    expect(exchange.output).toBeGreaterThan(0)
  })

  test('comes as it is streamed by messages', async () => {
    const events = await ask(operator, messages, { request: { ...hello, stream: true } })
    const frames = events.filter(({ event }) => event === 'frame').map(({ data }) => data.event)
    expect([frames[0], frames.at(-1)]).toEqual(['message_start', 'message_stop'])
    expect(only(events, 'ended').exchange).toMatchObject({ protocol: 'messages' })
  })

  test('comes as one body where no stream was asked for', async () => {
    for (const path of [chat, messages]) {
      const events = await ask(operator, path, { request: hello })
      expect(events.map(({ event }) => event)).toEqual(['head', 'body', 'ended'])
      expect(JSON.parse(only(events, 'body').text)).toMatchObject({ model })
    }
  })

  test("is the gateway's own refusal, word for word, where it refuses", async () => {
    const events = await ask(operator, chat, { request: { ...hello, model: 'none' } })
    expect(only(events, 'head')).toMatchObject({ status: 404, target: null })
    expect(JSON.parse(only(events, 'body').text).error.message).toContain('none')
  })

  test('ends where its reader leaves, and is in the ledger as such', async () => {
    const leaving = new AbortController()
    const response = await fetch(`${rig.url}${chat}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-parley-csrf': '1',
        cookie: operator.cookie,
      },
      body: JSON.stringify({
        request: {
          ...hello,
          max_tokens: 4000,
          stream: true,
          messages: [{ role: 'user', content: 'Count for as long as you can.' }],
        },
      }),
      signal: leaving.signal,
    })
    const reader = response.body?.getReader()
    await reader?.read()
    leaving.abort()
    await until(() => rig.gateway.gateway.inFlight === 0)
  })
})

describe('the key of the playground', () => {
  test('is one for each user and project, told of in the log, and never in an answer', async () => {
    const { id: project } = await operator.ask('POST', '/api/projects', { name: 'trying out' })
    const order = { projectId: project, request: hello }
    const [first, second] = await Promise.all([
      operator.send('POST', chat, order),
      operator.send('POST', messages, order),
    ])
    expect(await first.text()).not.toMatch(/gk_live_|gk_/)
    expect(await second.text()).not.toMatch(/gk_live_|gk_/)
    const { keys } = await operator.ask('GET', `/api/keys?projectId=${project}`)
    expect(keys).toHaveLength(1)
    expect(keys[0]).toMatchObject({
      name: `playground of ${operator.user.name}`,
      owner: operator.user.name,
      status: 'active',
    })
    expect(keys[0].expiresAt).toBeLessThanOrEqual(Date.now() + 3_600_000)
    const admin = await rig.signedIn('admin')
    const { rows } = await admin.ask('GET', '/api/audit?limit=20')
    const told = rows.map(({ action, object }: Json) => `${action} ${object}`)
    expect(told).toContain(`playground-key key:${keys[0].id}`)
    expect(told.filter((row: string) => row === `playground-ask project:${project}`)).toHaveLength(
      2,
    )
  })

  test('is made anew where somebody has revoked it', async () => {
    const { id: project } = await operator.ask('POST', '/api/projects', { name: 'revoked' })
    const order = { projectId: project, request: hello }
    expect(only(await ask(operator, chat, order), 'head').status).toBe(200)
    const { keys } = await operator.ask('GET', `/api/keys?projectId=${project}`)
    await operator.ask('POST', `/api/keys/${keys[0].id}/revoke`)
    expect(only(await ask(operator, chat, order), 'head').status).toBe(401)
    expect(only(await ask(operator, chat, order), 'head').status).toBe(200)
  })

  test('is held to what its project may do', async () => {
    const { id: project } = await operator.ask('POST', '/api/projects', {
      name: 'only messages',
      policy: { endpoints: ['messages'] },
    })
    const order = { projectId: project, request: hello }
    expect(only(await ask(operator, messages, order), 'head').status).toBe(200)
    expect(only(await ask(operator, chat, order), 'head').status).toBe(403)
  })
})

test('the gateway is asked on this machine, whatever proxy the environment names', async () => {
  await using person = newPerson(30_000)
  const config = person.write('parley.yaml', 'engine: { enabled: false }\n')
  const nowhere = 'http://127.0.0.1:1'
  const { adminUrl, setupUrl } = await person.serve(['--config', config], {
    HTTP_PROXY: nowhere,
    http_proxy: nowhere,
  })
  const headers = { 'content-type': 'application/json', 'x-parley-csrf': '1' }
  const token = setupUrl?.split('#')[1]
  const made = await fetch(`${adminUrl}/api/setup`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ token, name: 'ada', password: 'correct horse battery' }),
  })
  const cookie = made.headers.get('set-cookie')?.split(';')[0] ?? ''
  const response = await fetch(`${adminUrl}${chat}`, {
    method: 'POST',
    headers: { ...headers, cookie },
    body: JSON.stringify({ request: hello }),
  })
  expect(only(await told(response), 'head')).toMatchObject({ status: 404, target: null })
})

describe('who may not', () => {
  test('asks in no project of others', async () => {
    const { id: mine } = await operator.ask('POST', '/api/projects', { name: 'mine' })
    const bound = await rig.signedIn('operator', [mine])
    expect((await bound.send('POST', chat, { projectId: mine, request: hello })).status).toBe(200)
    expect((await bound.send('POST', chat, { request: hello })).status).toBe(404)
  })

  test('asks nothing at all as a viewer', async () => {
    const viewer = await rig.signedIn('viewer')
    for (const path of [chat, messages])
      expect((await viewer.send('POST', path, { request: hello })).status).toBe(403)
  })

  test('sends more than the largest body', async () => {
    const large = { ...hello, messages: [{ role: 'user', content: 'x'.repeat(17 * 1024 * 1024) }] }
    expect((await operator.send('POST', chat, { request: large })).status).toBe(413)
    const picture = { ...hello, extra: 'x'.repeat(1024 * 1024) }
    expect((await operator.send('POST', chat, { request: picture })).status).toBe(200)
    const elsewhere = { name: 'x'.repeat(300 * 1024) }
    expect((await operator.send('POST', '/api/keys', elsewhere)).status).toBe(413)
  })
})
