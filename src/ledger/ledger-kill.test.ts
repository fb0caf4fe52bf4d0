import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'

import { Storage } from '#storage/database.ts'
import { seeded } from '#test/crash/seeded.ts'
import { seed } from '#test/seed.ts'

import { verify } from './conservation.ts'
import { SqliteLedger } from './ledger.ts'

const kills = 5
const mostLines = 4000
const chance = seeded(seed)

/** The seed is what a failure has to be told with, so that it can be looked at again. */
const nothingBroken = { seed, wrong: [], lost: [], unsettled: [], open: [] }

/** A new folder, as long as the work on the database in it lasts. */
async function inFolder(work: (file: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-kill-'))
  try {
    await work(join(folder, 'parley.db'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Lets the child work, kills it when it has said so many lines, and gives all that it has said. */
async function saidUntilKilled(file: string, lines: number): Promise<string[]> {
  const child = Bun.spawn([execPath, join(import.meta.dir, 'ledger-kill.child.ts'), file], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  let said = ''
  let count = 0
  const decoder = new TextDecoder()
  for await (const bytes of child.stdout) {
    const text = decoder.decode(bytes, { stream: true })
    count += text.split('\n').length - 1
    said += text
    if (count >= lines) child.kill('SIGKILL')
  }
  await child.exited
  expect(child.signalCode).toBe('SIGKILL')
  // A line that was cut was not said.
  return said.split('\n').slice(0, -1)
}

test('a process that is killed at any moment loses nothing that it said was on disk (P1, P2, P3, P5)', async () => {
  await inFolder(async (file) => {
    const begun = new Set<string>()
    const settled = new Set<string>()
    for (let kill = 0; kill < kills; kill++) {
      for (const line of await saidUntilKilled(file, chance.between(1, mostLines))) {
        const [what, id = ''] = line.split(' ')
        if (what === 'settled') settled.add(id)
        else begun.add(id)
      }
      using storage = await Storage.open(file, { check: true })
      await using _ledger = await SqliteLedger.open(storage)
      const rows = await storage.query.selectFrom('ledger').select(['id', 'result']).execute()
      const results = new Map(rows.map(({ id, result }) => [id, result]))
      expect({ seed, exchanges: results.size }).toEqual({ seed, exchanges: rows.length })
      expect({
        seed,
        wrong: (await verify(storage)).wrong,
        lost: [...begun].filter((id) => !results.has(id)),
        unsettled: [...settled].filter((id) => results.get(id) !== 'complete'),
        open: await storage.query.selectFrom('open_exchanges').select('id').execute(),
      }).toEqual(nothingBroken)
    }
    expect(settled.size).toBeGreaterThan(0)
  })
}, 30_000)

test.each(['before-reserve', 'after-reserve', 'before-commit', 'after-commit'])(
  'a process that is killed %s leaves books that add up, and nothing under way (P2, P5)',
  async (point) => {
    await inFolder(async (file) => {
      const child = Bun.spawn([execPath, join(import.meta.dir, 'ledger-kill.child.ts'), file], {
        env: { FAIL_AT: `${point}:7` },
        stdout: 'ignore',
      })
      await child.exited
      expect(child.signalCode).toBe('SIGKILL')
      using storage = await Storage.open(file, { check: true })
      await using _ledger = await SqliteLedger.open(storage)
      const { wrong, underWay, exchanges } = await verify(storage)
      expect([wrong, underWay]).toEqual([[], 0])
      expect(exchanges).toBeGreaterThan(0)
    })
  },
)
