import { expect, test } from 'bun:test'

import { limitHeaders } from './limit-headers.ts'

const now = Date.parse('2026-01-01T00:00:00Z')

test('limits in the words of the caller go on as they are, and nothing else does', () => {
  const entries: [string, string][] = [
    ['x-ratelimit-reset-tokens', '1s'],
    ['content-type', 'text/html'],
  ]
  expect([...limitHeaders('chat-completions', entries, now)]).toEqual([
    ['x-ratelimit-reset-tokens', '1s'],
  ])
})

test.each([
  ['anthropic-ratelimit-requests-limit', '50', 'x-ratelimit-limit-requests', '50'],
  ['anthropic-ratelimit-input-tokens-remaining', '9', 'x-ratelimit-remaining-input-tokens', '9'],
  ['anthropic-ratelimit-tokens-reset', '2026-01-01T00:06:00Z', 'x-ratelimit-reset-tokens', '6m0s'],
  ['anthropic-ratelimit-tokens-reset', '2026-01-01T00:00:00.2Z', 'x-ratelimit-reset-tokens', '1s'],
  ['anthropic-ratelimit-tokens-reset', '2025-12-31T00:00:00Z', 'x-ratelimit-reset-tokens', '0s'],
])('%s: %s is told to a chat caller as %s: %s', (name, value, toldName, told) => {
  expect([...limitHeaders('chat-completions', [[name, value]], now)]).toEqual([[toldName, told]])
})

test.each([
  ['x-ratelimit-remaining-requests', '4', 'anthropic-ratelimit-requests-remaining', '4'],
  [
    'x-ratelimit-reset-requests',
    '6m0s',
    'anthropic-ratelimit-requests-reset',
    '2026-01-01T00:06:00Z',
  ],
  ['x-ratelimit-reset-tokens', '120ms', 'anthropic-ratelimit-tokens-reset', '2026-01-01T00:00:01Z'],
])('%s: %s is told to a messages caller as %s: %s', (name, value, toldName, told) => {
  expect([...limitHeaders('messages', [[name, value]], now)]).toEqual([[toldName, told]])
})

test('a time that cannot be read is left out', () => {
  expect(limitHeaders('messages', [['x-ratelimit-reset-tokens', 'soon']], now).size).toBe(0)
  expect(limitHeaders('messages', [['x-ratelimit-reset-tokens', '1..2s']], now).size).toBe(0)
  expect(limitHeaders('messages', [['x-ratelimit-reset-tokens', `${10 ** 20}h`]], now).size).toBe(0)
  const reset = ['anthropic-ratelimit-tokens-reset', 'soon'] as const
  expect(limitHeaders('chat-completions', [reset], now).size).toBe(0)
})

test('the gateway tells of the limits of a key in place of what an upstream told of its own (R01)', () => {
  const own = [
    ['x-ratelimit-limit-requests', '60'],
    ['x-ratelimit-reset-requests', '0s'],
  ] as const
  const told = [
    ['anthropic-ratelimit-requests-limit', '9'],
    ['anthropic-ratelimit-tokens-limit', '7'],
    ['x-ratelimit-limit-requests', '8'],
  ] as const
  expect([...limitHeaders('chat-completions', [...told, ...own], now)]).toEqual([
    ['x-ratelimit-limit-requests', '60'],
    ['x-ratelimit-limit-tokens', '7'],
    ['x-ratelimit-reset-requests', '0s'],
  ])
  expect([...limitHeaders('messages', [...told, ...own], now)]).toEqual([
    ['anthropic-ratelimit-requests-limit', '60'],
    ['anthropic-ratelimit-tokens-limit', '7'],
    ['anthropic-ratelimit-requests-reset', '2026-01-01T00:00:00Z'],
  ])
})
