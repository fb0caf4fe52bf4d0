import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync, watch } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Storage } from '#storage/database.ts'
import { StorageError } from '#storage/storage-error.ts'

import { balanceOf, entry, failureOf, outcome } from './ledger-rig.ts'
import { SqliteLedger } from './ledger.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-full-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** SQLite calls a disk full, on every connection, when something begins: a table that counts has no number left. */
const fillDisk = [
  'CREATE TABLE room (number INTEGER PRIMARY KEY AUTOINCREMENT)',
  `INSERT INTO room VALUES (${2n ** 63n - 1n})`,
  `CREATE TRIGGER is_full BEFORE INSERT ON open_exchanges
    BEGIN INSERT INTO room VALUES (NULL); END`,
]
const makeRoom = 'DROP TRIGGER is_full'

const hasReserve = (): boolean => readdirSync(folder).some((name) => name.endsWith('.reserve'))

/** When the room that is kept on the disk is taken again. */
async function reserveTaken(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const watcher = watch(folder, () => {
    if (hasReserve()) resolve()
  })
  if (hasReserve()) resolve()
  await promise
  watcher.close()
}

test('on a full disk what has ended is written into the room kept for it, and nothing begins until there is room again (P7)', async () => {
  using storage = await Storage.open(join(folder, 'parley.db'))
  await using ledger = await SqliteLedger.open(storage)
  await ledger.begin(entry('one'))
  for (const statement of fillDisk) storage.database.run(statement)
  const settled = ledger.settle('one', outcome(130))
  const refused = failureOf(ledger.begin(entry('two')))
  // The batch of those two is being written now, and the next one comes together.
  await new Promise((resolve) => setImmediate(resolve))
  const refusedNext = failureOf(ledger.begin(entry('three')))
  await settled
  const { code, cause } = await refused
  expect(code).toBe('storage-unavailable')
  expect(cause).toBeInstanceOf(StorageError)
  expect(cause).toMatchObject({ problem: 'full' })
  expect((await refusedNext).code).toBe('storage-unavailable')
  expect(balanceOf(storage, 'org')).toEqual([130, 0])
  expect(hasReserve()).toBe(false)

  storage.database.run(makeRoom)
  expect((await failureOf(ledger.begin(entry('four')))).code).toBe('storage-unavailable')
  await reserveTaken()
  await ledger.begin(entry('five'))
  const open = await storage.query.selectFrom('open_exchanges').select('id').execute()
  expect(open).toEqual([{ id: 'five' }])
})
