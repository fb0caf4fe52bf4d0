import { GatewayError } from '#chat/error.ts'
import type { OutgoingReply, OutgoingStream } from '#exchange.ts'
import type { Protocol } from '#protocols/protocol.ts'
import type { Chunk } from '#protocols/tell.ts'

import { PatientReader } from './keep-alive.ts'
import { baseHeaders, headerText, notesHeader } from './respond.ts'
import type { StalledReader } from './stalled-readers.ts'

export interface StreamOptions {
  readonly requestId: string
  readonly protocol: Protocol
  readonly keepAliveMs: number
  /** Told of a failure that is the gateway's own, which the caller is told of in a frame. */
  readonly report: (failure: GatewayError) => void
  /** Called once, when the last byte is out or the caller is gone. */
  readonly done: () => void
  readonly signal: AbortSignal
  /** Told when the caller takes nothing of the stream any more, and when it does so again or is gone. */
  readonly onStall?: (reader: StalledReader, isStalled: boolean) => void
  /** Closes the connection of a caller who takes nothing. */
  readonly close?: () => void
  /** The value of the header `server-timing`. */
  readonly timing?: string | undefined
}

/** Time for the error frame to reach the caller before its socket is destroyed. */
const flushMs = 50

export function replyResponse(
  outgoing: OutgoingReply,
  { requestId, timing }: Pick<StreamOptions, 'requestId' | 'timing'>,
): Response {
  const headers = outgoingHeaders(outgoing, requestId, timing)
  headers.set('content-type', 'application/json')
  return new Response(outgoing.body, { headers })
}

/** A 200 whose body is the stream. Nothing of it may be buffered or compressed on the way. */
export function streamResponse(outgoing: OutgoingStream, options: StreamOptions): Response {
  const headers = outgoingHeaders(outgoing, options.requestId, options.timing)
  headers.set('content-type', 'text/event-stream; charset=utf-8')
  headers.set('cache-control', 'no-cache')
  headers.set('x-accel-buffering', 'no')
  const body = new StreamBody(outgoing.chunks, options)
  closeWhenLeft(body, options.signal)
  return new Response(body, { headers })
}

/** A caller who has gone before the first byte never starts the body, and then nobody else would close the answer. */
function closeWhenLeft(body: StreamBody, signal: AbortSignal): void {
  const close = (): void => {
    if (GatewayError.from(signal.reason).code === 'client-gone') void body.return()
  }
  if (signal.aborted) close()
  else signal.addEventListener('abort', close)
}

/**
 * The frames of a stream. A failure becomes one error frame, and then the body breaks off without its end, so that
 * no client can take what it has for the whole. It is an iterator of its own and no generator: that costs a chunk less.
 */
class StreamBody implements AsyncIterableIterator<Chunk>, StalledReader {
  readonly #chunks: AsyncIterator<Chunk>
  readonly #options: StreamOptions
  readonly #reader: PatientReader<Chunk>
  #failure: GatewayError | undefined
  #isClosed = false

  constructor(chunks: AsyncIterator<Chunk>, options: StreamOptions) {
    const { keepAliveMs: everyMs, protocol, onStall } = options
    this.#chunks = chunks
    this.#options = options
    this.#reader = new PatientReader(chunks, {
      everyMs,
      filler: protocol.keepAlive,
      last: (failure) => this.#last(failure),
      onStall: (isStalled) => onStall?.(this, isStalled),
    })
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<Chunk>> {
    if (this.#failure !== undefined) return this.#breakOff(this.#failure)
    return this.#isClosed ? this.return() : this.#reader.next()
  }

  async return(): Promise<IteratorResult<Chunk>> {
    this.#close()
    return ended
  }

  /** Lets go of the upstream at once. A caller who reads on after all finds that the stream breaks off. */
  cut(): void {
    this.#failure = new GatewayError('client-gone', 'The client took nothing of its stream.')
    this.#close()
    this.#options.close?.()
  }

  #last(failed?: { readonly error: unknown }): IteratorResult<Chunk> {
    const failure = failed && GatewayError.from(failed.error)
    if (failure === undefined || failure.code === 'client-gone') {
      this.#close()
      return ended
    }
    this.#failure = failure
    const { protocol, requestId, report } = this.#options
    if (failure.fault === 'gateway' && failure.code !== 'gateway-stopping') report(failure)
    return { done: false, value: protocol.encodeStreamError(failure, requestId) }
  }

  async #breakOff(failure: GatewayError): Promise<never> {
    await flushed(this.#options.signal)
    this.#close()
    throw failure
  }

  #close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#reader[Symbol.dispose]()
    this.#options.done()
    void this.#chunks.return?.()
  }
}

const ended = { done: true, value: undefined } as const

/** Resolves when the frame has had time to go out, or the caller has closed by itself. */
function flushed(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, flushMs)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

function outgoingHeaders(
  outgoing: OutgoingReply | OutgoingStream,
  requestId: string,
  timing: string | undefined,
): Headers {
  const headers = baseHeaders(requestId)
  if (timing !== undefined) headers.set('server-timing', timing)
  for (const [name, value] of outgoing.headers) headers.set(name, headerText(value))
  if (outgoing.notes.length > 0) headers.set('x-parley-notes', notesHeader(outgoing.notes))
  return headers
}
