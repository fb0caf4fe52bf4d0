import { GatewayError } from '#chat/error.ts'
import type { ChatEvent } from '#chat/event.ts'

export interface GenerationOptions {
  /** How long was waited for a place, in milliseconds. */
  readonly waitedMs: number
  /** Called once, when nothing more is wanted of it or nothing more will come. */
  readonly onOver: () => void
}

/** More than this is not held for a reader who stands still: characters of all events together. */
const mostHeld = 1024 * 1024

/** What an event counts for beside its text. */
const eventSize = 64

/**
 * The events of one answer as they come, in batches. The child cannot be made to wait, so what a reader does not take
 * is held, up to a limit. Leaving it early ends the work.
 */
export class Generation implements AsyncIterableIterator<readonly ChatEvent[]> {
  readonly waitedMs: number
  readonly #onOver: () => void
  #held: ChatEvent[] = []
  #heldSize = 0
  #failure: unknown
  #isOver = false
  #hasBegun = false
  #reader: PromiseWithResolvers<IteratorResult<readonly ChatEvent[]>> | undefined

  constructor({ waitedMs, onOver }: GenerationOptions) {
    this.waitedMs = waitedMs
    this.#onOver = onOver
  }

  /** Whether anything has come. */
  get hasBegun(): boolean {
    return this.#hasBegun
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** Takes what came. The last batch ends with `answer-end`. */
  push(events: readonly ChatEvent[]): void {
    if (this.#isOver || events.length === 0) return
    this.#hasBegun = true
    if (events.at(-1)?.type === 'answer-end') this.#end()
    const reader = this.#reader
    if (reader !== undefined) {
      this.#reader = undefined
      return reader.resolve({ done: false, value: events })
    }
    for (const event of events) {
      this.#held.push(event)
      this.#heldSize += sizeOf(event)
    }
    if (this.#heldSize > mostHeld && !this.#isOver) this.#overflow()
  }

  /** Nothing more comes, and this is why. */
  fail(failure: unknown): void {
    if (this.#isOver) return
    this.#failure = failure
    this.#end()
    this.#reader?.reject(failure)
    this.#reader = undefined
  }

  next(): Promise<IteratorResult<readonly ChatEvent[]>> {
    if (this.#held.length > 0) {
      const value = this.#held
      this.#held = []
      this.#heldSize = 0
      return Promise.resolve({ done: false, value })
    }
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    if (this.#isOver) return Promise.resolve({ done: true, value: undefined })
    this.#reader = Promise.withResolvers()
    return this.#reader.promise
  }

  return(): Promise<IteratorResult<readonly ChatEvent[]>> {
    this.#end()
    this.#held = []
    this.#reader?.resolve({ done: true, value: undefined })
    this.#reader = undefined
    return Promise.resolve({ done: true, value: undefined })
  }

  #end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#onOver()
  }

  #overflow(): void {
    this.#held = []
    this.fail(
      new GatewayError(
        'upstream-lost',
        'The answer was broken off: its reader let more than 1 MiB of it wait. Read it as it comes.',
      ),
    )
  }
}

function sizeOf(event: ChatEvent): number {
  return eventSize + (event.type === 'block-delta' ? event.text.length : 0)
}
