import { describe, expect, test } from 'bun:test'

import { type ErrorCode, type ErrorDetails, errorKinds, GatewayError } from '#chat/error.ts'
import { decodeError } from '#protocols/chat-completions/decode-answer/decode-error.ts'
import { decodeError as decodeMessagesError } from '#protocols/messages/decode-answer/decode-error.ts'

import { encodeError, encodeStreamError, statusOf } from './encode-error.ts'

function told(code: ErrorCode, details: ErrorDetails = {}, message = 'Words.') {
  return JSON.parse(encodeError(new GatewayError(code, message, details), 'req_1')).error
}

const codes = Object.keys(errorKinds) as ErrorCode[]

describe('a failure is worded', () => {
  test.each(codes)('with all four members, whatever it is: %s (EB)', (code) => {
    const error = told(code)
    expect(Object.keys(error)).toEqual(['message', 'type', 'param', 'code'])
    expect(error.message).toContain('Words.')
    expect(error.type).toBeString()
  })

  test.each([
    ['key-missing', 401, 'invalid_request_error', null],
    ['key-rejected', 401, 'invalid_request_error', 'invalid_api_key'],
    ['model-forbidden', 403, 'invalid_request_error', 'model_not_found'],
    ['model-unknown', 404, 'invalid_request_error', 'model_not_found'],
    ['path-unknown', 404, 'invalid_request_error', 'unknown_url'],
    ['method-rejected', 405, 'invalid_request_error', 'method_not_supported'],
    ['body-too-large', 413, 'invalid_request_error', 'request_too_large'],
    ['media-unsupported', 415, 'invalid_request_error', 'unsupported_content_type'],
    ['rate-exceeded', 429, 'requests', 'rate_limit_exceeded'],
    ['budget-spent', 429, 'insufficient_quota', 'insufficient_quota'],
    ['upstream-busy', 429, 'requests', 'rate_limit_exceeded'],
    ['upstream-overloaded', 503, 'service_unavailable_error', 'server_is_overloaded'],
    ['upstream-unauthorised', 502, 'server_error', 'upstream_error'],
    ['upstream-failed', 502, 'server_error', 'upstream_error'],
    ['upstream-unreachable', 502, 'server_error', 'upstream_error'],
    ['upstream-lost', 502, 'server_error', 'upstream_error'],
    ['upstream-timeout', 504, 'server_error', 'upstream_timeout'],
    ['internal', 500, 'server_error', 'internal_error'],
  ] as const)('%s with status %i as %s, %s (EB)', (code, status, type, wireCode) => {
    expect(told(code)).toMatchObject({ type, code: wireCode, param: null })
    expect(statusOf(new GatewayError(code, ''))).toBe(status)
  })

  test('with the field and the finer code of a bad request', () => {
    expect(told('request-invalid', { param: 'messages[0].role', detail: 'invalid_value' })).toEqual(
      {
        message: 'Words.',
        type: 'invalid_request_error',
        param: 'messages[0].role',
        code: 'invalid_value',
      },
    )
  })

  test('with what ran out where a limit was hit', () => {
    expect(told('rate-exceeded', { detail: 'tokens' })).toMatchObject({
      type: 'tokens',
      code: 'rate_limit_exceeded',
    })
  })

  test('with the words that agents look for when the prompt is too long', () => {
    expect(told('context-exceeded', { detail: 'x' }, 'prompt is too long: 9 tokens > 8')).toEqual({
      message:
        "This request exceeds the model's maximum context length: prompt is too long: 9 tokens > 8",
      type: 'invalid_request_error',
      param: 'messages',
      code: 'context_length_exceeded',
    })
  })

  test('with the failure of a messages upstream in this protocol (T-E01)', () => {
    const body = '{"type":"error","error":{"type":"rate_limit_error","message":"Slow down."}}'
    const error = decodeMessagesError(429, body, 7)
    expect(error.retryAfter).toBe(7)
    expect(statusOf(error)).toBe(429)
    expect(JSON.parse(encodeError(error, 'req_1'))).toEqual({
      error: {
        message: 'Slow down.',
        type: 'requests',
        param: null,
        code: 'rate_limit_exceeded',
      },
    })
  })

  test('with a status that its clients know', () => {
    const status = (code: number) => statusOf(decodeMessagesError(code, ''))
    expect([529, 422, 404, 401, 409].map(status)).toEqual([503, 400, 502, 502, 409])
  })

  test('with what an upstream of this protocol said of the caller’s fault, byte for byte', () => {
    const body = '{ "error": {"message":"m","type":"t","param":"tools[0]","code":"c", "x":1} }'
    expect(encodeError(decodeError(400, body), 'req_1')).toBe(body)
  })

  test('anew where the upstream’s own words would not be read by every client (R07)', () => {
    const error = new GatewayError('upstream-refused', 'm', {
      upstream: {
        protocol: 'chat-completions',
        status: 400,
        body: '{"error":{"message":"m","code":400}}',
      },
    })
    expect(JSON.parse(encodeError(error, 'req_1')).error).toEqual({
      message: 'm',
      type: 'invalid_request_error',
      param: null,
      code: null,
    })
  })
})

describe('a failure in a stream is worded', () => {
  test('as one frame of the error alone, with no [DONE] after it (T-E13, T-E10)', () => {
    const error = new GatewayError('upstream-lost', 'Lost.')
    expect(encodeStreamError(error, 'req_1')).toBe(
      'data: {"error":{"message":"Lost.","type":"server_error","param":null,"code":"upstream_error"}}\n\n',
    )
  })

  test('on one line, however the upstream laid out its own', () => {
    const body = '{\n "error": {"message":"m","type":"t","param":null,"code":null}\r\n}'
    expect(encodeStreamError(decodeError(400, body), 'req_1')).toBe(
      'data: {"error":{"message":"m","type":"t","param":null,"code":null}}\n\n',
    )
  })
})
