import type { Kysely } from 'kysely'
import { sql } from 'kysely'

export async function up(query: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(query)
}

const exchangeColumns = `
  id TEXT NOT NULL,
  key_id TEXT NOT NULL,
  endpoint TEXT NOT NULL,
  protocol TEXT NOT NULL,
  model TEXT NOT NULL,
  stream INTEGER NOT NULL,
  started_at INTEGER NOT NULL`

// The ledger has no index by id or key: those would be as large as the ledger and cost a random write an exchange.
const statements = [
  `CREATE TABLE keys (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE key_secrets (
    hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    key_id TEXT NOT NULL REFERENCES keys (id),
    created_at INTEGER NOT NULL,
    expires_at INTEGER
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX key_secrets_by_key ON key_secrets (key_id)',
  `CREATE TABLE open_exchanges (${exchangeColumns},
    boot TEXT NOT NULL,
    PRIMARY KEY (id)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE ledger (
    seq INTEGER PRIMARY KEY,${exchangeColumns},
    result TEXT NOT NULL,
    target TEXT,
    attempts INTEGER NOT NULL,
    input INTEGER,
    cache_read INTEGER,
    cache_write INTEGER,
    output INTEGER,
    reasoning INTEGER,
    counted TEXT NOT NULL CHECK (counted IN ('exact', 'estimated', 'none')),
    first_byte_ms INTEGER,
    total_ms INTEGER NOT NULL,
    notes TEXT
  ) STRICT`,
  'CREATE INDEX ledger_by_time ON ledger (started_at)',
]
