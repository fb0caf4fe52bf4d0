import { expect, test } from 'bun:test'

import fc from 'fast-check'

import { isPeriod, periodEnd, periods, periodStart } from './periods.ts'

test('periods are those of UTC, and weeks begin on a Monday', () => {
  const time = Date.UTC(2026, 10, 22, 23, 59, 59, 999)
  const shown = periods.map((period) => new Date(periodStart(period, time)).toISOString())
  expect(shown.map((text) => text.slice(0, 16))).toEqual([
    '2026-11-22T00:00',
    '2026-11-16T00:00',
    '2026-11-01T00:00',
    '1970-01-01T00:00',
  ])
  expect(new Date(periodStart('week', time)).getUTCDay()).toBe(1)
  expect(periodEnd('month', Date.UTC(2026, 11, 1))).toBe(Date.UTC(2027, 0, 1))
  expect(['day', 'year'].map(isPeriod)).toEqual([true, false])
})

test('every time lies in exactly one period of each kind', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 8e12 }), fc.constantFrom(...periods), (time, period) => {
      const startsAt = periodStart(period, time)
      const endsAt = periodEnd(period, startsAt)
      expect(startsAt).toBeLessThanOrEqual(time)
      expect(endsAt).toBeGreaterThan(time)
      expect(periodStart(period, startsAt)).toBe(startsAt)
      if (period !== 'total') expect(periodStart(period, endsAt)).toBe(endsAt)
    }),
  )
})
