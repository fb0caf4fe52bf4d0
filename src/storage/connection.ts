import { Database } from 'bun:sqlite'

import { StorageError } from './storage-error.ts'

/** Tests may have a database that lives in memory and in one connection. */
export const inMemory = ':memory:'

/**
 * Opens a connection of its own to the database, with every setting that durability and safety hang on, and makes
 * sure that they took. Throws `StorageError`.
 */
export function connect(file: string): Database {
  let database: Database | undefined
  try {
    database = new Database(file, { readwrite: true, create: true, strict: true })
    for (const pragma of pragmas) database.run(pragma)
    assertSettings(database, file)
    return database
  } catch (error) {
    database?.close()
    throw StorageError.from(error, file)
  }
}

// In WAL mode SQLite does not fsync a commit unless `synchronous` is FULL; a build may have another default.
const pragmas = [
  'PRAGMA busy_timeout = 2000',
  'PRAGMA journal_mode = WAL',
  'PRAGMA synchronous = FULL',
  'PRAGMA foreign_keys = ON',
  'PRAGMA trusted_schema = OFF',
]

const expected = { synchronous: 2, foreign_keys: 1, trusted_schema: 0 } as const

function assertSettings(database: Database, file: string): void {
  const mode = file === inMemory ? 'memory' : 'wal'
  for (const [name, value] of [...Object.entries(expected), ['journal_mode', mode] as const]) {
    const found = pragma(database, name)
    if (found === value) continue
    throw new StorageError(
      'failed',
      `${file} cannot be used safely: SQLite answered ${name} = ${String(found)} where ${value} was set. Use a local disk, not a network share.`,
    )
  }
}

/** The value of a pragma that answers with one. */
export function pragma(database: Database, name: string): unknown {
  return database.query<unknown, []>(`PRAGMA ${name}`).values()[0]?.[0]
}
