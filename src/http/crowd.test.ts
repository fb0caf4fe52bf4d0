import { expect, test } from 'bun:test'

import fc from 'fast-check'

import { Crowd, type CrowdLimits, type Place } from './crowd.ts'

test('a crowd is never larger than its limits, and empty when all have left', () => {
  const step = fc.record({
    what: fc.constantFrom('enter', 'claim', 'take', 'leave'),
    at: fc.nat(9),
    key: fc.constantFrom('a', 'b'),
    bytes: fc.nat(60),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const crowd = new Crowd()
      const limits = { exchanges: 4, bodyBytes: 100 }
      const places: Place[] = []
      for (const { what, at, key, bytes } of steps) {
        const place = places[at % Math.max(1, places.length)]
        try {
          if (what === 'enter') places.push(crowd.enter(limits))
          else if (what === 'claim') place?.claim(key)
          else if (what === 'take') place?.take(bytes)
          else place?.leave()
        } catch (error) {
          expect(error).toMatchObject({ code: 'gateway-overloaded', status: 503, retryAfter: 1 })
        }
        expect(crowd.exchanges).toBeLessThanOrEqual(4)
        expect(crowd.bodyBytes).toBeLessThanOrEqual(100)
      }
      for (const place of places) place.leave()
      expect([crowd.exchanges, crowd.bodyBytes, crowd.keys]).toEqual([0, 0, 0])
    }),
  )
})

test('who comes on top is refused, and nobody else', () => {
  const crowd = new Crowd()
  const limits = { exchanges: 2, bodyBytes: 10 }
  const first = crowd.enter(limits)
  crowd.enter(limits)
  expect(() => crowd.enter(limits)).toThrow('2 exchanges are under way')
  first.take(10)
  expect(() => first.take(1)).toThrow('as many bytes')
  first.leave()
  first.leave()
  expect([crowd.exchanges, crowd.bodyBytes]).toEqual([1, 0])
})

/** Lets keys ask in turn until nobody is given a place any more; says how many each has. */
function filled(crowd: Crowd, keys: readonly string[], limits: CrowdLimits): number[] {
  const held = keys.map(() => 0)
  for (let before = -1; before !== crowd.exchanges;) {
    before = crowd.exchanges
    for (const [at, key] of keys.entries())
      if (enters(crowd, key, limits)) held[at] = (held[at] ?? 0) + 1
  }
  return held
}

/** As a request does: its place first, then its key, then its body. */
function enters(crowd: Crowd, key: string, limits: CrowdLimits, bytes = 0): boolean {
  let place: Place | undefined
  try {
    place = crowd.enter(limits)
    place.claim(key)
    place.take(bytes)
    return true
  } catch {
    place?.leave()
    return false
  }
}

test('one key has nine tenths of the places at most, and every other finds one', () => {
  const limits = { exchanges: 1000, bodyBytes: 1 }
  const crowd = new Crowd()
  expect(filled(crowd, ['greedy'], limits)).toEqual([900])
  for (let at = 0; at < 50; at++) expect(enters(crowd, `single-${at}`, limits)).toBe(true)
  expect(enters(crowd, 'greedy', limits)).toBe(false)
})

test('several that take all they get have as much as each other, and leave a place', () => {
  const limits = { exchanges: 1000, bodyBytes: 1 }
  const crowd = new Crowd()
  const held = filled(crowd, ['a', 'b', 'c'], limits)
  expect(Math.max(...held) - Math.min(...held)).toBeLessThanOrEqual(1)
  expect(crowd.exchanges).toBeGreaterThan(950)
  expect(crowd.exchanges).toBeLessThan(1000)
  expect(enters(crowd, 'single', limits)).toBe(true)
})

test('a crowd of a few places is for one key too', () => {
  expect(filled(new Crowd(), ['a'], { exchanges: 1, bodyBytes: 1 })).toEqual([1])
  expect(filled(new Crowd(), ['a'], { exchanges: 9, bodyBytes: 1 })).toEqual([9])
  expect(filled(new Crowd(), ['a'], { exchanges: 10, bodyBytes: 1 })).toEqual([9])
})

test('many bodies of one key leave room for that of another, and one body may be as large as the room', () => {
  const limits = { exchanges: 1000, bodyBytes: 1000 }
  const alone = new Crowd()
  expect(enters(alone, 'a', limits, 1000)).toBe(true)
  const crowd = new Crowd()
  let bodies = 0
  while (enters(crowd, 'a', limits, 50)) bodies += 1
  expect(bodies).toBe(18)
  expect(enters(crowd, 'b', limits, 100)).toBe(true)
})
