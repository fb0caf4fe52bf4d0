import { Database } from 'bun:sqlite'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

import { randomText } from '#std/random-id.ts'
import { inMemory } from '#storage/connection.ts'
import type { Storage } from '#storage/database.ts'
import { exclusively } from '#storage/transaction.ts'

import { DiskReserve } from './disk-reserve.ts'
import { LedgerBook } from './ledger-book.ts'

/**
 * One run of a server. While it lives it holds the lock of a file, and the system takes that lock from it however it
 * ends: so several servers may share a home, and each can tell the exchanges of the living from those of the dead.
 */
export interface Boot extends Disposable {
  readonly id: string
  /** Absent for a database in memory. */
  readonly reserve?: DiskReserve
}

/** Registers this run, and closes as `crashed` what runs that are no more have left open. `now` in Unix milliseconds. */
export async function startBoot(storage: Storage, now: number): Promise<Boot> {
  // The write lock makes boots take turns, or one could take another for dead before that one holds its lock.
  return exclusively(storage.database, async () => {
    const boot = storage.file === inMemory ? unlocked() : locked(dirname(storage.file))
    try {
      using book = new LedgerBook(storage.database, boot.id)
      book.within(now, () => closeDead(book, { file: storage.file, own: boot.id }))
      return boot
    } catch (error) {
      boot[Symbol.dispose]()
      throw error
    }
  })
}

/** Closes what was left open by runs that died while this one lives. `now` in Unix milliseconds. */
export function sweepDead(book: LedgerBook, { file, own }: Run, now: number): void {
  if (book.boots().every((boot) => boot === own)) return
  book.transaction(now, () => closeDead(book, { file, own }))
}

/** The database that a run works on, and its id. */
export interface Run {
  readonly file: string
  readonly own: string
}

/** Within a transaction. */
function closeDead(book: LedgerBook, { file, own }: Run): void {
  const living = new Set([own, ...livingBoots(file, own)])
  for (const boot of book.boots()) if (!living.has(boot)) book.closeCrashed(boot)
}

function unlocked(): Boot {
  return { id: newBootId(), [Symbol.dispose]() {} }
}

function locked(folder: string): Boot {
  const id = newBootId()
  const file = join(folder, lockName(id))
  writeFileSync(file, '', { flag: 'wx', mode: 0o600 })
  const lock = takeLock(file)
  const reserve = new DiskReserve(reserveOf(file))
  return {
    id,
    reserve,
    [Symbol.dispose]() {
      reserve[Symbol.dispose]()
      rmSync(file, { force: true })
      lock?.close()
    },
  }
}

/** Other boots that still hold their lock. The files of those that do not are swept away. */
function livingBoots(database: string, own: string): string[] {
  if (database === inMemory) return []
  const folder = dirname(database)
  const others = readdirSync(folder).filter((name) => isLock(name) && name !== lockName(own))
  return others.filter((name) => !isDead(join(folder, name))).map(bootOf)
}

function isDead(file: string): boolean {
  if (!existsSync(file)) return true
  const lock = takeLock(file)
  if (lock === undefined) return false
  for (const left of [file, reserveOf(file)]) rmSync(left, { force: true })
  lock.close()
  return true
}

/** SQLite's own file locks, which work wherever the database itself does; the file stays empty. */
function takeLock(file: string): Database | undefined {
  const lock = new Database(file, { readwrite: true, create: true })
  try {
    lock.run('PRAGMA busy_timeout = 0')
    lock.run('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    if (error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY') return undefined
    throw error
  }
}

function newBootId(): string {
  return randomText(12)
}

const reserveOf = (lock: string): string => lock.replace(/lock$/, 'reserve')
const lockName = (id: string): string => `boot-${id}.lock`
const isLock = (name: string): boolean => /^boot-[0-9A-Za-z]+\.lock$/.test(name)
const bootOf = (name: string): string => basename(name).slice('boot-'.length, -'.lock'.length)
