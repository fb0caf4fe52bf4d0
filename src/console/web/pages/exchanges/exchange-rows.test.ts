import { describe, expect, test } from 'bun:test'

import type { Exchange } from '#console/web/api/contract.ts'

import { besideTokens, billOf } from './bill.ts'
import { filtersIn, passes } from './exchange-filters.ts'
import { emptyTail, type LiveTail, mostRows, shownRows, tailAfter } from './live-tail.ts'

function exchange(seq: number, more: Partial<Exchange> = {}): Exchange {
  return {
    id: `req_${seq}`,
    seq,
    startedAt: seq * 1000,
    keyId: 'k',
    keyName: 'ci',
    projectId: 'p',
    endpoint: 'chat',
    protocol: 'messages',
    asked: 'fast',
    target: 'box/qwen',
    isStream: true,
    result: 'complete',
    attempts: 1,
    input: 1,
    cacheRead: null,
    cacheWrite: null,
    output: 1,
    reasoning: null,
    counted: 'exact',
    held: 0,
    cost: 0,
    corrected: 0,
    excess: 0,
    queueMs: null,
    firstByteMs: 1,
    totalMs: 2,
    route: null,
    ...more,
  }
}

describe('the filters of exchanges', () => {
  const filters = (address: string) => filtersIn(new URLSearchParams(address))

  test('are read from the address, and nonsense is no filter', () => {
    expect(filters('keyId=k&search=%20req%20&since=5&until=soon&result=&other=1')).toEqual({
      keyId: 'k',
      search: 'req',
      since: 5,
    })
    expect(filters(`search=${'x'.repeat(300)}`).search).toHaveLength(100)
  })

  const cases: readonly (readonly [string, boolean])[] = [
    ['', true],
    ['keyId=k', true],
    ['keyId=other', false],
    ['model=fast', true],
    ['model=box/qwen', true],
    ['target=fast', false],
    ['target=box/qwen', true],
    ['result=failed', true],
    ['result=upstream-lost', true],
    ['result=complete', false],
    ['search=REQ_7', true],
    ['search=qwen', true],
    ['search=nothing', false],
    ['since=7000', true],
    ['since=7001', false],
    ['until=7000', false],
  ]

  test.each(cases)('with %p let an exchange that failed through: %p', (address, isIn) => {
    const failed = exchange(7, { result: 'upstream-lost' })
    expect(passes(filters(address), failed)).toBe(isIn)
  })
})

describe('the live tail', () => {
  const came = (tail: LiveTail, from: number, to: number, skipped = 0) => {
    const exchanges = Array.from({ length: to - from + 1 }, (_, at) => exchange(from + at))
    return tailAfter(tail, { type: 'came', exchanges, skipped })
  }
  const seqs = (tail: LiveTail) => shownRows(tail).map(({ seq }) => seq)

  test('shows the newest first, and tells none twice', () => {
    const tail = came(came(emptyTail, 1, 3), 2, 5)
    expect(seqs(tail)).toEqual([5, 4, 3, 2, 1])
  })

  test('does not grow without bound', () => {
    let tail = emptyTail
    for (let look = 0; look < 100; look++)
      tail = came(tail, look * 50 + 1, look * 50 + 50, look * 7)
    expect(tail.rows).toHaveLength(mostRows)
    expect(tail.rows[0]?.seq).toBe(5000)
    expect(tail.skipped).toBe(693)
  })

  test('stands still while it is paused, counts what comes, and goes on with it', () => {
    const paused = tailAfter(came(emptyTail, 1, 2), { type: 'pause' })
    const later = came(paused, 3, 4, 5)
    expect(seqs(later)).toEqual([2, 1])
    expect(later.cameSince).toBe(7)
    expect(tailAfter(later, { type: 'pause' })).toEqual(later)
    const resumed = tailAfter(later, { type: 'resume' })
    expect(seqs(resumed)).toEqual([4, 3, 2, 1])
    expect(resumed.cameSince).toBe(0)
  })

  test('counts what was skipped once, also when the feed begins anew', () => {
    const paused = tailAfter(came(emptyTail, 1, 1, 10), { type: 'pause' })
    const again = came(came(paused, 1, 1, 14), 1, 1, 14)
    expect(again.cameSince).toBe(4)
    expect(came(again, 2, 2, 3).cameSince).toBe(8)
  })
})

describe('the bill of an exchange', () => {
  const used = { input: 1000, cacheRead: 2000, cacheWrite: null, output: 500, reasoning: 100 }
  const price = { input: 2_000_000, output: 10_000_000, cacheRead: 200_000, since: '', source: 'x' }

  test('has each kind of token at its own price', () => {
    const lines = billOf(used, price)
    expect(lines.map(({ tokens, cost }) => [tokens, cost])).toEqual([
      [1000, 2000],
      [2000, 400],
      [null, null],
      [400, 4000],
      [100, 1000],
    ])
    expect(besideTokens(lines, 7400)).toBe(0)
    expect(besideTokens(lines, 7500)).toBe(100)
  })

  test('goes by the price of a long input where it was one', () => {
    const above = { inputTokens: 2500, input: 4_000_000, output: 20_000_000 }
    expect(billOf(used, { ...price, above })[0]?.cost).toBe(4000)
  })

  test('has no costs where there is no price, and says nothing of what was not counted', () => {
    const none = { input: null, cacheRead: null, cacheWrite: null, output: null, reasoning: null }
    for (const line of [...billOf(used, null), ...billOf(none, price)]) expect(line.cost).toBeNull()
  })
})
