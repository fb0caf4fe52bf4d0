import { connect, type Socket } from 'node:net'

/** One thing that a raw client does, in order. */
export type ClientStep =
  | { readonly type: 'write'; readonly bytes: Uint8Array | string }
  /** Waits until what came back fits. */
  | { readonly type: 'until'; readonly fits: (text: string) => boolean }
  | { readonly type: 'wait'; readonly for: () => Promise<unknown> }
  /** Says that nothing more will be written, and goes on reading (FIN). */
  | { readonly type: 'half-close' }
  /** Takes nothing off the socket from here on. */
  | { readonly type: 'stop-reading' }
  | { readonly type: 'read-on' }
  | { readonly type: 'close' }
  /** Ends the connection with a reset (RST). */
  | { readonly type: 'reset' }

/** Who ended the connection. `nobody`: it was still open when the client lost its patience, and closed it. */
export type EndedBy = 'us' | 'them' | 'their-reset' | 'nobody'

export interface Heard {
  readonly bytes: Buffer
  readonly endedBy: EndedBy
  /** From the first step to the end. */
  readonly tookMs: number
}

export interface RawOptions {
  /** How long to wait for an end that does not come. */
  readonly patienceMs?: number
  /** When enough has come, the client closes by itself. */
  readonly isEnough?: (bytes: Buffer) => boolean
  /** The address of loopback to come from. */
  readonly from?: string | undefined
}

export const say = (bytes: Uint8Array | string): ClientStep => ({ type: 'write', bytes })
/** Until these words have come so many times. */
export const until = (words: RegExp, times = 1): ClientStep => ({
  type: 'until',
  fits: (text) => text.split(words).length > times,
})
export const after = (promise: () => Promise<unknown>): ClientStep => ({
  type: 'wait',
  for: promise,
})
export const pauseFor = (ms: number): ClientStep => after(() => Bun.sleep(ms))
export const halfClose: ClientStep = { type: 'half-close' }
export const stopReading: ClientStep = { type: 'stop-reading' }
export const readOn: ClientStep = { type: 'read-on' }
export const hangUp: ClientStep = { type: 'close' }
export const tearDown: ClientStep = { type: 'reset' }

/** Opens a connection, does what the steps say byte for byte, and hears what comes back until somebody ends it. */
export async function speakRaw(
  port: number,
  steps: readonly ClientStep[],
  { patienceMs = 10_000, isEnough = () => false, from }: RawOptions = {},
): Promise<Heard> {
  const began = performance.now()
  const line = new Line(port, isEnough, from)
  const patience = setTimeout(() => line.end('nobody'), patienceMs)
  for (const step of steps) {
    if (line.isOver) break
    await line.perform(step)
  }
  const endedBy = await line.ended
  clearTimeout(patience)
  return { bytes: line.bytes, endedBy, tookMs: performance.now() - began }
}

const lastChunk = Buffer.from('0\r\n\r\n')
const brace = 125

/** Whether a read looks like the end of an answer: the last chunk of a stream, or the brace that closes a reply. */
function mayBeLast(data: Buffer): boolean {
  return data.subarray(-5).equals(lastChunk) || data.at(-1) === brace
}

class Line {
  readonly ended: Promise<EndedBy>
  readonly #socket: Socket
  readonly #isEnough: (bytes: Buffer) => boolean
  readonly #over: (by: EndedBy) => void
  readonly #parts: Buffer[] = []
  #whole: Buffer | undefined
  #size = 0
  #moved = Promise.withResolvers<void>()
  isOver = false

  constructor(port: number, isEnough: (bytes: Buffer) => boolean, from: string | undefined) {
    const { promise, resolve } = Promise.withResolvers<EndedBy>()
    this.ended = promise
    this.#over = resolve
    this.#isEnough = isEnough
    this.#socket = connect({
      port,
      host: '127.0.0.1',
      allowHalfOpen: true,
      noDelay: true,
      ...(from !== undefined && { localAddress: from }),
    })
    this.#socket.on('data', (data: Buffer) => this.#take(data))
    this.#socket.on('end', () => this.end('them'))
    this.#socket.on('error', () => this.end('their-reset'))
    this.#socket.on('close', () => this.end('them'))
  }

  get bytes(): Buffer {
    this.#whole ??= Buffer.concat(this.#parts)
    return this.#whole
  }

  end(by: EndedBy): void {
    if (this.isOver) return
    this.isOver = true
    this.#socket.destroy()
    this.#moved.resolve()
    this.#over(by)
  }

  async perform(step: ClientStep): Promise<void> {
    switch (step.type) {
      case 'write':
        // Whoever has stopped listening is not waited for.
        if (!this.#socket.write(step.bytes)) await Promise.race([this.#drained(), this.ended])
        return
      case 'until':
        while (!this.isOver && !step.fits(this.bytes.toString('latin1'))) await this.#moved.promise
        return
      case 'wait':
        await Promise.race([step.for(), this.ended])
        return
      case 'half-close':
        this.#socket.end()
        return
      case 'stop-reading':
        this.#socket.pause()
        return
      case 'read-on':
        this.#socket.resume()
        return
      case 'close':
        this.end('us')
        return
      case 'reset':
        this.#socket.resetAndDestroy()
        this.end('us')
    }
  }

  #take(data: Buffer): void {
    this.#parts.push(data)
    this.#size += data.length
    this.#whole = undefined
    this.#moved.resolve()
    this.#moved = Promise.withResolvers()
    // To look at everything again for every piece of it would cost the square of its length.
    if (this.#size > 3000 && !mayBeLast(data)) return
    if (this.#isEnough(this.bytes)) this.end('us')
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => this.#socket.once('drain', () => resolve()))
  }
}

/** One response as it stands on the wire. */
export interface RawResponse {
  readonly status: number
  /** By lower-case name; values of equal names are joined by a comma. */
  readonly headers: ReadonlyMap<string, string>
  readonly head: string
  readonly body: Buffer
  /** Whether the body came to the end that its head promised. */
  readonly isWhole: boolean
  /** What came after it. */
  readonly rest: Buffer
}

/** The first response in the bytes, complete or not; undefined while its head is not whole. */
export function responseIn(bytes: Buffer): RawResponse | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const head = bytes.toString('latin1', 0, end)
  const [first = '', ...lines] = head.split('\r\n')
  const status = Number(first.split(' ')[1])
  if (status < 200) return responseIn(bytes.subarray(end + 4))
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const known = headers.get(name)
    const value = line.slice(colon + 1).trim()
    headers.set(name, known === undefined ? value : `${known}, ${value}`)
  }
  const after = bytes.subarray(end + 4)
  if (headers.get('transfer-encoding')?.includes('chunked') === true)
    return { status, headers, head, ...chunked(after) }
  const length = Number(headers.get('content-length') ?? 0)
  const body = after.subarray(0, length)
  const isWhole = after.length >= length
  return { status, headers, head, body, isWhole, rest: after.subarray(length) }
}

/** Every response in the bytes, in order. */
export function responsesIn(bytes: Buffer): RawResponse[] {
  const found: RawResponse[] = []
  for (let rest = bytes; ;) {
    const response = responseIn(rest)
    if (response === undefined) return found
    found.push(response)
    if (!response.isWhole) return found
    rest = response.rest
  }
}

function chunked(bytes: Buffer): Pick<RawResponse, 'body' | 'isWhole' | 'rest'> {
  const parts: Buffer[] = []
  for (let at = 0; ;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    const size =
      lineEnd === -1 ? Number.NaN : Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    const end = lineEnd + 2 + size
    if (Number.isNaN(size) || bytes.length < end + 2) {
      if (lineEnd !== -1 && size > 0) parts.push(bytes.subarray(lineEnd + 2))
      return { body: Buffer.concat(parts), isWhole: false, rest: Buffer.alloc(0) }
    }
    if (size === 0)
      return { body: Buffer.concat(parts), isWhole: true, rest: bytes.subarray(end + 2) }
    parts.push(bytes.subarray(lineEnd + 2, end))
    at = end + 2
  }
}
