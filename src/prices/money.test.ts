import { expect, test } from 'bun:test'

import { dollars, microdollars } from './money.ts'

test('micro-dollars are shown as dollars, exactly, and in whole cents where that is exact', () => {
  const shown = [0, 50_000_000, 1_234_500_000, 12, 1_000_001, 400_000, -3_000_000, 123_450]
  expect(shown.map(dollars)).toEqual([
    '$0.00',
    '$50.00',
    '$1,234.50',
    '$0.000012',
    '$1.000001',
    '$0.40',
    '-$3.00',
    '$0.12345',
  ])
})

test('dollars are read as people type them, and nothing else is', () => {
  expect(['50', '$0.25', ' 0.000001 ', '1.5'].map(microdollars)).toEqual([
    50_000_000, 250_000, 1, 1_500_000,
  ])
  for (const text of ['', '-1', '1e3', '0.0000001', '1,000', '12345678901', 'five'])
    expect([text, microdollars(text)]).toEqual([text, undefined])
})
