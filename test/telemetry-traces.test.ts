import { describe, expect, test } from 'bun:test'

import * as conventions from '@opentelemetry/semantic-conventions/incubating'
import pino from 'pino'

import { adminOf } from './admin-rig.ts'
import { linesIn, sumOf } from './metrics-text.ts'
import { startOtlpReceiver } from './otlp-receiver.ts'
import { chunks, reply } from './remote-rig.ts'
import { dataFrames, json, sse, startScriptedUpstream } from './scripted-upstream.ts'
import { startGateway, type TestConfig, type TestGateway } from './start-gateway.ts'
import { until } from './until.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const callerSpan = 'b7ad6b7169203331'
const sampled = `00-${traceId}-${callerSpan}-01`
const unsampled = `00-${traceId}-${callerSpan}-00`

const path = '/v1/chat/completions'
const body = {
  model: 'fast',
  max_tokens: 20,
  messages: [{ role: 'user', content: 'the secret plan' }],
}

function config(urls: readonly string[], telemetry: object): TestConfig {
  const entries = urls.map((url, at) => [`up${at}`, { protocol: 'chat-completions', url }] as const)
  return {
    upstreams: Object.fromEntries(entries.map(([name, one]) => [name, { ...one, serves: ['m'] }])),
    models: { fast: { targets: entries.map(([name]) => `${name}/m`) } },
    telemetry,
  }
}

/** Sends what waits, and gives back what it was about. */
async function finished(gateway: TestGateway): Promise<void> {
  await until(() => gateway.gateway.inFlight === 0)
  await gateway.gateway.drain(0)
}

describe('what upstreams are told of the trace:', () => {
  const telling = async (
    headers: Readonly<Record<string, string>>,
    telemetry: object = {},
  ): Promise<{ parent: string | undefined; state: string | undefined; requestId: string }> => {
    await using upstream = await startScriptedUpstream([json(200, reply)])
    await using gateway = await startGateway(config([upstream.url], telemetry))
    const response = await gateway.post(path, body, headers)
    expect(response.status).toBe(200)
    const { headers: sent } = await upstream.request(0)
    const requestId = response.headers.get('x-request-id') ?? ''
    return { parent: sent.get('traceparent'), state: sent.get('tracestate'), requestId }
  }

  test('a trace of our own, which is not sampled, whose id is that of the request', async () => {
    const { parent, requestId } = await telling({})
    expect(parent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
    expect(parent?.slice(3, 35)).toBe(requestId.slice(4))
  })

  test("the caller's trace as it came, where nobody records here", async () => {
    const told = await telling({ traceparent: sampled, tracestate: 'vendor=a,other=b' })
    expect([told.parent, told.state]).toEqual([sampled, 'vendor=a,other=b'])
    expect((await telling({ traceparent: unsampled })).parent).toBe(unsampled)
  })

  test('a trace of our own, where what the caller sent is malformed', async () => {
    for (const traceparent of [
      'nonsense',
      `00-${'0'.repeat(32)}-${callerSpan}-01`,
      `00-${traceId}-${'0'.repeat(16)}-01`,
      `ff-${traceId}-${callerSpan}-01`,
      `00-${traceId.toUpperCase()}-${callerSpan}-01`,
      `${sampled}-more`,
    ]) {
      const { parent, state, requestId } = await telling({ traceparent, tracestate: 'a=b' })
      expect(parent?.slice(0, 35)).toBe(`00-${requestId.slice(4)}`)
      expect([traceparent, parent?.slice(-2), state]).toEqual([traceparent, '00', undefined])
    }
  })

  test('nothing, where the config says so', async () => {
    const told = await telling({ traceparent: sampled }, { traces: { propagate: false } })
    expect([told.parent, told.state]).toEqual([undefined, undefined])
  })

  test("a trace of our own, where the config does not go on with callers' traces", async () => {
    const { parent } = await telling({ traceparent: sampled }, { traces: { followCallers: false } })
    expect(parent).not.toContain(traceId)
  })
})

describe('spans', () => {
  test('of an exchange that fell back: one of it all, one of each target, under the caller', async () => {
    await using receiver = startOtlpReceiver()
    await using broken = await startScriptedUpstream([json(503, { error: { message: 'away' } })])
    await using upstream = await startScriptedUpstream([json(200, reply)])
    const otlp = { endpoint: receiver.url, headers: { 'x-collector-key': 'abc' } }
    await using gateway = await startGateway(
      config([broken.url, upstream.url], { otlp, traces: { ratio: 0 } }),
    )
    const response = await gateway.post(path, body, { traceparent: sampled, tracestate: 'a=b' })
    const requestId = response.headers.get('x-request-id')
    await response.text()
    await finished(gateway)
    const spans = await receiver.waitForSpans(3)
    expect(spans.length).toBe(3)
    const [exchange, first, second] = ['POST', 'chat', 'chat'].map((word, at) =>
      spans.filter(({ name }) => name.startsWith(word)).at(at === 2 ? 1 : 0),
    )
    if (exchange === undefined || first === undefined || second === undefined)
      throw new Error('A span is missing.')
    expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([traceId]))
    expect(exchange).toMatchObject({
      name: 'POST /v1/chat/completions',
      kind: 2,
      parentSpanId: callerSpan,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/v1/chat/completions',
        'http.response.status_code': 200,
        'parley.request.id': requestId,
        'parley.model': 'fast',
        'parley.result': 'complete',
      },
      resource: { 'service.name': 'parley', 'service.version': expect.any(String) },
    })
    expect(first).toMatchObject({
      name: 'chat m',
      kind: 3,
      status: 2,
      parentSpanId: exchange.spanId,
      attributes: {
        'error.type': 'upstream-overloaded',
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'm',
        'gen_ai.provider.name': 'up0',
        'server.address': '127.0.0.1',
        'server.port': broken.port,
      },
    })
    expect(second).toMatchObject({
      name: 'chat m',
      kind: 3,
      status: 0,
      parentSpanId: exchange.spanId,
      attributes: {
        'gen_ai.request.max_tokens': 20,
        'gen_ai.request.stream': false,
        'gen_ai.response.id': 'chatcmpl-1',
        'gen_ai.response.model': 'real-model',
        'gen_ai.response.finish_reasons': ['stop'],
        'gen_ai.usage.input_tokens': 3,
        'gen_ai.usage.output_tokens': 2,
        'parley.attempt': 2,
      },
    })
    const told = async (one: typeof upstream) => (await one.request(0)).headers
    expect((await told(broken)).get('traceparent')).toBe(`00-${traceId}-${first.spanId}-01`)
    expect((await told(upstream)).get('traceparent')).toBe(`00-${traceId}-${second.spanId}-01`)
    expect((await told(upstream)).get('tracestate')).toBe('a=b')
    expect(exchange.start <= first.start && first.end <= second.start).toBe(true)
    expect(second.end <= exchange.end).toBe(true)
    expect(receiver.headers[0]?.get('x-collector-key')).toBe('abc')
    const all = JSON.stringify(spans, (_, value) =>
      typeof value === 'bigint' ? `${value}` : value,
    )
    expect(all).not.toContain('secret plan')
    expect(all).not.toContain(gateway.key)
  })

  test('are sent of what the caller records, and not of what it does not', async () => {
    await using receiver = startOtlpReceiver()
    await using upstream = await startScriptedUpstream((request) =>
      request.body.includes('"stream":true') ? sse(dataFrames(...chunks)) : json(200, reply),
    )
    const telemetry = { otlp: { endpoint: receiver.url }, traces: { ratio: 1 } }
    await using gateway = await startGateway(config([upstream.url], telemetry))
    await (await gateway.post(path, body, { traceparent: unsampled })).text()
    const streamed = await gateway.post(path, { ...body, stream: true })
    await streamed.text()
    await finished(gateway)
    const spans = await receiver.waitForSpans(2)
    expect(spans.length).toBe(2)
    const ours = streamed.headers.get('x-request-id')?.slice(4) ?? ''
    expect(spans.map((span) => span.traceId)).toEqual([ours, ours])
    const [chat] = spans.filter(({ name }) => name.startsWith('chat'))
    expect(chat?.attributes['gen_ai.response.time_to_first_chunk']).toBeGreaterThan(0)
    expect(chat?.attributes['gen_ai.request.stream']).toBe(true)
    expect((await upstream.request(0)).headers.get('traceparent')).toEndWith('-00')
    expect((await upstream.request(1)).headers.get('traceparent')).toEndWith('-01')
  })

  test('of what failed are sent although nobody sampled it, unless the caller asked for nonsense', async () => {
    await using receiver = startOtlpReceiver()
    await using upstream = await startScriptedUpstream([json(500, { error: { message: 'no' } })])
    const telemetry = { otlp: { endpoint: receiver.url }, traces: { ratio: 0 } }
    await using gateway = await startGateway(config([upstream.url], telemetry))
    await gateway.post(path, body, { authorization: 'Bearer nonsense' })
    await gateway.post(path, { ...body, messages: 'nonsense' })
    await gateway.post(path, body)
    await finished(gateway)
    const spans = await receiver.waitForSpans(2)
    const names = spans.filter(({ name }) => name.startsWith('POST'))
    expect(names.map(({ status, attributes }) => [status, attributes['error.type']])).toEqual([
      [2, 'upstream-failed'],
    ])
  })

  test('have no name that is not in the published conventions', async () => {
    const published = new Set<unknown>(Object.values(conventions))
    const { attribute, metric } = await import('#telemetry/traces/gen-ai.ts')
    const ours = [...Object.values(attribute), ...Object.values(metric)]
    expect(ours.filter((name) => !published.has(name))).toEqual([])
  })
})

describe('metrics over OTLP', () => {
  test('are those that Prometheus is told, and those of the conventions', async () => {
    await using receiver = startOtlpReceiver()
    await using upstream = await startScriptedUpstream((request) =>
      request.body.includes('"stream":true') ? sse(dataFrames(...chunks)) : json(200, reply),
    )
    const telemetry = { otlp: { endpoint: receiver.url } }
    await using gateway = await startGateway(config([upstream.url], telemetry))
    await (await gateway.post(path, body)).text()
    await (await gateway.post(path, { ...body, stream: true })).text()
    await finished(gateway)
    await until(() => receiver.metrics.length > 0)
    const metric = (name: string) => receiver.metrics.find((one) => one.name === name)
    const asked = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'up0',
      'gen_ai.request.model': 'm',
    }
    expect(metric('gen_ai.client.operation.duration')).toMatchObject({
      unit: 's',
      form: 'histogram',
      points: [{ attributes: asked, value: 2 }],
    })
    expect(metric('gen_ai.client.operation.duration')?.points[0]?.bounds.slice(0, 3)).toEqual([
      0.01, 0.02, 0.04,
    ])
    expect(metric('gen_ai.client.token.usage')).toMatchObject({ unit: '{token}' })
    const output = metric('gen_ai.client.token.usage')?.points.find(
      ({ attributes }) => attributes['gen_ai.token.type'] === 'output',
    )
    expect(output).toMatchObject({ attributes: asked, value: 2 })
    expect(metric('gen_ai.server.request.duration')).toMatchObject({
      unit: 's',
      points: [{ attributes: { ...asked, 'gen_ai.request.model': 'fast' }, value: 2 }],
    })
    expect(metric('gen_ai.server.time_to_first_token')).toMatchObject({ points: [{ value: 1 }] })
    expect(metric('parley.exchanges')).toMatchObject({
      form: 'sum',
      unit: '{exchange}',
      points: [{ attributes: { model: 'fast', target: 'up0/m' }, value: 2 }],
    })
    expect(metric('parley.in_flight')).toMatchObject({ form: 'gauge' })
  })

  test('a collector that refuses is counted and told of, and disturbs nobody', async () => {
    await using receiver = startOtlpReceiver()
    receiver.status = 400
    await using upstream = await startScriptedUpstream([json(200, reply)])
    const telemetry = { otlp: { endpoint: receiver.url }, traces: { ratio: 1 } }
    const warnings: string[] = []
    const log = pino({ level: 'warn' }, { write: (line) => warnings.push(line) })
    await using gateway = await startGateway(config([upstream.url], telemetry), ':memory:', log)
    expect((await gateway.post(path, body)).status).toBe(200)
    await finished(gateway)
    const response = await fetch(`http://127.0.0.1:${adminOf(gateway.gateway).port}/metrics`)
    const lines = linesIn(await response.text())
    const failed = { signal: 'traces', result: 'failed' }
    expect(sumOf(lines, 'parley_telemetry_exports_total', failed)).toBe(1)
    expect(warnings.filter((line) => line.includes('"signal":"traces"')).length).toBe(1)
  })
})
