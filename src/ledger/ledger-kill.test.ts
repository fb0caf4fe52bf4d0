import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'

import { Storage } from '#storage/database.ts'

import { verify } from './conservation.ts'
import { SqliteLedger } from './ledger.ts'

const kills = 5
const mostLines = 4000

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
  const folder = mkdtempSync(join(tmpdir(), 'parley-kill-'))
  const file = join(folder, 'parley.db')
  const begun = new Set<string>()
  const settled = new Set<string>()
  for (let kill = 0; kill < kills; kill++) {
    const lines = 1 + Math.floor(Math.random() * mostLines)
    for (const line of await saidUntilKilled(file, lines)) {
      const [what, id = ''] = line.split(' ')
      if (what === 'settled') settled.add(id)
      else begun.add(id)
    }
    using storage = await Storage.open(file, { check: true })
    await using _ledger = await SqliteLedger.open(storage)
    const rows = await storage.query.selectFrom('ledger').select(['id', 'result']).execute()
    const results = new Map(rows.map(({ id, result }) => [id, result]))
    expect(results.size).toBe(rows.length)
    expect((await verify(storage)).wrong).toEqual([])
    expect([...begun].filter((id) => !results.has(id))).toEqual([])
    expect([...settled].filter((id) => results.get(id) !== 'complete')).toEqual([])
    expect(await storage.query.selectFrom('open_exchanges').select('id').execute()).toEqual([])
  }
  expect(settled.size).toBeGreaterThan(0)
  rmSync(folder, { recursive: true })
}, 30_000)

test.each(['before-reserve', 'after-reserve', 'before-commit', 'after-commit'])(
  'a process that is killed %s leaves books that add up, and nothing under way (P2, P5)',
  async (point) => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-kill-'))
    const file = join(folder, 'parley.db')
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
    rmSync(folder, { recursive: true })
  },
)
