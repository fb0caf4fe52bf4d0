import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { GatewayError } from '#chat/error.ts'
import { Storage } from '#storage/database.ts'
import { StorageError } from '#storage/storage-error.ts'

import type { NewEntry, Outcome } from './entry.ts'
import { forgetSql, holdSql } from './ledger-statements.ts'
import { SqliteLedger } from './ledger.ts'
import { WorkerScribe } from './worker-scribe.ts'

let root = ''
let files = 0
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'parley-ledger-'))
})
afterAll(() => {
  rmSync(root, { recursive: true, force: true })
})

/** Both ways that a ledger is written: by a thread in a file, and in memory. */
const places = [
  ['in a file', () => join(root, `home-${files++}`, 'parley.db')],
  ['in memory', () => ':memory:'],
] as const

const entry = (id: string): NewEntry => ({
  id,
  keyId: 'key-1',
  projectId: 'default',
  endpoint: 'chat',
  protocol: 'messages',
  model: 'fast',
  stream: true,
  startedAt: 1_800_000_000_000,
  hold: { base: 100, perMillionOutput: 2_000_000, outputCap: 50, leastOutput: 16 },
})

const complete: Outcome = {
  result: 'complete',
  target: 'openai/gpt-6-mini',
  attempts: 1,
  usage: { input: 10, cacheRead: 4, output: 5 },
  counted: 'exact',
  cost: 130,
  firstByteMs: 12.4,
  totalMs: 99.6,
  notes: [{ field: 'top_k', what: 'dropped' }],
}

const rowsOf = async (storage: Storage) =>
  storage.query.selectFrom('ledger').selectAll().orderBy('seq').execute()
const openOf = async (storage: Storage) =>
  storage.query.selectFrom('open_exchanges').select('id').orderBy('id').execute()

async function failureOf(work: Promise<unknown>): Promise<GatewayError> {
  const failure = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (failure instanceof GatewayError) return failure
  throw new TypeError('It did not fail as expected.', { cause: failure })
}

describe.each(places)('a ledger %s', (_place, place) => {
  test('writes the same of an exchange that ends alone as of those that end together, in their order', async () => {
    using storage = await Storage.open(place())
    await using ledger = await SqliteLedger.open(storage)
    const ids = Array.from({ length: 21 }, (_, index) => `exchange ${index}`)
    await Promise.all(ids.map((id) => ledger.begin(entry(id))))
    const [alone = '', ...others] = ids
    await ledger.settle(alone, complete)
    // What another connection writes makes the ledger read what it has under way again.
    storage.database.run('UPDATE open_exchanges SET endpoint = ?', ['count'])
    await Promise.all(others.map((id) => ledger.settle(id, complete)))
    const [first, ...rows] = await rowsOf(storage)
    expect<unknown>(rows).toEqual(
      others.map((id, index) => ({ ...first, id, seq: index + 2, endpoint: 'count' })),
    )
    expect(first).toMatchObject({ id: alone, endpoint: 'chat', result: 'complete', cost: 130 })
    expect(await openOf(storage)).toEqual([])
  })

  test('has an exchange on disk from its beginning, and its outcome at its end', async () => {
    using storage = await Storage.open(place())
    await using ledger = await SqliteLedger.open(storage)
    expect(await ledger.begin(entry('one'))).toEqual({
      outputCap: 50,
      isLowered: false,
      held: 200,
      isStrict: false,
    })
    expect(await openOf(storage)).toEqual([{ id: 'one' }])
    await ledger.settle('one', { ...complete, queueMs: 3, route: 'fallback' })
    expect(await openOf(storage)).toEqual([])
    expect(await rowsOf(storage)).toEqual([
      {
        seq: 1,
        id: 'one',
        key_id: 'key-1',
        project_id: 'default',
        endpoint: 'chat',
        protocol: 'messages',
        model: 'fast',
        stream: 1,
        started_at: 1_800_000_000_000,
        result: 'complete',
        target: 'openai/gpt-6-mini',
        attempts: 1,
        input: 10,
        cache_read: 4,
        cache_write: null,
        output: 5,
        reasoning: null,
        counted: 'exact',
        first_byte_ms: 12,
        total_ms: 100,
        notes: '[{"field":"top_k","what":"dropped"}]',
        held: 200,
        cost: 130,
        excess: 0,
        price: null,
        queue_ms: 3,
        tries: null,
        route: 'fallback',
      },
    ])
  })

  test('settles once: the first outcome stands, whatever comes later (P3)', async () => {
    using storage = await Storage.open(place())
    await using ledger = await SqliteLedger.open(storage)
    await ledger.begin(entry('one'))
    const later = { ...complete, result: 'client-left', usage: {} }
    await Promise.all([ledger.settle('one', complete), ledger.settle('one', later)])
    await ledger.settle('one', later)
    await ledger.settle('never begun', complete)
    expect((await rowsOf(storage)).map(({ id, result }) => [id, result])).toEqual([
      ['one', 'complete'],
    ])
  })

  test('writes many at once, every one of them', async () => {
    using storage = await Storage.open(place())
    await using ledger = await SqliteLedger.open(storage)
    const ids = Array.from({ length: 300 }, (_, at) => `id-${at}`)
    await Promise.all(
      ids.map(async (id) => {
        await ledger.begin(entry(id))
        await ledger.settle(id, complete)
      }),
    )
    expect((await rowsOf(storage)).map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
    expect(await openOf(storage)).toEqual([])
  })

  test('refuses an id that is under way, and nobody else of the same batch', async () => {
    using storage = await Storage.open(place())
    await using ledger = await SqliteLedger.open(storage)
    const all = await Promise.allSettled(['a', 'b', 'a', 'c'].map((id) => ledger.begin(entry(id))))
    expect(all.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ])
    expect(await openOf(storage)).toHaveLength(3)
  })

  test('takes odd numbers without holding up the others', async () => {
    using storage = await Storage.open(place())
    await using ledger = await SqliteLedger.open(storage)
    await ledger.begin(entry('odd'))
    await ledger.settle('odd', { ...complete, totalMs: Number.NaN, firstByteMs: -3, notes: [] })
    expect(await rowsOf(storage)).toMatchObject([{ total_ms: 0, first_byte_ms: 0, notes: null }])
  })

  test('writes what is waiting before it closes, and accepts nothing afterwards', async () => {
    using storage = await Storage.open(place())
    const ledger = await SqliteLedger.open(storage)
    await ledger.begin(entry('one'))
    const settling = ledger.settle('one', complete)
    await ledger[Symbol.asyncDispose]()
    await settling
    expect(await rowsOf(storage)).toHaveLength(1)
    expect((await failureOf(ledger.begin(entry('late')))).code).toBe('gateway-stopping')
  })
})

describe('a run that died', () => {
  test('has what it left open closed as crashed by the next one, once (P2)', async () => {
    const file = places[0][1]()
    using storage = await Storage.open(file)
    storage.database.run(
      `INSERT INTO open_exchanges (id, key_id, endpoint, protocol, model, stream, started_at, boot) VALUES ('left', 'key-1', 'chat', 'messages', 'fast', 0, 7, 'dead')`,
    )
    for (let time = 0; time < 2; time++) {
      await using _ledger = await SqliteLedger.open(storage)
    }
    expect(await openOf(storage)).toEqual([])
    expect(await rowsOf(storage)).toMatchObject([
      { id: 'left', result: 'crashed', started_at: 7, counted: 'none', input: null, output: null },
    ])
  })

  test('is told from one that lives: two servers may share a home', async () => {
    const file = places[0][1]()
    using storage = await Storage.open(file)
    await using first = await SqliteLedger.open(storage)
    await first.begin(entry('of the first'))
    using other = await Storage.open(file)
    {
      await using second = await SqliteLedger.open(other)
      await second.begin(entry('of the second'))
      expect(await openOf(storage)).toHaveLength(2)
      await second.settle('of the second', complete)
    }
    await first.settle('of the first', complete)
    expect((await rowsOf(storage)).map(({ result }) => result)).toEqual(['complete', 'complete'])
  })

  test('leaves no lock behind if it ended well', async () => {
    const file = places[0][1]()
    {
      using storage = await Storage.open(file)
      await using _ledger = await SqliteLedger.open(storage)
      expect(readdirSync(join(file, '..')).filter((name) => name.endsWith('.lock'))).toHaveLength(1)
    }
    expect(readdirSync(join(file, '..'))).toEqual(['parley.db'])
  })
})

describe('a disk that fails', () => {
  const big = (id: string): NewEntry => ({ ...entry(id), model: 'm'.repeat(20_000) })
  const limit = (storage: Storage, pages: number): void => {
    storage.database.query(`PRAGMA max_page_count = ${pages}`).get()
  }

  test('refuses what begins while it is full, and takes it again when there is room', async () => {
    using storage = await Storage.open(':memory:')
    await using ledger = await SqliteLedger.open(storage)
    limit(storage, 1)
    const failure = await failureOf(ledger.begin(big('one')))
    expect([failure.code, failure.status]).toEqual(['storage-unavailable', 503])
    expect(failure.cause).toBeInstanceOf(StorageError)
    limit(storage, 10_000)
    await ledger.begin(big('one'))
    expect(await openOf(storage)).toEqual([{ id: 'one' }])
  })

  test('loses no outcome while it is full: it is written when there is room', async () => {
    using storage = await Storage.open(':memory:')
    {
      await using ledger = await SqliteLedger.open(storage)
      await ledger.begin(big('one'))
      limit(storage, 1)
      const outcome = { ...complete, notes: [{ field: 'f'.repeat(20_000), what: 'dropped' }] }
      expect((await failureOf(ledger.settle('one', outcome))).code).toBe('storage-unavailable')
      expect(await openOf(storage)).toHaveLength(1)
      limit(storage, 10_000)
    }
    expect(await rowsOf(storage)).toMatchObject([{ id: 'one', result: 'complete', output: 5 }])
    expect(await openOf(storage)).toEqual([])
  })

  test('for good is not tried again: everything is refused from then on', async () => {
    const storage = await Storage.open(':memory:')
    const ledger = await SqliteLedger.open(storage)
    storage.database.run('DROP TABLE open_exchanges')
    expect((await failureOf(ledger.begin(entry('one')))).code).toBe('storage-unavailable')
    expect(ledger.failure?.code).toBe('storage-unavailable')
    expect((await failureOf(ledger.settle('one', complete))).code).toBe('storage-unavailable')
    await ledger[Symbol.asyncDispose]()
    storage[Symbol.dispose]()
  })

  test('is told by the thread that cannot open its database', async () => {
    const opening = WorkerScribe.open(join(root, 'nowhere', 'parley.db'), 'boot')
    const failure: unknown = await opening.catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(StorageError)
    expect(failure).toMatchObject({ problem: 'not-creatable' })
  })
})

test('settling looks up one open exchange, however old the ledger is', async () => {
  using storage = await Storage.open(':memory:')
  for (const statement of [forgetSql, holdSql]) {
    const steps = storage.database
      .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${statement}`)
      .all()
    expect(steps.map(({ detail }) => detail)).toEqual([
      'SEARCH open_exchanges USING PRIMARY KEY (id=?)',
    ])
  }
})
