import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { connect } from 'node:net'

import pino from 'pino'

import { Secret } from '#std/secret.ts'
import type { LedgerRow } from '#storage/schema.ts'

import {
  asked,
  idle,
  onSocket,
  openaiOf,
  recorded,
  recording,
  turn,
  wireHead,
} from './chat-callers.ts'
import { bodyOf, LedgerFile, rejection, servedBy } from './messages-callers.ts'
import { json, startScriptedUpstream } from './scripted-upstream.ts'
import { startGateway, type TestGateway } from './start-gateway.ts'

// What is between a chat-completions caller and the gateway: sockets, headers, paths, keys, and bytes.

const chatPath = '/v1/chat/completions'

/** A fetch with none of the headers that other tests always send. */
function bare({ url }: TestGateway, path: string, init: RequestInit): Promise<Response> {
  return fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(asked), ...init })
}

interface ErrorBody {
  readonly error: { readonly message: string; readonly [member: string]: unknown }
}

/** The body of a refusal, once it is seen to be this protocol's own, with all its members. */
async function refusal(response: Response): Promise<ErrorBody['error']> {
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(response.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/)
  const { error } = (await response.json()) as ErrorBody
  expect(Object.keys(error)).toEqual(['message', 'type', 'param', 'code'])
  expect(error.message).not.toBe('')
  return error
}

describe('keys', () => {
  test('no key is refused (A01)', async () => {
    await using gateway = await startGateway({})
    const response = await bare(gateway, chatPath, {})
    expect(response.status).toBe(401)
    expect(await refusal(response)).toMatchObject({
      type: 'invalid_request_error',
      param: null,
      code: null,
    })
  })

  test('a wrong key is refused and not repeated (A02)', async () => {
    await using gateway = await startGateway({})
    for (const key of [
      'wrong',
      'sk-proj-a-secret-of-somebody-else-1234567890',
      `${gateway.key}x`,
    ]) {
      const response = await bare(gateway, chatPath, {
        headers: { authorization: `Bearer ${key}` },
      })
      expect(response.status).toBe(401)
      const error = await refusal(response)
      expect(error).toMatchObject({
        type: 'invalid_request_error',
        param: null,
        code: 'invalid_api_key',
      })
      expect(error.message).not.toContain(key)
    }
  })

  test.each(['bearer', 'BEARER', 'Bearer  '])(
    'the scheme may be written as "%s" (A03)',
    async (scheme) => {
      await using upstream = await startScriptedUpstream(recorded('text'))
      await using gateway = await startGateway(servedBy('chat-completions', upstream))
      const headers = { authorization: `${scheme} ${gateway.key}` }
      expect((await bare(gateway, chatPath, { headers })).status).toBe(200)
    },
  )

  test('a chosen key may hold blanks (A05)', async () => {
    await using upstream = await startScriptedUpstream(recorded('text'))
    await using gateway = await startGateway(servedBy('chat-completions', upstream))
    await gateway.gateway.keys.issue({ name: 'suite', chosen: new Secret('My API Key 0123456789') })
    const headers = { authorization: 'Bearer My API Key 0123456789' }
    expect((await bare(gateway, chatPath, { headers })).status).toBe(200)
  })

  test('another scheme is no key (A06)', async () => {
    await using gateway = await startGateway({})
    const headers = { authorization: `Basic ${btoa(`user:${gateway.key}`)}` }
    const response = await bare(gateway, chatPath, { headers })
    expect(response.status).toBe(401)
    expect(await refusal(response)).toMatchObject({ type: 'invalid_request_error', code: null })
  })

  test('a bad key is refused before its body is looked at (A07)', async () => {
    await using gateway = await startGateway({})
    const headers = { authorization: 'Bearer wrong' }
    expect((await bare(gateway, chatPath, { headers, body: '{' })).status).toBe(401)
  })
})

describe('paths and methods', () => {
  test('an unknown path is told in JSON (A09)', async () => {
    await using gateway = await startGateway({})
    const response = await gateway.post('/v1/unknown', asked)
    expect(response.status).toBe(404)
    expect(await refusal(response)).toMatchObject({
      type: 'invalid_request_error',
      param: null,
      code: 'unknown_url',
    })
  })

  test.each([
    ['GET', `${chatPath}/`, 'POST'],
    ['PUT', '/v1/embeddings', 'POST'],
    ['DELETE', '/v1/models', 'GET, HEAD'],
  ])('%s %s is told which methods there are (A10)', async (method, path, allow) => {
    await using gateway = await startGateway({})
    const response = await fetch(`${gateway.url}${path}`, { method })
    expect([response.status, response.headers.get('allow')]).toEqual([405, allow])
    expect(await refusal(response)).toMatchObject({ code: 'method_not_supported' })
  })

  test.each([
    `${chatPath}/`,
    '/chat/completions',
    '//v1/chat/completions',
    '/v1//chat/completions',
    '/v1/v1/chat/completions',
    `${chatPath}?api-version=2024-10-21`,
  ])('%s is understood (A11)', async (path) => {
    await using upstream = await startScriptedUpstream(recorded('text'))
    await using gateway = await startGateway(servedBy('chat-completions', upstream))
    expect((await gateway.post(path, asked)).status).toBe(200)
  })
})

describe('headers', () => {
  test('the body decides on a stream, whatever is accepted (A13 A14)', async () => {
    await using upstream = await startScriptedUpstream(recorded('text'))
    await using gateway = await startGateway(servedBy('chat-completions', upstream))
    const streamed = await gateway.post(
      chatPath,
      { ...asked, stream: true },
      { accept: 'application/json' },
    )
    expect(streamed.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(await streamed.text()).toEndWith('data: [DONE]\n\n')
    const whole = await gateway.post(chatPath, asked, { accept: 'text/event-stream' })
    expect(whole.headers.get('content-type')).toBe('application/json')
    expect(await whole.json()).toMatchObject({ object: 'chat.completion' })
  })

  test('JSON is read under any content type, and under none (A15)', async () => {
    await using upstream = await startScriptedUpstream(recorded('text'))
    await using gateway = await startGateway(servedBy('chat-completions', upstream))
    const authorization = `Bearer ${gateway.key}`
    for (const type of ['text/plain', 'application/x-www-form-urlencoded']) {
      const headers = { authorization, 'content-type': type }
      expect((await bare(gateway, chatPath, { headers })).status).toBe(200)
    }
    const body = JSON.stringify(asked)
    const head = wireHead(chatPath, { authorization, 'content-length': body.length })
    expect(await onSocket(gateway.gateway.port, head + body, isAnswered)).toStartWith(
      'HTTP/1.1 200 ',
    )
  })

  test('every response has a request id of its own (A21)', async () => {
    await using upstream = await startScriptedUpstream((request) =>
      bodyOf(request)['seed'] === 500
        ? json(500, '<html>broken</html>')
        : recorded('text')(request),
    )
    await using gateway = await startGateway(servedBy('chat-completions', upstream))
    const responses = [
      await gateway.post(chatPath, asked),
      await gateway.post(chatPath, asked),
      await gateway.post(chatPath, { ...asked, stream: true }),
      await gateway.post(chatPath, {}),
      await gateway.post('/v1/nothing', {}),
      await gateway.post(chatPath, { ...asked, seed: 500 }),
      await bare(gateway, chatPath, {}),
      await fetch(`${gateway.url}/v1/models`, {
        headers: { authorization: `Bearer ${gateway.key}` },
      }),
    ]
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 400, 404, 502, 401, 200])
    const ids = responses.map(({ headers }) => headers.get('x-request-id') ?? '')
    for (const id of ids) expect(id).toMatch(/^req_[0-9a-f]{32}$/)
    expect(new Set(ids).size).toBe(ids.length)
    for (const response of responses) await response.text()
  })

  test('tells who answered, and passes on what the upstream says of its limits', async () => {
    await using upstream = await startScriptedUpstream([
      json(200, recording('text.json'), {
        'x-request-id': 'req_of_the_upstream',
        'x-ratelimit-remaining-tokens': '149984',
        'set-cookie': 'session=1',
        'openai-organization': 'org-secret',
      }),
    ])
    await using gateway = await startGateway(servedBy('chat-completions', upstream))
    const { headers } = await gateway.post(chatPath, asked)
    expect(headers.get('x-parley-target')).toBe('up/m')
    expect(headers.get('x-upstream-request-id')).toBe('req_of_the_upstream')
    expect(headers.get('x-ratelimit-remaining-tokens')).toBe('149984')
    expect([headers.get('set-cookie'), headers.get('openai-organization')]).toEqual([null, null])
  })

  test('nothing of the caller goes upstream but the body', async () => {
    await using upstream = await startScriptedUpstream(recorded('text'))
    await using gateway = await startGateway(servedBy('chat-completions', upstream))
    await gateway.post(chatPath, asked, {
      cookie: 'session=1',
      'openai-organization': 'org-1',
      'x-stainless-lang': 'js',
      'user-agent': 'somebody',
    })
    const { headers } = await upstream.request(0)
    expect(headers.get('authorization')).toBe('Bearer sk-of-the-upstream')
    expect([...headers.keys()].toSorted()).toEqual([
      'accept',
      'accept-encoding',
      'authorization',
      'connection',
      'content-length',
      'content-type',
      'host',
      // A trace of our own, by which nobody learns of the caller.
      'traceparent',
      'user-agent',
    ])
    expect(headers.get('user-agent')).toBe('parley')
  })

  test('a page of an allowed origin may call, with any header that it asks for (A22)', async () => {
    await using gateway = await startGateway({ cors: { origins: ['https://app.example.com'] } })
    const wanted = 'authorization,content-type,x-stainless-os'
    const ask = (origin: string) =>
      fetch(`${gateway.url}${chatPath}`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': wanted,
        },
      })
    const allowed = await ask('https://app.example.com')
    expect(allowed.status).toBe(204)
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://app.example.com')
    expect(allowed.headers.get('access-control-allow-headers')).toBe(wanted)
    expect(allowed.headers.get('access-control-allow-methods')).toContain('POST')
    const strange = await ask('https://elsewhere.example.com')
    expect(strange.headers.get('access-control-allow-origin')).toBeNull()
    const refused = await gateway.post(chatPath, {}, { origin: 'https://app.example.com' })
    expect(refused.headers.get('access-control-allow-origin')).toBe('https://app.example.com')
    expect(refused.headers.get('access-control-expose-headers')).toContain('x-request-id')
  })
})

describe('bodies', () => {
  test('a body that the caller waits to send is asked for (A19)', async () => {
    await using upstream = await startScriptedUpstream(recorded('text'))
    await using gateway = await startGateway(servedBy('chat-completions', upstream))
    const body = JSON.stringify(asked)
    const head = wireHead(chatPath, {
      authorization: `Bearer ${gateway.key}`,
      'content-length': body.length,
      expect: '100-continue',
    })
    const said = await onSocket(gateway.gateway.port, head + body, isAnswered)
    expect(said).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /)
  })

  test('a body of almost the limit is answered (A18)', async () => {
    const lengths: number[] = []
    using upstream = Bun.serve({
      port: 0,
      maxRequestBodySize: 64 * 1024 * 1024,
      fetch: async (request) => {
        lengths.push((await request.bytes()).length)
        return new Response(recording('text.json'), jsonType)
      },
    })
    await using gateway = await startGateway({
      upstreams: {
        up: { protocol: 'chat-completions', url: `${upstream.url.origin}/v1`, serves: ['m'] },
      },
    })
    const body = imageBody(32 * 1024 * 1024 - 1)
    const response = await gateway.post(chatPath, body)
    expect([response.status, lengths]).toEqual([200, [body.length]])
  })

  test.each(['length', 'chunks'])(
    'a body over the limit is told so, by its %s (A17)',
    async (by) => {
      await using gateway = await startGateway({})
      const text = imageBody(33 * 1024 * 1024)
      const body = by === 'length' ? text : new Blob([text]).stream()
      const headers = { authorization: `Bearer ${gateway.key}` }
      const response = await bare(gateway, chatPath, { headers, body })
      expect(response.status).toBe(413)
      expect(await refusal(response)).toMatchObject(tooLarge)
    },
  )

  test('a caller that sends its whole body first can read the refusal (A17)', async () => {
    await using gateway = await startGateway({})
    const text = imageBody(33 * 1024 * 1024)
    const head = wireHead(chatPath, {
      authorization: `Bearer ${gateway.key}`,
      'content-length': text.length,
    })
    const said = await onSocket(gateway.gateway.port, head + text)
    expect(said).toStartWith('HTTP/1.1 413 ')
    expect(said.toLowerCase()).toContain('connection: close')
    expect(JSON.parse(said.slice(said.indexOf('{')))).toMatchObject({ error: tooLarge })
  })

  test.each(['content-length: 1000', 'transfer-encoding: chunked'])(
    'a caller that leaves in the middle of its body is no fault of the gateway: %s (T-T06)',
    async (header) => {
      const lines: string[] = []
      const log = pino({}, { write: (line: string) => void lines.push(line) })
      await using upstream = await startScriptedUpstream(recorded('text'))
      await using gateway = await startGateway(
        servedBy('chat-completions', upstream),
        ':memory:',
        log,
      )
      const [name = '', value = ''] = header.split(': ')
      const head = wireHead(chatPath, { authorization: `Bearer ${gateway.key}`, [name]: value })
      const socket = connect(gateway.gateway.port, '127.0.0.1')
      socket.write(`${head}5\r\n{"mod\r\n`)
      while (gateway.gateway.inFlight === 0) await turn()
      socket.destroy()
      await idle(gateway)
      await turn()
      expect([lines, upstream.requests.length]).toEqual([[], 0])
    },
  )

  test('the official client is told of a body over the limit (A17)', async () => {
    await using gateway = await startGateway({})
    const messages = [{ role: 'user' as const, content: 'A'.repeat(33 * 1024 * 1024) }]
    const failure = await rejection(
      openaiOf(gateway, { maxRetries: 2 }).chat.completions.create({ model: 'm', messages }),
    )
    expect(failure).toMatchObject({ status: 413, ...tooLarge })
  })
})

const tooLarge = { type: 'invalid_request_error', param: null, code: 'request_too_large' }

describe('bytes', () => {
  const names = readdirSync(new URL('fixtures/chat-completions/', import.meta.url))
    .filter((name) => name.endsWith('.request.json'))
    .map((name) => name.slice(0, -'.request.json'.length))
  const asksUsage = ',"stream_options":{"include_usage":true}'

  test.each(names)(
    '%s goes through untouched, both ways, and is counted (T-P01 T-P03)',
    async (name) => {
      using ledger = new LedgerFile()
      await using upstream = await startScriptedUpstream(recorded(name))
      const request = recording(`${name}.request.json`)
      const { model } = JSON.parse(request)
      await using gateway = await startGateway(
        { upstreams: { up: { vendor: 'openai', url: upstream.url, serves: [model] } } },
        ledger.path,
      )
      const streamed = await gateway.post(chatPath, request)
      expect(await streamed.text()).toBe(recording(`${name}.sse`))
      const whole = request.replace(/,\s*"stream": true[^]*/, '\n}\n')
      expect(await (await gateway.post(chatPath, whole)).text()).toBe(recording(`${name}.json`))
      const [sentStream, sentWhole] = upstream.requests.map(({ body }) => body)
      expect(sentStream?.replace(asksUsage, '')).toBe(request)
      expect(sentStream).toContain('include_usage')
      expect(sentWhole).toBe(whole)
      // What is said again for a caller of the other protocol is read in full, and has to count the same.
      if (name === 'two-choices' || name === 'logprobs') return
      await (
        await gateway.post('/v1/messages', { ...asked, model, max_tokens: 9, stream: true })
      ).text()
      const [passed, , translated] = ledger.rows
      expect([passed?.result, translated?.result]).toEqual(['complete', 'complete'])
      if (request.includes('include_usage')) expect(countsIn(passed)).toEqual(countsIn(translated))
    },
  )

  test('of a request by another name only the name is changed (T-P02)', async () => {
    await using upstream = await startScriptedUpstream(recorded('text'))
    await using gateway = await startGateway({
      ...servedBy('chat-completions', upstream),
      models: { 'my-model': { targets: ['up/org/their-model'] } },
    })
    const said = (model: string) =>
      `{ "messages" : [{"role":"user","content":"my-model \\u00e9 \\"model\\":\\"my-model\\"", "model":"my-model"}],\n\t"seed":9223372036854775807, "temperature":1.0,\n "model" :  "${model}" , "unknown":{"model":"my-model"}}\n`
    expect((await gateway.post(chatPath, said('my-model'))).status).toBe(200)
    expect((await upstream.request(0)).body).toBe(said('org/their-model'))
  })

  test('the command that the documentation begins with works with another address (X07)', async () => {
    await using upstream = await startScriptedUpstream(recorded('text'))
    await using gateway = await startGateway(servedBy('chat-completions', upstream))
    const body = `{
    "model": "m",
    "messages": [
      {
        "role": "developer",
        "content": "You are a helpful assistant."
      },
      {
        "role": "user",
        "content": "Hello!"
      }
    ]
  }`
    const head = wireHead(chatPath, {
      'user-agent': 'curl/8.16.0',
      accept: '*/*',
      'content-type': 'application/json',
      authorization: `Bearer ${gateway.key}`,
      'content-length': body.length,
    })
    const said = await onSocket(gateway.gateway.port, head + body, isAnswered)
    expect(said).toStartWith('HTTP/1.1 200 ')
    expect(said).toContain('"content": "Hi there')
    expect(bodyOf(await upstream.request(0))).toMatchObject({ messages: [{ role: 'system' }, {}] })
  })
})

function countsIn(row?: LedgerRow): unknown {
  const { input, cache_read, cache_write, output, reasoning, counted } = row!
  return { input, cache_read, cache_write, output, reasoning, counted }
}

function isAnswered(text: string): boolean {
  return text.includes('"object": "chat.completion"') && text.trimEnd().endsWith('}')
}

/** A valid request of exactly so many bytes, nearly all of them an image. */
function imageBody(size: number): string {
  const url = (data: string) => `data:image/png;base64,${data}`
  const request = (data: string) =>
    JSON.stringify({
      model: 'm',
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: url(data) } }] }],
    })
  return request('A'.repeat(size - request('').length))
}

const jsonType = { headers: { 'content-type': 'application/json' } }
