import { afterAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { Keys } from '#keys/keys.ts'
import { SqliteLedger } from '#ledger/ledger.ts'
import { Storage } from '#storage/database.ts'
import { databaseFile } from '#storage/home.ts'
import { removeHomes, type Terminal, terminal, terminalNow } from '#test/terminal.ts'

import { exitCodes } from './exit-codes.ts'

const now = terminalNow

afterAll(removeHomes)

async function created(at: Terminal, ...args: string[]): Promise<{ id: string; key: string }> {
  const { printed } = await at.run('keys', 'create', '--name', 'ci', '--json', ...args)
  return JSON.parse(printed)
}

describe('parley keys', () => {
  test('create prints the id and the key, for programs as JSON, and the key works', async () => {
    const at = terminal()
    const issued = await created(at)
    expect(Object.keys(issued)).toEqual(['id', 'key'])
    using storage = await Storage.open(databaseFile(at.home))
    expect(new Keys(storage).verify([issued.key])).toMatchObject({ keyId: issued.id, name: 'ci' })
  })

  test('create takes a time to expire at, and a key of the caller with a warning if it is short', async () => {
    const at = terminal()
    await created(at, '--expires', '30d')
    const { hinted } = await at.run('keys', 'create', '--name', 'sdk', '--key', 'My API Key')
    expect(hinted).toContain('can be guessed')
    const { printed } = await at.run('keys', 'list', '--json')
    expect(JSON.parse(printed)).toMatchObject([
      { name: expect.any(String), status: 'active', lastUsedAt: null },
      { name: expect.any(String), status: 'active', createdAt: '2026-01-31T14:05:00.000Z' },
    ])
    expect(printed).toContain('"expiresAt":"2026-03-02T14:05:00.000Z"')
    expect(printed).not.toContain('My API Key')
  })

  test('list is a table that fits the terminal, whatever the names are', async () => {
    const at = terminal()
    expect((await at.run('keys', 'list')).printed).toContain('There are no keys yet')
    await at.run('keys', 'create', '--name', 'n'.repeat(100))
    const { printed } = await at.run('keys', 'list')
    expect(printed.split('\n').every((line) => line.length <= 100)).toBe(true)
    expect(printed).toContain('nnn…')
    expect(printed).toMatch(/default +active +– +– +–$/)
  })

  test('revoke asks somebody at a terminal, and does nothing without a yes', async () => {
    const at = terminal({ isInteractive: true, answer: 'no' })
    const { id } = await created(at)
    const { exitCode, hinted } = await at.run('keys', 'revoke', id)
    expect(at.questions).toHaveLength(1)
    expect(hinted).toContain('Nothing was changed')
    expect(exitCode).not.toBe(exitCodes.done)
    expect((await at.run('keys', 'list', '--json')).printed).toContain('"status":"active"')
    expect((await at.run('keys', 'revoke', id, '--yes')).exitCode).toBe(exitCodes.done)
    expect(at.questions).toHaveLength(1)
    expect((await at.run('keys', 'list', '--json')).printed).toContain('"status":"revoked"')
  })

  test('revoke does not ask a script', async () => {
    const at = terminal()
    const { id } = await created(at)
    const { printed } = await at.run('keys', 'revoke', id, '--json')
    expect(JSON.parse(printed)).toEqual({ id, status: 'revoked' })
    expect(at.questions).toEqual([])
  })

  test('rotate gives the same id a new key, and says how long the old one is valid', async () => {
    const at = terminal()
    const old = await created(at)
    const { printed, hinted } = await at.run('keys', 'rotate', old.id, '--overlap', '2h', '--json')
    const fresh: { id: string; key: string } = JSON.parse(printed)
    expect(fresh.id).toBe(old.id)
    expect(hinted).toContain('until 2026-01-31 16:05 UTC')
    using storage = await Storage.open(databaseFile(at.home))
    const before = new Keys(storage, { now: () => now + 7_199_999 })
    for (const { key } of [old, fresh]) expect(before.verify([key]).keyId).toBe(old.id)
    const after = new Keys(storage, { now: () => now + 7_200_000 })
    expect(() => after.verify([old.key])).toThrow('has expired')
  })
})

test('another process may issue and revoke keys beside a running server', async () => {
  const at = terminal()
  const clock = { time: Date.now() }
  using storage = await Storage.open(databaseFile(at.home))
  const keys = new Keys(storage, { now: () => clock.time })
  const parley = async (...args: string[]): Promise<string> =>
    Bun.spawn([join(import.meta.dir, '../../bin/parley'), ...args], {
      env: { PATH: Bun.env['PATH'], PARLEY_HOME: at.home },
    }).stdout.text()
  const { id, key } = JSON.parse(await parley('keys', 'create', '--name', 'ci', '--json'))
  expect(keys.verify([key])).toMatchObject({ keyId: id, name: 'ci' })
  await parley('keys', 'revoke', id)
  clock.time += 1000
  expect(() => keys.verify([key])).toThrow('was revoked')
})

describe('parley usage', () => {
  async function withUsage(): Promise<Terminal> {
    const at = terminal()
    const { id: keyId } = await created(at)
    using storage = await Storage.open(databaseFile(at.home))
    await using ledger = await SqliteLedger.open(storage)
    const known = {
      keyId,
      projectId: 'default',
      hold: { base: 0, perMillionOutput: 0, outputCap: 1, leastOutput: 1 },
      endpoint: 'chat',
      protocol: 'messages',
      model: 'm',
      stream: true,
    } as const
    for (const [id, startedAt] of [
      ['new', now - 1000] as const,
      ['old', now - 40 * 86_400_000] as const,
    ]) {
      await ledger.begin({ id, startedAt, ...known })
      await ledger.settle(id, {
        result: 'complete',
        target: `anthropic/${'claude-'.repeat(12)}`,
        attempts: 1,
        usage: { input: 1234, cacheRead: 56_789_012, output: 42 },
        counted: 'estimated',
        cost: 0,
        totalMs: 1,
        notes: [],
      })
    }
    return at
  }

  test('is a table that fits the terminal, of the last thirty days', async () => {
    const at = await withUsage()
    const { printed, hinted } = await at.run('usage', '--by', 'key,model,day')
    const [head = '', row = '', ...more] = printed.split('\n')
    expect(head).toMatch(
      /^day +key +model +exchanges +failed +input +cached +written +output +cost$/,
    )
    expect(row).toMatch(
      /^2026-01-31 {2}ci +anthropic\/claude-.*… +1 +0 +1,234 +56.8M +0 +42 \* +\$\d+\.\d+$/,
    )
    expect(row.length).toBeLessThanOrEqual(100)
    expect(more).toEqual([])
    expect(hinted).toContain('1 of these')
  })

  test('is exact as JSON, and goes back as far as it is asked to', async () => {
    const at = await withUsage()
    const { printed } = await at.run('usage', '--by', 'key', '--since', '2025-12-01', '--json')
    expect(JSON.parse(printed)).toMatchObject([{ exchanges: 2, cacheRead: 113_578_024 }])
  })

  test('says so where nothing was used', async () => {
    const { printed, exitCode } = await terminal().run('usage')
    expect([printed, exitCode]).toEqual(['Nothing was used since 2026-01-01 14:05 UTC.', 0])
  })
})

describe('exit codes mean something', () => {
  const cases: readonly (readonly [string, readonly string[], number])[] = [
    ['an unknown id', ['keys', 'revoke', 'nobody'], exitCodes.missing],
    ['an unknown id to rotate', ['keys', 'rotate', 'nobody'], exitCodes.missing],
    [
      'a time that has passed',
      ['keys', 'create', '--name', 'n', '--expires', '2020-01-01'],
      exitCodes.usage,
    ],
    [
      'a key that cannot be used',
      ['keys', 'create', '--name', 'n', '--key', 'gk_x'],
      exitCodes.usage,
    ],
  ]

  test.each(cases)('%s', async (_name, args, exitCode) => {
    const result = await terminal().run(...args)
    expect(result.exitCode).toBe(exitCode as typeof result.exitCode)
    expect(result.hinted).toStartWith('parley: ')
    expect(result.printed).toBe('')
  })

  const mistakes: readonly (readonly string[])[] = [
    ['keys', 'create'],
    ['keys', 'create', '--name', 'n', '--expires', 'soon'],
    ['keys', 'rotate', 'x', '--overlap', '2y'],
    ['usage', '--by', 'team'],
    ['usage', '--since', '2026-13-45'],
    ['keys', 'burn'],
  ]

  test('64 for what is not understood', async () => {
    const at = terminal()
    for (const args of mistakes)
      expect([args, (await at.run(...args)).exitCode]).toEqual([args, 64])
  })

  test('65 for a damaged database, 73 for a home that cannot be made', async () => {
    const at = terminal()
    await at.run('keys', 'list')
    writeFileSync(databaseFile(at.home), 'x'.repeat(5000))
    expect((await at.run('keys', 'list')).exitCode).toBe(exitCodes.data)
    const nowhere = terminal({ environment: { PARLEY_HOME: databaseFile(at.home) } })
    expect((await nowhere.run('usage')).exitCode).toBe(exitCodes.cannotCreate)
  })
})
