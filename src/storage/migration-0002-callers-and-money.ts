import type { Kysely } from 'kysely'
import { sql } from 'kysely'

export async function up(query: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(query)
}

// A holder is `org`, `project:<id>` or `key:<id>`. Money is in whole micro-dollars.
const statements = [
  `CREATE TABLE organisation (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    name TEXT NOT NULL,
    policy TEXT NOT NULL DEFAULT '{}'
  ) STRICT`,
  `INSERT INTO organisation (id, name) VALUES (1, 'organisation')`,
  `CREATE TABLE projects (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    archived_at INTEGER,
    policy TEXT NOT NULL DEFAULT '{}'
  ) STRICT, WITHOUT ROWID`,
  `INSERT INTO projects (id, name, created_at) VALUES ('default', 'default', 0)`,
  `ALTER TABLE keys ADD COLUMN project_id TEXT NOT NULL DEFAULT 'default'`,
  'ALTER TABLE keys ADD COLUMN owner TEXT',
  'ALTER TABLE keys ADD COLUMN not_before INTEGER',
  `ALTER TABLE keys ADD COLUMN policy TEXT NOT NULL DEFAULT '{}'`,
  'CREATE INDEX keys_by_project ON keys (project_id)',
  'ALTER TABLE key_secrets ADD COLUMN last_used_at INTEGER',
  `CREATE TABLE budgets (
    holder TEXT NOT NULL,
    period TEXT NOT NULL CHECK (period IN ('day', 'week', 'month', 'total')),
    amount INTEGER NOT NULL CHECK (amount >= 0),
    is_strict INTEGER NOT NULL CHECK (is_strict IN (0, 1)),
    PRIMARY KEY (holder, period)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE balances (
    holder TEXT NOT NULL,
    period TEXT NOT NULL CHECK (period IN ('day', 'week', 'month', 'total')),
    starts_at INTEGER NOT NULL,
    used INTEGER NOT NULL,
    held INTEGER NOT NULL CHECK (held >= 0),
    PRIMARY KEY (holder, period, starts_at)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE prices (
    id INTEGER NOT NULL PRIMARY KEY,
    terms TEXT NOT NULL UNIQUE
  ) STRICT`,
  `ALTER TABLE open_exchanges ADD COLUMN project_id TEXT NOT NULL DEFAULT 'default'`,
  'ALTER TABLE open_exchanges ADD COLUMN held INTEGER NOT NULL DEFAULT 0',
  'ALTER TABLE open_exchanges ADD COLUMN is_strict INTEGER NOT NULL DEFAULT 0',
  'ALTER TABLE open_exchanges ADD COLUMN periods TEXT',
  `ALTER TABLE ledger ADD COLUMN project_id TEXT NOT NULL DEFAULT 'default'`,
  'ALTER TABLE ledger ADD COLUMN held INTEGER NOT NULL DEFAULT 0',
  'ALTER TABLE ledger ADD COLUMN cost INTEGER NOT NULL DEFAULT 0',
  'ALTER TABLE ledger ADD COLUMN excess INTEGER NOT NULL DEFAULT 0',
  'ALTER TABLE ledger ADD COLUMN price INTEGER',
  'ALTER TABLE ledger ADD COLUMN queue_ms INTEGER',
  'ALTER TABLE ledger ADD COLUMN tries TEXT',
  'ALTER TABLE ledger ADD COLUMN route TEXT',
  `CREATE TABLE corrections (
    seq INTEGER PRIMARY KEY,
    exchange_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    project_id TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    amount INTEGER NOT NULL,
    reason TEXT NOT NULL,
    actor TEXT NOT NULL,
    made_at INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE proven (
    holder TEXT NOT NULL PRIMARY KEY,
    used INTEGER NOT NULL,
    retired INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE proven_until (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    ledger_seq INTEGER NOT NULL,
    correction_seq INTEGER NOT NULL,
    next_holder TEXT NOT NULL
  ) STRICT`,
  // What came before there were prices has cost nothing, so there is nothing to prove of it.
  `INSERT INTO proven_until SELECT 1, coalesce(max(seq), 0), 0, '' FROM ledger`,
]
