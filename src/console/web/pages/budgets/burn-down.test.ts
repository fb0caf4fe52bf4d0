import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { burnDown, type Spell } from './burn-down.ts'

const day = 86_400_000
const startsAt = Date.UTC(2026, 0, 1)
const endsAt = Date.UTC(2026, 0, 11)
const dollar = 1_000_000
const daily = { lengthMs: day }
const held = 0

describe('the course of a budget', () => {
  test('goes down by what each day cost, to what the balance says', () => {
    const spells = [
      { at: startsAt + 2 * day, cost: 3 * dollar },
      { at: startsAt, cost: dollar },
    ]
    const now = startsAt + 5 * day
    const course = { amount: 10 * dollar, used: 4 * dollar, held, startsAt, endsAt }
    const { times, left, even, ahead, usedUpAt } = burnDown(course, spells, { now, ...daily })
    const days = times.map((time) => (time - startsAt) / day)
    expect(days).toEqual([0, 1, 2, 3, 5, 10])
    expect(left.map((value) => value && value / dollar)).toEqual([10, 9, 9, 6, 6, null])
    expect(even.map((value) => value === null || value / dollar)).toEqual([10, 9, 8, 7, 5, 0])
    expect(ahead.map((value) => value && value / dollar)).toEqual([null, null, null, null, 6, 2])
    expect(usedUpAt).toBeUndefined()
  })

  test('says when nothing is left if it goes on so', () => {
    const now = startsAt + 2 * day
    const spells = [{ at: startsAt, cost: 4 * dollar }]
    const course = { amount: 8 * dollar, used: 4 * dollar, held, startsAt, endsAt }
    const drawn = burnDown(course, spells, { now, ...daily })
    expect(drawn.usedUpAt).toBe(startsAt + 4 * day)
    expect(drawn.times.slice(-2)).toEqual([startsAt + 4 * day, endsAt])
    expect(drawn.ahead.slice(-2)).toEqual([0, 0])
  })

  test('has spent before its first day what the ledger does not know any more', () => {
    const now = startsAt + day
    const course = { amount: 10 * dollar, used: 6 * dollar, held, startsAt, endsAt }
    const drawn = burnDown(course, [{ at: startsAt, cost: dollar }], { now, ...daily })
    expect(drawn.left.slice(0, 2)).toEqual([5 * dollar, 4 * dollar])
  })

  test('without an end begins where something was first spent, and has no pace', () => {
    const now = startsAt + 3 * day
    const spells = [{ at: startsAt, cost: dollar }]
    const course = { amount: 5 * dollar, used: dollar, held, startsAt: 0 }
    const { times, even, ahead, usedUpAt } = burnDown(course, spells, { now, ...daily })
    expect(times).toEqual([startsAt, startsAt + day, now])
    expect([...even, ...ahead].every((value) => value === null)).toBe(true)
    expect(usedUpAt).toBeUndefined()
  })

  test('of a budget that nothing was spent of is level, and tells no pace', () => {
    const now = startsAt + day
    const drawn = burnDown({ amount: dollar, used: 0, held, startsAt, endsAt }, [], {
      now,
      ...daily,
    })
    expect(drawn.left).toEqual([dollar, dollar, null])
    expect(drawn.ahead.every((value) => value === null)).toBe(true)
  })

  test('always has times in order, lists of one length, and ends at the balance', () => {
    const spells = fc.uniqueArray(
      fc.record({ at: fc.nat(12).map((n) => startsAt + n * day), cost: fc.nat(9 * dollar) }),
      { selector: ({ at }: Spell) => at, maxLength: 12 },
    )
    const amounts = fc.nat(50 * dollar)
    const passed = fc.integer({ min: 0, max: 10 * day })
    fc.assert(
      fc.property(spells, amounts, fc.tuple(amounts, amounts), passed, (...given) => {
        const [spent, amount, [used, owed], after] = given
        const now = startsAt + after
        const drawn = burnDown({ amount, used, held: owed, startsAt, endsAt }, spent, {
          now,
          ...daily,
        })
        const { times, left, even, ahead } = drawn
        expect(times).toEqual(times.toSorted((one, other) => one - other))
        expect(new Set(times).size).toBe(times.length)
        for (const list of [left, even, ahead]) expect(list.length).toBe(times.length)
        expect(left[times.indexOf(now)]).toBe(amount - used - owed)
      }),
    )
  })
})
