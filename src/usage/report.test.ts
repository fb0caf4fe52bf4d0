import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { correct } from '#ledger/corrections.ts'
import type { Outcome } from '#ledger/entry.ts'
import { SqliteLedger } from '#ledger/ledger.ts'
import { Storage } from '#storage/database.ts'

import { usageReport } from './report.ts'

const day = 86_400_000
const monday = Date.UTC(2026, 0, 5)

let storage: Storage
const ci = 'ci-key'
beforeAll(async () => {
  storage = await Storage.open(':memory:')
  const key = { id: ci, name: 'ci', created_at: monday, expires_at: null, revoked_at: null }
  await storage.query.insertInto('keys').values(key).execute()
  await using ledger = await SqliteLedger.open(storage)
  await used(ledger, { keyId: ci, at: monday })
  await used(ledger, { keyId: ci, at: monday + day - 1, target: 'box/qwen', result: 'client-left' })
  await used(ledger, { keyId: ci, at: monday + day, counted: 'estimated' })
  await used(ledger, { keyId: 'removed', at: monday + day, result: 'upstream-lost', usage: {} })
})
afterAll(() => storage[Symbol.dispose]())

let exchanges = 0

interface Use extends Partial<Outcome> {
  readonly keyId: string
  readonly at: number
}

async function used(
  ledger: SqliteLedger,
  { keyId, at, ...outcome }: Use,
  id = `req-${exchanges++}`,
): Promise<void> {
  const hold = { base: 0, perMillionOutput: 0, outputCap: 0, leastOutput: 0 }
  const known = {
    projectId: 'default',
    hold,
    endpoint: 'chat',
    protocol: 'messages',
    model: 'fast',
    stream: false,
  } as const
  await ledger.begin({ id, keyId, startedAt: at, ...known })
  await ledger.settle(id, {
    result: 'complete',
    target: 'openai/gpt-6',
    attempts: 1,
    usage: { input: 10, cacheRead: 3, output: 5 },
    counted: 'exact',
    cost: 55,
    totalMs: 1,
    notes: [],
    ...outcome,
  })
}

const none = { cacheWrite: 0, reasoning: 0 }
const money = { unpriced: 4, cost: 220, excess: 0 }

describe('a report', () => {
  test('adds up all that was used', async () => {
    expect(await usageReport(storage, { by: [], since: 0 })).toEqual([
      {
        by: {},
        exchanges: 4,
        failed: 1,
        estimated: 1,
        input: 30,
        cacheRead: 9,
        output: 15,
        meanFirstByteMs: null,
        meanTotalMs: 1,
        ...none,
        ...money,
      },
    ])
  })

  test('by key tells them apart by name, also one that is in the ledger alone', async () => {
    expect(await usageReport(storage, { by: ['key'], since: 0 })).toMatchObject([
      { by: { key: 'ci' }, keyId: ci, exchanges: 3, failed: 0 },
      { by: { key: 'removed' }, keyId: 'removed', exchanges: 1, failed: 1, input: 0 },
    ])
  })

  test('by day and model goes back from the latest day, in UTC', async () => {
    const rows = await usageReport(storage, { by: ['day', 'model'], since: 0 })
    expect(rows.map(({ by, exchanges }) => [by.day, by.model, exchanges])).toEqual([
      ['2026-01-06', 'openai/gpt-6', 2],
      ['2026-01-05', expect.any(String), 1],
      ['2026-01-05', expect.any(String), 1],
    ])
  })

  test('by hour goes back from the latest hour, in UTC', async () => {
    const rows = await usageReport(storage, { by: ['hour'], since: 0 })
    expect(rows.map(({ by, exchanges }) => [by.hour, exchanges])).toEqual([
      ['2026-01-06T00', 2],
      ['2026-01-05T23', 1],
      ['2026-01-05T00', 1],
    ])
  })

  test('is of those whom one target answered, or of all that failed', async () => {
    const count = async (filter: object) =>
      (await usageReport(storage, { by: [], since: 0, ...filter })).map((row) => row.exchanges)
    expect(await count({ target: 'box/qwen' })).toEqual([1])
    expect(await count({ target: 'fast' })).toEqual([])
    expect(await count({ result: 'failed' })).toEqual([1])
    expect(await count({ result: 'client-left' })).toEqual([1])
  })

  test('leaves out what began earlier, and is empty where there was nothing', async () => {
    const since = monday + day
    expect(await usageReport(storage, { by: ['key'], since })).toMatchObject([
      { exchanges: 1 },
      { exchanges: 1 },
    ])
    expect(await usageReport(storage, { by: [], since: since + 1 })).toEqual([])
  })
})

test('a report can leave out, and tell apart by what keys are tagged with', async () => {
  const tagged = JSON.stringify({ tags: { team: 'search' } })
  storage.database.run('UPDATE keys SET policy = ?, owner = ? WHERE id = ?', [tagged, 'ann', ci])
  const by = ['tag:team', 'owner', 'project', 'result'] as const
  const rows = await usageReport(storage, { by, since: 0, until: monday + day, keyId: ci })
  const told = rows.map(({ by: values, exchanges }) =>
    [...by.map((dimension) => values[dimension]), exchanges].join(' '),
  )
  expect(told.toSorted()).toEqual([
    'search ann default client-left 1',
    'search ann default complete 1',
  ])
  expect(await usageReport(storage, { by: [], model: 'box/qwen' })).toMatchObject([
    { exchanges: 1 },
  ])
})

test('what was corrected is in the report as it is charged now', async () => {
  await correct(storage, { exchangeId: 'req-0', cost: 5, reason: 'r', actor: 'a' }, monday)
  expect(await usageReport(storage, { by: [], since: 0 })).toMatchObject([{ cost: 170 }])
})

test('an upstream that counts nonsense does not make a report fail', async () => {
  using other = await Storage.open(':memory:')
  await using ledger = await SqliteLedger.open(other)
  for (let time = 0; time < 1100; time++)
    await used(ledger, { keyId: ci, at: monday, usage: { input: 1e16 }, cost: 0 }, 'nonsense')
  const [row] = await usageReport(other, { by: [] })
  expect(row?.input).toBeGreaterThan(9e18)
})
