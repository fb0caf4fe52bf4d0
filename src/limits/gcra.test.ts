import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { aheadAfter, rateOf, unitsLeft, waitFor } from './gcra.ts'

const limits = fc.integer({ min: 1, max: 10 ** 9 })
const windows = fc.constantFrom(60_000, 86_400_000)
const nsPerMs = 1_000_000

describe('a rate', () => {
  test('passes its whole limit at once, one by one or together, and nothing more', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), windows, (most, windowMs) => {
        const rate = rateOf(most, windowMs)
        let ahead = 0
        for (let taken = 0; taken < most; taken++) {
          expect(unitsLeft(rate, ahead)).toBe(most - taken)
          expect(waitFor(rate, ahead, 1)).toBe(0)
          ahead = aheadAfter(rate, ahead, 1)
        }
        expect(ahead).toBe(aheadAfter(rate, 0, most))
        expect(unitsLeft(rate, ahead)).toBe(0)
        expect(waitFor(rate, ahead, 1)).toBe(rate.tick)
      }),
    )
  })

  test('is never faster than its limit in a window, and slower by less than a millionth of it where a person would notice', () => {
    fc.assert(
      fc.property(limits, windows, (most, windowMs) => {
        const { tick } = rateOf(most, windowMs)
        expect(tick * most).toBeGreaterThanOrEqual(windowMs * nsPerMs)
        expect((tick - 1) * most).toBeLessThan(windowMs * nsPerMs)
        if (most <= 60_000) expect(tick * most).toBeLessThan(windowMs * nsPerMs * 1.000001)
      }),
    )
  })

  test('tells a wait after which so many units pass, and not a nanosecond before', () => {
    fc.assert(
      fc.property(limits, windows, fc.nat(10 ** 9), fc.nat(10 ** 9), (most, windowMs, a, b) => {
        const rate = rateOf(most, windowMs)
        const ahead = aheadAfter(rate, 0, a)
        const units = 1 + (b % most)
        const wait = waitFor(rate, ahead, units)
        expect(waitFor(rate, Math.max(0, ahead - wait), units)).toBe(0)
        if (wait > 0) expect(waitFor(rate, ahead - wait + 1, units)).toBe(1)
        expect(unitsLeft(rate, ahead) >= units).toBe(wait === 0)
      }),
    )
  })

  test('can never pass more than its limit, and of nothing nothing', () => {
    expect(waitFor(rateOf(10, 60_000), 0, 11)).toBe(Number.POSITIVE_INFINITY)
    expect(waitFor(rateOf(0, 60_000), 0, 1)).toBe(Number.POSITIVE_INFINITY)
    expect(waitFor(rateOf(0, 60_000), 0, 0)).toBe(0)
  })

  test('gives back no more than was taken', () => {
    const rate = rateOf(10, 60_000)
    expect(aheadAfter(rate, aheadAfter(rate, 0, 3), -5)).toBe(0)
    expect(unitsLeft(rate, 0)).toBe(10)
  })

  test('keeps count of what was used beyond it', () => {
    const rate = rateOf(10, 60_000)
    const ahead = aheadAfter(rate, 0, 25)
    expect(unitsLeft(rate, ahead)).toBe(0)
    expect(waitFor(rate, ahead, 1)).toBe(16 * 6000 * nsPerMs)
  })

  test('is shut for a week at most, whatever an upstream claims to have counted', () => {
    const ahead = aheadAfter(rateOf(1000, 60_000), 0, Number.MAX_SAFE_INTEGER)
    expect(ahead).toBe(7 * 86_400_000 * nsPerMs)
  })
})
