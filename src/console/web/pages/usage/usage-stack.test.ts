import { describe, expect, test } from 'bun:test'

import type { UsageRow } from './usage-row.ts'
import { usageStack } from './usage-stack.ts'

const now = Date.UTC(2026, 0, 3, 12)
const range = { since: Date.UTC(2026, 0, 1), bucket: 'day' } as const

function row(by: Record<string, string | null>, used: Partial<UsageRow> = {}): UsageRow {
  const nothing = { exchanges: 0, failed: 0, estimated: 0, unpriced: 0, cost: 0, excess: 0 }
  const tokens = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 }
  return { by, ...nothing, ...tokens, ...used }
}

describe('the bands of a plot', () => {
  test('have a value for every day, and the largest comes first', () => {
    const rows = [
      row({ day: '2026-01-03', model: 'a' }, { cost: 5 }),
      row({ day: '2026-01-01', model: 'b' }, { cost: 30 }),
      row({ day: '2026-01-03', model: 'b' }, { cost: 2 }),
    ]
    const stack = usageStack(rows, { by: 'model', measure: 'cost', range, now })
    expect(stack.times).toHaveLength(3)
    expect(stack.bands).toEqual([
      { id: 'b', name: 'b', values: [30, 0, 2], total: 32 },
      { id: 'a', name: 'a', values: [0, 0, 5], total: 5 },
    ])
  })

  test('count all that went in as input', () => {
    const rows = [
      row({ day: '2026-01-02', model: 'a' }, { input: 1, cacheRead: 20, cacheWrite: 300 }),
    ]
    const stack = usageStack(rows, { by: 'model', measure: 'input', range, now })
    expect(stack.bands[0]?.values).toEqual([0, 321, 0])
  })

  test('are one for all groups that are too small to be drawn', () => {
    const rows = ['a', 'b', 'c', 'd'].map((model, at) =>
      row({ day: '2026-01-01', model }, { exchanges: 10 - at }),
    )
    const options = { by: 'model', measure: 'exchanges', range, now } as const
    const cut = usageStack(rows, { ...options, most: 2 })
    expect(cut.bands.map(({ id, name, total }) => [id, name, total])).toEqual([
      ['a', 'a', 10],
      ['b', 'b', 9],
      ['', '2 others', 15],
    ])
    expect(usageStack(rows, { ...options, most: 3 }).bands).toHaveLength(4)
  })

  test('tell keys of one name apart, and leave out groups of nothing', () => {
    const rows = [
      row({ day: '2026-01-01', key: 'ci' }, { keyId: 'one', failed: 1 }),
      row({ day: '2026-01-01', key: 'ci' }, { keyId: 'two', failed: 2 }),
      row({ day: '2026-01-01', key: 'other' }, { keyId: 'three' }),
    ]
    const stack = usageStack(rows, { by: 'key', measure: 'failed', range, now })
    expect(stack.bands.map(({ id, name }) => [id, name])).toEqual([
      ['two', 'ci (two)'],
      ['one', 'ci (one)'],
    ])
  })

  test('are one for all where usage is split by day alone, and hours are hours', () => {
    const hours = { since: Date.UTC(2026, 0, 3, 11), bucket: 'hour' } as const
    const rows = [
      row({ hour: '2026-01-03T11' }, { cost: 1 }),
      row({ hour: '2026-01-03T12' }, { cost: 4 }),
    ]
    const stack = usageStack(rows, { by: 'day', measure: 'cost', range: hours, now })
    expect(stack.bands).toEqual([{ id: 'all', name: 'All', values: [1, 4], total: 5 }])
  })

  test('do not contain what lies outside of the range', () => {
    const rows = [
      row({ day: '2025-12-31', model: 'a' }, { cost: 1 }),
      row({ day: 'nonsense', model: 'a' }, { cost: 1 }),
    ]
    expect(usageStack(rows, { by: 'model', measure: 'cost', range, now }).bands).toEqual([])
  })
})
