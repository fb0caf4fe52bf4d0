import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import type { Usage } from '#chat/usage.ts'

import { costOf } from './charge.ts'
import { billed, costLimit, type Price } from './price.ts'

const said = { since: '2026-01-31', source: 'test' }
const gpt: Price = { input: 2_500_000, output: 10_000_000, cacheRead: 1_250_000, ...said }
const claude: Price = {
  input: 3_000_000,
  output: 15_000_000,
  cacheRead: 300_000,
  cacheWrite: 3_750_000,
  ...said,
}

describe('an exchange costs what a bill by hand says:', () => {
  test('fresh input, cached input and output at their own prices', () => {
    // 1000 × 2.50 + 2000 × 1.25 + 500 × 10 dollars for a million
    expect(costOf({ input: 1000, cacheRead: 2000, output: 500 }, gpt)).toBe(2500 + 2500 + 5000)
  })

  test('reads and writes of a cache beside the input', () => {
    // 10 × 3 + 20,000 × 0.30 + 4,000 × 3.75 + 100 × 15
    const usage = { input: 10, cacheRead: 20_000, cacheWrite: 4000, output: 100 }
    expect(costOf(usage, claude)).toBe(30 + 6000 + 15_000 + 1500)
  })

  test('a kind without a price of its own costs as much as the input or the output', () => {
    const price = { input: 2_000_000, output: 8_000_000, ...said }
    expect(costOf({ cacheRead: 100, cacheWrite: 100 }, price)).toBe(400)
    expect(costOf({ output: 100, reasoning: 60 }, price)).toBe(800)
  })

  test('thoughts are a part of the output, and only their difference is charged', () => {
    const price = { input: 0, output: 1_000_000, reasoning: 3_000_000, ...said }
    expect(costOf({ output: 100, reasoning: 40 }, price)).toBe(60 + 120)
    expect(costOf({ reasoning: 40 }, price)).toBe(120)
    expect(costOf({ output: 10, reasoning: 40 }, price)).toBe(30)
  })

  test('images and the request itself', () => {
    const price = { input: 0, output: 0, image: 1200, request: 35, ...said }
    expect(costOf({}, price, 3)).toBe(3600 + 35)
    expect(costOf({}, gpt)).toBe(0)
  })

  test('a long input makes everything cost the price of long inputs, cache included in its length', () => {
    const above = { inputTokens: 200_000, input: 6_000_000, output: 22_500_000, cacheRead: 600_000 }
    const price = { ...claude, above }
    expect(costOf({ input: 100_000, cacheRead: 100_000, output: 10 }, price)).toBe(330_150)
    expect(costOf({ input: 100_001, cacheRead: 100_000, output: 10 }, price)).toBe(660_231)
    expect(costOf({ input: 200_001, cacheWrite: 10 }, price)).toBe(1_200_006 + 60)
  })

  test('the sum is rounded up once, not each kind', () => {
    const price = { input: 100_000, output: 100_000, cacheRead: 100_000, ...said }
    expect(costOf({ input: 1, cacheRead: 1, output: 1 }, price)).toBe(1)
    expect(costOf({ input: 10 }, price)).toBe(1)
    expect(costOf({ input: 11 }, price)).toBe(2)
  })
})

describe('whatever an upstream counts:', () => {
  test('a thousand million million tokens cost the most that an exchange can, and not a wrong number', () => {
    expect(costOf({ output: 1e15 }, gpt)).toBe(costLimit)
    const largest = Number.MAX_SAFE_INTEGER
    const usage = { input: largest, cacheRead: largest, output: largest }
    expect(costOf(usage, { ...gpt, input: 1e12 })).toBe(costLimit)
  })

  test('sums beyond what a double holds are exact', () => {
    // 9,007,199,255 × 1,000,003 is above 2^53.
    expect(billed([[9_007_199_255, 1_000_003]])).toBe(9_007_226_277)
    expect(billed([[1, 9_007_199_254_740_991]])).toBe(9_007_199_255)
    expect(billed([[1, 9_007_199_254_000_000]])).toBe(9_007_199_254)
  })
})

const count = fc.oneof(fc.nat(2000), fc.nat(2_000_000), fc.maxSafeNat())
const rate = fc.oneof(fc.nat(1000), fc.nat(700_000_000))
const anyPrice: fc.Arbitrary<Price> = fc.record(
  {
    input: rate,
    output: rate,
    cacheRead: rate,
    cacheWrite: rate,
    request: fc.nat(100_000),
    since: fc.constant('2026-01-31'),
    source: fc.constant('test'),
  },
  { requiredKeys: ['input', 'output', 'since', 'source'] },
)
const anyUsage: fc.Arbitrary<Usage> = fc.record(
  { input: count, cacheRead: count, cacheWrite: count, output: count },
  { requiredKeys: [] },
)

describe('laws of the charge:', () => {
  test('it is a whole number of micro-dollars within its limit', () => {
    fc.assert(
      fc.property(anyUsage, anyPrice, (usage, price) => {
        const cost = costOf(usage, price)
        expect(Number.isSafeInteger(cost) && cost >= 0 && cost <= costLimit).toBe(true)
      }),
    )
  })

  test('it is the exact sum, rounded up by less than one micro-dollar', () => {
    fc.assert(
      fc.property(anyUsage, anyPrice, (usage, price) => {
        const lines: [number | undefined, number][] = [
          [usage.input, price.input],
          [usage.cacheRead, price.cacheRead ?? price.input],
          [usage.cacheWrite, price.cacheWrite ?? price.input],
          [usage.output, price.output],
          [1_000_000, price.request ?? 0],
        ]
        const exact = lines.reduce((sum, [n = 0, each]) => sum + BigInt(n) * BigInt(each), 0n)
        const cost = BigInt(costOf(usage, price))
        if (cost === BigInt(costLimit)) return
        expect(cost * 1_000_000n - exact).toBeGreaterThanOrEqual(0n)
        expect(cost * 1_000_000n - exact).toBeLessThan(1_000_000n)
      }),
    )
  })

  test('more tokens of any kind never cost less', () => {
    const kind = fc.constantFrom(
      'input' as const,
      'cacheRead' as const,
      'cacheWrite' as const,
      'output' as const,
    )
    fc.assert(
      fc.property(anyUsage, anyPrice, kind, fc.nat(1_000_000), (usage, price, of, more) => {
        const grown = { ...usage, [of]: Math.min((usage[of] ?? 0) + more, Number.MAX_SAFE_INTEGER) }
        expect(costOf(grown, price)).toBeGreaterThanOrEqual(costOf(usage, price))
      }),
    )
  })

  test('dividing an exchange in two never makes the total less', () => {
    const small: fc.Arbitrary<Usage> = fc.record({
      input: fc.nat(1e6),
      cacheRead: fc.nat(1e6),
      output: fc.nat(1e6),
    })
    fc.assert(
      fc.property(small, small, anyPrice, (one, other, price) => {
        const whole = {
          input: (one.input ?? 0) + (other.input ?? 0),
          cacheRead: (one.cacheRead ?? 0) + (other.cacheRead ?? 0),
          output: (one.output ?? 0) + (other.output ?? 0),
        }
        expect(costOf(one, price) + costOf(other, price)).toBeGreaterThanOrEqual(
          costOf(whole, price),
        )
      }),
    )
  })
})
