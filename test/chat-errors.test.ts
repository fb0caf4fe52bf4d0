import { describe, expect, spyOn, test } from 'bun:test'
import { gzipSync } from 'node:zlib'

import OpenAI from 'openai'

import { asked, openaiOf, recorded } from './chat-callers.ts'
import { bothLanes, LedgerFile, rejection, servedBy } from './messages-callers.ts'
import { json, type Script, startScriptedUpstream, write } from './scripted-upstream.ts'
import { startGateway, type TestGateway } from './start-gateway.ts'

// What a chat-completions caller is told when there is no answer, and what its client makes of it.

function ask(gateway: TestGateway, body: unknown = asked): Promise<Response> {
  return gateway.post('/v1/chat/completions', body)
}

interface WireError {
  readonly message: string
  readonly type: string
  readonly param: string | null
  readonly code: string | null
}

/** The error of a refusal, once it is seen to have all of its members and nothing else. */
async function errorOf(response: Response): Promise<WireError> {
  expect(response.headers.get('content-type')).toBe('application/json')
  const body = (await response.json()) as { readonly error: WireError }
  expect(Object.keys(body)).toEqual(['error'])
  expect(Object.keys(body.error)).toEqual(['message', 'type', 'param', 'code'])
  return body.error
}

describe('a request that cannot be', () => {
  test.each([
    ['V01: no whole JSON', '{', null, null],
    ['V02: a list', '[]', null, null],
    ['V02: a text', '"x"', null, null],
    ['V02: null', 'null', null, null],
    ['V02: nothing', '', null, null],
    ['V03: without a model', { messages: asked.messages }, 'model', 'missing_required_parameter'],
    ['V05: without a message', { model: 'm', messages: [] }, 'messages', 'empty_array'],
    ['V09: for no choice', { ...asked, n: 0 }, 'n', 'integer_below_min_value'],
    ['V09: for too many choices', { ...asked, n: 129 }, 'n', 'integer_above_max_value'],
    [
      'V27: with an unknown part',
      { model: 'm', messages: [{ role: 'user', content: [{ type: 'smell' }] }] },
      'messages[0].content[0].type',
      'invalid_value',
    ],
  ])('%s is refused with what is wrong, and nothing is sent', async (_, body, param, code) => {
    await using upstream = await startScriptedUpstream(recorded('text'))
    await using gateway = await startGateway(servedBy('chat-completions', upstream))
    const response = await ask(gateway, body)
    expect([response.status, response.headers.get('x-should-retry')]).toEqual([400, 'false'])
    expect(await errorOf(response)).toMatchObject({ type: 'invalid_request_error', param, code })
    expect(upstream.requests.length).toBe(0)
  })

  test('for a model that no list holds is told so at once (V06)', async () => {
    await using upstream = await startScriptedUpstream(recorded('text'))
    const { upstreams } = servedBy('chat-completions', upstream)
    await using gateway = await startGateway({
      upstreams: { ...upstreams, other: upstreams!['up']! },
    })
    const response = await ask(gateway, { ...asked, model: 'none' })
    expect(response.status).toBe(404)
    expect(await errorOf(response)).toMatchObject({
      type: 'invalid_request_error',
      code: 'model_not_found',
      message: expect.stringContaining('does not exist'),
    })
    expect(upstream.requests.length).toBe(0)
  })

  test('for a model that only the upstream can know is told what it says (V06)', async () => {
    const missing = {
      message: 'No such model',
      type: 'invalid_request_error',
      code: 'model_not_found',
    }
    await using upstream = await startScriptedUpstream([json(404, { error: missing })])
    await using gateway = await startGateway(servedBy('chat-completions', upstream))
    const failure = await rejection(
      openaiOf(gateway).chat.completions.create({ ...asked, model: 'none' }),
    )
    expect(failure).toBeInstanceOf(OpenAI.NotFoundError)
    expect(failure).toMatchObject({ code: 'model_not_found' })
  })
})

describe('a failure of the upstream', () => {
  test.each<[string, Script, number, Partial<WireError>]>([
    ['N13: a page of HTML', json(200, '<html>hi</html>', { 'content-type': 'text/html' }), 502, {}],
    ['N13: nothing at all', json(200, ''), 502, {}],
    ['N13: no whole JSON', json(200, '{"id":'), 502, {}],
    ['N14: an answer without a choice', json(200, { id: 'x', choices: [] }), 502, {}],
    ['N14: an answer without choices', json(200, { id: 'x' }), 502, {}],
    [
      'R05: a permanent 500',
      json(500, { error: { message: 'Boom', type: 'server_error' } }),
      502,
      {},
    ],
    ['R08: a page of HTML as a 502', json(502, '<html>Bad Gateway</html>'), 502, {}],
    [
      'R09: a key that is not accepted',
      json(401, { error: { message: 'Incorrect API key provided: sk-of-the-upstream' } }),
      502,
      {},
    ],
    ['R13: a time-out of its own', json(408, {}), 504, { code: 'upstream_timeout' }],
    [
      'an overload',
      json(529, { error: { message: 'Overloaded' } }),
      503,
      { type: 'service_unavailable_error', code: 'server_is_overloaded' },
    ],
    [
      'a limit of its own',
      json(429, { error: { message: 'Slow down', type: 'requests', code: 'rate_limit_exceeded' } }),
      429,
      { type: 'requests', code: 'rate_limit_exceeded', message: 'Slow down' },
    ],
    [
      'R07: a refusal whose code is a number',
      json(400, {
        object: 'error',
        message: 'Bad',
        type: 'BadRequestError',
        param: null,
        code: 400,
      }),
      400,
      { type: 'invalid_request_error', code: null },
    ],
    [
      'a refusal in its own words',
      json(400, {
        error: { message: 'Bad', type: 'invalid_request_error', param: 'seed', code: 'x' },
      }),
      400,
      { message: 'Bad', param: 'seed', code: 'x' },
    ],
    [
      'an overflow of the context',
      json(400, {
        error: {
          message: "This model's maximum context length is 8192 tokens.",
          type: 'invalid_request_error',
          param: 'messages',
          code: 'context_length_exceeded',
        },
      }),
      400,
      { code: 'context_length_exceeded', param: 'messages' },
    ],
  ])('%s is told in the words of this protocol', async (_, script, status, error) => {
    await using upstream = await startScriptedUpstream([script])
    await using gateway = await startGateway(servedBy('chat-completions', upstream))
    const response = await ask(gateway)
    expect(response.status).toBe(status)
    const told = await errorOf(response)
    const usual = status === 502 ? { type: 'server_error', code: 'upstream_error' } : {}
    expect(told).toMatchObject({ ...usual, ...error })
    expect(told.message).not.toMatch(/<html>|sk-of-the-upstream/)
  })

  test.each<[number, string, number, object]>([
    [400, 'invalid_request_error', 400, { type: 'invalid_request_error' }],
    [401, 'authentication_error', 502, { code: 'upstream_error' }],
    [403, 'permission_error', 502, { code: 'upstream_error' }],
    [413, 'request_too_large', 413, { code: 'request_too_large' }],
    [429, 'rate_limit_error', 429, { type: 'requests', code: 'rate_limit_exceeded' }],
    [500, 'api_error', 502, { type: 'server_error', code: 'upstream_error' }],
    [504, 'timeout_error', 504, { code: 'upstream_timeout' }],
    [529, 'overloaded_error', 503, { code: 'server_is_overloaded' }],
  ])(
    'that says %d %s in the messages protocol is told as %d',
    async (from, type, status, error) => {
      await using upstream = await startScriptedUpstream([
        json(from, { type: 'error', error: { type, message: 'As it is.' } }),
      ])
      await using gateway = await startGateway(servedBy('messages', upstream))
      const response = await ask(gateway)
      expect(response.status).toBe(status)
      const told = await errorOf(response)
      expect(told).toMatchObject(error)
      if (from !== 401 && from !== 403) expect(told.message).toContain('As it is.')
    },
  )

  test('that is a limit says when to come back, and what is left of it (T-E01)', async () => {
    const reset = new Date(Date.now() + 90_000).toISOString()
    const limit = { type: 'rate_limit_error', message: 'Too many tokens.' }
    await using upstream = await startScriptedUpstream([
      json(
        429,
        { type: 'error', error: limit, request_id: 'req_theirs' },
        {
          'request-id': 'req_theirs',
          'retry-after': '7',
          'anthropic-ratelimit-requests-limit': '50',
          'anthropic-ratelimit-requests-remaining': '0',
          'anthropic-ratelimit-requests-reset': reset,
          'anthropic-ratelimit-tokens-remaining': '1000',
        },
      ),
    ])
    await using gateway = await startGateway(servedBy('messages', upstream))
    const response = await ask(gateway)
    expect(response.status).toBe(429)
    const { headers } = response
    expect(headers.get('retry-after')).toBe('7')
    expect(headers.get('retry-after-ms')).toBe('7000')
    expect(headers.get('x-ratelimit-limit-requests')).toBe('50')
    expect(headers.get('x-ratelimit-remaining-requests')).toBe('0')
    expect(headers.get('x-ratelimit-remaining-tokens')).toBe('1000')
    expect(headers.get('x-ratelimit-reset-requests')).toMatch(/^1m(?:29|30)s$/)
    expect(headers.get('anthropic-ratelimit-requests-limit')).toBeNull()
    expect(await errorOf(response)).toEqual({
      message: 'Too many tokens.',
      type: 'requests',
      param: null,
      code: 'rate_limit_exceeded',
    })
  })

  test.each(bothLanes)(
    'of a %s upstream that came compressed is told uncompressed (T-E05)',
    async (lane) => {
      const words = JSON.stringify({
        type: 'error',
        error: { message: 'Bad seed', type: 'invalid_request_error', param: null, code: null },
      })
      const bytes = gzipSync(words)
      const head = `HTTP/1.1 400 Bad\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\ncontent-length: ${bytes.length}\r\n\r\n`
      await using upstream = await startScriptedUpstream([
        [write(Buffer.concat([Buffer.from(head), bytes]))],
      ])
      await using gateway = await startGateway(servedBy(lane, upstream))
      const response = await ask(gateway)
      expect(response.headers.get('content-encoding')).toBeNull()
      const text = await response.text()
      expect(Number(response.headers.get('content-length'))).toBe(Buffer.byteLength(text))
      expect(JSON.parse(text)).toMatchObject({ error: { message: 'Bad seed' } })
    },
  )

  test('is in the ledger under its code', async () => {
    using ledger = new LedgerFile()
    await using upstream = await startScriptedUpstream([
      json(500, {}),
      json(500, {}),
      json(400, {}),
      json(429, {}),
    ])
    await using gateway = await startGateway(servedBy('chat-completions', upstream), ledger.path)
    for (let time = 0; time < 3; time++) await (await ask(gateway)).text()
    expect(ledger.rows.map(({ result, counted }) => [result, counted])).toEqual([
      ['upstream-failed', 'none'],
      ['upstream-refused', 'none'],
      ['upstream-busy', 'none'],
    ])
  })
})

describe('openai', () => {
  test.each([
    [400, OpenAI.BadRequestError],
    [429, OpenAI.RateLimitError],
    [500, OpenAI.InternalServerError],
    [503, OpenAI.InternalServerError],
  ])(
    'makes its own error of a %d, with the request id of the header (R12)',
    async (status, type) => {
      await using upstream = await startScriptedUpstream([
        json(status, { error: { message: 'So it is.' } }),
      ])
      await using gateway = await startGateway(servedBy('chat-completions', upstream))
      const failure = await rejection(openaiOf(gateway).chat.completions.create(asked))
      expect(failure).toBeInstanceOf(type)
      if (!(failure instanceof OpenAI.APIError)) return
      expect(failure.requestID).toMatch(/^req_[0-9a-f]{32}$/)
      expect(failure.requestID).toBe(failure.headers?.get('x-request-id'))
      expect(failure.message).toContain('So it is.')
    },
  )

  test('makes its own error of a wrong key (R12)', async () => {
    await using gateway = await startGateway({})
    const failure = await rejection(
      openaiOf(gateway, { apiKey: 'wrong' }).chat.completions.create(asked),
    )
    expect(failure).toBeInstanceOf(OpenAI.AuthenticationError)
    expect(failure).toMatchObject({
      code: 'invalid_api_key',
      requestID: expect.stringMatching(/^req_/),
    })
  })

  test.each([true, false])(
    'tries again what may pass, and succeeds, stream: %p (R04)',
    async (stream) => {
      const busy = json(503, { error: { message: 'Wait.' } }, { 'retry-after-ms': '1' })
      await using upstream = await startScriptedUpstream((request) =>
        request.index < 3 ? busy : recorded('text')(request),
      )
      await using gateway = await startGateway(servedBy('chat-completions', upstream))
      const attempts: (string | null)[] = []
      const client = openaiOf(gateway, {
        maxRetries: 2,
        fetch: (url, init) => {
          attempts.push(new Headers(init?.headers).get('x-stainless-retry-count'))
          return fetch(url, init)
        },
      })
      const said = stream
        ? await client.chat.completions.stream(asked).finalContent()
        : (await client.chat.completions.create(asked)).choices[0]?.message.content
      expect(said).toStartWith('Hi there!')
      expect(attempts).toEqual(['0', '1', '2'])
      // The gateway repeats the first time of a caller, and no more once the caller repeats by itself.
      expect(upstream.requests.length).toBe(4)
    },
  )

  test('does not try again what will not pass', async () => {
    const refused = json(400, { error: { message: 'No.' } })
    await using upstream = await startScriptedUpstream([refused])
    await using gateway = await startGateway(servedBy('chat-completions', upstream))
    await rejection(openaiOf(gateway, { maxRetries: 2 }).chat.completions.create(asked))
    expect(upstream.requests.length).toBe(1)
  })

  test('is told nothing of a failure of the gateway itself but that there was one (R11)', async () => {
    await using gateway = await startGateway({})
    using _ = spyOn(gateway.gateway.keys, 'verify').mockImplementation(() => {
      throw new TypeError('undefined is not a function (near /srv/parley/secret.ts)')
    })
    const failure = await rejection(openaiOf(gateway).chat.completions.create(asked))
    expect(failure).toBeInstanceOf(OpenAI.InternalServerError)
    expect(failure).toMatchObject({ status: 500, type: 'server_error', code: 'internal_error' })
    expect(String(failure)).not.toMatch(/undefined|secret|at /)
  })
})
