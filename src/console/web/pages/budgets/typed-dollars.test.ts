import { expect, test } from 'bun:test'

import fc from 'fast-check'

import { dollars } from '#prices/money.ts'

import { dollarsToType, readDollars } from './typed-dollars.ts'

const mostAmount = 9_007_199_254_740_991

test('every amount can be typed as it is shown, and is the same to the micro-dollar', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: mostAmount }), (amount) => {
      expect(readDollars(dollarsToType(amount))).toEqual({ type: 'amount', amount })
      expect(readDollars(dollars(amount))).toEqual({ type: 'amount', amount })
    }),
  )
})

test.each([
  ['50', 50_000_000],
  [' $0.25 ', 250_000],
  ['1,250.5', 1_250_500_000],
  ['0.000001', 1],
  ['4.35', 4_350_000],
  ['0', 0],
  ['9007199254.740991', mostAmount],
])('%p is %p micro-dollars', (typed, amount) => {
  expect(readDollars(typed)).toEqual({ type: 'amount', amount })
})

test.each([
  ['', /Type an amount/],
  ['fifty', /Type an amount/],
  ['1.2.3', /Type an amount/],
  ['1,25', /Type an amount/],
  ['1e6', /Type an amount/],
  ['-5', /not less than/],
  ['0.0000001', /six decimals/],
  ['9007199254.740992', /more than can be counted/],
  ['99,999,999,999', /more than can be counted/],
])('%p is no amount, and it is said why', (typed, words) => {
  expect(readDollars(typed)).toEqual({ type: 'problem', words: expect.stringMatching(words) })
})
