import type { Database } from 'bun:sqlite'
import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'

import { StorageError } from './storage-error.ts'

/**
 * Writes all of a database into a new file, as it is at one moment, while others go on writing. When this returns the copy
 * is on disk, readable by this user alone. Throws `StorageError`, and leaves no file behind, if it cannot be made.
 */
export function copyDatabase(database: Database, file: string): void {
  try {
    // SQLite writes into an empty file too, and this one is nobody else's from its first byte.
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    throw StorageError.from(error, file)
  }
  try {
    database.run('VACUUM INTO ?', [file])
    // SQLite leaves it to the system when a copy gets to the disk.
    for (const path of [file, dirname(file)]) toDisk(path)
  } catch (error) {
    rmSync(file, { force: true })
    throw StorageError.from(error, file)
  }
}

function toDisk(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
