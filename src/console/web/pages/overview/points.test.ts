import { describe, expect, test } from 'bun:test'

import type { Exchange } from '#console/web/api/contract.ts'
import type { Counters } from '#console/web/api/live-feed.ts'

import { livePoints, liveSpanMs, liveStepMs, medianOf, reportPoints, sumsOf } from './points.ts'

const now = Date.UTC(2026, 0, 15, 12, 0, 2)

const ended = (endedAt: number, more: Partial<Exchange> = {}): Exchange => ({
  id: `req_${endedAt}`,
  seq: 1,
  startedAt: endedAt - 100,
  keyId: 'k',
  keyName: null,
  projectId: 'p',
  endpoint: 'chat',
  protocol: 'messages',
  asked: 'm',
  target: 't',
  isStream: true,
  result: 'complete',
  attempts: 1,
  input: 10,
  cacheRead: 2,
  cacheWrite: 1,
  output: 5,
  reasoning: 0,
  counted: 'exact',
  held: 0,
  cost: 7,
  corrected: 0,
  excess: 0,
  queueMs: null,
  firstByteMs: 30,
  totalMs: 100,
  route: null,
  ...more,
})

const look = (at: number, exchanges: number): Counters => ({
  at,
  intervalMs: 1000,
  inFlight: 0,
  exchanges,
  failed: 0,
  input: 0,
  output: 0,
  cost: 0,
  targets: [],
  health: [],
})

describe('the last minutes', () => {
  test('are as many stretches as there are, though nothing happened', () => {
    const points = livePoints({ seconds: [], ended: [] }, [], now)
    expect(points).toHaveLength(liveSpanMs / liveStepMs)
    expect(points.at(-1)?.at).toBe(now - 2000)
    expect(sumsOf(points).exchanges).toBe(0)
  })

  test('have from the ledger what was before the stream began, and nothing twice', () => {
    const seconds = [look(now - 20_000, 3), look(now - 19_000, 2)]
    const before = [
      ended(now - 60_000),
      ended(now - 60_500, { result: 'upstream-failed' }),
      // The stream has counted this one.
      ended(now - 20_500),
    ]
    const points = livePoints({ seconds, ended: [] }, before, now)
    expect(sumsOf(points)).toEqual({ exchanges: 7, failed: 1, input: 26, output: 10, cost: 14 })
    const early = points.find(({ at }) => at <= now - 60_000 && at + liveStepMs > now - 60_000)
    expect(early).toMatchObject({ firstByteMs: 30, totalMs: 100 })
  })

  test('have how long answers took from what the stream tells of each', () => {
    const told = [10, 50, 30].map((firstByteMs, index) =>
      ended(now - 1000 + index, { firstByteMs, totalMs: 100 }),
    )
    const points = livePoints({ seconds: [look(now, 3)], ended: told }, undefined, now)
    expect(medianOf(points.map(({ firstByteMs }) => firstByteMs))).toBe(30)
    expect(sumsOf(points).exchanges).toBe(3)
  })
})

describe('a report', () => {
  const sums = {
    failed: 1,
    estimated: 0,
    unpriced: 0,
    input: 5,
    cacheRead: 1,
    cacheWrite: 1,
    output: 2,
    reasoning: 0,
    cost: 9,
    excess: 0,
  }

  test('has a point for every hour or day, with nought where there is no row', () => {
    const hour = 3_600_000
    const rows = [{ by: { hour: '2026-01-15T11' }, exchanges: 4, ...sums }]
    const hours = reportPoints(rows, { since: now - 24 * hour, until: now, stepMs: hour })
    expect(hours).toHaveLength(25)
    expect(hours.at(-2)).toMatchObject({ exchanges: 4, failed: 1, input: 7, output: 2, cost: 9 })
    expect(sumsOf(hours).exchanges).toBe(4)
    const days = reportPoints([{ by: { day: '2026-01-15' }, exchanges: 2, ...sums }], {
      since: now - 30 * 24 * hour,
      until: now,
      stepMs: 24 * hour,
    })
    expect(days).toHaveLength(31)
    expect(days.at(-1)?.exchanges).toBe(2)
  })
})

test('the median of nothing is not known', () => {
  expect(medianOf([])).toBeNull()
  expect(medianOf([null, null])).toBeNull()
  expect(medianOf([null, 3, 1, 2])).toBe(2)
})
