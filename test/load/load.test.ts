import { describe, expect, test } from 'bun:test'

import { slowAttackers } from './abuse.ts'
import { fairShares } from './fair.ts'
import { atMost, type Figure, none } from './figure.ts'
import { Histogram, mannerOf, modelOf } from './orders.ts'
import { drainedStreams, heldStreams, refusedStreams, urgedStreams } from './parts.ts'
import { slope, soak } from './soak.ts'

/** A machine that is busy with everything else is slow. */
const longestMs = 60_000

/** What does not hold, apart from how fast this machine was just now: `npm run load` judges that. */
function broken(figures: readonly Figure[]): Figure[] {
  return figures.filter(({ what, holds }) => !holds && !/delay|seconds until|time, p99/.test(what))
}

describe('under a load of all kinds', () => {
  test.concurrent.each([
    ['T1: streams are held, and none breaks', heldStreams, { streams: 100, seconds: 3 }],
    ['T2: more than there is place for are refused', refusedStreams, { streams: 80, seconds: 1 }],
    [
      'T15: what is open when it is asked to stop may end',
      drainedStreams,
      { streams: 50, seconds: 2 },
    ],
    ['T15: asked twice it stops at once', urgedStreams, { streams: 50, seconds: 2 }],
    ['one key leaves places for others', fairShares, { streams: 60, seconds: 2 }],
    ['T16: slow attackers do not slow the others', slowAttackers, { streams: 60, seconds: 2 }],
    ['T20: faults and leaving callers leave nothing behind', soak, { streams: 40, seconds: 3 }],
  ] as const)(
    '%s',
    async (_name, run, size) => {
      const figures = await run(size)
      expect(broken(figures)).toEqual([])
      expect(figures.length).toBeGreaterThan(4)
    },
    longestMs,
  )
})

describe('what measures', () => {
  test('a histogram tells below what a share of its numbers lies', () => {
    const histogram = new Histogram()
    for (let value = 1; value <= 100; value++) histogram.add(value)
    expect([histogram.at(0.5), histogram.at(0.99), histogram.max]).toEqual([50, 99, 100])
  })

  test('a slope is that of the line nearest to the samples', () => {
    const samples = [0, 1, 2, 3].map((minute) => ({
      minute,
      megabytes: 10 + 2 * minute,
      descriptors: 0,
    }))
    expect(slope(samples)).toBeCloseTo(2)
  })

  test('a figure that is not what it has to be does not hold', () => {
    expect(atMost('x', 5, 4).holds).toBe(false)
    expect(none('x', { why: 2 })).toMatchObject({ value: '2 × why', holds: false })
  })

  test('a manner goes through the name of a model and back', () => {
    const manner = { events: 7, everyMs: 500, bytes: 20, fault: 'cut' } as const
    expect(mannerOf(modelOf(manner))).toEqual(manner)
  })
})
