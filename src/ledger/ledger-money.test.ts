import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'

import { Budgets } from '#budgets/budgets.ts'
import { Storage } from '#storage/database.ts'

import { repair, verify } from './conservation.ts'
import { correct } from './corrections.ts'
import { addKey, balanceOf, entry, failureOf, fixed, outcome } from './ledger-rig.ts'
import { SqliteLedger } from './ledger.ts'
import type { Mismatch } from './proof.ts'

const isLong = env['PARLEY_RUNS'] !== undefined && Number(env['PARLEY_RUNS']) > 1
const day = 86_400_000
const saturday = Date.UTC(2026, 10, 21, 9)

let root = ''
let files = 0
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'parley-money-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const newFile = (): string => join(root, `home-${files++}`, 'parley.db')

/** A database with one key, and a ledger and budgets on it that look at one clock. */
async function books(file = ':memory:') {
  const clock = { time: saturday }
  const now = (): number => clock.time
  const storage = await Storage.open(file)
  addKey(storage)
  const alarms: Mismatch[] = []
  const onAlarm = (alarm: Mismatch): void => void alarms.push(alarm)
  const ledger = await SqliteLedger.open(storage, { now, onAlarm })
  const budgets = new Budgets(storage, now)
  return {
    clock,
    storage,
    ledger,
    budgets,
    alarms,
    now,
    async [Symbol.asyncDispose]() {
      await ledger[Symbol.asyncDispose]()
      storage[Symbol.dispose]()
    },
  }
}

describe('a reserve', () => {
  test('holds on the key, its project and the organisation, and settling releases it (P4)', async () => {
    await using at = await books()
    await at.ledger.begin(entry('one'))
    for (const holder of ['key:key-1', 'project:default', 'org'])
      expect(balanceOf(at.storage, holder)).toEqual([0, 200])
    await at.ledger.settle('one', outcome(130))
    for (const holder of ['key:key-1', 'project:default', 'org'])
      expect(balanceOf(at.storage, holder)).toEqual([130, 0])
  })

  test('lowers the output to what the budget can pay, and says so', async () => {
    await using at = await books()
    await at.budgets.set('key:key-1', 'month', { amount: 150, isStrict: true })
    const grant = await at.ledger.begin(entry('one'))
    expect(grant).toEqual({ outputCap: 25, isLowered: true, held: 150, isStrict: true })
    const failure = await failureOf(at.ledger.begin(entry('two')))
    expect([failure.code, failure.retryAfter]).toEqual(['budget-spent', undefined])
    expect(failure.message).toBe(
      'The monthly budget of this key is spent: $0.00015 of $0.00015, of which $0.00015 is held for requests under way; it starts again on 2026-12-01 00:00 UTC.',
    )
  })

  test('is refused where less than the least would be left, with nothing written', async () => {
    await using at = await books()
    await at.budgets.set('project:default', 'week', { amount: 131, isStrict: true })
    const failure = await failureOf(at.ledger.begin(entry('one')))
    expect(failure.message).toBe(
      "The weekly budget of this key's project cannot pay for this request: $0.00 of $0.000131 are spent, and it may cost $0.000132 at least; it starts again on 2026-11-23 00:00 UTC.",
    )
    expect(balanceOf(at.storage, 'org')).toEqual([0, 0])
    expect((await at.storage.query.selectFrom('open_exchanges').selectAll().execute()).length).toBe(
      0,
    )
  })

  test('of what costs nothing passes, also where a budget is spent', async () => {
    await using at = await books()
    await at.budgets.set('org', 'total', { amount: 0, isStrict: true })
    expect((await failureOf(at.ledger.begin(entry('dear', { hold: fixed(1) })))).message).toBe(
      'The total budget of the organisation is spent: $0.00 of $0.00; only an operator can raise it.',
    )
    expect(await at.ledger.begin(entry('free', { hold: fixed(0) }))).toMatchObject({ held: 0 })
  })

  test('takes what an upstream or a caller cannot mean: 1e15 tokens, not a number, less than nothing', async () => {
    await using at = await books()
    const perMillionOutput = 75_000_000
    const hold = { base: 1, perMillionOutput, outputCap: 1e15, leastOutput: 16 }
    expect(await at.ledger.begin(entry('vast', { hold }))).toMatchObject({ held: 1e12 })
    await at.ledger.settle('vast', outcome(7.5e16))
    const odd = { base: Number.NaN, perMillionOutput: -1, outputCap: Infinity, leastOutput: 0.4 }
    expect(await at.ledger.begin(entry('odd', { hold: odd }))).toMatchObject({ held: 0 })
    await at.ledger.settle('odd', outcome(Number.NaN))
    expect(balanceOf(at.storage, 'org')).toEqual([1e12, 0])
    expect((await verify(at.storage)).wrong).toEqual([])
  })

  test('never passes the integers that are exact, budget or not', async () => {
    await using at = await books()
    at.storage.database.run(`INSERT INTO balances VALUES ('org', 'total', 0, ${2 ** 52 - 10}, 0)`)
    expect((await failureOf(at.ledger.begin(entry('one', { hold: fixed(11) })))).code).toBe(
      'budget-spent',
    )
    await at.ledger.begin(entry('one', { hold: fixed(10) }))
  })
})

describe('a settlement', () => {
  test('charges no more than was held where a budget is strict, and keeps the excess apart (P4)', async () => {
    await using at = await books()
    await at.budgets.set('key:key-1', 'day', { amount: 1000, isStrict: true })
    await at.ledger.begin(entry('one'))
    await at.ledger.settle('one', outcome(260))
    expect(balanceOf(at.storage, 'key:key-1', 'day')).toEqual([200, 0])
    const [row] = await at.storage.query.selectFrom('ledger').select(['cost', 'excess']).execute()
    expect(row).toEqual({ cost: 200, excess: 60 })
  })

  test('charges all of it where the budget is soft', async () => {
    await using at = await books()
    await at.budgets.set('key:key-1', 'day', { amount: 1000, isStrict: false })
    expect(await at.ledger.begin(entry('one'))).toMatchObject({ isStrict: false })
    await at.ledger.settle('one', outcome(260))
    expect(balanceOf(at.storage, 'key:key-1', 'day')).toEqual([260, 0])
  })

  test('keeps the price that was charged, each one once', async () => {
    await using at = await books()
    const price = { input: 3_000_000, output: 15_000_000, since: '2026-01-01', source: 'vendor' }
    for (const id of ['one', 'two']) {
      await at.ledger.begin(entry(id))
      await at.ledger.settle(id, outcome(1, { price: { ...price } }))
    }
    const prices = await at.storage.query.selectFrom('prices').selectAll().execute()
    expect(prices).toEqual([{ id: 1, terms: JSON.stringify(price) }])
    const rows = await at.storage.query.selectFrom('ledger').select('price').execute()
    expect(rows).toEqual([{ price: 1 }, { price: 1 }])
  })

  test('takes the hold from the period that it lies on, though that is over', async () => {
    await using at = await books()
    await at.budgets.set('key:key-1', 'day', { amount: 1000, isStrict: true })
    await at.ledger.begin(entry('one'))
    at.clock.time += day
    await at.ledger.begin(entry('two'))
    await at.ledger.settle('one', outcome(150))
    const rows = await at.storage.query
      .selectFrom('balances')
      .select(['used', 'held'])
      .where('period', '=', 'day')
      .orderBy('starts_at')
      .execute()
    expect(rows).toEqual([
      { used: 150, held: 0 },
      { used: 0, held: 200 },
    ])
  })
})

describe('a clock', () => {
  test('that jumps back does not open again what is over', async () => {
    await using at = await books()
    await at.budgets.set('key:key-1', 'day', { amount: 250, isStrict: true })
    at.clock.time += day
    await at.ledger.begin(entry('one', { hold: fixed(200) }))
    at.clock.time -= 3 * day
    expect((await failureOf(at.ledger.begin(entry('two', { hold: fixed(200) })))).code).toBe(
      'budget-spent',
    )
    expect(await at.budgets.list()).toMatchObject([{ used: 0, held: 200, left: 50 }])
  })

  test('that moves into the next period finds the budget whole again', async () => {
    await using at = await books()
    await at.budgets.set('key:key-1', 'week', { amount: 200, isStrict: true })
    await at.ledger.begin(entry('one', { hold: fixed(200) }))
    await failureOf(at.ledger.begin(entry('two', { hold: fixed(200) })))
    at.clock.time = Date.UTC(2026, 10, 23)
    await at.ledger.begin(entry('two', { hold: fixed(200) }))
  })
})

/** With room for so many of them, how many of 2,000 are admitted. */
async function admitted(file: string, room: number, ledgers = 1): Promise<number> {
  await using at = await books(file)
  await at.budgets.set('key:key-1', 'month', { amount: room * 7 + 3, isStrict: true })
  await using others = new AsyncDisposableStack()
  const all = [at.ledger]
  for (let other = 1; other < ledgers; other++) {
    const storage = others.use(await Storage.open(file))
    all.push(others.use(await SqliteLedger.open(storage, { now: at.now })))
  }
  const results = await Promise.allSettled(
    Array.from({ length: 2000 }, (_, index) =>
      all[index % all.length]?.begin(entry(`id-${index}`, { hold: fixed(7) })),
    ),
  )
  expect(balanceOf(at.storage, 'key:key-1', 'month')).toEqual([0, room * 7])
  return results.filter(({ status }) => status === 'fulfilled').length
}

describe('2,000 at once with room for few', () => {
  const few = isLong ? Array.from({ length: 51 }, (_, room) => room) : [0, 1, 37]

  test.each(few)(
    'room for %i admits exactly as many',
    async (room) => {
      expect(await admitted(':memory:', room)).toBe(room)
      expect(await admitted(newFile(), room)).toBe(room)
    },
    60_000,
  )

  test('through two servers on one database admits exactly as many (P4)', async () => {
    expect(await admitted(newFile(), 23, 2)).toBe(23)
  })
})

describe('a database that others use', () => {
  test('may be locked for a while: what began is refused at first, what ended is written later', async () => {
    await using at = await books(newFile())
    await at.ledger.begin(entry('one'))
    const locker = new Database(at.storage.file)
    locker.run('BEGIN IMMEDIATE')
    const [begun, settled] = await Promise.all([
      failureOf(at.ledger.begin(entry('two'))),
      failureOf(at.ledger.settle('one', outcome(130))),
    ])
    expect([begun.code, settled.code]).toEqual(['storage-unavailable', 'storage-unavailable'])
    locker.run('ROLLBACK')
    locker.close()
    await at.ledger.begin(entry('three'))
    await at.ledger[Symbol.asyncDispose]()
    const rows = await at.storage.query.selectFrom('ledger').select(['id', 'cost']).execute()
    expect(rows).toEqual([{ id: 'one', cost: 130 }])
    expect(balanceOf(at.storage, 'org')).toEqual([130, 200])
  }, 20_000)

  test('tells of a budget that another process set, from the next exchange on', async () => {
    await using at = await books(newFile())
    await at.ledger.begin(entry('one'))
    using other = await Storage.open(at.storage.file)
    await new Budgets(other, at.now).set('project:default', 'day', { amount: 200, isStrict: true })
    expect((await failureOf(at.ledger.begin(entry('two')))).code).toBe('budget-spent')
    await at.ledger.settle('one', outcome(20))
    expect(await new Budgets(other, at.now).list('project:default')).toMatchObject([
      { used: 20, held: 0, left: 180 },
    ])
  })
})

describe('a server that died', () => {
  test('has its exchanges charged at what was held by one that lives on (P2)', async () => {
    await using at = await books(newFile())
    const run = [
      ['dead', 'left', 70],
      ['dead', 'free', 0],
    ] as const
    for (const [boot, id, held] of run)
      at.storage.database.run(
        `INSERT INTO open_exchanges (id, key_id, endpoint, protocol, model, stream, started_at, boot, held)
         VALUES (?, 'key-1', 'chat', 'messages', 'fast', 0, 7, ?, ?)`,
        [id, boot, held],
      )
    for (const holder of ['key:key-1', 'project:default', 'org'])
      at.storage.database.run(`INSERT INTO balances VALUES (?, 'total', 0, 0, 70)`, [holder])
    await at.ledger.keepUp()
    expect(at.alarms).toEqual([])
    const rows = await at.storage.query
      .selectFrom('ledger')
      .select(['id', 'result', 'cost', 'counted'])
      .orderBy('id')
      .execute()
    expect(rows).toEqual([
      { id: 'free', result: 'crashed', cost: 0, counted: 'none' },
      { id: 'left', result: 'crashed', cost: 70, counted: 'estimated' },
    ])
    expect(balanceOf(at.storage, 'org')).toEqual([70, 0])
  })
})

describe('books that do not add up', () => {
  test('are an alarm, stop what a budget there would pay, and nothing else, until they are put right (P5)', async () => {
    await using at = await books(newFile())
    addKey(at.storage, 'other')
    await at.budgets.set('key:key-1', 'month', { amount: 10_000, isStrict: true })
    await at.ledger.begin(entry('one'))
    await at.ledger.settle('one', outcome(130))
    at.storage.database.run(`UPDATE balances SET used = 0 WHERE holder = 'key:key-1'`)
    await at.ledger.keepUp()
    expect(at.alarms).toEqual([
      { holder: 'key:key-1', charged: 130, used: 0, underWay: 0, held: 0 },
    ])
    const failure = await failureOf(at.ledger.begin(entry('two')))
    expect(failure.code).toBe('storage-unavailable')
    expect(failure.message).toContain('parley usage verify')
    await at.ledger.begin(entry('three', { keyId: 'other' }))
    await at.ledger.settle('three', outcome(1))

    expect((await verify(at.storage)).wrong).toHaveLength(1)
    expect(await repair(at.storage, at.now())).toHaveLength(1)
    expect((await verify(at.storage)).wrong).toEqual([])
    expect(balanceOf(at.storage, 'key:key-1', 'month')).toEqual([130, 0])
    at.alarms.length = 0
    await at.ledger.keepUp()
    expect(at.alarms).toEqual([])
    await at.ledger.begin(entry('two'))
  })

  test('are found row by row at a start, however many there are', async () => {
    const file = newFile()
    await using at = await books(file)
    const row = `INSERT INTO ledger (id, key_id, endpoint, protocol, model, stream, started_at, result, attempts, counted, total_ms, cost)
      VALUES ('x', 'key-1', 'chat', 'messages', 'm', 0, 0, 'complete', 1, 'exact', 1, 2)`
    at.storage.database.transaction(() => {
      for (let index = 0; index < 5000; index++) at.storage.database.run(row)
    })()
    using other = await Storage.open(file)
    const alarms: Mismatch[] = []
    const onAlarm = (alarm: Mismatch): void => void alarms.push(alarm)
    await using _second = await SqliteLedger.open(other, { onAlarm })
    const told = alarms.map(({ holder, charged, used }) => `${holder} ${charged} ${used}`)
    expect(told.toSorted()).toEqual(['key:key-1 10000 0', 'org 10000 0', 'project:default 10000 0'])
  })
})

describe('a correction', () => {
  test('changes every balance that the exchange was charged to, and says why', async () => {
    await using at = await books()
    await at.budgets.set('key:key-1', 'month', { amount: 10_000, isStrict: true })
    await at.ledger.begin(entry('one', { startedAt: at.now() }))
    await at.ledger.settle('one', outcome(130))
    const correction = { exchangeId: 'one', cost: 30, reason: 'half of it was lost', actor: 'ann' }
    expect(await correct(at.storage, correction, at.now())).toEqual({ before: 130, after: 30 })
    expect(await correct(at.storage, { ...correction, cost: 0 })).toEqual({ before: 30, after: 0 })
    expect(balanceOf(at.storage, 'key:key-1', 'month')).toEqual([0, 0])
    expect(balanceOf(at.storage, 'org')).toEqual([0, 0])
    await at.ledger.keepUp()
    expect(at.alarms).toEqual([])
    expect((await verify(at.storage)).wrong).toEqual([])
  })

  test('is refused for what is not in the ledger, without a reason, and below nothing', async () => {
    await using at = await books()
    await at.ledger.begin(entry('one'))
    const correction = { exchangeId: 'one', cost: 0, reason: 'why', actor: 'ann' }
    for (const wrong of [
      correction,
      { ...correction, reason: ' ' },
      { ...correction, cost: -1 },
      { ...correction, cost: 0.5 },
    ])
      expect((await failureOf(correct(at.storage, wrong))).code).toBe('request-invalid')
    expect(await at.storage.query.selectFrom('corrections').selectAll().execute()).toEqual([])
  })
})
