import { expect, test } from 'bun:test'

import { asked } from './messages-callers.ts'
import {
  json,
  neverAnswer,
  type RecordedRequest,
  type Script,
  type Scripts,
  type ScriptedUpstream,
  startScriptedUpstream,
} from './scripted-upstream.ts'
import { startGateway, type TestGateway } from './start-gateway.ts'

// A count of tokens costs nothing, so one that takes unusually long is asked of the next target too.

const counted = (tokens: number): Script => json(200, { input_tokens: tokens })

/** Answers so many counts at once, and then leaves every one unanswered. */
function falling(silent: number): Scripts {
  return ({ index }) => (index < silent ? counted(1) : neverAnswer)
}

interface Rig extends AsyncDisposable {
  readonly one: ScriptedUpstream
  readonly two: ScriptedUpstream
  readonly gateway: TestGateway
  readonly count: (headers?: Readonly<Record<string, string>>) => Promise<Response>
}

async function rig(first: Scripts, second: Scripts): Promise<Rig> {
  const one = await startScriptedUpstream(first)
  const two = await startScriptedUpstream(second)
  const at = ({ origin }: ScriptedUpstream) => ({
    protocol: 'messages',
    url: origin,
    serves: ['m'],
  })
  const gateway = await startGateway({
    upstreams: { one: at(one), two: at(two) },
    models: { m: { targets: ['one/m', 'two/m'] } },
  })
  const { model, messages } = asked
  return {
    one,
    two,
    gateway,
    count: (headers = {}) =>
      gateway.post('/v1/messages/count_tokens', { model, messages }, headers),
    [Symbol.asyncDispose]: async () => {
      await gateway[Symbol.asyncDispose]()
      await one[Symbol.asyncDispose]()
      await two[Symbol.asyncDispose]()
    },
  }
}

/** So many answers tell what is usual; until then nothing is asked twice. */
const enough = 20

async function learn({ count }: Rig, times: number): Promise<void> {
  for (let at = 0; at < times; at++) await (await count()).text()
}

const hasty = { 'x-stainless-timeout': '0.3' }

test('a count that takes longer than usual is given by the next target, and the slow one is let go of', async () => {
  await using up = await rig(falling(enough), () => counted(2))
  await learn(up, enough)
  expect(up.two.requests.length).toBe(0)
  const response = await up.count()
  expect(response.headers.get('x-parley-target')).toBe('two/m')
  expect(await response.json()).toEqual({ input_tokens: 2 })
  const slow = await up.one.request(enough)
  await slow.closed
})

test('one of fifty is asked twice at most: beyond that a slow target is waited for', async () => {
  await using up = await rig(falling(enough), () => counted(2))
  await learn(up, enough)
  expect((await up.count()).status).toBe(200)
  expect((await up.count(hasty)).status).toBe(504)
  expect(up.two.requests.length).toBe(1)
})

test('what is usual is not known of a target that was asked a few times, so it is waited for', async () => {
  await using up = await rig(falling(enough - 1), () => counted(2))
  await learn(up, enough - 1)
  expect((await up.count(hasty)).status).toBe(504)
  expect(up.two.requests.length).toBe(0)
})

test('a target that cannot count does not outrun one that can', async () => {
  const gate = Promise.withResolvers<void>()
  const slowly = async ({ index }: RecordedRequest): Promise<Script> => {
    if (index >= enough) await gate.promise
    return counted(1)
  }
  await using up = await rig(slowly, () => json(404, '404 page not found'))
  await learn(up, enough)
  const counting = up.count()
  await up.two.request(0)
  gate.resolve()
  const response = await counting
  expect(response.headers.get('x-parley-target')).toBe('one/m')
  expect(await response.json()).toEqual({ input_tokens: 1 })
})

test('a chat is never asked twice, however long it takes', async () => {
  const message = json(200, { type: 'message', id: 'msg_1', content: [], usage: {} })
  const gate = Promise.withResolvers<void>()
  const slowly = async ({ path, index }: RecordedRequest): Promise<Script> => {
    if (path.endsWith('count_tokens')) return counted(1)
    if (index >= enough) await gate.promise
    return message
  }
  await using up = await rig(slowly, () => message)
  await learn(up, enough)
  const chatting = up.gateway.post('/v1/messages', asked)
  await up.one.request(enough)
  await learn(up, 1)
  gate.resolve()
  expect((await chatting).headers.get('x-parley-target')).toBe('one/m')
  expect(up.two.requests.filter(({ path }) => path === '/v1/messages')).toEqual([])
})
