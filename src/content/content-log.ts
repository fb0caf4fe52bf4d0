import { existsSync } from 'node:fs'

import type { Protocol } from '#protocols/protocol.ts'

import type { ContentSettings } from './content-settings.ts'
import { contentFile } from './content-store.ts'
import { ExchangeWitness } from './exchange-witness.ts'
import type { Captured, ContentOf } from './kept-content.ts'
import { ThreadScribe } from './thread-scribe.ts'

export interface ContentLogOptions {
  /** The database's file, beside which content lies in a file of its own. With one in memory, none is kept. */
  readonly database: string
  readonly settings: ContentSettings
  /** Told, at most once a minute, what was not kept and why. */
  readonly report: (message: string, facts: object) => void
  /** Unix milliseconds. */
  readonly now?: () => number
  readonly leastFreeBytes?: number
}

/** A caller, as far as keeping content goes. */
export interface Attended {
  readonly protocol: Protocol
  readonly credentials: readonly string[]
  /** Whether the caller asks for nothing of it to be kept. */
  readonly wantsNothingKept: () => boolean
  /** To be called if something will be: the caller is told of it, whatever becomes of the exchange. */
  readonly onContentKept: () => void
}

export interface ContentCounts {
  /** Exchanges of which something is kept, and those of which nothing is because too much waited or it could not be written. */
  readonly kept: number
  readonly dropped: number
  readonly failed: number
}

/**
 * What is said in exchanges whose key allows it, on its way to the disk. Nobody waits for it: what is too much for the
 * queue is dropped and counted, and a crash loses what is in it.
 */
export class ContentLog implements AsyncDisposable {
  readonly #options: ContentLogOptions
  readonly #file: string | undefined
  readonly #now: () => number
  readonly #upkeep: Timer
  #settings: ContentSettings
  #scribe: ThreadScribe | undefined
  #startedAt = -Infinity
  #queue: Captured[] = []
  #queuedBytes = 0
  #isSending = false
  #idle = Promise.withResolvers<void>()
  readonly #counts = { kept: 0, dropped: 0, failed: 0 }
  #untold = 0
  #lastFailure: unknown

  /** Deletes what is past its days at once, and every minute. */
  constructor(options: ContentLogOptions) {
    this.#options = options
    this.#file = contentFile(options.database)
    this.#settings = options.settings
    this.#now = options.now ?? Date.now
    this.#upkeep = setInterval(() => void this.keepUp(), upkeepMs)
    this.#upkeep.unref()
    void this.keepUp()
  }

  get counts(): ContentCounts {
    return { ...this.#counts }
  }

  /** What counts from now on. */
  configure(settings: ContentSettings): void {
    this.#settings = settings
    this.#scribe?.configure(settings)
  }

  /** Somebody to keep what is said in an exchange that has just begun, unless its caller does not want it. */
  attend(attended: Attended): ExchangeWitness | undefined {
    if (this.#file === undefined || attended.wantsNothingKept()) return undefined
    attended.onContentKept()
    return new ExchangeWitness(attended, {
      maxBytes: this.#settings.maxBytes,
      now: this.#now,
      keep: (captured) => this.#add(captured),
    })
  }

  /** Deletes what is kept, and what is about to be. Resolves with how many exchanges it was. */
  async erase(whose: ContentOf): Promise<number> {
    const file = this.#file
    this.#forget(whose)
    if (file === undefined || !existsSync(file)) return 0
    return this.#started()?.erase(whose) ?? 0
  }

  /** Resolves when nothing waits to be written. */
  async written(): Promise<void> {
    while (this.#isSending) await this.#idle.promise
  }

  /** Deletes what is past its days, and says what was not kept. */
  async keepUp(): Promise<void> {
    this.#tellLosses()
    const file = this.#file
    if (file === undefined || !existsSync(file)) return
    const before = this.#now() - this.#settings.retainDays * msPerDay
    try {
      await this.#started()?.erase({ before })
    } catch (error) {
      this.#lastFailure = error
      this.#options.report('Content that is past its days could not be deleted.', { error })
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#upkeep)
    await Promise.race([this.written(), patience()])
    await this.#scribe?.[Symbol.asyncDispose]()
    this.#tellLosses()
  }

  #forget(whose: ContentOf): void {
    const others = this.#queue.filter((captured) => !isOf(captured, whose))
    for (const captured of this.#queue)
      if (isOf(captured, whose)) this.#queuedBytes -= bytesOf(captured)
    this.#queue = others
  }

  #add(captured: Captured): void {
    const bytes = bytesOf(captured)
    if (this.#queuedBytes + bytes > this.#settings.queueBytes) {
      this.#counts.dropped++
      this.#untold++
      return
    }
    this.#queue.push(captured)
    this.#queuedBytes += bytes
    if (this.#isSending) return
    this.#isSending = true
    void this.#sendAll()
  }

  /** One batch after the other; what comes meanwhile is the next. */
  async #sendAll(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#nextBatch()
      try {
        await this.#send(batch)
        this.#counts.kept += batch.length
      } catch (error) {
        this.#lastFailure = error
        this.#counts.failed += batch.length
        this.#untold += batch.length
      }
      for (const captured of batch) this.#queuedBytes -= bytesOf(captured)
    }
    this.#isSending = false
    this.#idle.resolve()
    this.#idle = Promise.withResolvers()
  }

  async #send(batch: readonly Captured[]): Promise<void> {
    const scribe = this.#started()
    if (scribe === undefined) throw new Error('The thread of content has just died.')
    await scribe.keep(batch)
  }

  #nextBatch(): Captured[] {
    let bytes = 0
    const end = this.#queue.findIndex((captured) => (bytes += bytesOf(captured)) > batchBytes)
    return this.#queue.splice(0, end === -1 ? mostOfBatch : Math.min(mostOfBatch, end + 1))
  }

  /** The thread, which is started when it is first needed, and again if it has died, but not at once. */
  #started(): ThreadScribe | undefined {
    if (this.#scribe?.isDead === false) return this.#scribe
    const { leastFreeBytes } = this.#options
    const file = this.#file
    if (file === undefined || performance.now() - this.#startedAt < restartMs) return undefined
    this.#startedAt = performance.now()
    const options = { file, settings: this.#settings }
    this.#scribe = new ThreadScribe(
      leastFreeBytes === undefined ? options : { ...options, leastFreeBytes },
    )
    return this.#scribe
  }

  #tellLosses(): void {
    if (this.#untold === 0) return
    const facts = { exchanges: this.#untold, ...this.#counts, error: this.#lastFailure }
    this.#options.report('The content of some exchanges was not kept.', facts)
    this.#untold = 0
    this.#lastFailure = undefined
  }
}

const upkeepMs = 60_000
const msPerDay = 86_400_000
const restartMs = 10_000
const mostOfBatch = 64
const batchBytes = 4 * 1024 * 1024

function bytesOf({ requestText, answer }: Captured): number {
  const texts = answer.blocks.reduce((sum, { text }) => sum + text.length, requestText.length)
  return 2 * texts + overheadBytes
}

/** What one waiting exchange takes beside its texts, about. */
const overheadBytes = 1024

function isOf({ exchangeId, keyId, keptAt }: Captured, whose: ContentOf): boolean {
  if ('exchangeId' in whose) return exchangeId === whose.exchangeId
  if ('keyId' in whose) return keyId === whose.keyId
  return keptAt < whose.before || whose.exchangeIds?.includes(exchangeId) === true
}

/** Nobody is kept from stopping for longer. */
function patience(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 5000).unref()
  })
}
