import { Database } from 'bun:sqlite'
import { createConnection, type Socket } from 'node:net'

import type { ProtocolName } from '#chat/names.ts'
import { Storage } from '#storage/database.ts'
import {
  type Act,
  chunk,
  head,
  json,
  startScriptedUpstream,
  waitFor,
  write,
} from '#test/scripted-upstream.ts'
import { startGateway, type TestGateway } from '#test/start-gateway.ts'

import { requestOf } from './client.ts'
import { examine } from './oracle.ts'
import type { Recording } from './recordings.ts'
import { pricesOf } from './rig.ts'

/** A client that leaves after so many frames of a recording. */
export interface Case {
  readonly recording: Recording
  readonly client: ProtocolName
  readonly frames: number
  /** Names the case in the model that is asked for. */
  readonly model: string
}

export interface Left {
  /** Frames with text in what the client had when it left: each is a token at least. */
  readonly tokens: number
  readonly closedMs: number
  readonly isClosed: boolean
}

export interface Row {
  readonly model: string
  readonly result: string
  readonly output: number | null
  readonly counted: string
  readonly cost: number
  readonly held: number
  readonly excess: number
}

export interface Stage extends AsyncDisposable {
  /** How many bytes a client of this protocol has after each frame. */
  lengthsOf(lane: Pick<Case, 'recording' | 'client'>): Promise<number[]>
  leave(one: Case & { readonly bytes: number }): Promise<Left>
  /** The ledger, when it has so many rows of clients that left. */
  rows(count: number): Promise<ReadonlyMap<string, Row>>
  oracle(): readonly string[]
}

/** A gateway, an upstream for every recording, and clients that leave. */
export async function newStage(file: string, recordings: readonly Recording[]): Promise<Stage> {
  await limitEverybody(file)
  const said = new Map<string, PromiseWithResolvers<void>>()
  const closed = new Map<string, Promise<void>>()
  const saidOf = (model: string) => {
    const known = said.get(model) ?? Promise.withResolvers<void>()
    said.set(model, known)
    return known
  }
  const upstreams = await Promise.all(
    recordings.map((recording, number) =>
      startScriptedUpstream((request) => {
        if (request.method !== 'POST') return json(404, {})
        const { model } = request.json() as { readonly model: string }
        const name = `up-${number}/${model}`
        closed.set(name, request.closed)
        // Whoever is cut off in the middle has said all that it will say.
        void request.closed.then(() => saidOf(name).resolve())
        return speech(recording, model, () => saidOf(name).resolve())
      }),
    ),
  )
  const gateway = await startGateway(
    {
      upstreams: Object.fromEntries(
        recordings.map(({ protocol }, number) => {
          const upstream = upstreams[number]
          const url = protocol === 'messages' ? upstream?.origin : upstream?.url
          return [`up-${number}`, { protocol, url }]
        }),
      ),
      ...pricesOf('*/*'),
    },
    file,
  )
  const database = new Database(file, { readwrite: true })
  database.run('PRAGMA busy_timeout = 2000')
  return {
    lengthsOf: ({ recording, client }) => {
      const number = recordings.indexOf(recording)
      return measure(gateway, client, { model: `up-${number}/${client}-slow`, recording })
    },
    leave: async (one) => {
      const socket = listen(gateway, one.client, one.model)
      await saidOf(one.model).promise
      await socket.until(one.bytes)
      // A client that did not ask for the usage sees nothing of it: time for the gateway to have read it.
      if (hadUsage(one.recording, one.frames)) await Bun.sleep(pauseMs * 6)
      const body = socket.leave()
      const began = performance.now()
      const isClosed = await isWithin(closed.get(one.model), longestCloseMs)
      return { tokens: tokensIn(body), closedMs: performance.now() - began, isClosed }
    },
    rows: (count) => rowsOf(database, count),
    oracle: () => examine(file, { seen: [], served: [], keys: [], isRecovered: true }).violations,
    async [Symbol.asyncDispose]() {
      database.close()
      await gateway[Symbol.asyncDispose]()
      await Promise.all(upstreams.map((upstream) => upstream[Symbol.asyncDispose]()))
    },
  }
}

/** An upstream's socket that outlives its client for so long is not going to be closed. */
const longestCloseMs = 5000

/** Whether it resolves in time. */
async function isWithin(promise: Promise<unknown> | undefined, ms: number): Promise<boolean> {
  const late = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => late.resolve(false), ms)
  const isInTime = await Promise.race([promise?.then(() => true) ?? false, late.promise])
  clearTimeout(timer)
  return isInTime
}

/** A budget that nobody reaches, so that there are holds, and strict ones. */
async function limitEverybody(file: string): Promise<void> {
  using storage = await Storage.open(file)
  storage.database.run(`INSERT INTO budgets VALUES ('org', 'total', 1000000000000, 1)`)
}

/** Between two frames of the slow reading: time for each to arrive on its own. */
const pauseMs = 12

async function* speech(
  { frames }: Recording,
  model: string,
  saidAll: () => void,
): AsyncGenerator<Act> {
  const most = model.endsWith('-slow')
    ? frames.length
    : Number(model.slice(model.lastIndexOf('-') + 1))
  yield write(head(200, { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' }))
  for (const frame of frames.slice(0, most)) {
    if (model.endsWith('-slow') || tellsUsage(frame)) yield waitFor(Bun.sleep(pauseMs))
    yield write(chunk(frame))
  }
  if (model.endsWith('-slow')) return yield write('0\r\n\r\n')
  saidAll()
  yield waitFor(new Promise(() => {}))
}

interface Listening {
  /** Resolves when so many bytes of the body have come, or no more do. */
  until(bytes: number): Promise<void>
  readonly body: string
  readonly over: Promise<void>
  /** Destroys the socket, and gives what it had brought. */
  leave(): string
}

function listen({ gateway, key }: TestGateway, client: ProtocolName, model: string): Listening {
  const socket: Socket = createConnection({ port: gateway.port, host: '127.0.0.1', noDelay: true })
  const over = Promise.withResolvers<void>()
  let body = ''
  let raw = ''
  let news = Promise.withResolvers<void>()
  // Room for whatever the recordings say was used: none of them is to be cut at its hold.
  const maxTokens = 4000
  const asking = { port: gateway.port, key, protocol: client, model, stream: true, maxTokens }
  socket.on('connect', () => socket.write(requestOf(asking)))
  socket.on('error', () => {})
  socket.on('close', () => over.resolve())
  socket.on('data', (bytes: Uint8Array) => {
    raw += Buffer.from(bytes).toString('latin1')
    const headEnd = raw.indexOf('\r\n\r\n')
    if (headEnd !== -1) body = raw.slice(headEnd + 4)
    // Whatever is no stream is a refusal, and comes at once.
    const isRefused = headEnd !== -1 && !raw.startsWith('HTTP/1.1 200')
    if (isRefused || body.endsWith('\r\n0\r\n\r\n')) socket.destroy()
    news.resolve()
    news = Promise.withResolvers()
  })
  return {
    async until(bytes: number) {
      const deadline = performance.now() + pauseMs * 20
      while (body.length < bytes) {
        const left = deadline - performance.now()
        if (left <= 0 || !(await isWithin(news.promise, left))) return
      }
    },
    get body() {
      return body
    },
    over: over.promise,
    leave() {
      socket.destroy()
      return body
    },
  }
}

/** Listens to a slow reading of the whole recording. */
async function measure(
  gateway: TestGateway,
  client: ProtocolName,
  { model, recording }: { readonly model: string; readonly recording: Recording },
): Promise<number[]> {
  const listening = listen(gateway, client, model)
  const lengths: number[] = []
  const timer = setInterval(() => lengths.push(listening.body.length), pauseMs)
  await listening.over
  clearInterval(timer)
  // The clocks of the two ends are not in step: what a frame brings may be seen a pause later.
  return recording.frames.map((_, at) => lengths[at] ?? 0)
}

/** Frames of either protocol with text, a thought, or arguments in them. */
function tokensIn(body: string): number {
  const chat = body.match(/"(?:content|reasoning_content|reasoning|refusal|arguments)":"[^"]/g)
  const messages = body.match(/"(?:text|thinking|partial_json)":"[^"]/g)
  return (chat?.length ?? 0) + (messages?.length ?? 0)
}

async function rowsOf(database: Database, count: number): Promise<ReadonlyMap<string, Row>> {
  const query = database.query<Row, []>(
    `SELECT model, result, output, counted, cost, held, excess FROM ledger WHERE model NOT LIKE '%-slow'`,
  )
  const deadline = performance.now() + longestCloseMs
  for (;;) {
    const rows = query.all()
    if (rows.length >= count || performance.now() > deadline)
      return new Map(rows.map((row) => [row.model, row]))
    await Bun.sleep(10)
  }
}

/** Whether the last word on usage was said before the client left. */
function hadUsage({ frames: all }: Recording, frames: number): boolean {
  const last = all.findLastIndex(tellsUsage)
  return last !== -1 && last < frames
}

function tellsUsage(frame: string): boolean {
  return /"usage": ?\{/.test(frame) && !frame.includes('message_start')
}
