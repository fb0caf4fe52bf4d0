import { StorageError } from '#storage/storage-error.ts'

import type { Batch, Reply } from './ledger-rows.ts'
import type { ProofStep } from './proof.ts'
import type { Scribe } from './scribe.ts'

/** What the worker is told: what to open, then batches as JSON (one string crosses faster than many values), then to close. */
export type ToWorker =
  | { readonly type: 'open'; readonly file: string; readonly boot: string }
  | string
  | { readonly type: 'keep-up'; readonly now: number }
  | { readonly type: 'close' }

/** Its one answer to each thing it is told: JSON of what there is to say, empty if that is nothing. */
export type FromWorker =
  | string
  | {
      readonly type: 'failed'
      readonly problem: StorageError['problem']
      readonly message: string
    }

/** Writes in a thread of its own, on a connection of its own, which answers in the order in which it is told. */
export class WorkerScribe implements Scribe {
  readonly isRemote = true
  readonly #worker: Worker
  #waiting: Waiter[] = []
  #death: StorageError | undefined

  private constructor() {
    this.#worker = new Worker(new URL('./ledger-worker.ts', import.meta.url), { smol: true })
    this.#worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#hear(data)
    this.#worker.onerror = (event) => this.#die(event.message)
    this.#worker.addEventListener('close', () => this.#die('it ended'))
  }

  /** For the run of a server with this id. Rejects with a `StorageError` if the thread cannot open the database. */
  static async open(file: string, boot: string): Promise<WorkerScribe> {
    const scribe = new WorkerScribe()
    try {
      await scribe.#tell({ type: 'open', file, boot })
      return scribe
    } catch (error) {
      scribe.#worker.terminate()
      throw error
    }
  }

  async write(batch: Batch): Promise<readonly Reply[]> {
    const answer = await this.#tell(JSON.stringify(batch))
    return answer === '' ? [] : JSON.parse(answer)
  }

  async keepUp(now: number): Promise<ProofStep> {
    return JSON.parse(await this.#tell({ type: 'keep-up', now }))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#death === undefined) await this.#tell({ type: 'close' })
    this.#worker.terminate()
  }

  #tell(told: ToWorker): Promise<string> {
    if (this.#death !== undefined) return Promise.reject(this.#death)
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject })
      this.#worker.postMessage(told)
    })
  }

  #hear(answer: FromWorker): void {
    const waiter = this.#waiting.shift()
    if (typeof answer === 'string') waiter?.resolve(answer)
    else waiter?.reject(new StorageError(answer.problem, answer.message))
  }

  #die(reason: string): void {
    this.#death ??= new StorageError('failed', `The thread of the ledger is gone: ${reason}.`)
    for (const { reject } of this.#waiting) reject(this.#death)
    this.#waiting = []
  }
}

interface Waiter {
  readonly resolve: (answer: string) => void
  readonly reject: (error: StorageError) => void
}
