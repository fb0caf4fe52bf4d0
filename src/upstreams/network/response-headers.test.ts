import { expect, test } from 'bun:test'

import { visibleHeaders } from './response-headers.ts'

const headers = new Headers({
  'request-id': 'req_1',
  'anthropic-ratelimit-tokens-reset': '2020-01-01T00:00:00Z',
  'anthropic-priority-input-tokens-limit': '5',
  'retry-after': '3',
  'content-encoding': 'gzip',
  'transfer-encoding': 'chunked',
  connection: 'close',
  'x-ratelimit-limit-requests': `1${'0'.repeat(300)}`,
  'strict-transport-security': 'max-age=1',
  __proto__: 'x',
})

test('what a caller may see goes through under its own name, and the request id under ours', () => {
  expect([...visibleHeaders(headers, 'messages')]).toEqual([
    ['anthropic-priority-input-tokens-limit', '5'],
    ['retry-after', '3'],
    ['anthropic-ratelimit-tokens-reset', '2020-01-01T00:00:00Z'],
    ['x-upstream-request-id', 'req_1'],
  ])
})

test('limits are told in the words of the caller', () => {
  const visible = visibleHeaders(headers, 'chat-completions')
  expect(visible.get('x-ratelimit-reset-tokens')).toBe('0s')
  expect(visible.has('anthropic-ratelimit-tokens-reset')).toBe(false)
})
