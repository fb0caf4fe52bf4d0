import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

/** One thing that a scripted upstream does with the connection of a request, in order. */
export type Act =
  | { readonly type: 'write'; readonly bytes: Uint8Array | string }
  /** Holds everything after it until the promise settles. */
  | { readonly type: 'wait'; readonly for: Promise<unknown> }
  /** Ends the connection in good order (FIN). */
  | { readonly type: 'close' }
  /** Ends it with a reset (RST). */
  | { readonly type: 'reset' }

/** What is done with one request. Nothing at all means that it is never answered. */
export type Script = readonly Act[]

/** One script for each request in order, the last for all further ones; or a function of the request. */
export type Scripts =
  | readonly Script[]
  | ((request: RecordedRequest) => Script | AsyncIterable<Act> | Promise<Script>)

export interface RecordedRequest {
  /** Which request of this upstream it is, from 0. */
  readonly index: number
  /** Which connection it came on, from 0. */
  readonly connection: number
  readonly method: string
  readonly path: string
  /** By lower-case name; values of equal names are joined by a comma. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
  /** The body as JSON; throws where it is none. */
  readonly json: () => unknown
  /** Resolves when the connection of the request is gone, whoever ended it. */
  readonly closed: Promise<void>
}

export interface ScriptedUpstream extends AsyncDisposable {
  readonly port: number
  /** `http://127.0.0.1:port`, as a messages SDK takes it. */
  readonly origin: string
  /** The same with `/v1`, as a chat-completions SDK takes it. */
  readonly url: string
  readonly requests: readonly RecordedRequest[]
  /** How many connections were ever accepted. */
  readonly connections: number
  /** How many of them are open. */
  readonly open: number
  /** How many requests have a script that has not come to its end, on a connection that is open. */
  readonly busy: number
  /** The request with this index, when it has arrived whole. */
  request(index: number): Promise<RecordedRequest>
}

/** A real TCP server that answers byte for byte what the script says. */
export async function startScriptedUpstream(scripts: Scripts): Promise<ScriptedUpstream> {
  const state: State = {
    requests: [],
    connections: 0,
    busy: 0,
    sockets: new Set(),
    waiting: new Map(),
  }
  const server = createServer({ noDelay: true }, (socket) => serve(socket, scripts, state))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}/v1`,
    requests: state.requests,
    get connections() {
      return state.connections
    },
    get open() {
      return state.sockets.size
    },
    get busy() {
      return state.busy
    },
    request: async (index) => state.requests[index] ?? waiterFor(state, index).promise,
    [Symbol.asyncDispose]: () => stop(server, state),
  }
}

export function write(bytes: Uint8Array | string): Act {
  return { type: 'write', bytes }
}

export function waitFor(promise: Promise<unknown>): Act {
  return { type: 'wait', for: promise }
}

export const close: Act = { type: 'close' }
export const reset: Act = { type: 'reset' }

/** A script that takes the request and never says a word. */
export const neverAnswer: Script = []

/** Holds everything after it until the connection is gone. */
export const stall: Act = { type: 'wait', for: new Promise(() => {}) }

type Headers = Readonly<Record<string, string>>

/** A whole JSON answer. A string is sent as it is, anything else as its JSON. */
export function json(status: number, body: unknown, headers: Headers = {}): Script {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const bytes = new TextEncoder().encode(text)
  const all = {
    'content-type': 'application/json',
    ...headers,
    'content-length': `${bytes.length}`,
  }
  return [write(join(new TextEncoder().encode(head(status, all)), bytes))]
}

export interface SseOptions {
  /** Chunked transfer, ended by the zero chunk (default); otherwise the end of the connection ends the body. */
  readonly chunked?: boolean
  /** Where to cut the bytes of the body into separate writes, in ascending offsets. */
  readonly cutAt?: readonly number[]
  readonly headers?: Headers
  readonly status?: number
  /** Awaited before the write after each cut, so that a test decides when the reader goes on. */
  readonly between?: (cut: number) => Promise<unknown>
  /** What comes after the last byte of the frames, in place of a good end. */
  readonly ending?: readonly Act[]
}

/** A stream of server-sent events. Frames are raw text, blank lines and all; see `dataFrames` and `eventFrames`. */
export function sse(frames: readonly string[] | Uint8Array, options: SseOptions = {}): Script {
  const bytes = frames instanceof Uint8Array ? frames : new TextEncoder().encode(frames.join(''))
  const chunked = options.chunked ?? true
  const headers = {
    'content-type': 'text/event-stream; charset=utf-8',
    ...options.headers,
    ...(chunked ? { 'transfer-encoding': 'chunked' } : { connection: 'close' }),
  }
  const acts: Act[] = [write(head(options.status ?? 200, headers))]
  pieces(bytes, options.cutAt ?? []).forEach((piece, cut) => {
    if (cut > 0 && options.between !== undefined) acts.push(waitFor(options.between(cut)))
    if (piece.length > 0) acts.push(write(chunked ? chunk(piece) : piece))
  })
  const goodEnd: readonly Act[] = chunked ? [write('0\r\n\r\n')] : [close]
  return [...acts, ...(options.ending ?? goodEnd)]
}

/** Frames of the chat-completions protocol: `data: …`, ended by `[DONE]`. */
export function dataFrames(...chunks: readonly unknown[]): string[] {
  const words = chunks.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
  return [...words, '[DONE]'].map((data) => `data: ${data}\n\n`)
}

/** Frames of the messages protocol: each object is sent under its own `type` as the event's name. */
export function eventFrames(...events: readonly { readonly type: string }[]): string[] {
  return events.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`)
}

/** The status line and headers of an answer, blank line included. */
export function head(status: number, headers: Headers): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} Scripted\r\n${lines.join('')}\r\n`
}

/** One chunk of a chunked body. */
export function chunk(bytes: Uint8Array | string): Uint8Array {
  const data = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes
  const encoder = new TextEncoder()
  return join(encoder.encode(`${data.length.toString(16)}\r\n`), data, encoder.encode('\r\n'))
}

interface State {
  readonly requests: RecordedRequest[]
  connections: number
  busy: number
  readonly sockets: Set<Socket>
  readonly waiting: Map<number, PromiseWithResolvers<RecordedRequest>>
}

function serve(socket: Socket, scripts: Scripts, state: State): void {
  const connection = state.connections++
  const closed = Promise.withResolvers<void>()
  state.sockets.add(socket)
  // The other side may vanish at any moment; what matters of that is `closed`.
  socket.on('error', () => {})
  socket.on('close', () => {
    state.sockets.delete(socket)
    closed.resolve()
  })
  let unread: Uint8Array = new Uint8Array()
  let answers = Promise.resolve()
  socket.on('data', (data: Uint8Array) => {
    unread = join(unread, data)
    for (let parsed = parseRequest(unread); parsed !== undefined; parsed = parseRequest(unread)) {
      unread = parsed.rest
      const request = record(parsed, { connection, closed: closed.promise }, state)
      state.busy += 1
      answers = answers
        .then(() => answer(socket, request, scripts))
        .finally(() => {
          state.busy -= 1
        })
    }
  })
}

function record(
  parsed: Parsed,
  link: { readonly connection: number; readonly closed: Promise<void> },
  state: State,
): RecordedRequest {
  const { method, path, headers, body } = parsed
  const index = state.requests.length
  const json = (): unknown => JSON.parse(body)
  const request = { index, ...link, method, path, headers, body, json }
  state.requests.push(request)
  state.waiting.get(index)?.resolve(request)
  return request
}

function waiterFor(state: State, index: number): PromiseWithResolvers<RecordedRequest> {
  const waiter = state.waiting.get(index) ?? Promise.withResolvers<RecordedRequest>()
  state.waiting.set(index, waiter)
  return waiter
}

async function answer(socket: Socket, request: RecordedRequest, scripts: Scripts): Promise<void> {
  const script =
    typeof scripts === 'function'
      ? await scripts(request)
      : (scripts[Math.min(request.index, scripts.length - 1)] ?? neverAnswer)
  for await (const act of script) {
    if (socket.destroyed) return
    await perform(socket, act, request)
  }
}

async function perform(socket: Socket, act: Act, request: RecordedRequest): Promise<void> {
  switch (act.type) {
    case 'write':
      // A full send buffer waits for its reader, so that back-pressure can be seen from outside.
      if (!socket.write(act.bytes)) await Promise.race([drained(socket), request.closed])
      return
    case 'wait':
      await Promise.race([act.for, request.closed])
      return
    case 'close':
      socket.end()
      return
    case 'reset':
      socket.resetAndDestroy()
  }
}

function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('drain', () => resolve()))
}

async function stop(server: Server, state: State): Promise<void> {
  const stopped = new Promise<void>((resolve) => server.close(() => resolve()))
  for (const socket of state.sockets) socket.destroy()
  await stopped
}

interface Parsed {
  readonly method: string
  readonly path: string
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
  readonly rest: Uint8Array
}

/** The first whole request of the bytes, or undefined while it is not complete. */
function parseRequest(bytes: Uint8Array): Parsed | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const [first = '', ...lines] = text.toString('latin1', 0, headEnd).split('\r\n')
  const [method = '', path = ''] = first.split(' ')
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    const known = headers.get(name)
    headers.set(name, known === undefined ? value : `${known}, ${value}`)
  }
  const body = headers.get('transfer-encoding')?.includes('chunked')
    ? chunkedBody(text, headEnd + 4)
    : sizedBody(text, headEnd + 4, Number(headers.get('content-length') ?? 0))
  if (body === undefined) return undefined
  const rest = bytes.subarray(body.end)
  return { method, path, headers, body: body.data.toString('utf8'), rest }
}

interface Body {
  readonly data: Buffer
  readonly end: number
}

function sizedBody(bytes: Buffer, start: number, length: number): Body | undefined {
  const end = start + length
  return bytes.length < end ? undefined : { data: bytes.subarray(start, end), end }
}

function chunkedBody(bytes: Buffer, start: number): Body | undefined {
  const parts: Buffer[] = []
  for (let at = start; ;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd === -1) return undefined
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    const end = lineEnd + 2 + size
    if (bytes.length < end + 2) return undefined
    if (size === 0) return { data: Buffer.concat(parts), end: end + 2 }
    parts.push(bytes.subarray(lineEnd + 2, end))
    at = end + 2
  }
}

function pieces(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const edges = [0, ...cuts, bytes.length]
  return edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge))
}

function join(...parts: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(parts)
}
