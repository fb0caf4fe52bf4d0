import { describe, expect, test } from 'bun:test'

import { asked as askedChat } from './chat-callers.ts'
import { asked as askedMessages, bothLanes, hello, servedBy } from './messages-callers.ts'
import { startScriptedUpstream } from './scripted-upstream.ts'
import { startGateway, type TestGateway } from './start-gateway.ts'

// What a key may do, and what its callers are told of it, in both protocols.

type Order = Parameters<TestGateway['gateway']['keys']['issue']>[0]

const paths = {
  'chat-completions': '/v1/chat/completions',
  messages: '/v1/messages',
} as const

const bodies = { 'chat-completions': askedChat, messages: askedMessages } as const

type Caller = keyof typeof paths

const callers: readonly Caller[] = ['chat-completions', 'messages']

/** Calls with a key of its own. */
async function callerOf(gateway: TestGateway, order: Omit<Order, 'name'>) {
  const { key } = await gateway.gateway.keys.issue({ name: 'limited', ...order })
  const authorization = `Bearer ${key.reveal()}`
  return (protocol: Caller, members: object = {}, headers = {}): Promise<Response> =>
    gateway.post(
      paths[protocol],
      { ...bodies[protocol], ...members },
      { authorization, ...headers },
    )
}

describe.each(callers)('a caller of %s', (protocol) => {
  test.each(bothLanes)(
    'is told what is left of its limits on every answer, in the words of its protocol (R01): %s upstream',
    async (lane) => {
      await using upstream = await startScriptedUpstream(hello[lane])
      await using gateway = await startGateway(servedBy(lane, upstream))
      const rates = { requestsPerMinute: 2, tokensPerMinute: 10_000 }
      const ask = await callerOf(gateway, { policy: { rates } })
      const first = await ask(protocol)
      expect(first.status).toBe(200)
      const isChat = protocol === 'chat-completions'
      const limit = isChat ? 'x-ratelimit-limit-requests' : 'anthropic-ratelimit-requests-limit'
      const left = isChat
        ? 'x-ratelimit-remaining-requests'
        : 'anthropic-ratelimit-requests-remaining'
      expect([first.headers.get(limit), first.headers.get(left)]).toEqual(['2', '1'])
      await first.text()
      const streamed = await ask(protocol, { stream: true })
      expect(streamed.headers.get(left)).toBe('0')
      await streamed.text()
    },
  )

  test('who asks too often is refused, and told when it may ask again (R01)', async () => {
    await using upstream = await startScriptedUpstream(hello[protocol])
    await using gateway = await startGateway(servedBy(protocol, upstream))
    const ask = await callerOf(gateway, { policy: { rates: { requestsPerMinute: 1 } } })
    expect((await ask(protocol)).status).toBe(200)
    const refused = await ask(protocol)
    expect(refused.status).toBe(429)
    const wait = Number(refused.headers.get('retry-after-ms'))
    expect(wait).toBeGreaterThan(50_000)
    expect(wait).toBeLessThanOrEqual(60_000)
    expect(refused.headers.get('x-should-retry')).toBe('true')
    expect(await refused.json()).toMatchObject(
      protocol === 'messages'
        ? { type: 'error', error: { type: 'rate_limit_error' } }
        : { error: { type: 'requests', code: 'rate_limit_exceeded', param: null } },
    )
    expect(upstream.requests.length).toBe(1)
  })

  test('who would have to wait for long is told not to (R03)', async () => {
    await using upstream = await startScriptedUpstream(hello[protocol])
    await using gateway = await startGateway(servedBy(protocol, upstream))
    const ask = await callerOf(gateway, { policy: { rates: { requestsPerDay: 1 } } })
    expect((await ask(protocol)).status).toBe(200)
    const { status, headers } = await ask(protocol)
    expect([status, headers.get('retry-after'), headers.get('x-should-retry')]).toEqual([
      429,
      null,
      'false',
    ])
  })

  test('whose key is for other models is refused, and does not see them (V07, AUTH-09)', async () => {
    await using upstream = await startScriptedUpstream(hello[protocol])
    await using gateway = await startGateway({
      ...servedBy(protocol, upstream, { serves: ['m', 'n'] }),
      engine: { enabled: false },
    })
    const ask = await callerOf(gateway, { policy: { models: ['n'] } })
    const refused = await ask(protocol)
    expect(refused.status).toBe(403)
    expect(await refused.json()).toMatchObject({
      error: { type: protocol === 'messages' ? 'permission_error' : 'invalid_request_error' },
    })
    expect((await ask(protocol, { model: 'n' })).status).toBe(200)
    expect((await ask(protocol, { model: 'up/n' })).status).toBe(403)
    expect(upstream.requests.length).toBe(1)
  })

  test('whose key allows fewer tokens asks for no more of the upstream', async () => {
    await using upstream = await startScriptedUpstream(hello[protocol])
    await using gateway = await startGateway(servedBy(protocol, upstream))
    const ask = await callerOf(gateway, { policy: { maxTokens: 7 } })
    const response = await ask(protocol, { max_tokens: 500 })
    expect(response.headers.get('x-parley-notes')).toContain('max_tokens')
    expect(JSON.parse(upstream.requests[0]?.body ?? '')).toMatchObject({ max_tokens: 7 })
  })

  test('who may ask one thing at a time has its place back with the end of each answer', async () => {
    await using upstream = await startScriptedUpstream(hello[protocol])
    await using gateway = await startGateway(servedBy(protocol, upstream))
    const ask = await callerOf(gateway, { policy: { concurrency: 1 } })
    for (const stream of [false, true, false]) {
      const response = await ask(protocol, { stream })
      expect(response.status).toBe(200)
      await response.text()
    }
  })

  test('whom its budget refuses has its place back, and is told of the budget each time', async () => {
    await using upstream = await startScriptedUpstream(hello[protocol])
    await using gateway = await startGateway({
      ...servedBy(protocol, upstream),
      prices: { 'up/*': { input: 100, output: 100 } },
    })
    const { key, id } = await gateway.gateway.keys.issue({
      name: 'poor',
      policy: { concurrency: 1 },
    })
    const authorization = `Bearer ${key.reveal()}`
    await gateway.gateway.budgets.set(`key:${id}`, 'total', { amount: 1, isStrict: true })
    for (let at = 0; at < 3; at++) {
      const refused = await gateway.post(paths[protocol], bodies[protocol], { authorization })
      expect(await refused.json()).toMatchObject(
        protocol === 'messages'
          ? { error: { details: { error_code: 'enforced_spend_limit_reached' } } }
          : { error: { code: 'insufficient_quota' } },
      )
    }
    expect(upstream.requests.length).toBe(0)
  })

  test('whose budget runs out is served with less, and then refused (ERR-02)', async () => {
    await using upstream = await startScriptedUpstream(hello[protocol])
    await using gateway = await startGateway({
      ...servedBy(protocol, upstream),
      // A dollar for ten thousand tokens of output, and nothing for input: sums that can be done by heart.
      prices: { 'up/*': { input: 0, output: 100 } },
    })
    const { key, id } = await gateway.gateway.keys.issue({ name: 'poor' })
    const authorization = `Bearer ${key.reveal()}`
    await gateway.gateway.budgets.set(`key:${id}`, 'total', { amount: 10_000, isStrict: true })
    const ask = (tokens: number) =>
      gateway.post(paths[protocol], { ...bodies[protocol], max_tokens: tokens }, { authorization })
    const first = await ask(5000)
    expect(first.status).toBe(200)
    expect(JSON.parse(upstream.requests[0]?.body ?? '')).toMatchObject({ max_tokens: 100 })
    expect(first.headers.get('x-parley-notes')).toContain('max_tokens')
    await first.text()
    // Each answer has five tokens, which cost five hundred of the ten thousand micro-dollars.
    const statuses: number[] = []
    for (let at = 0; at < 20; at++) {
      const response = await ask(16)
      await response.text()
      statuses.push(response.status)
    }
    expect(statuses.filter((status) => status === 200).length).toBe(16)
    const refused = await ask(16)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBeNull()
    expect(refused.headers.get('x-should-retry')).toBe('false')
    expect(await refused.text()).toMatch(/budget/)
    const [budget] = await gateway.gateway.budgets.list(`key:${id}`)
    expect(budget).toMatchObject({ used: 8500, held: 0 })
  })
})
