import { describe, expect, test } from 'bun:test'

import { type ErrorCode, errorKinds, GatewayError } from '#chat/error.ts'

import { encodeError, encodeStreamError, statusOf } from './encode-error.ts'

const codes = Object.keys(errorKinds) as ErrorCode[]
const typesByStatus: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  405: 'invalid_request_error',
  408: 'timeout_error',
  409: 'conflict_error',
  413: 'request_too_large',
  415: 'invalid_request_error',
  422: 'invalid_request_error',
  429: 'rate_limit_error',
  499: 'invalid_request_error',
  500: 'api_error',
  502: 'api_error',
  503: 'api_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

describe('a failure worded for messages callers', () => {
  test.each(codes)('%s has the envelope, and the type of its status', (code) => {
    const error = new GatewayError(code, 'words')
    const { request_id: id, type, error: told } = JSON.parse(encodeError(error, 'req_1'))
    expect([id, type]).toEqual(['req_1', 'error'])
    expect(told.message).toContain('words')
    expect(told.type).toBe(typesByStatus[statusOf(error)])
  })

  test.each(Object.entries(typesByStatus).map(([status, type]) => [Number(status), type] as const))(
    'status %d is a %s',
    (status, type) => {
      const error = new GatewayError('upstream-refused', 'words', { status })
      expect(statusOf(error)).toBe(status)
      expect(JSON.parse(encodeError(error, 'req_1')).error).toEqual({ type, message: 'words' })
    },
  )

  test.each(['upstream-overloaded', 'engine-busy', 'gateway-stopping'] as const)(
    'ERR-03: %s is a 529',
    (code) => {
      expect(statusOf(new GatewayError(code, 'words'))).toBe(529)
    },
  )

  test('a packed body is a 400, the one status under which clients know its code', () => {
    expect(statusOf(new GatewayError('media-unsupported', 'words'))).toBe(400)
  })

  test('a finer code is told where clients know it, and left out where they do not', () => {
    const detailOf = (detail: string) =>
      JSON.parse(encodeError(new GatewayError('request-invalid', 'words', { detail }), 'req_1'))
        .error.details
    expect(detailOf('thread_unsupported_request')).toEqual({
      error_code: 'thread_unsupported_request',
    })
    expect(detailOf('array_above_max_length')).toBeUndefined()
    expect(
      JSON.parse(encodeError(new GatewayError('budget-spent', 'words'), 'req_1')).error.details,
    ).toEqual({ error_code: 'enforced_spend_limit_reached' })
  })

  test('T-E02: a prompt that is too long is said in the words that agents look for', () => {
    const messageOf = (message: string) =>
      JSON.parse(encodeError(new GatewayError('context-exceeded', message), 'req_1')).error.message
    expect(messageOf('maximum context length is 4 tokens')).toBe(
      'prompt is too long: maximum context length is 4 tokens',
    )
    expect(messageOf('prompt is too long: 9 tokens > 4 maximum')).toBe(
      'prompt is too long: 9 tokens > 4 maximum',
    )
  })

  test('V1021-11: what an upstream of this protocol said is relayed byte for byte', () => {
    const body =
      '{"type":"error",  "error":{"type":"invalid_request_error","message":"m","details":{"error_code":"tool_name_conflict"}},"request_id":"req_u"}'
    const upstream = { protocol: 'messages', status: 400, body } as const
    expect(encodeError(new GatewayError('upstream-refused', 'm', { upstream }), 'req_1')).toBe(body)
    const other = { ...upstream, protocol: 'chat-completions' } as const
    expect(
      encodeError(new GatewayError('upstream-refused', 'm', { upstream: other }), 'req_1'),
    ).not.toBe(body)
    const ours = new GatewayError('upstream-unauthorised', 'm', { upstream })
    expect(encodeError(ours, 'req_1')).not.toBe(body)
  })

  test('SSE-13: inside a stream it is an event, whatever line ends it holds', () => {
    const error = new GatewayError('upstream-lost', 'gone')
    expect(encodeStreamError(error, 'req_1')).toBe(
      'event: error\ndata: {"type":"error","error":{"type":"api_error","message":"gone"},"request_id":"req_1"}\n\n',
    )
    const upstream = { protocol: 'messages', status: 400, body: '{\n"type":"error"\r\n}' } as const
    expect(
      encodeStreamError(new GatewayError('upstream-refused', 'm', { upstream }), 'req_1'),
    ).toBe('event: error\ndata: {\ndata: "type":"error"\ndata: }\n\n')
  })
})
