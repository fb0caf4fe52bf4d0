import type { Database } from 'bun:sqlite'

import { SqliteDialect, type SqliteStatement } from 'kysely'

import { joinedStatement } from './transaction.ts'

/** What a column of ours can hold. */
export type Binding = string | number | bigint | boolean | null | Uint8Array

/** Lets kysely speak to a connection of `bun:sqlite`. Who opened the connection closes it. */
export function bunSqliteDialect(database: Database): SqliteDialect {
  return new SqliteDialect({
    database: { prepare: (sql) => statementOf(database, sql), close: () => {} },
  })
}

function statementOf(database: Database, sql: string): SqliteStatement {
  const statement = database.query<unknown, Binding[]>(joinedStatement(database, sql))
  return {
    reader: statement.reader,
    all: (parameters) => statement.all(...bindings(parameters)),
    run: (parameters) => statement.run(...bindings(parameters)),
    iterate: (parameters) => statement.iterate(...bindings(parameters)),
  }
}

/** The one cast of this adapter: kysely hands on what the schema's types let through, and knows it as `unknown`. */
function bindings(parameters: readonly unknown[]): Binding[] {
  return parameters as Binding[]
}
