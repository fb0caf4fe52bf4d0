import { writeSync } from 'node:fs'
import { argv } from 'node:process'

import { randomText } from '#std/random-id.ts'
import { Storage } from '#storage/database.ts'

import { SqliteLedger } from './ledger.ts'

/*
 * The process that the kill test ends: it keeps exchanges beginning and ending at a database, and says on its
 * standard output what it was told is on disk.
 */

const atOnce = 48

const storage = await Storage.open(argv[2] ?? '', { check: true })
const ledger = await SqliteLedger.open(storage)
await Promise.all(Array.from({ length: atOnce }, keepGoing))

async function keepGoing(): Promise<never> {
  for (;;) {
    const id = randomText(20)
    await ledger.begin({
      id,
      keyId: 'key-1',
      projectId: 'default',
      endpoint: 'chat',
      protocol: 'messages',
      model: 'fast',
      stream: true,
      startedAt: Date.now(),
      hold: { base: 10, perMillionOutput: 1_000_000, outputCap: 100, leastOutput: 16 },
    })
    writeSync(1, `begun ${id}\n`)
    await ledger.settle(id, {
      result: 'complete',
      attempts: 1,
      usage: { input: 3, output: 4 },
      counted: 'exact',
      cost: 42,
      totalMs: 5,
      notes: [],
    })
    writeSync(1, `settled ${id}\n`)
  }
}
