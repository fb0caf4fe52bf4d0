import { Database } from 'bun:sqlite'
import { closeSync, existsSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { inMemory } from '#storage/connection.ts'
import { StorageError } from '#storage/storage-error.ts'

import type { ContentNote, ContentOf } from './kept-content.ts'

/** One exchange's content as it lies in the file. */
export interface ContentRow extends ContentNote {
  readonly exchangeId: string
  readonly keyId: string
  readonly projectId: string
  /** JSON of what is kept. */
  readonly content: string
}

/** Where content lies beside a database: in a file of its own. Undefined for a database in memory, which keeps none. */
export function contentFile(database: string): string | undefined {
  return database === inMemory ? undefined : join(dirname(database), 'content.db')
}

/**
 * The file of what was said. It is none of the ledger's: its writers never make the ledger wait, copies of the ledger
 * never have a word of it, and what is deleted is overwritten with zeros.
 */
export class ContentStore implements Disposable {
  readonly #file: string
  readonly #database: Database

  private constructor(file: string) {
    this.#file = file
    this.#database = connect(file)
  }

  /** Creates the file, readable by this user alone, if there is none. Throws `StorageError`. */
  static open(file: string): ContentStore {
    try {
      if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
      return new ContentStore(file)
    } catch (error) {
      throw StorageError.from(error, file)
    }
  }

  /** The same for what was kept already, or undefined if nothing ever was. */
  static ifAny(file: string | undefined): ContentStore | undefined {
    return file !== undefined && existsSync(file) ? ContentStore.open(file) : undefined
  }

  /** Writes rows in one transaction; of an exchange that has one already, the first stands. Throws `StorageError`. */
  add(rows: readonly ContentRow[]): void {
    this.#guarded(() => {
      using insert = this.#database.prepare<void, (string | number)[]>(insertSql)
      this.#database
        .transaction(() => {
          for (const row of rows)
            insert.run(
              row.exchangeId,
              row.keyId,
              row.projectId,
              row.keptAt,
              row.requestBytes,
              row.answerBytes,
              row.isCut ? 1 : 0,
              row.content,
            )
        })
        .immediate()
    })
  }

  /** That there is something of an exchange. Throws `StorageError`. */
  note(exchangeId: string): ContentNote | undefined {
    return this.#guarded(() => {
      const found = this.#database
        .query<Omit<ContentNote, 'isCut'> & { isCut: number }, [string]>(noteSql)
        .get(exchangeId)
      return found === null ? undefined : { ...found, isCut: found.isCut === 1 }
    })
  }

  /** The JSON of what is kept of an exchange. Throws `StorageError`. */
  read(exchangeId: string): string | undefined {
    return this.#guarded(
      () => this.#database.query<{ content: string }, [string]>(readSql).get(exchangeId)?.content,
    )
  }

  /** How much there is of somebody. Throws `StorageError`. */
  count(whose: ContentOf): number {
    const { condition, values } = conditionOf(whose)
    return this.#guarded(
      () =>
        this.#database
          .query<{ count: number }, (string | number)[]>(
            `SELECT count(*) AS count FROM content WHERE ${condition}`,
          )
          .get(...values)?.count ?? 0,
    )
  }

  /**
   * Deletes, a few hundred rows at a time, and empties the log, so that nothing of it is left in the files. Returns how
   * many exchanges it was. Throws `StorageError`; what was deleted until then is gone.
   */
  erase(whose: ContentOf): number {
    const { condition, values } = conditionOf(whose)
    const some = `DELETE FROM content WHERE seq IN (SELECT seq FROM content WHERE ${condition} LIMIT 500)`
    return this.#guarded(() => {
      let erased = 0
      for (;;) {
        const { changes } = this.#database.run(some, values)
        erased += changes
        if (changes === 0) break
      }
      this.emptyLog()
      return erased
    })
  }

  /** What was written once is in the log until then. A reader may hold it up; whoever comes next tries again. */
  emptyLog(): void {
    this.#database.run('PRAGMA wal_checkpoint(TRUNCATE)')
  }

  [Symbol.dispose](): void {
    this.#database.close()
  }

  #guarded<Result>(work: () => Result): Result {
    try {
      return work()
    } catch (error) {
      throw StorageError.from(error, this.#file)
    }
  }
}

function conditionOf(whose: ContentOf): { condition: string; values: (string | number)[] } {
  if ('exchangeId' in whose) return { condition: 'exchange_id = ?', values: [whose.exchangeId] }
  if ('keyId' in whose) return { condition: 'key_id = ?', values: [whose.keyId] }
  return {
    condition: 'kept_at < ? OR exchange_id IN (SELECT value FROM json_each(?))',
    values: [whose.before, JSON.stringify(whose.exchangeIds ?? [])],
  }
}

const version = 1

function connect(file: string): Database {
  const database = new Database(file, { readwrite: true, create: true, strict: true })
  try {
    for (const pragma of pragmas) database.run(pragma)
    const found = database.query<{ user_version: number }, []>('PRAGMA user_version').get()
    if ((found?.user_version ?? 0) > version)
      throw new StorageError('newer', `${file} was written by a newer version of Parley.`)
    if (found?.user_version !== version)
      database
        .transaction(() => statements.forEach((statement) => database.run(statement)))
        .immediate()
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

// A crash may cost the last exchanges, and damages nothing: content is worth no fsync of each.
const pragmas = [
  'PRAGMA busy_timeout = 2000',
  `PRAGMA page_size = 1024`,
  'PRAGMA journal_mode = WAL',
  'PRAGMA synchronous = NORMAL',
  'PRAGMA secure_delete = ON',
  'PRAGMA temp_store = MEMORY',
  'PRAGMA trusted_schema = OFF',
]

/*
 * SQLite overwrites what it deletes, but when it moves rows between pages it may leave a copy behind in the free room
 * of a page. Only the beginning of a row lies in such a page, of at most 989 bytes where a page has 1024; the rest lies
 * in pages of its own, which are never moved, and are overwritten when they are given back. So each row begins with a
 * margin of zeros, and what was said lies behind it.
 */
const statements = [
  `CREATE TABLE IF NOT EXISTS content (
    seq INTEGER PRIMARY KEY,
    margin BLOB NOT NULL,
    exchange_id TEXT NOT NULL UNIQUE,
    key_id TEXT NOT NULL,
    project_id TEXT NOT NULL,
    kept_at INTEGER NOT NULL,
    request_bytes INTEGER NOT NULL,
    answer_bytes INTEGER NOT NULL,
    is_cut INTEGER NOT NULL,
    content TEXT NOT NULL
  ) STRICT`,
  'CREATE INDEX IF NOT EXISTS content_by_key ON content (key_id)',
  'CREATE INDEX IF NOT EXISTS content_by_age ON content (kept_at)',
  `PRAGMA user_version = ${version}`,
]

const insertSql = `INSERT OR IGNORE INTO content (exchange_id, key_id, project_id, kept_at, request_bytes,
  answer_bytes, is_cut, content, margin) VALUES (?, ?, ?, ?, ?, ?, ?, ?, zeroblob(1000))`
const noteSql = `SELECT kept_at AS keptAt, request_bytes AS requestBytes, answer_bytes AS answerBytes,
  is_cut AS isCut FROM content WHERE exchange_id = ?`
const readSql = 'SELECT content FROM content WHERE exchange_id = ?'
