import { describe, expect, test } from 'bun:test'

import { fitsGlob } from '#std/glob.ts'

import { priceOfRow, type PriceRow } from './price-list.ts'
import { vendorPrices } from './vendor-prices.ts'

const lists = [...vendorPrices]
const rows = lists.flatMap(([vendor, list]) =>
  list.rows.map((row) => ({ name: `${vendor}/${row[0]} since ${row[1]}`, row, list })),
)

test('there are prices for the models of all vendors that have a list', () => {
  expect(rows.length).toBeGreaterThan(150)
  for (const [, { rows: own }] of lists) expect(own.length).toBeGreaterThan(0)
})

describe('every list', () => {
  test.each(lists)('of %s names its source and the day of its newest figures', (_, list) => {
    expect(list.source).toMatch(/^\w.+ page\b/)
    expect(isDay(list.asOf)).toBe(true)
    expect(list.asOf <= '2026-11-21').toBe(true)
  })

  test.each(lists)('of %s leaves no name to two globs alike', (_, { rows: own }) => {
    for (const [at, one] of own.entries())
      for (const other of own.slice(at + 1)) {
        if (one[0] === other[0]) expect(one[1]).not.toBe(other[1])
        else expect(rivals(one, other)).toBe(false)
      }
  })
})

describe('every row', () => {
  test.each(rows)('$name is sane', ({ row, list }) => {
    const price = priceOfRow(row, list.source)
    const { input, output, cacheRead = input, cacheWrite = input } = price
    expect(isDay(price.since)).toBe(true)
    expect([input, output, cacheRead, cacheWrite].every(isMoney)).toBe(true)
    expect(input).toBeGreaterThan(0)
    expect(cacheRead).toBeLessThanOrEqual(input)
    expect(cacheWrite).toBeGreaterThanOrEqual(input)
    expect(cacheWrite).toBeLessThanOrEqual(2 * input)
    if (!row[0].includes('embed')) expect(output).toBeGreaterThanOrEqual(input)
  })

  test.each(rows.filter(({ row }) => row[6] !== undefined))(
    '$name costs no less for a long input, in whole micro-dollars',
    ({ row, list }) => {
      const { above, ...price } = priceOfRow(row, list.source)
      for (const kind of ['input', 'output', 'cacheRead', 'cacheWrite'] as const) {
        expect(above?.[kind] === undefined).toBe(price[kind] === undefined)
        expect(isMoney(above?.[kind] ?? 0)).toBe(true)
        expect(above?.[kind] ?? 0).toBeGreaterThanOrEqual(price[kind] ?? 0)
      }
      expect(above?.inputTokens).toBeGreaterThanOrEqual(100_000)
    },
  )
})

/** Whether a name could fit both globs and neither says more: then the order of the rows would decide. */
function rivals([one]: PriceRow, [other]: PriceRow): boolean {
  const letters = (glob: string) => glob.replaceAll('*', '').length
  const isGlob = (glob: string) => glob.includes('*')
  const sample = (glob: string) => glob.replaceAll('*', '0')
  if (isGlob(one) !== isGlob(other) || letters(one) !== letters(other)) return false
  return fitsGlob(sample(one), other) || fitsGlob(sample(other), one)
}

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(text).toISOString().startsWith(text)
}

/** Whole micro-dollars, and no model has cost a thousand dollars for a million tokens yet. */
function isMoney(amount: number): boolean {
  return Number.isInteger(amount) && amount >= 0 && amount <= 1_000_000_000
}
