import { expect, test } from 'bun:test'

import { verify } from '#ledger/conservation.ts'
import { correct } from '#ledger/corrections.ts'
import { balanceOf, entry, openBooks, outcome } from '#ledger/ledger-rig.ts'

import { exportExchanges, findExchange, listExchanges } from './exchanges.ts'
import { prunable, prune } from './retention.ts'

/** So many exchanges, a second apart, the first at second 0. */
async function filled(count: number) {
  const books = await openBooks()
  await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      await books.ledger.begin(entry(`id-${at}`, { startedAt: at * 1000 }))
      await books.ledger.settle(`id-${at}`, outcome(at % 7))
    }),
  )
  return books
}

test('what is pruned leaves the ledger, and stays in the balances and their proof (P5)', async () => {
  await using at = await filled(4500)
  await correct(at.storage, { exchangeId: 'id-3', cost: 0, reason: 'r', actor: 'a' })
  const before = balanceOf(at.storage, 'org')
  const found = prunable(at.storage, 4_200_000)
  expect(found.exchanges).toBe(4200)
  expect(await prune(at.storage, 4_200_000)).toEqual(found)
  const rows = await listExchanges(at.storage, {}, 1000)
  expect([rows.length, rows.at(-1)?.started_at]).toEqual([300, 4_200_000])
  expect(balanceOf(at.storage, 'org')).toEqual(before)
  const { wrong, retired } = await verify(at.storage)
  expect([wrong, retired]).toEqual([[], found.charged])
  await at.ledger.keepUp()
  expect(at.alarms).toEqual([])
})

test('a ledger that is pruned of everything goes on, and none of its numbers is given again', async () => {
  await using at = await filled(10)
  expect((await prune(at.storage, Date.now())).exchanges).toBe(9)
  expect((await prune(at.storage, Date.now())).exchanges).toBe(0)
  await at.ledger.begin(entry('next'))
  await at.ledger.settle('next', outcome(5))
  const rows = await listExchanges(at.storage, {}, 10)
  expect(rows.map(({ seq }) => seq)).toEqual([11, 10])
  await at.ledger.keepUp()
  expect(at.alarms).toEqual([])
  expect((await verify(at.storage)).wrong).toEqual([])
})

test('the balance of a period goes when that is long over, unless it holds something or is the latest', async () => {
  await using at = await filled(1)
  const january = Date.UTC(2020, 0)
  const february = Date.UTC(2020, 1)
  const march = Date.UTC(2020, 2)
  const row = `INSERT INTO balances VALUES ('org', 'month', ?, 5, ?)`
  for (const [startsAt, held] of [
    [january, 0],
    [february, 7],
    [march, 0],
  ] as const)
    at.storage.database.run(row, [startsAt, held])
  const left = async () => {
    const rows = at.storage.query.selectFrom('balances').select(['starts_at', 'held'])
    return rows.where('period', '=', 'month').orderBy('starts_at').execute()
  }
  await prune(at.storage, february)
  expect(await left()).toHaveLength(3)
  await prune(at.storage, Date.UTC(2026, 0))
  expect(await left()).toEqual([
    { starts_at: february, held: 7 },
    { starts_at: march, held: 0 },
  ])
})

test('what comes while old rows are pruned is not proven, and so it stays, however old it is (P5)', async () => {
  await using at = await filled(2500)
  const { database } = at.storage
  const pruning = prune(at.storage, 2_400_000)
  while (prunable(at.storage, 2_400_000).exchanges === 2400) await nextTurn()
  const row = `INSERT INTO ledger (id, key_id, endpoint, protocol, model, stream, started_at, result, attempts, counted, total_ms, cost)
    VALUES (?, 'key-1', 'chat', 'messages', 'm', 0, 0, 'complete', 1, 'exact', 1, 0)`
  for (const id of ['late', 'last']) database.run(row, [id])
  expect((await pruning).exchanges).toBe(2400)
  const rows = await listExchanges(at.storage, { until: 2_400_000 }, 10)
  expect(rows.map(({ id }) => id)).toEqual(['last', 'late'])
  await at.ledger.keepUp()
  expect(at.alarms).toEqual([])
})

test('exchanges are listed from the newest, found by id, and exported from the oldest', async () => {
  await using at = await filled(1200)
  await at.ledger.begin(entry('open'))
  const listed = await listExchanges(at.storage, { until: 1_000_000, result: 'complete' }, 2)
  expect(listed.map(({ id }) => id)).toEqual(['id-999', 'id-998'])
  const seen: number[] = []
  for await (const { started_at } of exportExchanges(at.storage, { since: 10_000 }))
    seen.push(started_at)
  expect(seen).toHaveLength(1190)
  expect(seen).toEqual(seen.toSorted((one, other) => one - other))

  await correct(at.storage, { exchangeId: 'id-3', cost: 1, reason: 'why', actor: 'ann' }, 99)
  expect(await findExchange(at.storage, 'id-3')).toMatchObject({
    type: 'ended',
    exchange: { id: 'id-3', cost: 3, corrected: -2, keyName: 'key-1', price: null },
    corrections: [{ amount: -2, reason: 'why', actor: 'ann', made_at: 99 }],
  })
  expect(await findExchange(at.storage, 'open')).toMatchObject({
    type: 'open',
    exchange: { held: 200 },
  })
  expect(await findExchange(at.storage, 'nobody')).toBeUndefined()
})

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
