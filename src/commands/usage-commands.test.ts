import { afterAll, describe, expect, test } from 'bun:test'

import { addKey, balanceOf, entry, outcome } from '#ledger/ledger-rig.ts'
import { SqliteLedger } from '#ledger/ledger.ts'
import { Storage } from '#storage/database.ts'
import { databaseFile } from '#storage/home.ts'
import { removeHomes, type Terminal, terminal, terminalNow } from '#test/terminal.ts'

import { exitCodes } from './exit-codes.ts'

afterAll(removeHomes)

const day = 86_400_000
const price = { input: 3_000_000, output: 15_000_000, since: '2026-01-01', source: 'vendor page' }

/** A home whose one key had three exchanges: one an hour ago, one yesterday, one two months ago. */
async function used(settings?: Parameters<typeof terminal>[0]): Promise<Terminal> {
  const at = terminal(settings)
  using storage = await Storage.open(databaseFile(at.home))
  addKey(storage)
  await using ledger = await SqliteLedger.open(storage, { now: () => terminalNow })
  const began = [
    ['old', terminalNow - 60 * day],
    ['yesterday', terminalNow - day],
    ['new', terminalNow - 3_600_000],
  ] as const
  for (const [id, startedAt] of began) {
    await ledger.begin(entry(id, { startedAt, model: id === 'new' ? '=1+1' : 'fast' }))
    const more = {
      target: 'anthropic/claude-opus-5',
      notes: [{ field: 'top_k', what: 'dropped' }],
      tries: [
        {
          target: 'box/qwen',
          result: 'upstream-lost',
          startedMs: 1,
          tookMs: 40,
          lost: { input: 1200, output: 3, cost: 2_500_000 },
        },
      ],
      route: 'fallback',
      firstByteMs: 120,
      ...(id !== 'old' && { price }),
    } as const
    await ledger.settle(id, outcome(1_250_000, more))
  }
  return at
}

describe('parley usage', () => {
  test('adds up what was used and what it cost', async () => {
    const at = await used()
    const { printed, hinted } = await at.run('usage', '--by', 'target,asked', '--since', '365d')
    expect(printed).toMatch(/^target +asked +exchanges .* cost\n/)
    expect(printed).toMatch(/anthropic\/claude-opus-5 +fast +2 .*\$2\.50\n/)
    expect(hinted).toBe('Since 2025-01-31 14:05 UTC: $3.75. 1 had no price and cost nothing.')
  })

  test('is CSV for spreadsheets, which take nothing in it for a formula', async () => {
    const at = await used()
    const { printed } = await at.run('usage', '--by', 'asked,key', '--format', 'csv')
    expect(printed.split('\n').toSorted()).toEqual(
      [
        "key-1,'=1+1,key-1,1,0,0,0,10,0,0,5,0,1250000,0",
        'key,asked,keyId,exchanges,failed,estimated,unpriced,input,cacheRead,cacheWrite,output,reasoning,cost_microdollars,excess_microdollars',
        'key-1,fast,key-1,1,0,0,0,10,0,0,5,0,1250000,0',
      ].toSorted(),
    )
  })

  test('can be of some exchanges only, and by what keys are tagged with', async () => {
    const at = await used()
    const args = ['--by', 'tag:team,day', '--model', 'fast', '--json']
    const { printed } = await at.run('usage', ...args)
    expect(JSON.parse(printed)).toMatchObject([
      { day: '2026-01-30', 'tag:team': null, cost: 1_250_000 },
    ])
  })
})

describe('parley usage list, show and export', () => {
  test('list has the newest first, as many as are asked for', async () => {
    const at = await used()
    const { printed } = await at.run('usage', 'list', '--since', '365d', '--limit', '2')
    expect(printed.split('\n').map((line) => line.split(/ +/)[1])).toEqual([
      'id',
      'new',
      'yesterday',
    ])
    const { printed: json } = await at.run('usage', 'list', '--result', 'complete', '--json')
    expect(JSON.parse(json)).toMatchObject([
      { id: 'new', stream: true, price, notes: [{ field: 'top_k', what: 'dropped' }] },
      { id: 'yesterday' },
    ])
  })

  test('show tells everything of one exchange', async () => {
    const at = await used()
    const { printed } = await at.run('usage', 'show', 'new')
    expect(printed.split('\n').map((line) => line.replace(/ {2,}/, ': '))).toEqual([
      'exchange: new',
      'began: 2026-01-31 13:05:00 UTC',
      'key: key-1 (key-1)',
      'project: default',
      'asked for: =1+1, chat of messages',
      'answered by: anthropic/claude-opus-5',
      'chosen by: fallback',
      'result: complete',
      'try 1: box/qwen: upstream-lost after 40 ms, 1,200 input and 3 output lost ($2.50, not charged)',
      'tokens: 10 input, 5 output (exact)',
      'cost: $1.25 of $0.0002 held',
      'price: $3.00 in, $15.00 out for a million tokens, since 2026-01-01 (vendor page)',
      'time: first byte after 120 ms, 1 ms in all',
      'notes: top_k dropped',
    ])
    const missing = await at.run('usage', 'show', 'nobody')
    expect(missing.exitCode).toBe(exitCodes.missing)
  })

  test('export prints every row, the oldest first, as CSV or as lines of JSON', async () => {
    const at = await used()
    const { printed } = await at.run('usage', 'export')
    const [head = '', ...rows] = printed.split('\n')
    expect(head).toStartWith('id,began,key_id,key,')
    expect(rows.map((row) => row.split(',').length)).not.toContain(1)
    expect(rows.map((row) => row.split(',')[0])).toEqual(['old', 'yesterday', 'new'])
    const lines = (await at.run('usage', 'export', '--since', '30d', '--json')).printed.split('\n')
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(['yesterday', 'new'])
  })
})

describe('parley usage correct, prune and verify', () => {
  test('correct changes what is charged, after it has asked', async () => {
    const at = await used({ isInteractive: true, answer: 'y' })
    const args = ['usage', 'correct', 'new', '--cost', '0.25', '--reason', 'it was cut']
    const { printed } = await at.run(...args)
    expect(at.questions).toEqual(['Charge $0.25 for new instead of $1.25? [y/N] '])
    expect(printed).toBe('new is charged $0.25 instead of $1.25.')
    expect((await at.run('usage', 'show', 'new')).printed).toMatch(
      /correction +-\$1\.00 by .+ on 2026-01-31 14:05: it was cut/,
    )
    expect((await at.run('usage', 'verify')).exitCode).toBe(exitCodes.done)
    const unknown = await at.run('usage', 'correct', 'x', '--cost', '0', '--reason', 'r')
    expect(unknown.exitCode).toBe(exitCodes.missing)
  })

  test('prune deletes what is old, and nothing without a yes', async () => {
    const at = await used({ isInteractive: true, answer: 'n' })
    expect((await at.run('usage', 'prune', '--before', '30d')).exitCode).toBe(exitCodes.usage)
    expect(at.questions).toEqual([
      'Delete 1 exchanges from before 2026-01-01 14:05 UTC ($1.25) for good? [y/N] ',
    ])
    const { printed, hinted } = await at.run('usage', 'prune', '--before', '30d', '--yes', '--json')
    expect(hinted).toBe('')
    expect(JSON.parse(printed)).toEqual({ exchanges: 1, charged: 1_250_000 })
    const { printed: found } = await at.run('usage', 'verify', '--json')
    expect(JSON.parse(found)).toMatchObject({ exchanges: 2, retired: 1_250_000, wrong: [] })
  })

  test('verify says what does not add up with its exit code, and repair puts it right', async () => {
    const at = await used()
    {
      using storage = await Storage.open(databaseFile(at.home))
      storage.database.run(`UPDATE balances SET used = 1 WHERE holder = 'org'`)
    }
    const { exitCode, printed, hinted } = await at.run('usage', 'verify')
    expect(exitCode).toBe(exitCodes.data)
    expect(printed).toMatch(/org +\$3\.75 +\$0\.000001 /)
    expect(hinted).toContain('parley usage verify --repair')
    expect((await at.run('usage', 'verify', '--repair')).exitCode).toBe(exitCodes.done)
    expect((await at.run('usage', 'verify')).exitCode).toBe(exitCodes.done)
    using storage = await Storage.open(databaseFile(at.home))
    expect(balanceOf(storage, 'org')).toEqual([3_750_000, 0])
  })

  test('64 for what is not understood', async () => {
    const at = terminal()
    for (const args of [
      ['correct', 'x', '--cost', '-1', '--reason', 'r'],
      ['correct', 'x', '--cost', '1'],
      ['prune'],
      ['prune', '--before', 'soon'],
      ['list', '--limit', '0'],
      ['export', '--format', 'xml'],
      ['--by', 'tag:a"b'],
      ['burn'],
    ])
      expect([args, (await at.run('usage', ...args)).exitCode]).toEqual([args, exitCodes.usage])
  })
})
