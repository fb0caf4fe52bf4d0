import { describe, expect, test } from 'bun:test'

import { encodeError } from '#protocols/messages/encode-answer/encode-error.ts'

import { decodeError } from './decode-error.ts'

function body(type: string, message: string, details?: object): string {
  const error = { type, message, ...(details && { details }) }
  return JSON.stringify({ type: 'error', error, request_id: 'req_u' })
}

describe('the failure of a messages upstream', () => {
  test.each([
    [400, 'invalid_request_error', 'upstream-refused'],
    [401, 'authentication_error', 'upstream-unauthorised'],
    [402, 'billing_error', 'upstream-busy'],
    [403, 'permission_error', 'upstream-unauthorised'],
    [404, 'not_found_error', 'upstream-failed'],
    [405, 'invalid_request_error', 'upstream-failed'],
    [406, 'invalid_request_error', 'upstream-failed'],
    [407, 'authentication_error', 'upstream-unauthorised'],
    [408, 'timeout_error', 'upstream-timeout'],
    [410, 'not_found_error', 'upstream-failed'],
    [415, 'invalid_request_error', 'upstream-failed'],
    [498, 'overloaded_error', 'upstream-overloaded'],
    [499, 'api_error', 'upstream-failed'],
    [409, 'conflict_error', 'upstream-refused'],
    [413, 'request_too_large', 'body-too-large'],
    [422, 'invalid_request_error', 'upstream-refused'],
    [429, 'rate_limit_error', 'upstream-busy'],
    [500, 'api_error', 'upstream-failed'],
    [503, 'overloaded_error', 'upstream-overloaded'],
    [504, 'timeout_error', 'upstream-timeout'],
    [522, 'timeout_error', 'upstream-timeout'],
    [524, 'timeout_error', 'upstream-timeout'],
    [529, 'overloaded_error', 'upstream-overloaded'],
  ] as const)('with status %i and type %s is %s (T-E01)', (status, type, code) => {
    const error = decodeError(status, body(type, 'Words.'), 7)
    expect(error).toMatchObject({ code, retryAfter: 7, upstream: { status, type } })
  })

  test.each([400, 402, 404, 409, 413, 422, 429, 529])(
    'with status %i is relayed byte for byte to callers of the protocol',
    (status) => {
      const text = ` ${body('invalid_request_error', 'm', { error_code: 'tool_name_conflict' })}\n`
      expect(encodeError(decodeError(status, text), 'req_own')).toBe(text)
    },
  )

  test('keeps its finer code, which clients act upon (V1021-11)', () => {
    const text = body('invalid_request_error', 'm', { error_code: 'tool_name_conflict' })
    const error = decodeError(400, text)
    expect(error).toMatchObject({ status: 400, detail: 'tool_name_conflict', message: 'm' })
    expect(error.upstream?.body).toBe(text)
  })

  test.each([401, 403])('with status %i says nothing of what was said of the key', (status) => {
    const error = decodeError(
      status,
      body('authentication_error', 'invalid x-api-key sk-ant-api03'),
    )
    expect(error.status).toBe(502)
    expect(error.upstream?.body).toBeUndefined()
    expect(error.message).not.toContain('x-api-key')
  })

  test.each([
    'prompt is too long: 250000 tokens > 200000 maximum',
    'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000',
    'capability_rejected: prompt_too_long',
    'request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it',
    "This model's maximum context length is 4096 tokens.",
  ])('is known as too long a prompt: %s', (message) => {
    expect(decodeError(400, body('invalid_request_error', message)).code).toBe('context-exceeded')
  })

  test('of an unknown type keeps its status as the client’s fault (T-E03)', () => {
    expect(decodeError(400, body('BadRequestError', 'no')).status).toBe(400)
    expect(decodeError(418, body('teapot_error', 'no'))).toMatchObject({ code: 'upstream-refused' })
  })

  test('in the shape of the other protocol is understood, and not relayed', () => {
    const text = '{"error":{"code":400,"message":"bad","type":"invalid_request_error"}}'
    const error = decodeError(400, text)
    expect(error.message).toBe('bad')
    expect(error.upstream?.body).toBeUndefined()
  })

  test('with a page of HTML shows nothing of it (T-E07)', () => {
    const error = decodeError(502, '<html><h1>Bad gateway</h1></html>')
    expect(error).toMatchObject({ code: 'upstream-failed' })
    expect(error.message).not.toContain('<')
  })

  test('that holds what looks like a key is neither relayed nor shown', () => {
    const text = body('invalid_request_error', 'no such key sk-ant-api03-AbCdEfGhIjKl')
    const error = decodeError(400, text)
    expect(error.upstream?.body).toBeUndefined()
    expect(error.message).not.toContain('sk-ant')
  })

  test('is worth another upstream unless the request itself is at fault', () => {
    const worth = (status: number) => decodeError(status, body('x', 'y')).worthAnotherUpstream
    expect([400, 409, 413, 422].map(worth)).toEqual([false, false, false, false])
    expect([401, 402, 404, 429, 500, 529].every(worth)).toBe(true)
  })
})
