import type { Database } from 'bun:sqlite'
import { closeSync, existsSync, openSync } from 'node:fs'

import { type Kysely, type Migration, Migrator } from 'kysely'

import { failAt } from '#std/fail-at.ts'

import { connect, inMemory } from './connection.ts'
import * as keysAndLedger from './migration-0001-keys-and-ledger.ts'
import * as callersAndMoney from './migration-0002-callers-and-money.ts'
import * as administration from './migration-0003-administration.ts'
import type { Schema } from './schema.ts'
import { StorageError } from './storage-error.ts'
import { exclusively } from './transaction.ts'

/** Every migration there ever was, in order. They only go forward: a name that stands here is never changed. */
export const allMigrations: Readonly<Record<string, Migration>> = {
  '0001-keys-and-ledger': keysAndLedger,
  '0002-callers-and-money': callersAndMoney,
  '0003-administration': administration,
}

const migrationTable = 'migrations'
const lockTable = 'migration_lock'

export interface Migratable {
  readonly file: string
  readonly database: Database
  readonly query: Kysely<Schema>
}

/**
 * Brings the database to this version, all or nothing, and keeps a copy of what was there before. Throws
 * `StorageError` for a database of a newer version or of another program.
 */
export async function migrate(
  storage: Migratable,
  migrations: Readonly<Record<string, Migration>> = allMigrations,
): Promise<void> {
  if (isCurrent(storage, migrations)) return
  // One transaction round everything, taken at once: two processes that start together must not both migrate.
  await exclusively(storage.database, async () => {
    if (!isCurrent(storage, migrations)) await run(storage, migrations)
  })
}

/** Whether there is nothing to do. */
function isCurrent({ database, file }: Migratable, migrations: Readonly<object>): boolean {
  const applied = appliedMigrations(database, file)
  const known = Object.keys(migrations)
  const unknown = applied.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    throw new StorageError(
      'newer',
      `${file} was written by a newer version of Parley (it has "${unknown}"). Install that version again, or put the backup from before the upgrade in its place.`,
    )
  }
  return applied.length === known.length
}

function appliedMigrations(database: Database, file: string): string[] {
  const tables = database
    .query<{ name: string }, []>(`SELECT name FROM sqlite_schema WHERE type = 'table'`)
    .all()
    .map((table) => table.name)
  if (tables.includes(migrationTable)) {
    return database
      .query<{ name: string }, []>(`SELECT name FROM ${migrationTable} ORDER BY name`)
      .all()
      .map((row) => row.name)
  }
  if (tables.length > 0) {
    throw new StorageError(
      'foreign',
      `${file} is a SQLite database of another program. Set PARLEY_HOME to a folder of its own for Parley.`,
    )
  }
  return []
}

async function run(
  { file, database, query }: Migratable,
  migrations: Readonly<Record<string, Migration>>,
): Promise<void> {
  const applied = appliedMigrations(database, file)
  if (applied.length > 0 && file !== inMemory) backUp(file, applied.at(-1) ?? '')
  const migrator = new Migrator({
    db: query,
    provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
    migrationTableName: migrationTable,
    migrationLockTableName: lockTable,
  })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
  failAt('during-migration')
}

/**
 * Copies the database as it is, beside it, named after its last migration. The caller holds the write lock, so the
 * copy is exactly what the migration starts from.
 */
function backUp(file: string, version: string): void {
  const copy = `${file}.before-upgrade-from-${version}`
  if (existsSync(copy)) return
  // SQLite takes an empty file as its target, and this one nobody else may read.
  closeSync(openSync(copy, 'wx', 0o600))
  const reader = connect(file)
  try {
    reader.run('VACUUM INTO ?', [copy])
  } finally {
    reader.close()
  }
}
