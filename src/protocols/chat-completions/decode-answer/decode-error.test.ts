import { describe, expect, test } from 'bun:test'

import {
  encodeError as wordForMessages,
  statusOf,
} from '#protocols/messages/encode-answer/encode-error.ts'

import { decodeError } from './decode-error.ts'

const body = (error: unknown) => JSON.stringify({ error })
const plain = { message: 'words', type: 'invalid_request_error', param: null, code: null }

describe('what an upstream refuses or fails at', () => {
  test.each([
    [400, 'upstream-refused', 400],
    [401, 'upstream-unauthorised', 502],
    [402, 'upstream-busy', 402],
    [403, 'upstream-unauthorised', 502],
    [404, 'upstream-failed', 502],
    [405, 'upstream-failed', 502],
    [408, 'upstream-timeout', 504],
    [413, 'upstream-refused', 413],
    [418, 'upstream-refused', 418],
    [422, 'upstream-refused', 400],
    [429, 'upstream-busy', 429],
    [498, 'upstream-overloaded', 503],
    [500, 'upstream-failed', 502],
    [502, 'upstream-failed', 502],
    [503, 'upstream-overloaded', 503],
    [504, 'upstream-timeout', 504],
    [529, 'upstream-overloaded', 503],
    [599, 'upstream-failed', 502],
    [302, 'upstream-failed', 502],
  ] as const)('T-E03: status %d is %s', (status, code, told) => {
    for (const text of [body(plain), '', '<html>no</html>', 'null', '[]', '{"error":null}']) {
      const error = decodeError(status, text)
      expect(error.code).toBe(code)
      expect(error.status).toBe(told)
      expect(error.upstream?.status).toBe(status)
      expect(error.message).not.toBe('')
      expect(error.message).not.toContain('<')
    }
  })

  test('T-E02: what the caller got wrong keeps its words, its field and its code', () => {
    const text = body({
      ...plain,
      message: "'temperature' does not support 3",
      param: 'temperature',
      code: 'unsupported_value',
    })
    const error = decodeError(400, text)
    expect(error.message).toBe("'temperature' does not support 3")
    expect(error.param).toBe('temperature')
    expect(error.detail).toBe('unsupported_value')
    expect(error.upstream).toEqual({
      protocol: 'chat-completions',
      status: 400,
      body: text,
      type: 'invalid_request_error',
      code: 'unsupported_value',
    })
  })

  test.each([
    ['by its code', { ...plain, code: 'context_length_exceeded', param: 'messages' }],
    [
      'by its type',
      { code: 400, message: 'request (9 tokens)', type: 'exceed_context_size_error', n_ctx: 4 },
    ],
    [
      'vLLM',
      {
        ...plain,
        message:
          "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.",
      },
    ],
    [
      'llama.cpp',
      { ...plain, message: 'the request exceeds the available context size, try increasing it' },
    ],
    [
      'Gemini',
      {
        ...plain,
        message:
          'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      },
    ],
    ['Groq', { ...plain, message: 'Please reduce the length of the messages or completion.' }],
    [
      'relayed inside another error',
      {
        message: 'Provider returned error',
        code: 400,
        metadata: { raw: '{"error":"prompt is too long: 9 tokens > 4 maximum"}' },
      },
    ],
  ])('T-E02: a prompt that is too long is told apart, %s', (_name, error) => {
    const decoded = decodeError(400, body(error))
    expect(decoded.code).toBe('context-exceeded')
    expect(decoded.message).toBe(error.message)
    const said = JSON.parse(wordForMessages(decoded, 'req_1'))
    expect(said.error.type).toBe('invalid_request_error')
    expect(said.error.message).toContain('prompt is too long')
    expect(said.error.message).toContain(error.message)
    expect(said.request_id).toBe('req_1')
    expect(statusOf(decoded)).toBe(400)
  })

  test('a limit of tokens a minute is not a prompt that is too long', () => {
    expect(
      decodeError(
        429,
        body({ ...plain, message: 'Request too large: reduce the length of the messages' }),
      ).code,
    ).toBe('upstream-busy')
    expect(
      decodeError(
        413,
        body({ message: 'tokens per minute', type: 'tokens', code: 'rate_limit_exceeded' }),
      ).code,
    ).toBe('upstream-busy')
  })

  test('a time that ran out is no model that is missing', () => {
    expect(decodeError(408, '').message).toContain('failed')
    expect(decodeError(404, '').message).toContain('model')
  })

  test('how long to wait is kept', () => {
    expect(decodeError(429, body(plain), 7).retryAfter).toBe(7)
    expect(decodeError(429, body(plain)).retryAfter).toBeUndefined()
  })

  test('a spent balance says so', () => {
    expect(decodeError(402, body({ message: 'Insufficient Balance' })).detail).toBe(
      'insufficient_quota',
    )
    expect(
      decodeError(
        429,
        body({ message: 'x', type: 'insufficient_quota', code: 'insufficient_quota' }),
      ).detail,
    ).toBe('insufficient_quota')
  })
})

describe('what is never told as the fault of the caller', () => {
  test.each([401, 403, 404])(
    'R09: the credentials and models of the gateway, status %d',
    (status) => {
      const error = decodeError(
        status,
        body({
          ...plain,
          message: 'Incorrect API key provided: sk-abc***xyz',
          code: 'invalid_api_key',
          param: 'model',
        }),
      )
      expect(error.fault).toBe('upstream')
      expect(error.worthAnotherUpstream).toBe(true)
      expect(error.status).toBe(502)
      expect(error.message).not.toContain('sk-')
      expect(error.param).toBeUndefined()
      expect(error.upstream?.body).toBeUndefined()
      expect(wordForMessages(error, 'req_1')).not.toContain('sk-')
    },
  )

  test('keys are struck out of whatever is shown', () => {
    const message = 'bad header Bearer abcdef and key sk-proj-abcdefghijklmnop'
    const error = decodeError(400, body({ ...plain, message }))
    expect(error.message).toBe('bad header [secret] and key [secret]')
    expect(error.upstream?.body).toBeUndefined()
    const plainWords = 'skipped_parameter and keyword_arguments are unknown'
    expect(decodeError(400, body({ ...plain, message: plainWords })).message).toBe(plainWords)
  })
})

describe('the dialects', () => {
  test.each([
    ['T-E06: in a list', [{ error: { code: 400, message: 'words', status: 'INVALID_ARGUMENT' } }]],
    ['vLLM, flat', { object: 'error', message: 'words', type: 'BadRequestError', code: 400 }],
    ['FastAPI', { detail: 'words' }],
    ['FastAPI, in a list', { detail: [{ loc: ['body'], msg: 'words', type: 'value_error' }] }],
    ['a text', { error: 'words' }],
    ['flat', { message: 'words' }],
    [
      'of the other protocol',
      { type: 'error', error: { type: 'invalid_request_error', message: 'words' } },
    ],
  ])('%s', (_name, value) => {
    const error = decodeError(400, JSON.stringify(value))
    expect(error.code).toBe('upstream-refused')
    expect(error.message).toBe('words')
    expect(error.upstream?.body).toBeUndefined()
  })

  test('R07: a code that is a number is no finer code', () => {
    expect(decodeError(400, body({ ...plain, code: 400 })).detail).toBeUndefined()
    expect(decodeError(429, body({ ...plain, code: '429' })).detail).toBeUndefined()
  })

  test('T-E07, R08: a page of HTML is not shown', () => {
    const page = `<!DOCTYPE html><html><body>${'nginx '.repeat(5000)}</body></html>`
    const error = decodeError(502, page)
    expect(error.message).not.toContain('nginx')
    expect(JSON.parse(wordForMessages(error, 'req_1')).error.type).toBe('api_error')
    expect(decodeError(400, body({ ...plain, message: page })).message).not.toContain('<')
  })

  test('T-E07: a flood of words is cut', () => {
    expect(decodeError(400, body({ ...plain, message: 'x'.repeat(10_000) })).message).toHaveLength(
      2001,
    )
  })
})
