import { expect, test } from 'bun:test'

import { encodeCount } from './count-tokens.ts'

test('CNT-02 a count is a whole number of at least 1', () => {
  expect(encodeCount(12)).toBe('{"input_tokens":12}')
  expect(encodeCount(0)).toBe('{"input_tokens":1}')
  expect(encodeCount(2.5)).toBe('{"input_tokens":3}')
})
