import type { Transaction } from 'kysely'

import { GatewayError } from '#chat/error.ts'
import type { Storage } from '#storage/database.ts'
import type { Schema } from '#storage/schema.ts'
import { StorageError } from '#storage/storage-error.ts'

/**
 * Runs the work in one transaction that holds the write lock from its beginning: what it reads cannot change before it
 * writes. Failures of the database are thrown as `storage-unavailable`, those of the work as they are.
 */
export async function inTransaction<Result>(
  storage: Storage,
  work: (all: Transaction<Schema>) => Promise<Result>,
): Promise<Result> {
  return guarded(storage, async ({ query }) =>
    query.transaction().execute(async (all) => {
      // A first statement that writes takes the lock, also where it finds no row.
      await all.updateTable('organisation').set({ id: 1 }).where('id', '=', 0).execute()
      return work(all)
    }),
  )
}

/** Runs the work. Failures of the database are thrown as `storage-unavailable`, others as they are. */
export async function guarded<Result>(
  storage: Storage,
  work: (storage: Storage) => Promise<Result>,
): Promise<Result> {
  try {
    return await work(storage)
  } catch (error) {
    if (error instanceof GatewayError) throw error
    const cause = StorageError.from(error, storage.file)
    throw new GatewayError('storage-unavailable', cause.message, { cause })
  }
}

/** Whether a row could not be added because there is one with its key. */
export function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'SQLITE_CONSTRAINT_PRIMARYKEY'
}
