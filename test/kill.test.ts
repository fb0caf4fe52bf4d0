import { describe, expect, test } from 'bun:test'

import { diskFaults, mayInject } from '#test/crash/faults.ts'
import { powerLossImages } from '#test/crash/images.ts'
import { randomKills } from '#test/crash/kills.ts'
import { namedPoints } from '#test/crash/points.ts'
import { seeded } from '#test/crash/seeded.ts'

import { seed } from './seed.ts'

// The short run of what `npm run test:crash` does at length: other seeds, other moments, every day.
const chance = seeded(seed)
const longestMs = 60_000

/** The seed is what a failure has to be told with, so that it can be looked at again. */
const nothingBroken = { seed, violations: [] }

describe('a gateway that is killed under load', () => {
  test(
    'at random moments loses no record that a client could have seen the effect of, doubles none, and stays within every budget (P1-P6)',
    async () => {
      const end = await randomKills({ chance, kills: 5, clients: 50, mostMs: 500 })
      expect({ seed, violations: end.violations }).toEqual(nothingBroken)
      expect(end).toMatchObject({ lost: 0, doubled: 0, unrecorded: 0, overBudget: 0 })
      expect(end.kills).toBeGreaterThanOrEqual(5)
      expect(end.acknowledged).toBeGreaterThan(0)
    },
    longestMs,
  )

  test(
    'at each point between asking and answering leaves books that add up (P1-P5)',
    async () => {
      const only = [
        'before-reserve',
        'after-reserve',
        'before-commit',
        'after-commit',
        'between-commit-and-terminator',
        'during-migration',
        'during-prune',
      ]
      const end = await namedPoints({ chance, each: 1, clients: 20, only, mostPassed: 30 })
      expect({ seed, violations: end.violations }).toEqual(nothingBroken)
      expect(end.kills).toBe(only.length)
    },
    longestMs,
  )
})

test(
  'whatever a power loss leaves of the log, it opens, adds up, and has every record from before the last fsync (P1, P5)',
  async () => {
    const end = await powerLossImages({ chance, images: 20 })
    expect({ seed, violations: end.violations }).toEqual(nothingBroken)
    expect(end.expected).toBeGreaterThan(0)
  },
  longestMs,
)

test.skipIf(!mayInject())(
  'what was acknowledged is there although the disk failed, and who cannot be written down is refused before an upstream hears of it (P1, P7)',
  async () => {
    const faults = [
      { call: 'fsync', error: 'EIO', at: chance.between(8, 40), goesOn: true },
      { call: 'pwrite64', error: 'ENOSPC', at: chance.between(60, 200), goesOn: false },
    ] as const
    const end = await diskFaults({ chance, clients: 20, faults })
    expect({ seed, violations: end.violations }).toEqual(nothingBroken)
    expect(end.noticed).toBeGreaterThan(0)
  },
  longestMs,
)
