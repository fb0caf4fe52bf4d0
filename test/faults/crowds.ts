import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { chunk, head, type Script, startScriptedUpstream, write } from '#test/scripted-upstream.ts'
import { until } from '#test/until.ts'

import { goodAnswer, goodFrames } from './answers.ts'
import { ask, requestFor, upstreamAt } from './rig.ts'
import { servingOf } from './upstream-fault.ts'

export interface Crowded {
  readonly name: string
  readonly connections: number
  /** What was measured, in words. */
  readonly found: string
  readonly violations: readonly string[]
}

const parley = new URL('../../bin/parley', import.meta.url).pathname

/** Many clients at once that read nothing, send nothing, or send next to nothing, in front of a gateway in a process of its own. */
export async function runCrowds(): Promise<readonly Crowded[]> {
  await using stage = await setStage()
  return [await stalledReaders(stage), await idlers(stage), await slowHeads(stage)]
}

interface Stage extends AsyncDisposable {
  readonly port: number
  readonly key: string
  readonly upstream: Awaited<ReturnType<typeof startScriptedUpstream>>
  readonly memoryMiB: () => number
}

async function setStage(): Promise<Stage> {
  await using owned = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'parley-crowds-'))
  owned.defer(() => rmSync(folder, { recursive: true, force: true }))
  const upstream = owned.use(
    await startScriptedUpstream((request) => {
      const { protocol, isStream } = servingOf(request)
      return request.body.includes('pour') ? pouring() : goodAnswer(protocol, isStream)
    }),
  )
  const config = {
    engine: { enabled: false },
    upstreams: { up: upstreamAt('chat-completions', upstream.origin) },
  }
  writeFileSync(join(folder, 'parley.yaml'), JSON.stringify(config))
  const child = Bun.spawn([parley, 'serve', '--json', '--port', '0'], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      PARLEY_HOME: join(folder, 'state'),
      PARLEY_ADMIN_PORT: '0',
    },
    stdout: 'pipe',
    stderr: 'ignore',
  })
  owned.defer(async () => {
    child.kill('SIGKILL')
    await child.exited
  })
  const { value } = await child.stdout.getReader().read()
  const { port, key } = JSON.parse(new TextDecoder().decode(value)) as { port: number; key: string }
  const moved = owned.move()
  return {
    port,
    key,
    upstream,
    memoryMiB: () => residentMiB(child.pid),
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

/** As many words as anybody takes, in pieces that are small enough to count what is held of them. */
function pouring(): AsyncIterable<Script[number]> {
  const [role = '', word = ''] = goodFrames['chat-completions']
  const piece = chunk(word.repeat(100))
  return (async function* () {
    yield write(head(200, { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' }))
    yield write(chunk(role))
    for (;;) yield write(piece)
  })()
}

const stalled = 200
/**
 * What a stream may hold back when its upstream says more than the system's own buffers take. The runtime alone holds
 * two of it for a response that is handed on as it is, and a read may be half of one.
 */
const perStreamMiB = 6

async function stalledReaders({ port, key, upstream, memoryMiB }: Stage): Promise<Crowded> {
  const before = memoryMiB()
  const asked = requestFor({ key, protocol: 'chat-completions', model: 'up/pour', isStream: true })
  const sockets = await connectAll(port, stalled, (socket) => {
    socket.pause()
    socket.write(asked)
  })
  await until(() => upstream.busy >= stalled)
  await Bun.sleep(4000)
  const grown = memoryMiB() - before
  const controlMs = await control({ port, key })
  const left = performance.now()
  for (const socket of sockets) socket.resetAndDestroy()
  await untilOr(() => upstream.busy === 0, 10_000)
  const endedMs = performance.now() - left
  return {
    name: 'clients that ask for an endless stream, read nothing of it, and then reset',
    connections: stalled,
    found: `${Math.round(grown)} MiB more, all ended after ${Math.round(endedMs)} ms, a good request ${Math.round(controlMs)} ms`,
    violations: [
      ...(grown > stalled * perStreamMiB
        ? [`the gateway has grown by ${Math.round(grown)} MiB`]
        : []),
      ...(upstream.busy > 0 ? [`${upstream.busy} streams did not end`] : []),
      ...tooSlow(controlMs),
    ],
  }
}

const idle = 3000

async function idlers({ port, key, memoryMiB }: Stage): Promise<Crowded> {
  const before = memoryMiB()
  const good = requestFor({ key, protocol: 'chat-completions', model: 'up/m', isStream: false })
  const sockets = await connectAll(port, idle, (socket, index) => {
    // Some have been answered before they idle.
    if (index % 10 === 0) socket.write(good)
  })
  const controlMs = await control({ port, key })
  const grown = memoryMiB() - before
  for (const socket of sockets) socket.destroy()
  return {
    name: 'connections that idle',
    connections: idle,
    found: `${Math.round(grown)} MiB more, a good request ${Math.round(controlMs)} ms`,
    violations: tooSlow(controlMs),
  }
}

const slow = 2000
const closedWithinMs = 16_000

async function slowHeads({ port, key }: Stage): Promise<Crowded> {
  const began = performance.now()
  let open = slow
  const sockets = await connectAll(port, slow, (socket) => {
    socket.on('close', () => {
      open -= 1
    })
    socket.write('POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\n')
  })
  const drip = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write('x: y\r\n')
  }, 2000)
  const controlMs = await control({ port, key })
  await untilOr(() => open === 0, closedWithinMs + 9000)
  clearInterval(drip)
  const tookMs = performance.now() - began
  for (const socket of sockets) socket.destroy()
  return {
    name: 'clients that send a header every two seconds',
    connections: slow,
    found: `the last closed after ${(tookMs / 1000).toFixed(1)} s, a good request ${Math.round(controlMs)} ms`,
    violations: [
      ...(open > 0
        ? [`${open} of ${slow} slow heads were still open after ${Math.round(tookMs / 1000)} s`]
        : []),
      ...tooSlow(controlMs),
    ],
  }
}

async function connectAll(
  port: number,
  count: number,
  begin: (socket: Socket, index: number) => void,
): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1'))
  await Promise.all(
    sockets.map((socket, index) => {
      socket.on('error', () => {})
      return new Promise<void>((resolve) => {
        socket.once('close', () => resolve())
        socket.once('connect', () => {
          begin(socket, index)
          resolve()
        })
      })
    }),
  )
  return sockets
}

async function control({ port, key }: Pick<Stage, 'port' | 'key'>): Promise<number> {
  const began = performance.now()
  const seen = await ask(port, { key, protocol: 'chat-completions', model: 'up/m', isStream: true })
  return seen.ending === 'whole' ? performance.now() - began : Infinity
}

/** Whoever plays so many clients and upstreams takes most of the machine. */
const mostControlMs = 5000

function tooSlow(controlMs: number): string[] {
  return controlMs > mostControlMs ? [`I6: a good request took ${Math.round(controlMs)} ms`] : []
}

async function untilOr(isTrue: () => boolean, patienceMs: number): Promise<void> {
  const deadline = performance.now() + patienceMs
  await until(() => isTrue() || performance.now() > deadline)
}

/** The memory of a process that is in use; nothing where the system does not tell. */
function residentMiB(pid: number): number {
  try {
    const [, pages = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')
    return (Number(pages) * 4096) / 1024 ** 2
  } catch {
    return 0
  }
}
