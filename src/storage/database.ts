import type { Database, Statement } from 'bun:sqlite'
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'

import { type CompiledQuery, Kysely } from 'kysely'

import { type Binding, bunSqliteDialect } from './bun-sqlite-dialect.ts'
import { connect, inMemory } from './connection.ts'
import { migrate } from './migrations.ts'
import type { Schema } from './schema.ts'
import { StorageError } from './storage-error.ts'

export interface StorageOptions {
  /** Look for damage before the database is used. A server does; a short command need not. */
  readonly check?: boolean
}

/** The database of one home, open: raw for the hot paths, through kysely for the rest. */
export class Storage implements Disposable {
  readonly file: string
  readonly database: Database
  readonly query: Kysely<Schema>
  readonly #prepared: Statement[] = []

  private constructor(file: string) {
    this.file = file
    this.database = connect(file)
    this.query = new Kysely<Schema>({ dialect: bunSqliteDialect(this.database) })
  }

  /**
   * Opens the database, creates it if there is none, and brings it to this version. `:memory:` gives one that is
   * gone when it is closed. Throws `StorageError`, which says what the operator can do.
   */
  static async open(file: string, { check = false }: StorageOptions = {}): Promise<Storage> {
    let storage: Storage | undefined
    try {
      if (file !== inMemory) prepareFile(file)
      storage = new Storage(file)
      if (check) checkIntegrity(storage.database, file)
      await migrate(storage)
      return storage
    } catch (error) {
      storage?.[Symbol.dispose]()
      throw StorageError.from(error, file)
    }
  }

  /**
   * Prepares what kysely compiled, for a path that is too hot to compile it each time. The values of the query are
   * placeholders: each call binds its own, in their order.
   */
  prepare<Row, Bindings extends Binding[]>(query: CompiledQuery<Row>) {
    const statement = this.database.prepare<Row, Bindings>(query.sql)
    this.#prepared.push(statement)
    return statement
  }

  [Symbol.dispose](): void {
    // A statement that is left open would keep the file and its write-ahead log open behind our back.
    for (const statement of this.#prepared) statement.finalize()
    this.database.close()
  }
}

/**
 * Creates what is missing, readable by this user alone. An existing database is never opened here: closing any
 * descriptor of it would drop the locks that SQLite holds in this process.
 */
function prepareFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  if (!existsSync(file)) return createFile(file)
  const status = statSync(file)
  if (!status.isFile())
    throw new StorageError(
      'not-creatable',
      `${file} is not a file. Move it away, or set PARLEY_HOME to another folder.`,
    )
  if ((status.mode & 0o077) !== 0) tighten(file)
  assertAccess(file)
}

function tighten(file: string): void {
  try {
    chmodSync(file, 0o600)
  } catch {
    // It belongs to another user, who lets this one in on purpose.
  }
}

function assertAccess(file: string): void {
  accessSync(file, constants.R_OK)
  try {
    accessSync(file, constants.W_OK)
  } catch (cause) {
    throw new StorageError(
      'read-only',
      `${file} cannot be written: it is read-only for this user. Make it writable, or set PARLEY_HOME to another folder.`,
      cause,
    )
  }
}

function createFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    // Another process was first: then it is there, which is all that is wanted.
    if (!existsSync(file)) throw error
  }
}

/** A full check reads every page, at some 3 ms a megabyte: a larger ledger is not worth a slower start. */
const fullCheckBytes = 32 * 1024 * 1024

/** What the gateway cannot do without, however long the ledger is. */
const vitalTables = ['keys', 'key_secrets', 'open_exchanges']

function checkIntegrity(database: Database, file: string): void {
  const isSmall = file === inMemory || statSync(file).size <= fullCheckBytes
  const checks = isSmall ? ['quick_check(1)'] : vitalTables.map((table) => `quick_check(${table})`)
  for (const check of checks) {
    const found = database.query<unknown, []>(`PRAGMA ${check}`).values()[0]?.[0]
    if (found === 'ok') continue
    throw new StorageError(
      'corrupt',
      `${file} is damaged (${String(found).split('\n')[0]}). Put a backup in its place, or move it away to start with an empty one.`,
    )
  }
}
