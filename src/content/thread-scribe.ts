import type { ContentScribeOptions } from './content-scribe.ts'
import type { ContentSettings } from './content-settings.ts'
import type { Captured, ContentOf } from './kept-content.ts'

/** What the thread is told, one thing after the other. */
export type ToThread =
  | ({ readonly type: 'open' } & ContentScribeOptions)
  | { readonly type: 'configure'; readonly settings: ContentSettings }
  | { readonly type: 'keep'; readonly captured: readonly Captured[] }
  | { readonly type: 'erase'; readonly whose: ContentOf }
  | { readonly type: 'close' }

/** Its one answer to each. */
export type FromThread =
  | { readonly type: 'done'; readonly count: number }
  | { readonly type: 'failed'; readonly message: string }

/** A scribe in a thread of its own, which answers in the order in which it is told. */
export class ThreadScribe implements AsyncDisposable {
  readonly #worker: Worker
  #waiting: PromiseWithResolvers<number>[] = []
  #death: Error | undefined

  constructor(options: ContentScribeOptions) {
    this.#worker = new Worker(new URL('./content-thread.ts', import.meta.url), { smol: true })
    this.#worker.onmessage = ({ data }: MessageEvent<FromThread>) => this.#hear(data)
    this.#worker.onerror = (event) => this.#die(event.message)
    this.#worker.addEventListener('close', () => this.#die('it ended'))
    this.#tell({ type: 'open', ...options }).catch(() => undefined)
  }

  /** Whether nothing can be told any more. */
  get isDead(): boolean {
    return this.#death !== undefined
  }

  configure(settings: ContentSettings): void {
    this.#tell({ type: 'configure', settings }).catch(() => undefined)
  }

  /** Resolves when it is written down; rejects when it is not. */
  async keep(captured: readonly Captured[]): Promise<void> {
    await this.#tell({ type: 'keep', captured })
  }

  /** Resolves with how many exchanges it was. */
  erase(whose: ContentOf): Promise<number> {
    return this.#tell({ type: 'erase', whose })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tell({ type: 'close' }).catch(() => undefined)
    this.#worker.terminate()
  }

  #tell(told: ToThread): Promise<number> {
    if (this.#death !== undefined) return Promise.reject(this.#death)
    const waiter = Promise.withResolvers<number>()
    this.#waiting.push(waiter)
    this.#worker.postMessage(told)
    return waiter.promise
  }

  #hear(answer: FromThread): void {
    const waiter = this.#waiting.shift()
    if (answer.type === 'done') waiter?.resolve(answer.count)
    else waiter?.reject(new Error(answer.message))
  }

  #die(reason: string): void {
    this.#death ??= new Error(`The thread of content is gone: ${reason}.`)
    for (const { reject } of this.#waiting) reject(this.#death)
    this.#waiting = []
  }
}
