import type { Step } from '#chat/step.ts'
import type { StreamDecoder } from '#protocols/protocol.ts'
import type { Watch } from '#upstreams/network/deadlines.ts'
import { networkFailure } from '#upstreams/network/network-failure.ts'

export interface StepReaderOptions {
  readonly body: ByteReader
  readonly decoder: StreamDecoder
  readonly watch: Watch
  /** The upstream's name, for messages. */
  readonly upstream: string
  /** What of the body was read already. */
  readonly first?: Uint8Array | undefined
  /** Whether a read says nothing but that the upstream is alive. */
  readonly isKeepAlive: (read: Uint8Array) => boolean
  /** Whether the words of a read are only a beginning. */
  readonly isPreamble?: ((read: Uint8Array) => boolean) | undefined
}

/** The reader of a response's body. */
export interface ByteReader {
  read(): Promise<Read>
}

interface Read {
  readonly done: boolean
  readonly value?: Uint8Array | undefined
}

/**
 * The steps of an answer that comes as a stream: one read, at most one step, never a read ahead of its reader.
 * It is an iterator of its own and no generator, because a generator would run its clean-up neither before its
 * first step nor while a read is under way: `return()` here closes the upstream's connection at once.
 */
export class StepReader implements AsyncIterableIterator<Step> {
  readonly #options: StepReaderOptions
  #decoded: Iterator<Step> | undefined
  /** Whether the decoded steps are. */
  #isPreamble = false
  #isLast = false
  #isClosed = false

  constructor(options: StepReaderOptions) {
    this.#options = options
    if (options.first !== undefined) this.#decode({ done: false, value: options.first })
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** No async function, as what it costs is paid for every read. */
  next(): Promise<IteratorResult<Step>> {
    try {
      const step = this.#nextDecoded()
      if (step !== undefined) return Promise.resolve({ done: false, value: step })
    } catch (error) {
      return this.#fail(error)
    }
    if (this.#isLast || this.#isClosed) return this.return()
    const { body, watch } = this.#options
    watch.wait()
    return body.read().then(this.#take, this.#fail)
  }

  return(): Promise<IteratorResult<Step>> {
    this.#close()
    return Promise.resolve({ done: true, value: undefined })
  }

  readonly #take = (read: Read): IteratorResult<Step> | Promise<IteratorResult<Step>> => {
    if (this.#isClosed) return { done: true, value: undefined }
    try {
      this.#decode(read)
      const step = this.#nextDecoded()
      return step === undefined ? this.next() : { done: false, value: step }
    } catch (error) {
      return this.#fail(error)
    }
  }

  readonly #fail = (error: unknown): Promise<never> => {
    const { upstream, watch } = this.#options
    const failure = networkFailure(error, { upstream, signal: watch.signal, hasBegun: true })
    this.#close()
    return Promise.reject(failure)
  }

  #decode({ done, value }: Read): void {
    const { decoder, watch, isKeepAlive, isPreamble } = this.#options
    if (value !== undefined) {
      watch.heard(!isKeepAlive(value))
      this.#isPreamble = isPreamble?.(value) ?? false
      this.#decoded = decoder.push(value)[Symbol.iterator]()
    } else if (done) {
      // What is left over after a preamble is one too, unless it ends the answer.
      this.#isLast = true
      this.#decoded = decoder.end()[Symbol.iterator]()
    }
  }

  #nextDecoded(): Step | undefined {
    const next = this.#decoded?.next()
    if (next === undefined || next.done === true) {
      this.#decoded = undefined
      return undefined
    }
    return this.#isPreamble ? { ...next.value, isPreamble: true } : next.value
  }

  #close(): void {
    this.#isClosed = true
    this.#decoded = undefined
    this.#options.watch.close()
  }
}
