import { expect, test } from 'bun:test'

import { Budgets } from '#budgets/budgets.ts'
import type { Storage } from '#storage/database.ts'

import { addKey, entry, failureOf, openBooks, outcome } from './ledger-rig.ts'
import type { Mismatch } from './proof.ts'

/** So many holders of whom no row of the ledger tells. Gives their names in the order in which they are looked at. */
function addUntouched({ database }: Storage, count: number): string[] {
  const holders = Array.from({ length: count }, (_, at) => `key:${String(at).padStart(4, '0')}`)
  database.transaction(() => {
    for (const holder of holders)
      database.run(`INSERT INTO balances VALUES (?, 'total', 0, 0, 0)`, [holder])
  })()
  return holders
}

test('a balance that holds what no exchange under way does is an alarm (P5)', async () => {
  await using at = await openBooks()
  await at.ledger.begin(entry('one'))
  await at.ledger.settle('one', outcome(130))
  at.storage.database.run(
    `UPDATE balances SET held = 7 WHERE holder = 'key:key-1' AND period = 'total'`,
  )
  await at.ledger.keepUp()
  expect(at.alarms).toEqual([
    { holder: 'key:key-1', charged: 130, used: 130, underWay: 0, held: 7 },
  ])
})

test('a balance that does not hold what an exchange under way does is an alarm (P5)', async () => {
  await using at = await openBooks()
  await at.ledger.begin(entry('one'))
  at.storage.database.run(`UPDATE balances SET held = 0 WHERE holder = 'org'`)
  await at.ledger.keepUp()
  expect(at.alarms).toEqual([{ holder: 'org', charged: 0, used: 0, underWay: 200, held: 0 }])
})

test('holders of whom no row tells are looked at in turn, the last as well as the first again (P5)', async () => {
  await using at = await openBooks()
  const holders = addUntouched(at.storage, 501)
  const spoil = (holder = ''): Mismatch => {
    at.storage.database.run('UPDATE balances SET used = 7 WHERE holder = ?', [holder])
    return { holder, charged: 0, used: 7, underWay: 0, held: 0 }
  }
  const last = spoil(holders.at(-1))
  await at.ledger.keepUp()
  await at.ledger.keepUp()
  expect(at.alarms).toEqual([last])
  const first = spoil(holders[0])
  await at.ledger.keepUp()
  expect(at.alarms).toContainEqual(first)
})

test('where the books of the organisation do not add up, who has no budget goes on (P5)', async () => {
  await using at = await openBooks()
  addKey(at.storage, 'other')
  await new Budgets(at.storage).set('key:key-1', 'month', { amount: 10_000, isStrict: true })
  await at.ledger.begin(entry('one'))
  await at.ledger.settle('one', outcome(130))
  at.storage.database.run(`UPDATE balances SET used = 0 WHERE holder = 'org'`)
  await at.ledger.keepUp()
  expect(at.alarms.map(({ holder }) => holder)).toEqual(['org'])
  const failure = await failureOf(at.ledger.begin(entry('two')))
  expect(failure.code).toBe('storage-unavailable')
  expect(failure.message).toContain('The books of org do not add up')
  expect(await at.ledger.begin(entry('three', { keyId: 'other' }))).toMatchObject({ held: 200 })
})
