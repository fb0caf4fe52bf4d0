import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getuid } from 'node:process'

import { Kysely, type Migration, sql } from 'kysely'

import { bunSqliteDialect } from './bun-sqlite-dialect.ts'
import { connect, pragma } from './connection.ts'
import { Storage } from './database.ts'
import { databaseFile, homeFolder } from './home.ts'
import { allMigrations, migrate } from './migrations.ts'
import type { Schema } from './schema.ts'
import { StorageError } from './storage-error.ts'

let root = ''
let homes = 0
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'parley-storage-'))
})
afterAll(() => {
  rmSync(root, { recursive: true, force: true })
})

const newFile = (): string => join(root, `home-${homes++}`, 'parley.db')

/** Why a database cannot be opened. */
async function refusal(file: string): Promise<StorageError> {
  const failure = await Storage.open(file, { check: true }).then(
    (storage) => storage[Symbol.dispose](),
    (error: unknown) => error,
  )
  if (!(failure instanceof StorageError)) throw new TypeError('It was opened.')
  return failure
}

async function filled(rows = 2000): Promise<string> {
  const file = newFile()
  using storage = await Storage.open(file)
  const insert = storage.database.prepare<unknown, [string, string]>(
    'INSERT INTO keys (id, name, created_at) VALUES (?, ?, 0)',
  )
  storage.database.transaction(() => {
    for (let at = 0; at < rows; at++) insert.run(`id-${at}`, 'x'.repeat(60))
  })()
  insert.finalize()
  return file
}

describe('a new database', () => {
  test('is made with its folder, readable by this user alone', async () => {
    const file = newFile()
    using _storage = await Storage.open(file)
    expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700)
    for (const name of readdirSync(join(file, '..')))
      expect([name, statSync(join(file, '..', name)).mode & 0o777]).toEqual([name, 0o600])
  })

  test('is durable and safe: WAL, FULL, foreign keys, no trust in the schema', async () => {
    using storage = await Storage.open(newFile())
    const names = ['journal_mode', 'synchronous', 'foreign_keys', 'trusted_schema', 'busy_timeout']
    expect(names.map((name) => pragma(storage.database, name))).toEqual(['wal', 2, 1, 0, 2000])
  })

  test('has strict tables only', async () => {
    using storage = await Storage.open(':memory:')
    const tables = storage.database
      .query<{ name: string; strict: number }, []>(
        `SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite_%'`,
      )
      .all()
    const ours = tables.filter(({ name }) => !name.startsWith('migration'))
    expect(ours.map(({ name }) => name).toSorted()).toEqual([
      'audit',
      'audit_head',
      'balances',
      'budgets',
      'corrections',
      'key_secrets',
      'keys',
      'ledger',
      'open_exchanges',
      'organisation',
      'prices',
      'projects',
      'proven',
      'proven_until',
      'sessions',
      'setup_token',
      'users',
    ])
    expect(ours.every(({ strict }) => strict === 1)).toBe(true)
  })

  test('leaves one file behind when it is closed, and opens again', async () => {
    const file = await filled(3)
    expect(readdirSync(join(file, '..'))).toEqual(['parley.db'])
    using storage = await Storage.open(file, { check: true })
    const { count } = await storage.query
      .selectFrom('keys')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(count).toBe(3)
  })

  test('tightens a file that others may read', async () => {
    const file = await filled(1)
    chmodSync(file, 0o644)
    using _storage = await Storage.open(file)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('lies in PARLEY_HOME, or else in the folder of the user', () => {
    expect(databaseFile(homeFolder({ PARLEY_HOME: '/data/parley' }))).toBe('/data/parley/parley.db')
    expect(homeFolder({})).toEndWith('/.parley')
    expect(homeFolder({ PARLEY_HOME: '' })).toEndWith('/.parley')
  })
})

describe('a database that cannot be used is refused on one line', () => {
  const cases: readonly (readonly [
    string,
    StorageError['problem'],
    () => Promise<string> | string,
  ])[] = [
    ['no database at all', 'corrupt', () => written(Buffer.alloc(5000, 'not a database '))],
    ['a damaged header', 'corrupt', async () => damaged(await filled(), 20, 60)],
    ['a damaged page of data', 'corrupt', async () => damaged(await filled(), 9 * 4096, 4096)],
    ['a file that was cut short', 'corrupt', async () => truncated(await filled())],
    ['a folder in its place', 'not-creatable', () => folderInPlace()],
    ['a file where the folder should be', 'not-creatable', () => join(written('x'), 'parley.db')],
    ['the database of another program', 'foreign', () => foreign()],
    ['one from a newer version', 'newer', () => newer()],
  ]

  test.each(cases)('%s', async (_name, problem, make) => {
    const file = await make()
    const failure = await refusal(file)
    expect(failure.problem).toBe(problem)
    expect(failure.message).toContain(file)
    expect(failure.message).not.toContain('\n')
  })

  test.skipIf(getuid?.() === 0)('one that may not be read, or not be written', async () => {
    const file = await filled(1)
    chmodSync(file, 0o000)
    expect((await refusal(file)).problem).toBe('unreadable')
    chmodSync(file, 0o400)
    expect((await refusal(file)).problem).toBe('read-only')
    chmodSync(file, 0o600)
  })

  test('and none of them is changed by the attempt', async () => {
    const file = written(Buffer.alloc(5000, 'not a database '))
    await refusal(file)
    expect(readFileSync(file).equals(Buffer.alloc(5000, 'not a database '))).toBe(true)
  })
})

test('a write-ahead log that was cut short loses its tail and nothing else', async () => {
  const file = newFile()
  using storage = await Storage.open(file)
  storage.database.run(`INSERT INTO keys (id, name, created_at) VALUES ('kept', 'n', 0)`)
  storage.database.run(`INSERT INTO keys (id, name, created_at) VALUES ('torn', 'n', 0)`)
  const copy = written(readFileSync(file))
  const log = readFileSync(`${file}-wal`)
  writeFileSync(`${copy}-wal`, log.subarray(0, log.length - 10))
  using opened = await Storage.open(copy, { check: true })
  expect(await opened.query.selectFrom('keys').select('id').execute()).toEqual([{ id: 'kept' }])
})

describe('a migration', () => {
  const another: Migration = {
    async up(query) {
      await sql`ALTER TABLE keys ADD COLUMN note TEXT`.execute(query)
    },
  }

  test('of an existing database keeps its rows, and a copy of what was there before', async () => {
    const file = await filled(3)
    {
      using storage = await Storage.open(file)
      await migrate(storage, { ...allMigrations, '0099-another': another })
      expect(columnsOf(storage.database)).toContain('note')
      expect(storage.database.query('SELECT count(*) AS n FROM keys').get()).toEqual({ n: 3 })
    }
    const copy = `${file}.before-upgrade-from-${Object.keys(allMigrations).at(-1)}`
    expect(statSync(copy).mode & 0o777).toBe(0o600)
    using before = new Database(copy)
    expect(columnsOf(before)).not.toContain('note')
    expect(before.query('SELECT count(*) AS n FROM keys').get()).toEqual({ n: 3 })
  })

  test('gives callers and money their tables, and every key that was there the default project', async () => {
    const file = newFile()
    const [first = '', ...later] = Object.keys(allMigrations)
    {
      // As the first version left it.
      mkdirSync(join(file, '..'))
      const database = connect(file)
      const query = new Kysely<Schema>({ dialect: bunSqliteDialect(database) })
      const { [first]: only } = allMigrations
      await migrate({ file, database, query }, only && { [first]: only })
      database.run(`INSERT INTO keys VALUES ('old', 'n', 5, NULL, NULL)`)
      database.close()
    }
    using storage = await Storage.open(file, { check: true })
    expect(later.length).toBeGreaterThan(0)
    expect(await storage.query.selectFrom('keys').selectAll().execute()).toEqual([
      {
        id: 'old',
        name: 'n',
        created_at: 5,
        expires_at: null,
        revoked_at: null,
        project_id: 'default',
        owner: null,
        not_before: null,
        policy: '{}',
      },
    ])
    const projects = await storage.query.selectFrom('projects').select(['id', 'policy']).execute()
    expect(projects).toEqual([{ id: 'default', policy: '{}' }])
    expect(readdirSync(join(file, '..')).toSorted()).toEqual(
      [
        'parley.db',
        `parley.db.before-upgrade-from-${first}`,
        'parley.db-shm',
        'parley.db-wal',
      ].toSorted(),
    )
  })

  test('that fails half way changes nothing', async () => {
    using storage = await Storage.open(':memory:')
    const broken: Migration = {
      async up(query) {
        await another.up(query)
        throw new Error('broken')
      },
    }
    const migrations = { ...allMigrations, '0099-another': broken }
    const failure = await migrate(storage, migrations).catch((error: unknown) => error)
    expect(String(failure)).toBe('Error: broken')
    expect(columnsOf(storage.database)).not.toContain('note')
    await migrate(storage)
  })

  test('of a new database is not repeated, and needs no copy', async () => {
    const file = newFile()
    for (let time = 0; time < 2; time++) {
      using storage = await Storage.open(file)
      expect(storage.database.query('SELECT count(*) AS n FROM migrations').get()).toEqual({
        n: Object.keys(allMigrations).length,
      })
    }
    expect(readdirSync(join(file, '..'))).toEqual(['parley.db'])
  })
})

function columnsOf(database: Database): string[] {
  return database
    .query<{ name: string }, []>("SELECT name FROM pragma_table_info('keys')")
    .all()
    .map(({ name }) => name)
}

function written(content: string | Buffer): string {
  const file = newFile()
  mkdirSync(join(file, '..'))
  writeFileSync(file, content)
  return file
}

function damaged(file: string, from: number, length: number): string {
  const bytes = readFileSync(file)
  bytes.fill(0xa5, from, from + length)
  writeFileSync(file, bytes)
  return file
}

function truncated(file: string): string {
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.subarray(0, Math.floor(bytes.length / 2)))
  return file
}

function folderInPlace(): string {
  const file = newFile()
  mkdirSync(file, { recursive: true })
  return file
}

function foreign(): string {
  const file = newFile()
  mkdirSync(join(file, '..'))
  using other = new Database(file)
  other.run('CREATE TABLE bookmarks (url TEXT)')
  return file
}

async function newer(): Promise<string> {
  const file = newFile()
  using storage = await Storage.open(file)
  await migrate(storage, {
    ...allMigrations,
    '0099-of-the-future': { up: () => Promise.resolve() },
  })
  return file
}
