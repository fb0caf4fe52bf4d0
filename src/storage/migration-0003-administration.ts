import type { Kysely } from 'kysely'
import { sql } from 'kysely'

export async function up(query: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(query)
}

const statements = [
  // Lists of keys are read a page at a time, the newest first.
  'CREATE INDEX keys_by_age ON keys (created_at DESC, id)',
  `CREATE TABLE users (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL UNIQUE COLLATE NOCASE,
    role TEXT NOT NULL CHECK (role IN ('viewer', 'operator', 'admin')),
    projects TEXT,
    password TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    disabled_at INTEGER
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE sessions (
    hash BLOB NOT NULL PRIMARY KEY CHECK (length(hash) = 32),
    id TEXT NOT NULL UNIQUE,
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    seen_at INTEGER NOT NULL,
    address TEXT,
    agent TEXT
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX sessions_by_user ON sessions (user_id)',
  `CREATE TABLE setup_token (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    hash BLOB NOT NULL CHECK (length(hash) = 32),
    expires_at INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE audit (
    seq INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    actor_name TEXT NOT NULL,
    address TEXT,
    action TEXT NOT NULL,
    object TEXT NOT NULL,
    details TEXT,
    before_hash TEXT,
    after_hash TEXT,
    request_id TEXT NOT NULL,
    hash BLOB NOT NULL CHECK (length(hash) = 32)
  ) STRICT`,
  // The head is kept apart from the rows, so that the last of them cannot go without a trace.
  `CREATE TABLE audit_head (
    id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    seq INTEGER NOT NULL,
    hash BLOB NOT NULL
  ) STRICT`,
  'INSERT INTO audit_head (id, seq, hash) VALUES (1, 0, zeroblob(32))',
]
