import { expect, test } from 'bun:test'

import fc from 'fast-check'

import { Crowd, type Place } from './crowd.ts'

test('a crowd is never larger than its limits, and empty when all have left', () => {
  const step = fc.record({
    what: fc.constantFrom('enter', 'take', 'leave'),
    at: fc.nat(9),
    bytes: fc.nat(60),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
      const crowd = new Crowd()
      const limits = { exchanges: 4, bodyBytes: 100 }
      const places: Place[] = []
      for (const { what, at, bytes } of steps) {
        const place = places[at % Math.max(1, places.length)]
        try {
          if (what === 'enter') places.push(crowd.enter(limits))
          else if (what === 'take') place?.take(bytes)
          else place?.leave()
        } catch (error) {
          expect(error).toMatchObject({ code: 'gateway-overloaded', status: 503, retryAfter: 1 })
        }
        expect(crowd.exchanges).toBeLessThanOrEqual(4)
        expect(crowd.bodyBytes).toBeLessThanOrEqual(100)
      }
      for (const place of places) place.leave()
      expect([crowd.exchanges, crowd.bodyBytes]).toEqual([0, 0])
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
