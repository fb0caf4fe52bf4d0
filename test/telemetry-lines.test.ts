import { describe, expect, test } from 'bun:test'

import pino, { type Logger } from 'pino'

import { chunks, events, reply } from './remote-rig.ts'
import {
  dataFrames,
  eventFrames,
  json,
  sse,
  startScriptedUpstream,
  waitFor,
} from './scripted-upstream.ts'
import { startGateway, type TestConfig, type TestGateway } from './start-gateway.ts'
import { until } from './until.ts'

const paths = ['/v1/chat/completions', '/v1/messages'] as const

function chat(content: string, more: object = {}): object {
  return { model: 'fast', max_tokens: 20, messages: [{ role: 'user', content }], ...more }
}

function servedBy(url: string, more: TestConfig = {}): TestConfig {
  return {
    upstreams: { up: { protocol: 'chat-completions', url, serves: ['m'] } },
    models: { fast: { targets: ['up/m'] } },
    ...more,
  }
}

/** The parts of `server-timing`, in milliseconds. */
function timingOf(response: Response): Readonly<Record<string, number>> {
  const parts = (response.headers.get('server-timing') ?? '').split(', ').map((part) => {
    const [, name = '', ms = ''] = /^(\w+);dur=(\d+(?:\.\d+)?)$/.exec(part) ?? []
    return [name, Number(ms)] as const
  })
  return Object.fromEntries(parts)
}

describe('server-timing', () => {
  test.each(paths)(
    '%s: tells the wait for the upstream from what the gateway took',
    async (path) => {
      for (const stream of [false, true]) {
        const asked = Promise.withResolvers<void>()
        const held = Promise.withResolvers<void>()
        const answer = stream ? sse(dataFrames(...chunks)) : json(200, reply)
        await using upstream = await startScriptedUpstream(() => {
          asked.resolve()
          return [waitFor(held.promise), ...answer]
        })
        await using gateway = await startGateway(servedBy(upstream.url))
        const startedAt = performance.now()
        const asking = gateway.post(path, chat('hi', { stream }))
        await asked.promise
        const heldFrom = performance.now()
        await new Promise((resolve) => setTimeout(resolve, 20))
        const heldMs = performance.now() - heldFrom
        held.resolve()
        const response = await asking
        const tookMs = performance.now() - startedAt
        await response.text()
        const { parley = Number.NaN, queue = Number.NaN, upstream: waited = 0 } = timingOf(response)
        expect(queue).toBe(0)
        expect(parley).toBeGreaterThan(0)
        // To a hundredth of a millisecond.
        expect(waited).toBeGreaterThan(heldMs - 0.02)
        expect(parley + queue + waited).toBeLessThan(tookMs + 0.04)
      }
    },
  )

  test('is on failures too, as far as things got', async () => {
    await using upstream = await startScriptedUpstream([json(500, { error: { message: 'no' } })])
    await using gateway = await startGateway(servedBy(upstream.url))
    const refused = await gateway.post(paths[0], chat('hi'), { authorization: 'Bearer nonsense' })
    expect(Object.keys(timingOf(refused))).toEqual(['parley'])
    const failed = await gateway.post(paths[0], chat('hi'))
    expect(failed.status).toBe(502)
    expect(Object.keys(timingOf(failed))).toEqual(['parley', 'queue', 'upstream'])
  })

  test('leaves out what a caller took to send its body', async () => {
    await using upstream = await startScriptedUpstream([json(200, reply)])
    await using gateway = await startGateway(servedBy(upstream.url))
    const text = JSON.stringify(chat('hi'))
    let slept = 0
    async function* slowly() {
      yield text.slice(0, 10)
      const from = performance.now()
      await new Promise((resolve) => setTimeout(resolve, 50))
      slept = performance.now() - from
      yield text.slice(10)
    }
    const startedAt = performance.now()
    const response = await fetch(`${gateway.url}${paths[0]}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      body: slowly(),
    })
    const tookMs = performance.now() - startedAt
    expect(response.status).toBe(200)
    const { parley = 0, upstream: waited = 0 } = timingOf(response)
    // What was on the way when the gateway began to read may have come a little earlier.
    expect(parley + waited).toBeLessThan(tookMs - slept / 2)
  })

  test('is left out where the config says so, and told to browsers that may read it', async () => {
    await using upstream = await startScriptedUpstream([json(200, reply)])
    const silent = servedBy(upstream.url, { telemetry: { serverTiming: false } })
    await using gateway = await startGateway(silent)
    expect((await gateway.post(paths[0], chat('hi'))).headers.has('server-timing')).toBe(false)
    await using open = await startGateway(servedBy(upstream.url, { cors: { origins: ['*'] } }))
    const response = await open.post(paths[0], chat('hi'), { origin: 'https://a.example' })
    expect(response.headers.get('access-control-expose-headers')).toContain('server-timing')
  })
})

interface Logged {
  readonly requestId: string
  readonly result: string
  readonly [field: string]: unknown
}

/** A gateway whose lines are kept. */
async function logging(
  config: TestConfig,
  log: Logger = pino({ level: 'info' }, { write: () => {} }),
): Promise<{ gateway: TestGateway; text: () => string; lines: () => Logged[] } & AsyncDisposable> {
  const written: string[] = []
  const lines = { write: (text: string) => written.push(text) }
  const gateway = await startGateway(config, ':memory:', log, { lines })
  const text = (): string => written.join('')
  return {
    gateway,
    text,
    lines: () =>
      text()
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  }
}

describe('the log', () => {
  test('has one line for every exchange, whatever became of it, and no word of it', async () => {
    await using upstream = await startScriptedUpstream(({ body }) => {
      if (body.includes('please fail')) return json(500, { error: { message: 'the answer' } })
      return body.includes('"stream":true') ? sse(dataFrames(...chunks)) : json(200, reply)
    })
    await using logged = await logging(servedBy(upstream.url))
    const { gateway } = logged
    const ids: (string | null)[] = []
    const send = async (...asked: Parameters<TestGateway['post']>) => {
      const response = await gateway.post(...asked)
      await response.text()
      ids.push(response.headers.get('x-request-id'))
    }
    for (const path of paths) {
      await send(path, chat('my secret plan'))
      await send(path, chat('my secret plan', { stream: true }))
      await send(path, chat('please fail'))
      await send(path, '{"my secret plan')
      await send(path, chat('hi'), { authorization: 'Bearer gk_live_my_wrong_key' })
      await send(path, chat('hi', { model: 'm\n{"level":60}\u001b[31m\u2028"' }))
      await send(path, chat('hi', { model: 'x'.repeat(5000) }))
    }
    await fetch(`${gateway.url}/healthz`)
    await until(() => logged.lines().length >= ids.length)
    await gateway.gateway.drain(0)
    const lines = logged.lines()
    expect(lines.map(({ requestId }) => requestId)).toEqual(ids as string[])
    for (const secret of ['secret plan', gateway.key, 'wrong_key', 'Hello there', 'the answer'])
      expect(logged.text()).not.toContain(secret)
    expect(/[^\n\x20-\x7e\ufffd…]/.test(logged.text())).toBe(false)
    expect(
      Math.max(
        ...logged
          .text()
          .split('\n')
          .map(({ length }) => length),
      ),
    ).toBeLessThan(2048)
    expect(lines[0]).toEqual({
      level: 30,
      time: expect.any(Number),
      msg: 'exchange',
      requestId: ids[0] ?? '',
      traceId: ids[0]?.slice(4),
      sampled: false,
      method: 'POST',
      endpoint: 'chat-completions',
      protocol: 'chat-completions',
      status: 200,
      result: 'complete',
      overheadMs: expect.any(Number),
      totalMs: expect.any(Number),
      keyId: expect.any(String),
      projectId: 'default',
      model: 'fast',
      stream: false,
      route: 'only target',
      target: 'up/m',
      attempts: 1,
      inputTokens: 3,
      outputTokens: 2,
      counted: 'exact',
      costMicrodollars: 0,
      notes: 0,
      firstByteMs: expect.any(Number),
    })
    const results = lines.map(({ result }) => result)
    expect(results.slice(0, 5)).toEqual([
      'complete',
      'complete',
      'upstream-failed',
      'request-invalid',
      'key-rejected',
    ])
    expect(lines[2]).toMatchObject({ status: 502, failures: expect.stringMatching(/^upstream-/) })
  })

  test('has a line of whoever left, when all is known of it', async () => {
    const begun = Promise.withResolvers<void>()
    await using upstream = await startScriptedUpstream(() => {
      begun.resolve()
      return sse(eventFrames(...events).slice(0, 3), { ending: [] })
    })
    const config = {
      upstreams: { up: { protocol: 'messages', url: upstream.origin, serves: ['m'] } },
      models: { fast: { targets: ['up/m'] } },
    }
    await using logged = await logging(config)
    const response = await logged.gateway.post(paths[1], chat('hi', { stream: true }))
    await begun.promise
    await response.body?.cancel()
    await until(() => logged.lines().length === 1)
    expect(logged.lines()[0]).toMatchObject({ status: 200, result: 'client-left', stream: true })
  })

  test('has no lines of exchanges where the config says so', async () => {
    await using upstream = await startScriptedUpstream([json(200, reply)])
    await using logged = await logging(servedBy(upstream.url, { telemetry: { log: false } }))
    expect((await logged.gateway.post(paths[0], chat('hi'))).status).toBe(200)
    await logged.gateway.gateway.drain(0)
    expect(logged.text()).toBe('')
  })

  test('has none at a higher level, from when that is in force', async () => {
    await using upstream = await startScriptedUpstream([json(200, reply), json(200, reply)])
    const log = pino({ level: 'warn' }, { write: () => {} })
    await using logged = await logging(servedBy(upstream.url), log)
    expect((await logged.gateway.post(paths[0], chat('hi'))).status).toBe(200)
    log.level = 'info'
    expect((await logged.gateway.post(paths[0], chat('hi'))).status).toBe(200)
    await logged.gateway.gateway.drain(0)
    expect(logged.lines()).toHaveLength(1)
  })
})
