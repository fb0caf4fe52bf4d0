import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { decodeFloats, encodeFloats, shortest } from './float32.ts'

describe('base64 of float32', () => {
  test('is little-endian, standard and padded (E03)', () => {
    expect(encodeFloats([0.1, -0.2, 0.3, 0.4])).toBe('zczMPc3MTL6amZk+zczMPg==')
    expect(decodeFloats('zczMPc3MTL6amZk+zczMPg==')?.map(shortest)).toEqual([0.1, -0.2, 0.3, 0.4])
  })

  test('is read without padding and in the alphabet of URLs', () => {
    expect(decodeFloats('zczMPc3MTL6amZk-zczMPg')?.map(shortest)).toEqual([0.1, -0.2, 0.3, 0.4])
  })

  test.each(['!!!!', 'zczM', 'zczMPc3MTL6amZk+zczMPg==\n'])('is not seen in %j', (text) => {
    expect(decodeFloats(text)).toBeUndefined()
  })

  test('survives there and back, whatever the float32', () => {
    fc.assert(
      fc.property(fc.array(fc.float({ noNaN: true })), (numbers) => {
        const back = decodeFloats(encodeFloats(numbers))
        expect(back).toEqual(numbers)
      }),
    )
  })
})

describe('shortest', () => {
  test('has no more digits than the shortest decimal that rounds to the same float32', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (single) => {
        const found = shortest(single)
        expect(Math.fround(found)).toBe(single)
        expect(digitsOf(found)).toBeLessThanOrEqual(digitsOf(searched(single)))
      }),
      { numRuns: 5000 },
    )
  })

  test('gives the decimals that were rounded to float32 back', () => {
    const decimal = fc.integer({ min: -999_999, max: 999_999 }).map((n) => n / 1_000_000)
    fc.assert(
      fc.property(decimal, (number) => {
        expect(shortest(Math.fround(number))).toBe(number)
      }),
    )
  })
})

function searched(single: number): number {
  for (let digits = 1; digits <= 9; digits++) {
    const decimal = Number(single.toPrecision(digits))
    if (Math.fround(decimal) === single) return decimal
  }
  return single
}

function digitsOf(number: number): number {
  return number.toExponential().replace(/e.*/, '').replace(/[-.]/g, '').length
}
