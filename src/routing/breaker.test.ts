import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { Breaker } from './breaker.ts'

/** A breaker with a clock of its own, and no chance. */
function breaker() {
  const clock = { now: 0 }
  return { clock, breaker: new Breaker({ now: () => clock.now, random: () => 0.5 }) }
}

function fail(one: Breaker, times: number): void {
  for (let at = 0; at < times; at++) one.failed()
}

describe('a breaker', () => {
  test('opens at five failures in a row, and not at four', () => {
    const { breaker: one } = breaker()
    fail(one, 4)
    one.succeeded()
    fail(one, 4)
    expect(one.state).toBe('closed')
    one.failed()
    expect(one.state).toBe('open')
    expect(one.admit()).toBe(false)
  })

  test('opens when half of twenty fail within half a minute, however they are mixed', () => {
    const { breaker: one } = breaker()
    for (let at = 0; at < 9; at++) {
      one.succeeded()
      one.failed()
    }
    expect(one.state).toBe('closed')
    one.succeeded()
    one.failed()
    expect(one.state).toBe('open')
  })

  test('forgets what is older than half a minute', () => {
    const { breaker: one, clock } = breaker()
    for (let at = 0; at < 9; at++) {
      one.succeeded()
      one.failed()
    }
    clock.now = 40_000
    for (let at = 0; at < 9; at++) {
      one.succeeded()
      one.failed()
    }
    expect(one.state).toBe('closed')
  })

  test('lets one probe through every five seconds once its time is over', () => {
    const { breaker: one, clock } = breaker()
    fail(one, 5)
    clock.now = 29_999
    expect(one.admit()).toBe(false)
    clock.now = 30_000
    expect(one.state).toBe('half-open')
    expect([one.admit(), one.admit()]).toEqual([true, false])
    expect(one.waitMs).toBe(5000)
    clock.now = 35_000
    expect(one.admit()).toBe(true)
  })

  test('closes when a probe succeeds, and opens for longer each time one fails', () => {
    const { breaker: one, clock } = breaker()
    fail(one, 5)
    clock.now = 30_000
    one.failed()
    expect(one.waitMs).toBe(60_000)
    clock.now = 90_000
    one.failed()
    expect(one.waitMs).toBe(90_000)
    clock.now = 180_000
    expect(one.admit()).toBe(true)
    one.succeeded()
    expect(one.state).toBe('closed')
    fail(one, 5)
    expect(one.waitMs).toBe(30_000)
  })

  test('never stays open for more than six minutes, whatever happens', () => {
    const event = fc.constantFrom<'failed' | 'succeeded' | 'admit'>('failed', 'succeeded', 'admit')
    fc.assert(
      fc.property(
        fc.array(fc.tuple(event, fc.nat(60_000)), { maxLength: 200 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (story, chance) => {
          const clock = { now: 0 }
          const one = new Breaker({ now: () => clock.now, random: () => chance })
          for (const [what, later] of story) {
            one[what]()
            expect(one.waitMs).toBeLessThanOrEqual(360_000)
            clock.now += later
          }
          clock.now += 360_000
          expect(one.admit()).toBe(true)
        },
      ),
    )
  })
})
