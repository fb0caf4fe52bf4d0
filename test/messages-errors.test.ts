import { describe, expect, test } from 'bun:test'

import { createAnthropic } from '@ai-sdk/anthropic'
import Anthropic from '@anthropic-ai/sdk'
import { APICallError, generateText } from 'ai'

import { DONE, role, sse as chatText } from './chat-answers.ts'
import {
  anthropicOf,
  apiError,
  asked,
  bothLanes,
  fixture,
  hello,
  hi,
  rejection,
  servedBy,
} from './messages-callers.ts'
import { frame, messageStart } from './messages-frames.ts'
import {
  close,
  json,
  neverAnswer,
  type Script,
  sse,
  startScriptedUpstream,
} from './scripted-upstream.ts'
import { startGateway, type TestGateway } from './start-gateway.ts'

// What goes wrong before an answer begins, as official clients see it.

/** The vendor's own refusals, byte for byte, with the status and the class that the official client knows them by. */
const vendorErrors = [
  ['error-400-tool-result-missing.json', 400, Anthropic.BadRequestError],
  ['error-400-prompt-too-long.json', 400, Anthropic.BadRequestError],
  ['error-402-billing.json', 402, Anthropic.PaymentRequiredError],
  ['error-404-model.json', 404, Anthropic.NotFoundError],
  ['error-413-too-large.json', 413, Anthropic.ContentTooLargeError],
  ['error-429-rate-limit.json', 429, Anthropic.RateLimitError],
  ['error-529-overloaded.json', 529, Anthropic.OverloadedError],
] as const

describe('a failure of a messages upstream', () => {
  test.each(vendorErrors)(
    '%s goes on byte for byte, and keeps its class',
    async (name, status, kind) => {
      const text = fixture(name)
      await using upstream = await startScriptedUpstream([json(status, text)])
      await using gateway = await startGateway(servedBy('messages', upstream))
      for (const stream of [false, true]) {
        const response = await gateway.post('/v1/messages', { ...asked, stream })
        expect(response.status).toBe(status)
        expect(await response.text()).toBe(text)
        const error = await apiError(anthropicOf(gateway).messages.create({ ...asked, stream }))
        expect(error).toBeInstanceOf(kind)
        const said = JSON.parse(text) as { error: { type: string; message: string } }
        expect<string | null>(error.type).toBe(said.error.type)
        expect(error.apiMessage).toBe(said.error.message)
        expect(error.requestID).toMatch(/^req_[0-9a-f]{32}$/)
      }
    },
  )

  test('of its credential is the gateway’s own, and says nothing of keys', async () => {
    for (const status of [401, 403]) {
      const text =
        '{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key sk-of-the-upstream"}}'
      await using upstream = await startScriptedUpstream([json(status, text)])
      await using gateway = await startGateway(servedBy('messages', upstream))
      const error = await apiError(anthropicOf(gateway).messages.create(asked))
      expect(error).toBeInstanceOf(Anthropic.InternalServerError)
      expect(error.type).toBe('api_error')
      expect(String(error)).not.toContain('x-api-key')
      expect(String(error)).not.toContain('sk-of')
    }
  })
})

describe('a failure of a chat upstream', () => {
  const openai = (message: string, code: string | null = null, param: string | null = null) => ({
    error: { message, type: 'invalid_request_error', param, code },
  })

  test.each([
    [400, Anthropic.BadRequestError, 400, 'invalid_request_error'],
    [401, Anthropic.InternalServerError, 502, 'api_error'],
    [402, Anthropic.PaymentRequiredError, 402, 'billing_error'],
    [403, Anthropic.InternalServerError, 502, 'api_error'],
    [413, Anthropic.ContentTooLargeError, 413, 'request_too_large'],
    [422, Anthropic.BadRequestError, 400, 'invalid_request_error'],
    [429, Anthropic.RateLimitError, 429, 'rate_limit_error'],
    [500, Anthropic.InternalServerError, 502, 'api_error'],
    [503, Anthropic.OverloadedError, 529, 'overloaded_error'],
    [504, Anthropic.GatewayTimeoutError, 504, 'timeout_error'],
  ])('of status %d is known to the official client', async (status, kind, told, type) => {
    await using upstream = await startScriptedUpstream([json(status, openai('Words.'))])
    await using gateway = await startGateway(servedBy('chat-completions', upstream))
    const error = await apiError(anthropicOf(gateway).messages.create(asked))
    expect(error).toBeInstanceOf(kind)
    expect<string | null>(error.type).toBe(type)
    expect(error.status).toBe(told)
    expect(error.requestID).toMatch(/^req_/)
    if (status < 500 && status !== 401 && status !== 403) expect(error.apiMessage).toBe('Words.')
  })

  test('T-E02 too long a prompt is told in the words after which an agent shortens its history', async () => {
    const said =
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens. Please reduce the length of the messages."
    const body = openai(said, 'context_length_exceeded', 'messages')
    await using upstream = await startScriptedUpstream([json(400, body)])
    await using gateway = await startGateway(servedBy('chat-completions', upstream))
    const error = await apiError(anthropicOf(gateway).messages.create(asked))
    expect(error).toBeInstanceOf(Anthropic.BadRequestError)
    expect(error.type).toBe('invalid_request_error')
    expect(error.apiMessage).toContain('prompt is too long')
    expect(error.apiMessage).toContain(said)
    expect(error.requestID).toMatch(/^req_/)
  })

  test.each([
    "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (3000 in the messages, 2000 in the completion). Please reduce the length of the messages or completion.",
    "'max_tokens' or 'max_completion_tokens' is too large: 2000. This model's maximum context length is 4096 tokens and your request has 3000 input tokens (2000 > 4096 - 3000). (parameter=max_tokens, value=2000)",
    "You passed 3000 input tokens and requested 2000 output tokens. However, the model's context length is only 4096 tokens, resulting in a maximum input length of 2096 tokens. Please reduce the length of the input prompt.",
  ])('REQ-39 an input that would fit with a shorter answer is told as such: %s', async (said) => {
    await using upstream = await startScriptedUpstream([json(400, openai(said))])
    await using gateway = await startGateway(servedBy('chat-completions', upstream))
    const error = await apiError(anthropicOf(gateway).messages.create(asked))
    expect(error.status).toBe(400)
    expect(error.apiMessage).toContain(
      'input length and `max_tokens` exceed context limit: 3000 + 2000 > 4096',
    )
    expect(error.apiMessage).not.toContain('prompt is too long')
  })

  test('a model server that words it as its own protocol does is no different', async () => {
    const text =
      '{"type":"error","error":{"type":"BadRequestError","message":"request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it"}}'
    await using upstream = await startScriptedUpstream([json(400, text)])
    await using gateway = await startGateway(servedBy('messages', upstream))
    const error = await apiError(anthropicOf(gateway).messages.create(asked))
    expect(error.apiMessage).toContain('prompt is too long: 5000 tokens > 4096 maximum')
    expect(error.type).toBe('invalid_request_error')
  })
})

describe('retries', () => {
  const overloaded = fixture('error-529-overloaded.json')

  test('ERR-06 ERR-03 the official client asks again after an overload, as soon as it was told to', async () => {
    const busy = json(529, overloaded, { 'retry-after-ms': '1' })
    await using upstream = await startScriptedUpstream((request) =>
      request.index < 2 ? busy : hello.messages(request),
    )
    await using gateway = await startGateway(servedBy('messages', upstream))
    const message = await anthropicOf(gateway, { maxRetries: 2 }).messages.create(asked)
    expect(message.content).toMatchObject([{ type: 'text', text: 'Hello there' }])
    expect(upstream.requests).toHaveLength(3)
  })

  test('ERR-07 V1021-14 it asks once where asking again is of no use', async () => {
    const refused = fixture('error-400-tool-result-missing.json')
    await using upstream = await startScriptedUpstream([json(400, refused)])
    await using gateway = await startGateway(servedBy('messages', upstream))
    let sent = 0
    const counting = {
      maxRetries: 2,
      fetch: Object.assign(
        (...request: Parameters<typeof fetch>) => {
          sent++
          return fetch(...request)
        },
        { preconnect: () => undefined },
      ),
    }
    await apiError(anthropicOf(gateway, counting).messages.create(asked))
    expect([sent, upstream.requests.length]).toEqual([1, 1])
    const wrongKey = { ...counting, apiKey: 'wrong' }
    const error = await apiError(anthropicOf(gateway, wrongKey).messages.create(asked))
    expect(error).toBeInstanceOf(Anthropic.AuthenticationError)
    expect([sent, upstream.requests.length]).toEqual([2, 1])
  })

  test('what an upstream says of waiting reaches the caller, unless it is too long to be worth it', async () => {
    for (const [wait, after, again] of [
      ['7', '7', 'true'],
      ['3600', null, 'false'],
    ] as const) {
      const busy = json(429, fixture('error-429-rate-limit.json'), { 'retry-after': wait })
      await using upstream = await startScriptedUpstream([busy])
      await using gateway = await startGateway(servedBy('messages', upstream))
      const { headers } = await apiError(anthropicOf(gateway).messages.create(asked))
      expect(headers?.get('retry-after')).toBe(after)
      expect(headers?.get('x-should-retry')).toBe(again)
    }
  })

  test('another target answers in place of one that fails', async () => {
    await using failing = await startScriptedUpstream([json(529, overloaded)])
    await using working = await startScriptedUpstream(hello['chat-completions'])
    await using gateway = await startGateway({
      upstreams: {
        failing: { protocol: 'messages', url: failing.origin, serves: [] },
        working: { protocol: 'chat-completions', url: working.url, serves: [] },
      },
      models: { m: { targets: ['failing/a', 'working/b'] } },
    })
    const { data, response } = await anthropicOf(gateway).messages.create(asked).withResponse()
    expect(data.content).toMatchObject([{ type: 'text', text: 'Hello there' }])
    expect(response.headers.get('x-parley-target')).toBe('working/b')
  })
})

/** Streams that fail in each dialect before they say anything, and the status that they stand for. */
const stillborn: readonly (readonly [string, 'messages' | 'chat-completions', Script, number])[] = [
  ['messages', 'messages', sse([fixture('error-first.sse')]), 529],
  [
    'messages, after the first event',
    'messages',
    sse([
      messageStart(),
      frame('ping'),
      frame('error', { error: { type: 'rate_limit_error', message: 'Words.' } }),
    ]),
    429,
  ],
  [
    'an error object',
    'chat-completions',
    sse([chatText({ error: { message: 'Words.', type: 'server_error', code: 429 } })]),
    429,
  ],
  [
    'vLLM',
    'chat-completions',
    sse([
      chatText({ object: 'error', message: 'Words.', type: 'BadRequestError', code: 400 }, DONE),
    ]),
    400,
  ],
  [
    'an error beside choices',
    'chat-completions',
    sse([chatText(role, { id: 'c', choices: [], error: { message: 'Words.', code: 502 } })]),
    502,
  ],
  ['an end without a word', 'chat-completions', sse([chatText(role)]), 502],
  ['an end without a word', 'messages', sse([messageStart()]), 502],
  ['nothing at all', 'messages', sse([]), 502],
  ['a broken connection', 'chat-completions', [close], 502],
]

describe('a stream that fails before it says anything', () => {
  test.each(stillborn)(
    'T-E09 SSE-12 in the dialect of %s has a status of its own',
    async (_, protocol, script, status) => {
      await using upstream = await startScriptedUpstream([script])
      await using gateway = await startGateway(servedBy(protocol, upstream))
      const response = await gateway.post('/v1/messages', { ...asked, stream: true })
      expect(response.status).toBe(status)
      expect(response.headers.get('content-type')).toStartWith('application/json')
      const body = (await response.json()) as { type: string; error: { type: string } }
      expect(body.type).toBe('error')
      expect(body.error.type).toMatch(/_error$/)
      const streaming = anthropicOf(gateway).messages.stream(asked).finalMessage()
      expect((await apiError(streaming)).status).toBe(status)
    },
  )

  test('T-E09 leaves it to another target', async () => {
    await using failing = await startScriptedUpstream([sse([fixture('error-first.sse')])])
    await using working = await startScriptedUpstream(hello.messages)
    await using gateway = await startGateway({
      upstreams: {
        failing: { protocol: 'messages', url: failing.origin, serves: [] },
        working: { protocol: 'messages', url: working.origin, serves: [] },
      },
      models: { m: { targets: ['failing/m', 'working/m'] } },
    })
    const message = await anthropicOf(gateway).messages.stream(asked).finalMessage()
    expect(message.content).toMatchObject([{ type: 'text', text: 'Hello there' }])
  })
})

describe('time', () => {
  const deadlines = { firstByte: '1000ms', total: '1000ms' }

  test.each(bothLanes)(
    'ERR-04 T-T07 an upstream of %s that never answers is timed out',
    async (protocol) => {
      await using upstream = await startScriptedUpstream([neverAnswer])
      await using gateway = await startGateway(servedBy(protocol, upstream, { deadlines }))
      for (const stream of [false, true]) {
        const error = await apiError(anthropicOf(gateway).messages.create({ ...asked, stream }))
        expect(error).toBeInstanceOf(Anthropic.GatewayTimeoutError)
        expect(error.type).toBe('timeout_error')
      }
      for (const { closed } of upstream.requests) await closed
    },
  )

  test('T-T07 another target answers in place of one that is late', async () => {
    await using late = await startScriptedUpstream([neverAnswer])
    await using working = await startScriptedUpstream(hello.messages)
    await using gateway = await startGateway({
      upstreams: {
        late: { protocol: 'chat-completions', url: late.url, serves: [], deadlines },
        working: { protocol: 'messages', url: working.origin, serves: [] },
      },
      models: { m: { targets: ['late/m', 'working/m'] } },
    })
    const message = await anthropicOf(gateway).messages.stream(asked).finalMessage()
    expect(message.stop_reason).toBe('end_turn')
    await (
      await late.request(0)
    ).closed
  })
})

describe('refusals of the gateway itself', () => {
  async function refusalOf(gateway: TestGateway, body: object) {
    const response = await gateway.post('/v1/messages', body)
    const { error } = (await response.json()) as { error: { type: string; message: string } }
    return { status: response.status, ...error }
  }

  test('REQ-09 a model that nobody serves is not found, and named', async () => {
    await using upstream = await startScriptedUpstream(hello.messages)
    await using gateway = await startGateway({
      upstreams: {
        one: { protocol: 'messages', url: upstream.origin, serves: ['m'] },
        other: { protocol: 'chat-completions', url: upstream.url, serves: ['n'] },
      },
    })
    const error = await apiError(anthropicOf(gateway).messages.create({ ...asked, model: 'none' }))
    expect(error).toBeInstanceOf(Anthropic.NotFoundError)
    expect(error.type).toBe('not_found_error')
    expect(error.apiMessage).toContain('none')
    expect(upstream.requests).toEqual([])
  })

  test('REQ-09 a model that the only upstream does not know is not found either', async () => {
    const refusal = {
      error: { message: 'The model `none` does not exist.', code: 'model_not_found' },
    }
    await using upstream = await startScriptedUpstream([json(404, refusal)])
    await using gateway = await startGateway(servedBy('chat-completions', upstream))
    const error = await apiError(anthropicOf(gateway).messages.create({ ...asked, model: 'none' }))
    expect(error).toBeInstanceOf(Anthropic.NotFoundError)
    expect(error.apiMessage).toContain('none')
  })

  test.each(bothLanes)(
    'TOOL-05 a call without its result is refused before an upstream of %s is asked',
    async (protocol) => {
      await using upstream = await startScriptedUpstream(hello[protocol])
      await using gateway = await startGateway(servedBy(protocol, upstream))
      const call = { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} }
      const result = { type: 'tool_result', tool_use_id: 'toolu_2', content: 'x' }
      const messages = [...hi, { role: 'assistant', content: [call] }, ...hi]
      const missing = await refusalOf(gateway, { ...asked, messages })
      expect(missing).toMatchObject({ status: 400, type: 'invalid_request_error' })
      expect(missing.message).toContain(
        'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1.',
      )
      const stray = [
        ...hi,
        { role: 'assistant', content: 'x' },
        { role: 'user', content: [result] },
      ]
      expect((await refusalOf(gateway, { ...asked, messages: stray })).message).toContain(
        'unexpected `tool_use_id` found in `tool_result` blocks: toolu_2.',
      )
      expect(upstream.requests).toEqual([])
    },
  )

  test('TOOL-16 T-Q57 a tool that only the vendor can run is refused by its tag, which agents look for', async () => {
    await using upstream = await startScriptedUpstream(hello['chat-completions'])
    await using gateway = await startGateway(servedBy('chat-completions', upstream))
    for (const type of ['advisor_20260301', 'web_search_20250305']) {
      const tools = [
        { name: 'f', input_schema: { type: 'object' } },
        { type, name: 'x' },
      ]
      const refused = await refusalOf(gateway, { ...asked, tools })
      expect(refused).toMatchObject({ status: 400, type: 'invalid_request_error' })
      expect(refused.message).toStartWith(`tools.1: Input tag '${type}' found using 'type'`)
    }
    expect(upstream.requests).toEqual([])
  })

  test('what a translation adapts is told in a header, or refused where the operator wants it so', async () => {
    await using upstream = await startScriptedUpstream(hello['chat-completions'])
    const config = servedBy('chat-completions', upstream)
    await using lenient = await startGateway(config)
    const told = await lenient.post('/v1/messages', { ...asked, top_k: 5 })
    expect(told.headers.get('x-parley-notes')).toBe('top_k: dropped')
    await using strict = await startGateway({ ...config, translation: { strict: true } })
    const refused = await refusalOf(strict, { ...asked, top_k: 5 })
    expect(refused).toMatchObject({ status: 400, type: 'invalid_request_error' })
    expect(refused.message).toStartWith('top_k ')
    expect((await refusalOf(strict, { ...asked, a_new_member: 1 })).message).toStartWith('a_new')
    expect(upstream.requests).toHaveLength(1)
  })

  test('ERR-10 every failure has a message that the AI SDK shows', async () => {
    await using upstream = await startScriptedUpstream(({ body }) =>
      body.includes('busy')
        ? json(529, fixture('error-529-overloaded.json'))
        : json(400, { error: { message: 'Words of the upstream.' } }),
    )
    await using gateway = await startGateway({
      upstreams: {
        vendor: { protocol: 'messages', url: upstream.origin, serves: ['busy'] },
        server: { protocol: 'chat-completions', url: upstream.url, serves: ['picky'] },
      },
    })
    const provider = createAnthropic({ apiKey: gateway.key, baseURL: `${gateway.url}/v1` })
    const failureOf = async (model: string) => {
      const error = await rejection(
        generateText({ model: provider(model), prompt: 'hi', maxRetries: 0 }),
      )
      if (APICallError.isInstance(error)) return error
      throw error
    }
    expect(await failureOf('busy')).toMatchObject({ message: 'Overloaded', isRetryable: true })
    expect(await failureOf('picky')).toMatchObject({
      message: 'Words of the upstream.',
      statusCode: 400,
    })
    expect(await failureOf('none')).toMatchObject({ statusCode: 404, isRetryable: false })
  })
})
