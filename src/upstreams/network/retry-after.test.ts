import { expect, test } from 'bun:test'

import { retryAfterOf } from './retry-after.ts'

const now = Date.UTC(2026, 0, 1)

test.each([
  [{ 'retry-after': '7' }, 7],
  [{ 'retry-after': '0.5' }, 0.5],
  [{ 'retry-after-ms': '1500', 'retry-after': '9' }, 1.5],
  [{ 'retry-after-ms': 'soon', 'retry-after': '9' }, 9],
  [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, 30],
  [{ 'retry-after': 'Wed, 31 Dec 2025 00:00:00 GMT' }, 0],
  [{ 'retry-after': '864000' }, 864_000],
  [{ 'retry-after': '-1' }, undefined],
  [{ 'retry-after': 'later' }, undefined],
  [{ 'retry-after': '' }, undefined],
  [{}, undefined],
])('%j asks to wait %p seconds', (headers, seconds) => {
  const given = Object.entries(headers).map(([name, value]): [string, string] => [name, value])
  expect(retryAfterOf(new Headers(given), now)).toBe(seconds)
})
