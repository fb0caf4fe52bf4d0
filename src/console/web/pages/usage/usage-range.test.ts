import { describe, expect, test } from 'bun:test'

import { bucketsOf, dayMs, dayText, rangeOf } from './usage-range.ts'

const now = Date.UTC(2026, 0, 31, 15, 20)
const at = (time: number) => new Date(time).toISOString()

describe('the range of usage', () => {
  test('is of whole hours or days in UTC, today among them', () => {
    expect(at(rangeOf({ range: '24h' }, now).since)).toBe('2026-01-30T16:00:00.000Z')
    expect(at(rangeOf({ range: '7d' }, now).since)).toBe('2026-01-25T00:00:00.000Z')
    expect(rangeOf({ range: '24h' }, now).bucket).toBe('hour')
    expect(rangeOf({ range: '7d' }, now + 60_000)).toEqual(rangeOf({ range: '7d' }, now))
  })

  test('is the usual one where the address names none, or nonsense', () => {
    const usual = rangeOf({}, now)
    expect(at(usual.since)).toBe('2026-01-02T00:00:00.000Z')
    for (const words of [
      { range: 'constructor' },
      { range: 'custom' },
      { range: 'custom', from: '2026-01-05', to: '2026-01-04' },
      { range: 'custom', from: '2026-13-45', to: '2026-01-04' },
    ])
      expect(rangeOf(words, now)).toEqual(usual)
  })

  test('may be chosen by its first and last day, and is fine where it is short', () => {
    const chosen = rangeOf({ range: 'custom', from: '2026-01-03', to: '2026-01-03' }, now)
    expect(chosen).toEqual({
      since: Date.UTC(2026, 0, 3),
      until: Date.UTC(2026, 0, 4),
      bucket: 'hour',
    })
    const long = rangeOf({ range: 'custom', from: '2025-12-01', to: '2026-01-03' }, now)
    expect(long.bucket).toBe('day')
  })
})

describe('the bars of a range', () => {
  test('begin with its first hour or day and end with the one of now', () => {
    const hours = bucketsOf(rangeOf({ range: '24h' }, now), now)
    expect(hours).toHaveLength(24)
    expect(at(hours.at(-1) ?? 0)).toBe('2026-01-31T15:00:00.000Z')
    const days = bucketsOf(rangeOf({ range: '30d' }, now), now)
    expect([days.length, dayText(days[0] ?? 0), dayText(days.at(-1) ?? 0)]).toEqual([
      30,
      '2026-01-02',
      '2026-01-31',
    ])
  })

  test('end where the range does', () => {
    const words = { range: 'custom', from: '2026-01-03', to: '2026-01-04' }
    const hours = bucketsOf(rangeOf(words, now), now)
    expect(hours).toHaveLength(48)
    expect(hours.at(-1)).toBe(Date.UTC(2026, 0, 3) + 2 * dayMs - 3_600_000)
  })

  test('are one at least', () => {
    expect(bucketsOf({ since: now + dayMs, bucket: 'day' }, now)).toHaveLength(1)
  })
})
