import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'

import { measureAccounting } from './accounting.ts'
import { measureEngine } from './engine.ts'
import type { LoadJob, LoadResult } from './load.ts'
import { median } from './median.ts'
import { cpuMicroseconds, ended, firstLine, residentMegabytes, type Running } from './process.ts'
import { type Figures, printReport } from './report.ts'
import { type Subject, subjects } from './subjects.ts'
import { measureTelemetry } from './telemetry.ts'

/**
 * Measures the gateway beside what it is compared with: same mock upstream, same load, in turns, in one run.
 * CPU time is that of the process under test alone, so a busy machine changes it little; ratios are what to quote.
 */
const isQuick = process.argv.includes('--quick')
const rounds = isQuick ? 1 : 3
const jsonRequests = isQuick ? 4000 : 20_000
const streams = 200
const streamChunks = 202
const firstByteRequests = isQuick ? 100 : 400

const chat = { model: 'bench', messages: [{ role: 'user', content: 'Say something about words.' }] }
const chatBody = JSON.stringify(chat)
const streamBody = JSON.stringify({ ...chat, stream: true })
const messagesBody = JSON.stringify({ ...chat, max_tokens: 300, stream: true })

const mock = Bun.spawn(['bin/parley-bun', 'bench/mock-upstream.ts'], {
  stdin: 'ignore',
  stdout: 'pipe',
  stderr: 'inherit',
})
const quickMock = Bun.spawn(['bin/parley-bun', 'bench/mock-upstream.ts'], {
  stdin: 'ignore',
  stdout: 'pipe',
  stderr: 'inherit',
  env: { ...process.env, BENCH_CHUNKS: '1', BENCH_EVERY_MS: '0' },
})
const upstream = `http://127.0.0.1:${await firstLine(mock)}`
const quickUpstream = `http://127.0.0.1:${await firstLine(quickMock)}`

const skipped: Record<string, string> = {}
const contestants: Contestant[] = []
for (const subject of subjects) {
  const missing = subject.missing()
  if (missing === undefined) contestants.push(await contestantOf(subject))
  else skipped[subject.name] = missing
}
for (let round = 1; round <= rounds; round++)
  for (const contestant of contestants) {
    console.error(`measuring ${contestant.subject.name}, round ${round} of ${rounds} …`)
    await measure(contestant)
  }
const results: Record<string, Figures> = {}
for (const contestant of contestants) results[contestant.subject.name] = await figuresOf(contestant)
const directMs = (
  await load({
    url: quickUpstream,
    body: streamBody,
    headers: {},
    clients: 1,
    requests: firstByteRequests,
  })
).firstByteMs
await Promise.all([ended(mock), ended(quickMock)])
console.error('measuring keys, limits, reserve and settle …')
const accounting = await measureAccounting(isQuick ? 10_000 : 40_000)
console.error('measuring telemetry …')
const telemetry = await measureTelemetry(isQuick ? 5000 : 20_000, isQuick ? 1 : 5)
console.error('measuring the engine …')
const engine = await measureEngine(isQuick)

const report = {
  cores: cpus().length,
  bun: Bun.version,
  quick: isQuick,
  directFirstByteMs: percentiles(directMs),
  results,
  skipped,
  accounting,
  telemetry,
  engine,
}
printReport(report)
if (!isQuick) writeFileSync('bench/results.json', `${JSON.stringify(report, null, 2)}\n`)

/** One that is measured: it stays up for all rounds, and the others wait meanwhile. */
interface Contestant {
  readonly subject: Subject
  readonly running: Running
  readonly idleMb: number
  readonly rounds: Round[]
}

/** CPU time in microseconds, and how many requests came a second. */
interface Round {
  readonly json: number
  readonly perSecond: number
  readonly chunk: number
  readonly translated: number | undefined
  readonly failures: number
}

async function contestantOf(subject: Subject): Promise<Contestant> {
  console.error(`warming up ${subject.name} …`)
  const running = await subject.start(upstream)
  const idleMb = residentMegabytes(running.pid)
  await warmUp(subject, asking(subject, running))
  return { subject, running, idleMb, rounds: [] }
}

/** What a machine does beside this changes by the minute: so all take turns, and medians are what counts. */
async function measure({ subject, running, rounds: done }: Contestant): Promise<void> {
  const at = asking(subject, running)
  const json = await costOf(running, {
    ...at('/v1/chat/completions', chatBody),
    clients: 32,
    requests: jsonRequests,
  })
  const stream = await costOf(running, {
    ...at('/v1/chat/completions', streamBody),
    clients: streams,
    requests: streams,
  })
  const isParley = subject.name === 'parley'
  const translated = isParley
    ? await costOf(running, {
        ...at('/v1/messages', messagesBody, { 'anthropic-version': '2023-06-01' }),
        clients: streams,
        requests: streams,
      })
    : undefined
  done.push({
    json: json.cpu / jsonRequests,
    perSecond: jsonRequests / json.result.seconds,
    // Who refuses the streams has no cost of a chunk.
    chunk: stream.result.failures === 0 ? stream.cpu / (streams * streamChunks) : Number.NaN,
    translated: translated && translated.cpu / (streams * streamChunks),
    failures: json.result.failures + stream.result.failures + (translated?.result.failures ?? 0),
  })
}

async function figuresOf({ subject, running, idleMb, rounds: done }: Contestant): Promise<Figures> {
  const loadedMb = residentMegabytes(running.pid)
  await running.stop()
  const of = (key: 'json' | 'perSecond' | 'chunk' | 'translated'): number =>
    round(median(done.map((each) => each[key] ?? Number.NaN)))
  const [chunk, translated] = [of('chunk'), of('translated')]
  return {
    role: subject.role,
    startMs: round(running.startMs),
    idleMb: round(idleMb),
    loadedMb: round(loadedMb),
    jsonMicroseconds: of('json'),
    jsonPerSecond: of('perSecond'),
    ...(!Number.isNaN(chunk) && { chunkMicroseconds: chunk }),
    ...(!Number.isNaN(translated) && { translatedChunkMicroseconds: translated }),
    failures: done.reduce((sum, { failures }) => sum + failures, 0),
    firstByteMs: await firstByte(subject),
  }
}

function asking(subject: Subject, running: Running): At {
  return (path, body, headers = {}) => ({
    url: `${running.url}${path}`,
    body,
    headers: {
      ...subject.headers,
      ...headers,
      ...(subject.name === 'portkey' && { 'x-portkey-custom-host': `${upstream}/v1` }),
    },
  })
}

type At = (
  path: string,
  body: string,
  headers?: Record<string, string>,
) => Pick<LoadJob, 'url' | 'body' | 'headers'>

/** Everybody runs in before being measured: what is compared is a service that has been up for a minute. */
async function warmUp(subject: Subject, at: At): Promise<void> {
  await load({
    ...at('/v1/chat/completions', chatBody),
    clients: 8,
    requests: subject.name === 'portkey' ? 500 : jsonRequests,
  })
  await load({ ...at('/v1/chat/completions', streamBody), clients: streams, requests: streams })
  if (subject.name !== 'parley') return
  await load({
    ...at('/v1/messages', messagesBody, { 'anthropic-version': '2023-06-01' }),
    clients: streams,
    requests: streams,
  })
}

/** The first byte is measured against an upstream that answers at once, one caller at a time. */
async function firstByte(subject: Subject): Promise<{ p50: number; p99: number }> {
  const running = await subject.start(quickUpstream)
  const headers = {
    ...subject.headers,
    ...(subject.name === 'portkey' && { 'x-portkey-custom-host': `${quickUpstream}/v1` }),
  }
  const job = { url: `${running.url}/v1/chat/completions`, body: streamBody, headers, clients: 1 }
  await load({ ...job, requests: isQuick ? 100 : 2000 })
  const { firstByteMs } = await load({ ...job, requests: firstByteRequests })
  await running.stop()
  return percentiles(firstByteMs)
}

async function costOf(
  running: Running,
  job: LoadJob,
): Promise<{ cpu: number; result: LoadResult }> {
  const before = cpuMicroseconds(running.pid)
  const result = await load(job)
  return { cpu: cpuMicroseconds(running.pid) - before, result }
}

async function load(job: LoadJob): Promise<LoadResult> {
  const child = Bun.spawn(['bin/parley-bun', 'bench/load.ts'], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
    env: { ...process.env, BENCH_JOB: JSON.stringify(job) },
  })
  const text = await new Response(child.stdout).text()
  await child.exited
  return JSON.parse(text)
}

function percentiles(sorted: readonly number[]): { p50: number; p99: number } {
  const at = (share: number): number =>
    round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0, 3)
  return { p50: at(0.5), p99: at(0.99) }
}

function round(value: number, digits = 1): number {
  return Number(value.toFixed(digits))
}
