import { describe, expect, test } from 'bun:test'

import { Budgets } from '#budgets/budgets.ts'
import type { Period } from '#budgets/periods.ts'
import { GatewayError } from '#chat/error.ts'
import { Storage } from '#storage/database.ts'

import { addKey, balanceOf, entry, failureOf, fixed, outcome } from './ledger-rig.ts'
import { SqliteLedger } from './ledger.ts'

const now = Date.UTC(2026, 10, 21, 9)
const day = 86_400_000

/** A key in a project of its own, with what it did: three exchanges this month, one of which is under way. */
async function books() {
  const storage = await Storage.open(':memory:')
  storage.database.run(`INSERT INTO projects (id, name, created_at) VALUES ('side', 'side', 0)`)
  addKey(storage, 'key-1', 'side')
  addKey(storage, 'other')
  const ledger = await SqliteLedger.open(storage, { now: () => now })
  const whose = { keyId: 'key-1', projectId: 'side', hold: fixed(50) }
  for (const [id, startedAt] of [
    ['before', now - 30 * day],
    ['week', now - 3 * day],
    ['today', now],
    ['open', now],
    ['of another', now],
  ] as const) {
    const key = id === 'of another' ? { keyId: 'other', projectId: 'default' } : {}
    await ledger.begin(entry(id, { ...whose, startedAt, ...key }))
    if (id !== 'open') await ledger.settle(id, outcome(20))
  }
  return {
    storage,
    ledger,
    budgets: new Budgets(storage, () => now),
    async [Symbol.asyncDispose]() {
      await ledger[Symbol.asyncDispose]()
      storage[Symbol.dispose]()
    },
  }
}

const strict = (amount: number) => ({ amount, isStrict: true })

describe('a budget that is set in the middle of its period', () => {
  const cases: readonly (readonly [string, Period, used: number, held: number])[] = [
    ['key:key-1', 'day', 20, 50],
    ['key:key-1', 'week', 40, 50],
    ['key:key-1', 'month', 40, 50],
    ['key:key-1', 'total', 60, 50],
    ['project:side', 'week', 40, 50],
    ['org', 'day', 40, 50],
    ['key:other', 'month', 20, 0],
  ]

  test.each(cases)(
    '%s by the %s counts what was charged in it, and what is held',
    async (...row) => {
      const [holder, period, used, held] = row
      await using at = await books()
      await at.budgets.set(holder, period, strict(1000))
      expect(await at.budgets.list(holder)).toMatchObject([
        { holder, period, amount: 1000, isStrict: true, used, held, left: 1000 - used - held },
      ])
      await at.ledger.settle('open', outcome(30))
      const charged = holder === 'key:other' ? 0 : 30
      expect(balanceOf(at.storage, holder, period)).toEqual([used + charged, 0])
    },
  )

  test('and taken away, and set again, counts what was charged in between', async () => {
    await using at = await books()
    await at.budgets.set('key:key-1', 'day', strict(1000))
    expect(await at.budgets.remove('key:key-1', 'day')).toBe(true)
    expect(await at.budgets.remove('key:key-1', 'day')).toBe(false)
    await at.ledger.begin(
      entry('between', { keyId: 'key-1', projectId: 'side', startedAt: now, hold: fixed(9) }),
    )
    await at.ledger.settle('open', outcome(30))
    await at.budgets.set('key:key-1', 'day', strict(1000))
    expect(await at.budgets.list()).toMatchObject([{ used: 50, held: 9 }])
    await at.ledger.settle('between', outcome(5))
    expect(await at.budgets.list()).toMatchObject([{ used: 55, held: 0 }])
  })

  test('says when its period began and ends; a total never does', async () => {
    await using at = await books()
    for (const period of ['total', 'month', 'week', 'day'] as const)
      await at.budgets.set('org', period, strict(1000))
    const shown = await at.budgets.list()
    expect(shown.map(({ period, startsAt, endsAt }) => [period, startsAt, endsAt])).toEqual([
      ['day', Date.UTC(2026, 10, 21), Date.UTC(2026, 10, 22)],
      ['week', Date.UTC(2026, 10, 16), Date.UTC(2026, 10, 23)],
      ['month', Date.UTC(2026, 10, 1), Date.UTC(2026, 11, 1)],
      ['total', 0, undefined],
    ])
  })
})

describe('a budget is refused, and nothing changed', () => {
  const cases: readonly (readonly [string, string, Period, number, RegExp])[] = [
    ['for a key that is not there', 'key:nobody', 'day', 1000, /There is no key:nobody/],
    ['for a project that is not there', 'project:x', 'day', 1000, /There is no project:x/],
    ['for what is no holder', 'team:x', 'day', 1000, /There is no team:x/],
    ['for what is no period', 'org', 'year' as Period, 1000, /There is no period "year"/],
    ['that is negative', 'org', 'day', -1, /whole number/],
    ['that is no number', 'org', 'day', Number.NaN, /whole number/],
    ['that is no whole number', 'org', 'day', 0.5, /whole number/],
    ['that is more than can be counted', 'org', 'day', 2 ** 53, /whole number/],
    ['below what is charged and held', 'key:key-1', 'day', 69, /Give at least \$0.00007\./],
    ['over that of the project', 'key:key-1', 'week', 501, /more than project:side/],
    ['over that of the organisation', 'key:key-1', 'month', 701, /more than org/],
  ]

  test.each(cases)('%s', async (_name, holder, period, amount, words) => {
    await using at = await books()
    await at.budgets.set('project:side', 'week', strict(500))
    await at.budgets.set('org', 'month', strict(700))
    const failure = await failureOf(at.budgets.set(holder, period, strict(amount)))
    expect(failure).toBeInstanceOf(GatewayError)
    expect(failure.code).toBe('request-invalid')
    expect(failure.message).toMatch(words)
    expect(await at.budgets.list()).toHaveLength(2)
    expect(balanceOf(at.storage, 'key:key-1', 'day')).toEqual([0, 0])
  })

  test('where one that is there would fall below what is spent', async () => {
    await using at = await books()
    await at.budgets.set('key:key-1', 'day', strict(100))
    await failureOf(at.budgets.set('key:key-1', 'day', strict(10)))
    expect(await at.budgets.list()).toMatchObject([{ amount: 100, used: 20, held: 50 }])
    await at.budgets.set('key:key-1', 'day', { amount: 70, isStrict: false })
    expect(await at.budgets.list()).toMatchObject([{ amount: 70, isStrict: false, left: 0 }])
  })
})
