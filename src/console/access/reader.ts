import { inMemory } from '#storage/connection.ts'
import type { Storage } from '#storage/database.ts'
import { StorageError } from '#storage/storage-error.ts'

import { type BooksReader, type ReadReply, type ReadRequest, readBooks } from './books-reader.ts'

/** A thread that nobody has asked for so long is ended: it holds memory. */
const idleMs = 60_000

/**
 * Reads the books of a database: in a thread of its own, since what grows with the age of the ledger would keep every
 * exchange waiting. A database in memory has one connection, which is used then.
 */
export function readerOf(storage: Storage): BooksReader & AsyncDisposable {
  if (storage.file !== inMemory) return new ThreadReader(storage.file)
  return {
    read: (name, ...wanted) => readBooks(storage, name, wanted),
    [Symbol.asyncDispose]: async () => {},
  }
}

/** Starts its thread when it is first asked. */
class ThreadReader implements BooksReader, AsyncDisposable {
  readonly #file: string
  readonly #waiting = new Map<number, PromiseWithResolvers<never>>()
  #worker: Worker | undefined
  #idle: Timer | undefined
  #lastId = 0

  constructor(file: string) {
    this.#file = file
  }

  read: BooksReader['read'] = (name, ...wanted) => {
    clearTimeout(this.#idle)
    this.#worker ??= this.#started()
    const id = ++this.#lastId
    const waiter = Promise.withResolvers<never>()
    this.#waiting.set(id, waiter)
    const request: ReadRequest = { id, file: this.#file, name, wanted }
    this.#worker.postMessage(request)
    return waiter.promise
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end('the gateway is stopping')
  }

  #started(): Worker {
    const worker = new Worker(new URL('./reader-thread.ts', import.meta.url), { smol: true })
    worker.onmessage = ({ data }: MessageEvent<ReadReply>) => this.#hear(data)
    worker.onerror = (event) => this.#end(event.message)
    return worker
  }

  #hear(reply: ReadReply): void {
    const waiter = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    if (reply.type === 'read') waiter?.resolve(reply.result)
    else waiter?.reject(new StorageError(reply.problem, reply.message))
    if (this.#waiting.size > 0) return
    this.#idle = setTimeout(() => this.#end('it is idle'), idleMs)
    this.#idle.unref()
  }

  #end(why: string): void {
    clearTimeout(this.#idle)
    this.#worker?.terminate()
    this.#worker = undefined
    const failure = new StorageError('failed', `The thread that reads the books has ended: ${why}.`)
    for (const waiter of this.#waiting.values()) waiter.reject(failure)
    this.#waiting.clear()
  }
}
