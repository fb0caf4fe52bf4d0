import { SqliteLedger } from '#ledger/ledger.ts'
import { Storage } from '#storage/database.ts'

/** What the next gateway does when it starts: checks the database, and closes what the dead one left open. */
export async function recover(file: string): Promise<void> {
  using storage = await Storage.open(file, { check: true })
  await using _ledger = await SqliteLedger.open(storage)
}
