import { describe, expect, test } from 'bun:test'

import { anthropicOf, asked, bothLanes, hello, hi, servedBy } from './messages-callers.ts'
import { startScriptedUpstream } from './scripted-upstream.ts'
import { startGateway, type TestGateway } from './start-gateway.ts'

// What HTTP brings besides the body: credentials, headers, paths, browsers.

const version = { 'anthropic-version': '2023-06-01' }

/** Posts the smallest request with these headers and no others. */
function send(
  { url }: TestGateway,
  headers: Readonly<Record<string, string>>,
  path = '/v1/messages',
): Promise<Response> {
  return fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...version, ...headers },
    body: JSON.stringify(asked),
  })
}

interface ErrorEnvelope {
  readonly type: string
  readonly error: { readonly type: string; readonly message: string }
  readonly request_id: string
}

/** The error in a response, after everything was checked that every error has. */
async function envelopeOf(response: Response): Promise<ErrorEnvelope> {
  expect(response.headers.get('content-type')).toStartWith('application/json')
  const body = (await response.json()) as ErrorEnvelope
  expect(body.type).toBe('error')
  expect(body.request_id).toMatch(/^req_/)
  expect(response.headers.get('request-id')).toBe(body.request_id)
  expect(body.error.message).not.toBe('')
  return body
}

describe('a credential', () => {
  test('AUTH-01 is taken from x-api-key, as the older official clients send it', async () => {
    await using upstream = await startScriptedUpstream(hello.messages)
    await using gateway = await startGateway(servedBy('messages', upstream))
    const response = await send(gateway, { 'x-api-key': gateway.key })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ type: 'message' })
  })

  test('AUTH-02 AUTH-03 is taken from a bearer token, however its scheme is written', async () => {
    await using upstream = await startScriptedUpstream(hello.messages)
    await using gateway = await startGateway(servedBy('messages', upstream))
    for (const scheme of ['Bearer ', 'bearer ', 'BEARER  ']) {
      const response = await send(gateway, { authorization: `${scheme}${gateway.key}` })
      expect(response.status).toBe(200)
    }
    const client = anthropicOf(gateway)
    await client.messages.create(asked)
    expect(upstream.requests).toHaveLength(4)
  })

  test('AUTH-05 V1021-14 that is wrong or missing is refused once, without naming one header alone', async () => {
    await using upstream = await startScriptedUpstream(hello.messages)
    await using gateway = await startGateway(servedBy('messages', upstream))
    for (const headers of [
      { 'x-api-key': 'sk-parley-wrong' },
      { authorization: 'Bearer sk-parley-wrong' },
      { 'x-api-key': '' },
      {},
    ]) {
      const response = await send(gateway, headers)
      expect(response.status).toBe(401)
      expect(response.headers.get('x-should-retry')).toBe('false')
      const { error } = await envelopeOf(response)
      expect(error.type).toBe('authentication_error')
      if (!('x-api-key' in headers)) expect(error.message).not.toMatch(/^x-api-key/)
    }
    expect(upstream.requests).toEqual([])
  })

  test('AUTH-06 AUTH-07 that is good suffices, whatever stands beside it', async () => {
    await using upstream = await startScriptedUpstream(hello.messages)
    await using gateway = await startGateway(servedBy('messages', upstream))
    const { key } = gateway
    for (const headers of [
      { authorization: `Bearer ${key}`, 'x-api-key': 'junk' },
      { authorization: 'Bearer junk', 'x-api-key': key },
      { authorization: `Bearer ${key}`, 'x-api-key': key },
      { authorization: `Bearer ${key}`, 'x-api-key': '' },
    ]) {
      expect((await send(gateway, headers)).status).toBe(200)
    }
  })

  test('of one key beside that of another is refused, because nobody could say who pays', async () => {
    await using upstream = await startScriptedUpstream(hello.messages)
    await using gateway = await startGateway(servedBy('messages', upstream))
    const other = (await gateway.gateway.keys.issue({ name: 'other' })).key.reveal()
    const headers = { authorization: `Bearer ${gateway.key}`, 'x-api-key': other }
    const response = await send(gateway, headers)
    expect(response.status).toBe(400)
    expect((await envelopeOf(response)).error.type).toBe('invalid_request_error')
    expect(upstream.requests).toEqual([])
  })

  test('never reaches an upstream, which is shown the gateway’s own', async () => {
    for (const protocol of bothLanes) {
      await using upstream = await startScriptedUpstream(hello[protocol])
      await using gateway = await startGateway(servedBy(protocol, upstream))
      await send(gateway, { authorization: `Bearer ${gateway.key}`, 'x-api-key': gateway.key })
      const { headers } = await upstream.request(0)
      expect(JSON.stringify([...headers])).not.toContain(gateway.key)
      expect(headers.get(protocol === 'messages' ? 'x-api-key' : 'authorization')).toBe(
        protocol === 'messages' ? 'sk-of-the-upstream' : 'Bearer sk-of-the-upstream',
      )
    }
  })
})

describe('headers and query', () => {
  test('BETA-01 betas that nobody knows are no reason to refuse', async () => {
    for (const protocol of bothLanes) {
      await using upstream = await startScriptedUpstream(hello[protocol])
      await using gateway = await startGateway(servedBy(protocol, upstream))
      const betas = { 'x-api-key': gateway.key, 'anthropic-beta': 'foo-2099-01-01,bar' }
      expect((await send(gateway, betas)).status).toBe(200)
      const { headers } = await upstream.request(0)
      const passed = protocol === 'messages' ? 'foo-2099-01-01,bar' : undefined
      expect(headers.get('anthropic-beta')).toBe(passed)
    }
  })

  test('BETA-02 the query of the beta namespace changes nothing', async () => {
    await using upstream = await startScriptedUpstream(hello.messages)
    await using gateway = await startGateway(servedBy('messages', upstream))
    const credential = { 'x-api-key': gateway.key }
    const plain = await send(gateway, credential)
    const beta = await send(gateway, credential, '/v1/messages?beta=true')
    expect(await beta.text()).toBe(await plain.text())
    const [one, other] = upstream.requests
    expect([one?.path, one?.body]).toEqual([other?.path, other?.body])
    const client = anthropicOf(gateway)
    const message = await client.beta.messages.create({
      ...asked,
      betas: ['context-1m-2025-08-07'],
    })
    expect(message.content).toMatchObject([{ type: 'text', text: 'Hello there' }])
    expect((await upstream.request(2)).headers.get('anthropic-beta')).toBe('context-1m-2025-08-07')
  })

  test('HDR-02 what clients tell of themselves is no reason to refuse, and goes no further', async () => {
    await using upstream = await startScriptedUpstream(hello.messages)
    await using gateway = await startGateway(servedBy('messages', upstream))
    const telling = {
      'x-stainless-lang': 'js',
      'x-stainless-retry-count': '1',
      'x-stainless-timeout': '600',
      'x-claude-code-session-id': '0f5b',
      'x-claude-code-request-class': 'main',
      'anthropic-user-profile-id': 'profile',
      'anthropic-workspace-id': 'wrkspc_1',
      'anthropic-dangerous-direct-browser-access': 'true',
      'x-app': 'cli',
      'user-agent': 'claude-cli/2.1.181 (external, cli)',
    }
    const response = await send(gateway, { 'x-api-key': gateway.key, ...telling })
    expect(response.status).toBe(200)
    const { headers } = await upstream.request(0)
    for (const name of Object.keys(telling)) {
      if (name !== 'user-agent') expect(headers.has(name), name).toBe(false)
    }
  })

  test('HDR-03 a content type may name its charset, or be left out', async () => {
    await using upstream = await startScriptedUpstream(hello.messages)
    await using gateway = await startGateway(servedBy('messages', upstream))
    for (const type of ['application/json; charset=utf-8', 'application/json', '']) {
      const headers = { 'x-api-key': gateway.key, 'content-type': type }
      expect((await send(gateway, headers)).status).toBe(200)
    }
  })

  test('every answer has a request id of its own, which is the one that an official client tells', async () => {
    await using upstream = await startScriptedUpstream(hello.messages)
    await using gateway = await startGateway(servedBy('messages', upstream))
    const client = anthropicOf(gateway)
    const one = await client.messages.create(asked).withResponse()
    const other = await client.messages.create({ ...asked, stream: true }).withResponse()
    for await (const _event of other.data);
    expect(one.request_id).toMatch(/^req_[0-9a-f]{32}$/)
    expect(other.request_id).toMatch(/^req_[0-9a-f]{32}$/)
    expect(one.request_id).not.toBe(other.request_id)
    expect(one.response.headers.get('x-parley-target')).toBe('up/m')
  })
})

describe('browsers', () => {
  const asking = {
    origin: 'https://app.example.com',
    'access-control-request-method': 'POST',
    'access-control-request-headers':
      'anthropic-dangerous-direct-browser-access,anthropic-version,authorization,content-type,x-stainless-lang',
  }

  test('HDR-04 an allowed page is told what it may send, and may then read what it needs', async () => {
    await using upstream = await startScriptedUpstream(hello.messages)
    await using gateway = await startGateway({
      ...servedBy('messages', upstream),
      cors: { origins: ['https://app.example.com'] },
    })
    const preflight = await fetch(`${gateway.url}/v1/messages`, {
      method: 'OPTIONS',
      headers: asking,
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe(asking.origin)
    expect(preflight.headers.get('access-control-allow-methods')).toContain('POST')
    const allowed = preflight.headers.get('access-control-allow-headers')?.split(/, ?/) ?? []
    for (const name of asking['access-control-request-headers'].split(','))
      expect(allowed).toContain(name)
    expect(allowed).not.toContain('*')
    const headers = { 'x-api-key': gateway.key, origin: asking.origin }
    const response = await send(gateway, headers)
    expect(response.headers.get('access-control-allow-origin')).toBe(asking.origin)
    const exposed = response.headers.get('access-control-expose-headers')
    for (const name of ['request-id', 'retry-after', 'retry-after-ms', 'x-should-retry'])
      expect(exposed).toContain(name)
    const refused = await send(gateway, { 'x-api-key': 'wrong', origin: asking.origin })
    expect(refused.status).toBe(401)
    expect(refused.headers.get('access-control-allow-origin')).toBe(asking.origin)
  })

  test('HDR-04 any other page is allowed nothing', async () => {
    await using upstream = await startScriptedUpstream(hello.messages)
    await using gateway = await startGateway(servedBy('messages', upstream))
    const url = `${gateway.url}/v1/messages`
    const preflight = await fetch(url, { method: 'OPTIONS', headers: asking })
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull()
    const response = await send(gateway, { 'x-api-key': gateway.key, origin: asking.origin })
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('paths', () => {
  test('PATH-01 one that is not served is not found, in the words of the protocol', async () => {
    await using gateway = await startGateway({})
    for (const method of ['GET', 'POST', 'DELETE']) {
      const url = `${gateway.url}/_stainless_unknown_path`
      const headers = { authorization: `Bearer ${gateway.key}`, ...version }
      const response = await fetch(url, { method, headers })
      expect(response.status).toBe(404)
      expect(response.headers.get('x-should-retry')).toBe('false')
      expect((await envelopeOf(response)).error.type).toBe('not_found_error')
    }
  })

  test('PATH-02 a method that a path does not have is refused', async () => {
    await using gateway = await startGateway({})
    for (const [method, path] of [
      ['GET', '/v1/messages'],
      ['PUT', '/v1/messages'],
      ['GET', '/v1/messages/count_tokens'],
    ] as const) {
      const response = await fetch(`${gateway.url}${path}`, { method })
      expect(response.status).toBe(405)
      expect(response.headers.get('allow')).toBe('POST')
      expect((await envelopeOf(response)).error.type).toBe('invalid_request_error')
    }
  })

  test.each([
    '/messages',
    '/v1/messages/',
    '/v1/v1/messages',
    '//v1//messages',
    '/anthropic/v1/messages',
    '/anthropic/messages',
  ])('%s is what a mistaken base URL makes of it, and is understood', async (path) => {
    await using upstream = await startScriptedUpstream(hello.messages)
    await using gateway = await startGateway(servedBy('messages', upstream))
    expect((await send(gateway, { 'x-api-key': gateway.key }, path)).status).toBe(200)
  })

  test('the probes with which an agent warms up its connection are answered at once', async () => {
    await using gateway = await startGateway({})
    for (const path of ['/', '/api/hello', '/v1/models', '/healthz']) {
      const response = await fetch(`${gateway.url}${path}`, {
        method: 'HEAD',
        headers: { 'x-api-key': gateway.key },
      })
      expect(response.status).toBe(path === '/' || path === '/api/hello' ? 404 : 200)
      expect(await response.text()).toBe('')
    }
  })
})

describe('bodies', () => {
  test('REQ-01 ERR-08 what is no JSON object is refused in the words of the protocol', async () => {
    await using upstream = await startScriptedUpstream(hello.messages)
    await using gateway = await startGateway(servedBy('messages', upstream))
    for (const body of ['{', '', '[]', '"text"', 'null', '{"model":"m",}', '{"a":1}{"b":2}']) {
      const response = await gateway.post('/v1/messages', body)
      expect(response.status).toBe(400)
      const { error } = await envelopeOf(response)
      expect(error.type).toBe('invalid_request_error')
      expect(error.message).toStartWith('The request body is not valid JSON')
    }
    expect(upstream.requests).toEqual([])
  })

  test('ERR-08 one that is too large is refused as such, whether or not its length was told', async () => {
    await using upstream = await startScriptedUpstream(hello.messages)
    await using gateway = await startGateway({
      ...servedBy('messages', upstream),
      limits: { body: '1KiB' },
    })
    const large = JSON.stringify({ ...asked, system: 'x'.repeat(2000) })
    const headers = { 'x-api-key': gateway.key, 'content-type': 'application/json', ...version }
    const untold = new ReadableStream({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode(large))
        controller.close()
      },
    })
    for (const body of [large, untold]) {
      const response = await fetch(`${gateway.url}/v1/messages`, { method: 'POST', headers, body })
      expect(response.status).toBe(413)
      expect((await envelopeOf(response)).error.type).toBe('request_too_large')
    }
    expect(upstream.requests).toEqual([])
  })

  test('what is compressed or no UTF-8 is refused with the codes that clients know', async () => {
    await using gateway = await startGateway({})
    const compressed = await gateway.post('/v1/messages', asked, { 'content-encoding': 'gzip' })
    expect(compressed.status).toBe(400)
    expect((await envelopeOf(compressed)).error).toMatchObject({
      type: 'invalid_request_error',
      details: { error_code: 'request_body_encoding_unsupported' },
    })
    const broken = await fetch(`${gateway.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': gateway.key, ...version },
      body: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]),
    })
    expect(broken.status).toBe(400)
    expect((await envelopeOf(broken)).error).toMatchObject({
      details: { error_code: 'request_body_encoding_invalid' },
    })
  })

  test('REQ-31 one of 31 MB, full of images, reaches its upstream whole', async () => {
    const received = Promise.withResolvers<string>()
    using upstream = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      maxRequestBodySize: 64 * 1024 * 1024,
      fetch: async (request) => {
        received.resolve(await request.text())
        return Response.json({ type: 'message', id: 'msg_up', content: [], usage: {} })
      },
    })
    await using gateway = await startGateway({
      upstreams: { up: { protocol: 'messages', url: upstream.url.origin, serves: ['m'] } },
    })
    const data = 'A'.repeat(1024 * 1024)
    const source = { type: 'base64', media_type: 'image/png', data }
    const images = Array.from({ length: 31 }, () => ({ type: 'image', source }))
    const text = JSON.stringify({ ...asked, messages: [...hi, { role: 'user', content: images }] })
    const response = await gateway.post('/v1/messages', text)
    expect(response.status).toBe(200)
    expect((await received.promise) === text).toBe(true)
  })
})
