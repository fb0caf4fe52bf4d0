import { describe, expect, test } from 'bun:test'

import { asked, recorded } from './chat-callers.ts'
import { LedgerFile } from './messages-callers.ts'
import {
  json,
  neverAnswer,
  reset,
  type Scripts,
  type ScriptedUpstream,
  startScriptedUpstream,
} from './scripted-upstream.ts'
import { startGateway, type TestGateway } from './start-gateway.ts'

// Which of several targets answers, and what is tried when one does not.

const busy = json(429, { error: { message: 'Slow down.' } }, { 'retry-after': '20' })
const broken = json(500, { error: { message: 'Out of order.' } })

interface Rig extends AsyncDisposable {
  readonly gateway: TestGateway
  readonly one: ScriptedUpstream
  readonly two: ScriptedUpstream
  /** Sends a request, and says the status and the target. */
  readonly ask: (
    members?: object,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<{ status: number; target: string | null; route: string | null }>
}

/** Two upstreams behind one name. */
async function rig(
  scripts: readonly [Scripts, Scripts],
  alias: object = {},
  database?: string,
): Promise<Rig> {
  const one = await startScriptedUpstream(scripts[0])
  const two = await startScriptedUpstream(scripts[1])
  const settings = ({ url }: ScriptedUpstream) => ({
    protocol: 'chat-completions',
    url,
    serves: ['m'],
  })
  const gateway = await startGateway(
    {
      upstreams: { one: settings(one), two: settings(two) },
      models: { fast: { targets: ['one/m', 'two/m'], ...alias } },
      engine: { enabled: false },
    },
    database,
  )
  return {
    gateway,
    one,
    two,
    ask: async (members = {}, headers = {}) => {
      const body = { ...asked, model: 'fast', ...members }
      const response = await gateway.post('/v1/chat/completions', body, headers)
      await response.text()
      return {
        status: response.status,
        target: response.headers.get('x-parley-target'),
        route: response.headers.get('x-parley-route'),
      }
    },
    [Symbol.asyncDispose]: async () => {
      await gateway[Symbol.asyncDispose]()
      await one[Symbol.asyncDispose]()
      await two[Symbol.asyncDispose]()
    },
  }
}

const good = recorded('text')

describe('of several targets', () => {
  test('one that fails again and again is passed over, and the ledger says why', async () => {
    using ledger = new LedgerFile()
    await using up = await rig([() => broken, good], {}, ledger.path)
    for (let at = 0; at < 8; at++) expect((await up.ask()).target).toBe('two/m')
    expect(up.one.requests.length).toBe(5)
    const told = await up.ask({}, { 'x-parley-explain': '1' })
    expect(told.route).toBe('fallback; last resort: one/m breaker open')
    const rows = ledger.rows as readonly { route: string; tries: string; attempts: number }[]
    expect(rows.map(({ attempts }) => attempts)).toEqual([2, 2, 2, 2, 2, 1, 1, 1, 1])
    expect(rows.at(0)?.route).toBe('fallback')
    expect(rows.at(-1)?.route).toBe('fallback; last resort: one/m breaker open')
    expect(JSON.parse(rows.at(0)?.tries ?? '')).toMatchObject([
      { target: 'one/m', result: 'upstream-failed' },
      { target: 'two/m', result: 'answered' },
    ])
  })

  test('one that is busy is left alone for as long as it asks', async () => {
    await using up = await rig([() => busy, good])
    for (let at = 0; at < 5; at++) expect((await up.ask()).target).toBe('two/m')
    expect(up.one.requests.length).toBe(1)
  })

  test('the only one that there is, is asked however ill it is', async () => {
    await using up = await rig([() => broken, good], { targets: ['one/m'] })
    const headers = { 'x-stainless-retry-count': '1' }
    for (let at = 0; at < 8; at++) expect((await up.ask({}, headers)).status).toBe(502)
    expect(up.one.requests.length).toBe(8)
  })

  test('a conversation stays with one, and conversations are spread', async () => {
    await using up = await rig([good, good], { strategy: 'sticky' })
    const targets = new Set<string | null>()
    for (let at = 0; at < 12; at++) {
      const first = [{ role: 'user', content: `Conversation ${at}` }]
      const { target } = await up.ask({ messages: first })
      targets.add(target)
      const answer = { role: 'assistant', content: 'Yes?' }
      const second = [...first, answer, { role: 'user', content: 'Go on.' }]
      expect((await up.ask({ messages: second })).target).toBe(target)
    }
    expect(targets).toEqual(new Set(['one/m', 'two/m']))
  })

  test('the weights say who has how much to do', async () => {
    const targets = [
      { target: 'one/m', weight: 1 },
      { target: 'two/m', weight: 9_999_99 },
    ]
    await using up = await rig([good, good], { strategy: 'weighted', targets })
    for (let at = 0; at < 10; at++) await up.ask()
    expect(up.two.requests.length).toBeGreaterThanOrEqual(9)
  })

  test('the cheapest is asked first, where prices are known', async () => {
    const one = await startScriptedUpstream(good)
    const two = await startScriptedUpstream(good)
    await using gateway = await startGateway({
      upstreams: {
        one: { protocol: 'chat-completions', url: one.url, serves: ['m'] },
        two: { protocol: 'chat-completions', url: two.url, serves: ['m'] },
      },
      models: { fast: { targets: ['one/m', 'two/m'], strategy: 'cheapest' } },
      prices: { 'one/*': { input: 3, output: 15 }, 'two/*': { input: 0.1, output: 0.3 } },
    })
    const response = await gateway.post('/v1/chat/completions', { ...asked, model: 'fast' })
    expect(response.headers.get('x-parley-target')).toBe('two/m')
    await one[Symbol.asyncDispose]()
    await two[Symbol.asyncDispose]()
  })

  test('one that takes no images is not asked for them', async () => {
    const one = await startScriptedUpstream(good)
    const two = await startScriptedUpstream(good)
    const url = (up: ScriptedUpstream) => ({ protocol: 'chat-completions', url: up.url })
    await using gateway = await startGateway({
      upstreams: {
        one: { ...url(one), serves: ['m'], profile: { takesImages: false, contextSize: 100 } },
        two: { ...url(two), serves: ['m'] },
      },
      models: {
        fast: { targets: ['one/m', 'two/m'] },
        small: { targets: ['one/m', 'one/other'] },
      },
    })
    const ask = async (model: string, content: unknown) =>
      gateway.post('/v1/chat/completions', { model, messages: [{ role: 'user', content }] })
    const image = [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }]
    expect((await ask('fast', 'Hello')).headers.get('x-parley-target')).toBe('one/m')
    expect((await ask('fast', image)).headers.get('x-parley-target')).toBe('two/m')
    expect((await ask('fast', 'x'.repeat(2000))).headers.get('x-parley-target')).toBe('two/m')
    const refused = await ask('small', image)
    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain('takes images')
    await one[Symbol.asyncDispose]()
    await two[Symbol.asyncDispose]()
  })
})

describe('a rescue', () => {
  const rescue = { targets: ['one/m'], rescue: 'two/m' }

  test('answers, and says so, when all others have failed and the caller accepts it', async () => {
    await using up = await rig([() => broken, good], rescue)
    const body = { ...asked, model: 'fast' }
    const headers = { 'x-parley-rescue': 'accept' }
    const response = await up.gateway.post('/v1/chat/completions', body, headers)
    expect(response.status).toBe(200)
    expect(response.headers.get('x-parley-rescue')).toBe('two/m')
    expect(response.headers.get('x-parley-target')).toBe('two/m')
  })

  test('is not asked for a caller who did not accept it, nor while another answers', async () => {
    await using up = await rig([() => broken, good], rescue)
    expect((await up.ask()).status).toBe(502)
    await using well = await rig([good, good], rescue)
    const told = await well.ask({}, { 'x-parley-rescue': 'accept' })
    expect(told.target).toBe('one/m')
    expect(up.two.requests.length + well.two.requests.length).toBe(0)
  })
})

describe('a caller', () => {
  test('who waits no longer is told so when that time is over, all attempts together', async () => {
    await using up = await rig([() => neverAnswer, () => neverAnswer])
    const { status } = await up.ask({}, { 'x-stainless-timeout': '0.2' })
    expect(status).toBe(504)
    expect(up.one.requests.length + up.two.requests.length).toBe(1)
  })

  test('who waits no longer is charged for what was read, and the target is not thought the worse of', async () => {
    using ledger = new LedgerFile()
    await using up = await rig([() => neverAnswer, good], {}, ledger.path)
    const hasty = { 'x-stainless-timeout': '0.05' }
    for (let at = 0; at < 6; at++) expect((await up.ask({}, hasty)).status).toBe(504)
    const rows = ledger.rows as readonly { result: string; input: number; counted: string }[]
    for (const row of rows)
      expect(row).toMatchObject({ result: 'answer-overdue', counted: 'estimated' })
    expect(rows.every(({ input }) => input > 0)).toBe(true)
    expect(up.one.requests.length).toBe(6)
  })

  test('whose request must not be carried out twice is not helped by doing so', async () => {
    await using up = await rig([() => [reset], good])
    expect(await up.ask({ store: true })).toMatchObject({ status: 502, target: null })
    expect(await up.ask()).toMatchObject({ status: 200, target: 'two/m' })
  })

  test('whose request must not be carried out twice: not even where a connection may have been stale', async () => {
    await using up = await rig([(one) => (one.index === 0 ? good(one) : [reset]), good])
    expect(await up.ask()).toMatchObject({ status: 200, target: 'one/m' })
    expect(await up.ask({ store: true })).toMatchObject({ status: 502, target: null })
    expect(up.one.requests.length).toBe(2)
  })
})
