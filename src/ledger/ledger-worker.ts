import { assertNever } from '#std/never.ts'
import { connect } from '#storage/connection.ts'
import { StorageError } from '#storage/storage-error.ts'

import { LedgerBook } from './ledger-book.ts'
import { Upkeep } from './upkeep.ts'
import type { FromWorker, ToWorker } from './worker-scribe.ts'

// The thread of the ledger: an fsync or a checkpoint may take tens of milliseconds, and no answer may wait for them.
declare const self: Worker

let file = ''
let work: Work | undefined

self.onmessage = ({ data }: MessageEvent<ToWorker>) => self.postMessage(answer(data))

function answer(told: ToWorker): FromWorker {
  try {
    return obey(told)
  } catch (error) {
    const { problem, message } = StorageError.from(error, file)
    return { type: 'failed', problem, message }
  }
}

function obey(told: ToWorker): string {
  if (typeof told === 'string') return sayIfAny(opened().book.write(JSON.parse(told)))
  switch (told.type) {
    case 'open':
      work = open(told)
      return ''
    case 'keep-up':
      return JSON.stringify(opened().upkeep.step(told.now))
    case 'close':
      opened()[Symbol.dispose]()
      return ''
    default:
      return assertNever(told)
  }
}

function sayIfAny(said: readonly unknown[]): string {
  return said.length === 0 ? '' : JSON.stringify(said)
}

interface Work extends Disposable {
  readonly book: LedgerBook
  readonly upkeep: Upkeep
}

function open(told: Extract<ToWorker, { readonly type: 'open' }>): Work {
  file = told.file
  const database = connect(file)
  const book = new LedgerBook(database, told.boot)
  const upkeep = new Upkeep(database, book, { file, own: told.boot })
  return {
    book,
    upkeep,
    [Symbol.dispose]() {
      upkeep[Symbol.dispose]()
      book[Symbol.dispose]()
      database.close()
    },
  }
}

function opened(): Work {
  if (work === undefined)
    throw new Error('The thread of the ledger was told something before what to open.')
  return work
}
