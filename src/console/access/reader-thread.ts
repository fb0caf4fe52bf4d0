import { Storage } from '#storage/database.ts'
import { StorageError } from '#storage/storage-error.ts'

import { type ReadReply, type ReadRequest, readBooks } from './books-reader.ts'

// The thread of long reads: what takes seconds here takes nothing from anybody's answer.
declare const self: Worker

let opened: Promise<Storage> | undefined

self.onmessage = async ({ data }: MessageEvent<ReadRequest>) => self.postMessage(await reply(data))

async function reply({ id, file, name, wanted }: ReadRequest): Promise<ReadReply> {
  try {
    opened ??= Storage.open(file)
    return { type: 'read', id, result: await readBooks(await opened, name, wanted) }
  } catch (error) {
    const { problem, message } = StorageError.from(error, file)
    return { type: 'failed', id, problem, message }
  }
}
