import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { parseConfig } from './load.ts'

const parse = (text: string) => parseConfig(text, 'parley.yaml', { vendors: [], environment: {} })
const price = (dollars: string) => `prices: { "gpu-box/*": { input: ${dollars}, output: 1 } }`

describe('the prices of a config', () => {
  test('are dollars for a million tokens, kept as whole micro-dollars', () => {
    const { prices } = parse(`
prices:
  gpu-box/*: { input: 0.10, output: 0.30 }
  openai/gpt-6: { input: 2, output: 12, cacheRead: 0.2, cacheWrite: 2.5, reasoning: 12.000001, image: 0.0012, request: 0.01 }
`)
    expect(prices).toEqual({
      'gpu-box/*': { input: 100_000, output: 300_000 },
      'openai/gpt-6': {
        input: 2_000_000,
        output: 12_000_000,
        cacheRead: 200_000,
        cacheWrite: 2_500_000,
        reasoning: 12_000_001,
        image: 1200,
        request: 10_000,
      },
    })
    expect(parse('').prices).toEqual({})
  })

  test('are exact for every amount that has at most six decimals', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e12 }), (micro) => {
        const written = `${Math.floor(micro / 1e6)}.${String(micro % 1e6).padStart(6, '0')}`
        for (const text of [written, `"${written}"`])
          expect(parse(price(text)).prices['gpu-box/*']?.input).toBe(micro)
      }),
    )
  })

  test.each([
    '0.00000025',
    '-1',
    '.nan',
    '.inf',
    '1000000.000001',
    '1e21',
    '0.30000000000000004',
    '"2 dollars"',
    '""',
    'true',
  ])('that are no such amount are refused with their path: %s', (amount) => {
    expect(() => parse(price(amount))).toThrow(/prices.*input.*expected dollars/s)
  })

  test('need what goes in and what comes out, and a target to be the price of', () => {
    expect(() => parse('prices: { "gpu-box/*": { input: 1 } }')).toThrow(/output/)
    expect(() => parse('prices: { gpt-6: { input: 1, output: 1 } }')).toThrow(/upstream\/model/)
    expect(() => parse('prices: { "a/b": { input: 1, output: 1, cached: 1 } }')).toThrow(/cached/)
  })
})
