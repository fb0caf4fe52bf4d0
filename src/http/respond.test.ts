import { describe, expect, test } from 'bun:test'

import { type ErrorCode, type ErrorDetails, GatewayError } from '#chat/error.ts'
import { chatCompletions } from '#protocols/chat-completions/protocol.ts'
import { messages } from '#protocols/messages/protocol.ts'

import { errorResponse, headerText } from './respond.ts'

function told(code: ErrorCode, details: ErrorDetails, protocol = chatCompletions): Headers {
  return errorResponse(new GatewayError(code, 'No.', details), protocol, 'req_1').headers
}

const retryNames = ['retry-after', 'retry-after-ms', 'x-should-retry']

function retry(code: ErrorCode, retryAfter?: number): (string | null)[] {
  const headers = told(code, { retryAfter })
  return retryNames.map((name) => headers.get(name))
}

test.each([
  ['up/gpt 4.1-mini', 'up/gpt 4.1-mini'],
  ['up/é🙂', 'up/%C3%A9%F0%9F%99%82'],
  ['up/a\r\nset-cookie: b', 'up/a%0D%0Aset-cookie: b'],
  ['up/\ud800', 'up/%EF%BF%BD'],
  ['up/\0', 'up/%00'],
])('the name of a model is a good header whatever a caller calls it: %j', (name, said) => {
  expect(headerText(name)).toBe(said)
  expect(new Headers({ 'x-parley-target': headerText(name) }).get('x-parley-target')).toBe(said)
})

describe('when to come back', () => {
  test.each([
    ['is told exactly (R01)', 1.2, ['2', '1200', 'true']],
    ['is told up to a minute', 60, ['60', '60000', 'true']],
    ['is never a wait of nothing, which some clients do not hear', 0, ['1', '1', 'true']],
    [
      'is not told if it is long: some clients sleep through it, some come at once (R03)',
      60.1,
      [null, null, 'false'],
    ],
  ])('%s', (_, wait, expected) => {
    expect(retry('rate-exceeded', wait)).toEqual(expected)
  })

  test('is never, for what is too large for its limit', () => {
    expect(retry('rate-exceeded')).toEqual([null, null, 'false'])
  })

  test('is not told of a budget, however soon it begins anew', () => {
    expect(retry('budget-spent', 5)).toEqual([null, null, 'false'])
    expect(retry('budget-spent')).toEqual([null, null, 'false'])
  })
})

test('limits are told in the words of either protocol (R01)', () => {
  const limits = new Map([
    ['x-ratelimit-limit-requests', '60'],
    ['x-ratelimit-remaining-requests', '0'],
    ['x-ratelimit-reset-requests', '6m0s'],
  ])
  const chat = told('rate-exceeded', { limits })
  expect([...limits].map(([name]) => chat.get(name))).toEqual(['60', '0', '6m0s'])
  const other = told('rate-exceeded', { limits }, messages)
  expect(other.get('anthropic-ratelimit-requests-limit')).toBe('60')
  expect(other.get('anthropic-ratelimit-requests-remaining')).toBe('0')
  const reset = Date.parse(other.get('anthropic-ratelimit-requests-reset') ?? '')
  expect(reset - Date.now()).toBeWithin(300_000, 362_000)
  expect(other.has('x-ratelimit-limit-requests')).toBe(false)
})
