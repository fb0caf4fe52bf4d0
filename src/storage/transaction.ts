import type { Database } from 'bun:sqlite'

/** Databases with a transaction open that others' transactions become part of. */
const joined = new WeakSet<Database>()

/** They take turns: one that began inside of another's would be undone with it. */
const turns = new WeakMap<Database, Promise<unknown>>()

/**
 * Runs the work in one transaction that holds the write lock from its beginning, and undoes all of it if it throws.
 * Nothing else may use the connection for longer than a microtask meanwhile.
 */
export async function exclusively<Result>(
  database: Database,
  work: () => Promise<Result>,
): Promise<Result> {
  if (joined.has(database)) return within(database, work)
  database.run('BEGIN IMMEDIATE')
  try {
    const result = await work()
    database.run('COMMIT')
    return result
  } catch (error) {
    // SQLite has rolled back by itself after some failures, and would refuse to do it twice.
    if (database.inTransaction) database.run('ROLLBACK')
    throw error
  }
}

/**
 * The same, for work that has transactions of its own: they all become part of this one, and are on disk together or
 * not at all.
 */
export async function together<Result>(
  database: Database,
  work: () => Promise<Result>,
): Promise<Result> {
  const turn = (turns.get(database) ?? Promise.resolve()).then(() =>
    exclusively(database, async () => {
      joined.add(database)
      try {
        return await work()
      } finally {
        joined.delete(database)
      }
    }),
  )
  turns.set(
    database,
    turn.catch(() => undefined),
  )
  return turn
}

/** What a transaction's statement is where it is part of another one. */
export function joinedStatement(database: Database, sql: string): string {
  return joined.has(database) ? (savepoints[sql] ?? sql) : sql
}

// What is rolled back stays named until the whole ends, which does no harm: names may repeat, and the last one counts.
const savepoints: Readonly<Record<string, string>> = {
  begin: 'SAVEPOINT inner_part',
  commit: 'RELEASE inner_part',
  rollback: 'ROLLBACK TO inner_part',
}

async function within<Result>(database: Database, work: () => Promise<Result>): Promise<Result> {
  database.run('SAVEPOINT inner_part')
  try {
    const result = await work()
    database.run('RELEASE inner_part')
    return result
  } catch (error) {
    if (database.inTransaction) database.run('ROLLBACK TO inner_part')
    throw error
  }
}
