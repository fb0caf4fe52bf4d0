import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { LedgerBook } from '#ledger/ledger-book.ts'
import { closeRow, openRow } from '#ledger/ledger-rows.ts'
import { randomHex } from '#std/random-id.ts'
import { connect } from '#storage/connection.ts'
import { Storage } from '#storage/database.ts'

/** CPU time of what no ledger can do without, in microseconds. */
export interface LedgerFloor {
  /** One exchange: its share of groups that begin so many and end so many, in one thread that does nothing else. */
  readonly exchange: number
  /** One commit that changes a single page. */
  readonly commit: number
}

/** Writes groups of exchanges that begin and end, `group` of each in a commit, on a real disk. */
export async function measureFloor(group: number, commits: number): Promise<LedgerFloor> {
  const home = mkdtempSync(join(tmpdir(), 'parley-bench-floor-'))
  try {
    const file = join(home, 'parley.db')
    using _ = await Storage.open(file)
    const database = connect(file)
    const book = new LedgerBook(database, 'bench')
    database.run('CREATE TABLE touched AS SELECT 0 AS times')
    const touch = database.prepare('UPDATE touched SET times = times + 1')
    let ending: string[] = []
    const exchanges = (): void => {
      const beginning = Array.from({ length: group }, () => `req_${randomHex(32)}`)
      book.write([beginning.map(began), ending.map(ended), Date.now()])
      ending = beginning
    }
    repeat(exchanges, commits)
    const exchange = repeat(exchanges, commits) / group
    const commit = repeat(() => touch.run(), commits)
    touch.finalize()
    book[Symbol.dispose]()
    database.close()
    return { exchange, commit }
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** The CPU time that it takes each time. */
function repeat(work: () => void, times: number): number {
  const before = process.cpuUsage()
  for (let done = 0; done < times; done++) work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / times
}

function began(id: string) {
  return openRow({
    id,
    keyId: 'abcdefghijkl',
    projectId: 'default',
    endpoint: 'chat',
    protocol: 'chat-completions',
    model: 'bench',
    stream: false,
    startedAt: Date.now(),
    hold: { base: 500, perMillionOutput: 15_000_000, outputCap: 200, leastOutput: 16 },
  })
}

const price = { input: 3_000_000, output: 15_000_000, since: '2026-01-01', source: 'config' }

function ended(id: string) {
  return closeRow(id, {
    result: 'complete',
    target: 'up/bench',
    attempts: 1,
    usage: { input: 110, output: 90 },
    counted: 'exact',
    cost: 1680,
    price,
    totalMs: 3,
    firstByteMs: 1,
    notes: [],
    route: 'only target',
  })
}

if (import.meta.main)
  for (const group of [16, 32, 64]) console.log(group, await measureFloor(group, 2000))
