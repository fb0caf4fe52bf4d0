/** What can be wrong with the database, as far as an operator can do something about it. */
export type StorageProblem =
  | 'unreadable'
  | 'read-only'
  | 'not-creatable'
  | 'corrupt'
  | 'foreign'
  | 'newer'
  | 'busy'
  | 'full'
  | 'failed'

/** The database cannot be used. The message is one line, names the file, and says what to do. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly problem: StorageProblem

  constructor(problem: StorageProblem, message: string, cause?: unknown) {
    super(message, { cause })
    this.problem = problem
  }

  /** Words a failure of SQLite or of the file system. */
  static from(error: unknown, file: string): StorageError {
    if (error instanceof StorageError) return error
    const problem = problemOf(codeOf(error))
    return new StorageError(problem, `${file} ${words[problem]}`, error)
  }

  /** It may pass by itself: another process holds the lock, or the disk is full. */
  get mayPass(): boolean {
    return this.problem === 'busy' || this.problem === 'full'
  }
}

const words = {
  unreadable:
    'cannot be opened: permission denied. Give this user read and write access to it and its folder, or set PARLEY_HOME to another folder.',
  'read-only':
    'cannot be written: it, its folder or its disk is read-only. Make it writable for this user, or set PARLEY_HOME to another folder.',
  'not-creatable':
    'cannot be opened or created there. Make sure that its folder exists and is no file, or set PARLEY_HOME to another folder.',
  corrupt:
    'is damaged: SQLite cannot read it. Put a backup in its place, or move it away to start with an empty one.',
  foreign:
    'is a SQLite database of another program. Set PARLEY_HOME to a folder of its own for Parley.',
  newer:
    'was written by a newer version of Parley. Install that version again, or put the backup from before the upgrade in its place.',
  busy: 'is locked by another process. Wait until that one is done, and try again.',
  full: 'cannot grow: the disk is full. Free some space, and try again.',
  failed: 'could not be used: the disk or SQLite failed. Look at the cause in the log.',
} as const satisfies Record<StorageProblem, string>

/** The first prefix that fits a code of SQLite (`SQLITE_READONLY_DBMOVED`) or of the system (`EACCES`). */
const problems: readonly (readonly [prefix: string, problem: StorageProblem])[] = [
  ['SQLITE_CANTOPEN', 'not-creatable'],
  ['SQLITE_NOTADB', 'corrupt'],
  ['SQLITE_CORRUPT', 'corrupt'],
  ['SQLITE_READONLY', 'read-only'],
  ['SQLITE_PERM', 'unreadable'],
  ['SQLITE_AUTH', 'unreadable'],
  ['SQLITE_BUSY', 'busy'],
  ['SQLITE_LOCKED', 'busy'],
  ['SQLITE_FULL', 'full'],
  ['EACCES', 'unreadable'],
  ['EPERM', 'unreadable'],
  ['EROFS', 'read-only'],
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['ENOTDIR', 'not-creatable'],
  ['EISDIR', 'not-creatable'],
  ['ENOENT', 'not-creatable'],
  ['EEXIST', 'not-creatable'],
]

function problemOf(code: string): StorageProblem {
  return problems.find(([prefix]) => code.startsWith(prefix))?.[1] ?? 'failed'
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
