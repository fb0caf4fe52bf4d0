import { expect, test } from 'bun:test'

import fc from 'fast-check'

import { durationText, readDuration } from './duration.ts'

test.each([
  [-1, '0s'],
  [0, '0s'],
  [0.2, '1ms'],
  [120, '120ms'],
  [999.1, '1s'],
  [1000, '1s'],
  [1001, '2s'],
  [60_000, '1m0s'],
  [360_000, '6m0s'],
  [86_340_000, '23h59m0s'],
  [86_400_000, '24h0m0s'],
])('%d milliseconds are written %s', (ms, text) => {
  expect(durationText(ms)).toBe(text)
})

test('what is written is read again, rounded up by less than a second', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10 ** 9 }), (ms) => {
      const read = readDuration(durationText(ms)) ?? Number.NaN
      expect(read - ms).toBeWithin(0, 1000)
    }),
  )
})

test.each(['', 'soon', '1', '1..2s', '1s!', '-1s'])('%p is no duration', (text) => {
  expect(readDuration(text)).toBeUndefined()
})

test('parts of a unit are read', () => {
  expect(readDuration('8.64s')).toBe(8640)
  expect(readDuration('1h2m3s4ms')).toBe(3_723_004)
})
