import { Storage } from '#storage/database.ts'
import { prune } from '#usage/retention.ts'

/** Prunes everything that there is in the database of its argument. */
using storage = await Storage.open(process.argv[2] ?? '')
await prune(storage, Date.now() + 1)
