import { describe, expect, test } from 'bun:test'

import { adminRig } from './admin-rig.ts'
import { linesIn, scraped, sumOf } from './metrics-text.ts'
import { chunks, reply } from './remote-rig.ts'
import {
  dataFrames,
  json,
  neverAnswer,
  type RecordedRequest,
  reset,
  type Script,
  sse,
  startScriptedUpstream,
} from './scripted-upstream.ts'
import { startGateway, type TestConfig, type TestGateway } from './start-gateway.ts'
import { until } from './until.ts'

/** Answers by what the prompt says is to happen. */
function scripted({ body }: RecordedRequest): Script {
  if (body.includes('please fail')) return json(500, { error: { message: 'broken' } })
  if (body.includes('please refuse')) return json(400, { error: { message: 'no' } })
  if (body.includes('please wait')) return neverAnswer
  if (body.includes('please break'))
    return sse(dataFrames(...chunks).slice(0, 2), { ending: [reset] })
  if (body.includes('"input"'))
    return json(200, {
      object: 'list',
      model: 'e',
      data: [{ object: 'embedding', index: 0, embedding: [0.5, 1] }],
      usage: { prompt_tokens: 7, total_tokens: 7 },
    })
  return body.includes('"stream":true') ? sse(dataFrames(...chunks)) : json(200, reply)
}

function config(url: string, other: string): TestConfig {
  return {
    upstreams: {
      up: { protocol: 'chat-completions', url, serves: ['m-1', 'listed'] },
      down: { protocol: 'chat-completions', url: other, serves: ['m-1'] },
    },
    models: {
      fast: { targets: ['up/m-1'] },
      safe: { targets: ['down/m-1', 'up/m-1'] },
    },
    prices: { 'up/*': { input: '3', output: '15' } },
  }
}

function chat(content: string, more: object = {}): object {
  return { model: 'fast', max_tokens: 20, messages: [{ role: 'user', content }], ...more }
}

const paths = ['/v1/chat/completions', '/v1/messages'] as const

/** Every way in which an exchange can end, in both protocols. */
async function mixedLoad(gateway: TestGateway): Promise<void> {
  // First, while no breaker is open yet.
  for (const path of paths)
    await (await gateway.post(path, chat('hello', { model: 'safe' }))).text()
  for (const path of paths) {
    for (const content of ['hello', 'please fail', 'please refuse', 'please break']) {
      for (const stream of [false, true]) {
        const response = await gateway.post(path, chat(content, { stream }))
        await response.text().catch(() => '')
      }
    }
    const leaving = new AbortController()
    const left = fetch(`${gateway.url}${path}`, {
      method: 'POST',
      signal: leaving.signal,
      headers: { authorization: `Bearer ${gateway.key}`, 'anthropic-version': '2023-06-01' },
      body: JSON.stringify(chat('please wait', { stream: true })),
    }).catch(() => undefined)
    await until(() => gateway.gateway.inFlight === 1)
    leaving.abort()
    await left
    await until(() => gateway.gateway.inFlight === 0)
  }
  await (await gateway.post('/v1/embeddings', { model: 'up/m-1', input: 'x' })).text()
}

interface Row {
  readonly endpoint: string
  readonly protocol: string
  readonly result: string
  readonly exchanges: number
}

const countedKinds = [
  ['input', 'input'],
  ['cache-read', 'cache_read'],
  ['cache-write', 'cache_write'],
  ['output', 'output'],
  ['reasoning', 'reasoning'],
] as const

/** Hundreds of exchanges take a busy machine a while. */
const slowMs = 60_000

describe('metrics', () => {
  test(
    'count exactly what the ledger has, however exchanges end',
    async () => {
      await using upstream = await startScriptedUpstream(scripted)
      await using down = await startScriptedUpstream([json(503, { error: { message: 'away' } })])
      await using gateway = await startGateway(config(upstream.url, down.url))
      await mixedLoad(gateway)
      const { storage } = gateway.gateway
      const rows = storage.database
        .query(
          'SELECT endpoint, protocol, result, count(*) AS exchanges FROM ledger GROUP BY 1, 2, 3',
        )
        .all() as Row[]
      expect(new Set(rows.map(({ result }) => result)).size).toBeGreaterThan(4)
      const lines = await scraped(gateway)
      for (const { exchanges, ...labels } of rows)
        expect([labels, sumOf(lines, 'parley_exchanges_total', labels)]).toEqual([
          labels,
          exchanges,
        ])
      const all = rows.reduce((sum, { exchanges }) => sum + exchanges, 0)
      expect(sumOf(lines, 'parley_exchanges_total')).toBe(all)
      expect(sumOf(lines, 'parley_exchange_duration_seconds_count')).toBe(all)
      for (const [kind, column] of countedKinds) {
        const { sum } = storage.database
          .query(`SELECT CAST(total(${column}) AS INTEGER) AS sum FROM ledger`)
          .get() as { sum: number }
        expect([kind, sumOf(lines, 'parley_tokens_total', { kind })]).toEqual([kind, sum])
      }
      const { cost } = storage.database.query('SELECT sum(cost) AS cost FROM ledger').get() as {
        cost: number
      }
      expect(cost).toBeGreaterThan(0)
      expect(sumOf(lines, 'parley_cost_microdollars_total')).toBe(cost)
      expect(sumOf(lines, 'parley_fallbacks_total', { target: 'down/m-1' })).toBe(2)
      expect(sumOf(lines, 'parley_attempts_total', { target: 'down/m-1' })).toBe(2)
    },
    slowMs,
  )

  test('count what was refused before it had an account', async () => {
    await using upstream = await startScriptedUpstream(scripted)
    await using gateway = await startGateway({
      upstreams: { up: { protocol: 'chat-completions', url: upstream.url, serves: ['m-1'] } },
    })
    const { key: slow } = await gateway.gateway.keys.issue({
      name: 'slow',
      policy: { rates: { requestsPerMinute: 1 } },
    })
    const limited = { authorization: `Bearer ${slow.reveal()}` }
    const asked = chat('hello', { model: 'up/m-1' })
    await gateway.post('/v1/chat/completions', asked, { authorization: 'Bearer nonsense' })
    await gateway.post('/v1/chat/completions', '{')
    await gateway.post('/v1/nothing', {})
    await fetch(`${gateway.url}/v1/messages`)
    await gateway.post('/v1/chat/completions', asked, limited)
    await gateway.post('/v1/chat/completions', asked, limited)
    const lines = await scraped(gateway)
    const told = (status: number, code: string): number =>
      sumOf(lines, 'parley_requests_total', { status: String(status), code })
    expect(told(401, 'key-rejected')).toBe(1)
    expect(told(400, 'request-invalid')).toBe(1)
    expect(told(404, 'path-unknown')).toBe(1)
    expect(told(405, 'method-rejected')).toBe(1)
    expect(told(429, 'rate-exceeded')).toBe(1)
    expect(told(200, 'ok')).toBe(1)
    expect(sumOf(lines, 'parley_requests_total')).toBe(6)
  })

  test(
    'have no label that a caller made up',
    async () => {
      await using upstream = await startScriptedUpstream(scripted)
      await using gateway = await startGateway(config(upstream.url, upstream.url))
      const names = Array.from({ length: 200 }, (_, at) => `made-up-${at}"\n{`)
      for (const name of [...names, ...names.map((one) => `up/${one}`), 'fast', 'listed'])
        await (await gateway.post('/v1/chat/completions', chat('hi', { model: name }))).text()
      const lines = await scraped(gateway)
      const text = JSON.stringify(lines)
      expect(text).not.toContain('made-up')
      const models = lines
        .filter(({ name }) => name === 'parley_exchanges_total')
        .map(({ labels }) => `${labels['model']} at ${labels['target']}`)
      expect([...new Set(models)].toSorted()).toEqual([
        'fast at up/m-1',
        'listed at up/listed',
        'other at up/other',
      ])
    },
    slowMs,
  )

  test('tell of open streams, and of the parts that are there', async () => {
    await using upstream = await startScriptedUpstream((request) =>
      request.body.includes('please hold')
        ? [...sse(dataFrames(...chunks).slice(0, 2), { ending: [] })]
        : scripted(request),
    )
    await using gateway = await startGateway(config(upstream.url, upstream.url))
    const response = await gateway.post(
      '/v1/chat/completions',
      chat('please hold', { stream: true }),
    )
    const open = await scraped(gateway)
    expect(sumOf(open, 'parley_streams_open')).toBe(1)
    expect(sumOf(open, 'parley_in_flight')).toBe(1)
    expect(sumOf(open, 'parley_breaker_state', { target: 'up/m-1', state: 'closed' })).toBe(1)
    await response.body?.cancel()
    await until(() => gateway.gateway.inFlight === 0)
    const closed = await scraped(gateway)
    expect(sumOf(closed, 'parley_streams_open')).toBe(0)
    expect(sumOf(closed, 'parley_exchanges_total', { result: 'client-left' })).toBe(1)
    expect(sumOf(closed, 'parley_ledger_commit_seconds_count')).toBeGreaterThan(0)
    expect(sumOf(closed, 'process_resident_memory_bytes')).toBeGreaterThan(1e6)
  })

  test('have the ids of projects and keys only where the config wants them', async () => {
    await using upstream = await startScriptedUpstream(scripted)
    const telemetry = { metrics: { labels: ['project', 'key'] } }
    await using gateway = await startGateway({ ...config(upstream.url, upstream.url), telemetry })
    await (await gateway.post('/v1/chat/completions', chat('hi'))).text()
    const [line] = (await scraped(gateway)).filter(({ name }) => name === 'parley_exchanges_total')
    expect(line?.labels['project']).toBe('default')
    expect(line?.labels['key']).toMatch(/^[0-9A-Za-z]{12}$/)
  })
})

describe('who may ask for metrics:', () => {
  const token = 'a-token-of-some-length'
  const status = (url: string, headers: Readonly<Record<string, string>> = {}): Promise<number> =>
    fetch(`${url}/metrics`, { headers }).then((response) => response.status)

  test('this machine, unless there is a token', async () => {
    await using open = await adminRig()
    expect(await status(open.url)).toBe(200)
    await using closed = await adminRig({ config: { telemetry: { metrics: { token } } } })
    expect(await status(closed.url)).toBe(401)
    expect(await status(closed.url, { authorization: 'Bearer another-token-of-it' })).toBe(401)
    expect(await status(closed.url, { authorization: `Bearer ${token}` })).toBe(200)
  })

  test('whoever is signed in and bound to no project', async () => {
    await using rig = await adminRig({ config: { telemetry: { metrics: { token } } } })
    const viewer = await rig.signedIn('viewer')
    const bound = await rig.signedIn('viewer', ['default'])
    expect((await viewer.send('GET', '/metrics')).status).toBe(200)
    expect((await bound.send('GET', '/metrics')).status).toBe(403)
  })

  test('no page of another origin, and nobody by a name that is not ours', async () => {
    await using rig = await adminRig()
    expect(await status(rig.url, { 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(await status(rig.url, { host: 'attacker.example' })).toBe(403)
    expect(await status(rig.url, { 'x-forwarded-for': '203.0.113.9' })).toBe(401)
  })

  test('nobody where they are switched off', async () => {
    await using rig = await adminRig({ config: { telemetry: { metrics: { enabled: false } } } })
    expect(await status(rig.url)).toBe(404)
  })

  test('the text is what Prometheus reads', async () => {
    await using rig = await adminRig()
    const response = await fetch(`${rig.url}/metrics`)
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(linesIn(await response.text()).length).toBeGreaterThan(10)
  })
})
