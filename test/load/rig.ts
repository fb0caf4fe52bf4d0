import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { until } from '#test/until.ts'

import type { AttackKind, AttackTally, Order, Report, Tally } from './orders.ts'

/** Streams as an order has them, less what the rig knows itself. */
export type Crowd = Omit<Extract<Order, { readonly type: 'streams' }>, 'type' | 'id'>

export interface Running<End> {
  /** How many are open, as the clients said last. */
  readonly open: () => number
  readonly end: Promise<End>
  /** Counts delays from now on, until the first stream ends. */
  readonly measure: () => void
  readonly stop: () => void
}

/** A gateway, its callers and its upstream, each in a process of its own. */
export interface LoadRig extends AsyncDisposable {
  readonly gateway: GatewayProcess
  readonly streams: (crowd: Crowd) => Running<Tally>
  readonly attack: (kind: AttackKind, count: number) => Running<AttackTally>
  /** Asks for a whole answer, as any caller would; gives how long it took, or throws. */
  readonly control: () => Promise<number>
  /** The same under another key, which is issued for it. */
  readonly another: (name: string) => Promise<() => Promise<number>>
  readonly database: string
}

export interface GatewayProcess {
  readonly pid: number
  readonly url: string
  readonly exited: Promise<number | null>
  readonly kill: (signal: NodeJS.Signals) => void
  readonly memoryMb: () => { readonly now: number; readonly peak: number }
  /** Seconds of processor time it has used. */
  readonly cpuSeconds: () => number
  /** Seconds in which its main thread could have run and had to wait for a processor. */
  readonly waitedSeconds: () => number
  readonly descriptors: () => number
  readonly complaint: () => string
}

const folderOf = (name: string) => new URL(name, import.meta.url).pathname
const parley = folderOf('../../bin/parley')
const bun = folderOf('../../bin/parley-bun')

export interface LoadOptions {
  /** Sections of the gateway's config beside those that it needs. */
  readonly config?: object
  /** The priority of all three processes: below 0 on a machine that is busy with other things, as root. */
  readonly nice?: number
}

export async function newLoadRig({ config = {}, nice = 0 }: LoadOptions = {}): Promise<LoadRig> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-load-'))
  const under = nice === 0 ? [] : raised(nice)
  const upstream = await child(under, 'upstream.child.ts')
  const client = await child(under, 'client.child.ts')
  writeFileSync(join(folder, 'parley.yaml'), JSON.stringify(configOf(upstream.port, config)))
  const { gateway, key } = await startGateway(under, folder)
  const port = Number(new URL(gateway.url).port)
  client.send({ type: 'setup', port, upstreamPort: upstream.port, key })
  let ids = 0
  const start = <End>(order: (id: number) => Order, endOf: (report: Report) => End | undefined) => {
    const id = ids++
    const end = Promise.withResolvers<End>()
    let open = 0
    client.listen((report) => {
      if (report.id !== id) return
      if (report.type === 'progress') open = report.open
      const ended = endOf(report)
      if (ended !== undefined) end.resolve(ended)
    })
    client.send(order(id))
    return {
      open: () => open,
      end: end.promise,
      measure: () => client.send({ type: 'measure', id }),
      stop: () => client.send({ type: 'stop', id }),
    }
  }
  return {
    gateway,
    database: join(folder, 'state', 'parley.db'),
    streams: (crowd) =>
      start(
        (id) => ({ type: 'streams', id, ...crowd }),
        (said) => (said.type === 'streams-end' ? said.tally : undefined),
      ),
    attack: (kind, count) =>
      start(
        (id) => ({ type: 'attack', id, kind, count }),
        (said) => (said.type === 'attack-end' ? said.tally : undefined),
      ),
    control: () => askOnce(gateway.url, key),
    another: async (name) => {
      const another = await issued(folder, name)
      return () => askOnce(gateway.url, another)
    },
    async [Symbol.asyncDispose]() {
      gateway.kill('SIGKILL')
      client.kill()
      upstream.kill()
      await gateway.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Starts a command in a session of its own, at this priority. Where Linux shares processors between sessions, that of a
 * process counts only within its own.
 */
function raised(nice: number): string[] {
  const script = `echo ${nice} > /proc/self/autogroup 2> /dev/null; exec nice -n ${nice} "$@"`
  return ['setsid', 'sh', '-c', script, 'sh']
}

function configOf(port: number, more: object): object {
  return {
    upstreams: { up: { protocol: 'chat-completions', url: `http://127.0.0.1:${port}/v1` } },
    engine: { enabled: false },
    log: { level: 'error' },
    ...more,
  }
}

interface Child {
  readonly port: number
  readonly send: (message: object) => void
  readonly listen: (take: (report: Report) => void) => void
  readonly kill: () => void
}

async function child(under: readonly string[], file: string): Promise<Child> {
  const ready = Promise.withResolvers<number>()
  const takers: ((report: Report) => void)[] = []
  const spawned = Bun.spawn([...under, bun, folderOf(file)], {
    stdout: 'inherit',
    stderr: 'inherit',
    ipc: (message) => {
      ready.resolve(Number(message.port))
      for (const take of takers) take(message)
    },
    onExit: () => ready.reject(new Error(`${file} has ended.`)),
  })
  const port = await ready.promise
  return {
    port,
    send: (message) => spawned.send(message),
    listen: (take) => takers.push(take),
    kill: () => spawned.kill('SIGKILL'),
  }
}

async function startGateway(
  under: readonly string[],
  folder: string,
): Promise<{ gateway: GatewayProcess; key: string }> {
  const spawned = Bun.spawn([...under, parley, 'serve', '--json', '--port', '0'], {
    cwd: folder,
    env: environmentOf(folder),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  let complaint = ''
  void (async () => {
    for await (const bytes of spawned.stderr) complaint += new TextDecoder().decode(bytes)
  })()
  const { url, key } = JSON.parse(await firstLine(spawned.stdout))
  const gateway: GatewayProcess = {
    pid: spawned.pid,
    url,
    exited: spawned.exited.then(() => spawned.exitCode),
    kill: (signal) => spawned.kill(signal),
    memoryMb: () => memoryOf(spawned.pid),
    cpuSeconds: () => cpuOf(spawned.pid),
    waitedSeconds: () => waitOf(spawned.pid),
    descriptors: () => readdirSync(`/proc/${spawned.pid}/fd`).length,
    complaint: () => complaint,
  }
  return { gateway, key }
}

function environmentOf(folder: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    PARLEY_HOME: join(folder, 'state'),
    PARLEY_ADMIN_PORT: '0',
  }
}

/** A key that is issued beside the running gateway. */
async function issued(folder: string, name: string): Promise<string> {
  const spawned = Bun.spawn([parley, 'keys', 'create', '--name', name, '--json'], {
    cwd: folder,
    env: environmentOf(folder),
    stdout: 'pipe',
  })
  return JSON.parse(await new Response(spawned.stdout).text()).key
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stream.getReader()
  let text = ''
  while (!text.includes('\n')) {
    const { value, done } = await reader.read()
    if (done) throw new Error('The gateway ended before it served.')
    text += new TextDecoder().decode(value)
  }
  return text
}

/** Resident memory as the system counts it. */
function memoryOf(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const megabytes = (name: string) =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024)
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') }
}

/** The system counts in hundredths of a second. */
function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number)
  return (user + system) / 100
}

function waitOf(pid: number): number {
  const [, waitedNs = '0'] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')
  return Number(waitedNs) / 1e9
}

const controlMs = 30_000

async function askOnce(url: string, key: string): Promise<number> {
  const began = performance.now()
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'up/1-0-0-none', messages: [{ role: 'user', content: 'hi' }] }),
    keepalive: false,
    signal: AbortSignal.timeout(controlMs),
  })
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${response.status} ${text.slice(0, 200)}`)
  return performance.now() - began
}

/** Resolves when so many streams are open, or nothing more can come of it. */
export async function opened(
  running: Running<Tally>,
  count: number,
  longestMs: number,
): Promise<void> {
  const deadline = performance.now() + longestMs
  let isOver = false
  void running.end.then(() => {
    isOver = true
  })
  await until(() => running.open() >= count || isOver || performance.now() > deadline)
}
