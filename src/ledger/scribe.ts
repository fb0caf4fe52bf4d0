import type { Storage } from '#storage/database.ts'

import { LedgerBook } from './ledger-book.ts'
import type { Batch, Reply } from './ledger-rows.ts'
import type { ProofStep } from './proof.ts'
import { Upkeep } from './upkeep.ts'

/** Whoever writes batches down, one after the other. */
export interface Scribe extends AsyncDisposable {
  /** Whether a batch costs more than what is in it, so that many are better gathered into one. */
  readonly isRemote: boolean
  /**
   * Resolves when the batch is on disk, with what there is to tell of those that were to be opened. Rejects with a
   * `StorageError`, and then nothing of the batch was written.
   */
  write(batch: Batch): Promise<readonly Reply[]>
  /** One step of what has to be done from time to time. Rejects with a `StorageError`. */
  keepUp(now: number): Promise<ProofStep>
}

/** Writes on the connection of a database in memory, which no other thread can open. */
export function localScribe({ database, file }: Storage, boot: string): Scribe {
  const book = new LedgerBook(database, boot, true)
  const upkeep = new Upkeep(database, book, { file, own: boot })
  return {
    isRemote: false,
    write: async (batch) => book.write(batch),
    keepUp: async (now) => upkeep.step(now),
    async [Symbol.asyncDispose]() {
      upkeep[Symbol.dispose]()
      book[Symbol.dispose]()
    },
  }
}
