import { openSync } from 'node:fs'

import pino from 'pino'

import type { ModelName, UpstreamModel } from '#chat/names.ts'
import type { ExchangeRecord, Passage } from '#chat/passage.ts'
import { brandAs } from '#std/brand.ts'
import { randomHex } from '#std/random-id.ts'
import type { TelemetrySettings } from '#telemetry/settings.ts'
import { Telemetry } from '#telemetry/telemetry.ts'
import { remote } from '#test/remote-rig.ts'

import { median } from './median.ts'

/** What an exchange pays for being counted, timed, logged and, one in a hundred, recorded: without anything of HTTP. */
export interface TelemetryFigures {
  /** CPU time of the whole process for one exchange, microseconds: medians over the rounds. */
  readonly everything: number
  readonly withoutLog: number
  readonly metricsAlone: number
  readonly off: number
}

const settings: TelemetrySettings = {
  metrics: { enabled: true, labels: [], maxSeries: 2000 },
  log: true,
  serverTiming: true,
  traces: { ratio: 0.01, followCallers: true, propagate: true, failures: true },
  otlp: { headers: {}, every: 60_000 },
}

/** Runs the same exchanges with telemetry on and off in turn, so that what else the machine does meets them alike. */
export async function measureTelemetry(
  exchanges: number,
  rounds: number,
): Promise<TelemetryFigures> {
  await using receiver = await startReceiver()
  const otlp = { ...settings.otlp, endpoint: receiver.url }
  const nothing = { ...settings, log: false, serverTiming: false }
  const kinds = {
    everything: await started({ ...settings, otlp }),
    withoutLog: await started({ ...settings, otlp, log: false }),
    metricsAlone: await started(nothing),
    off: await started({ ...nothing, metrics: { ...settings.metrics, enabled: false } }),
  }
  const taken = { everything: [], withoutLog: [], metricsAlone: [], off: [] } as Record<
    keyof typeof kinds,
    number[]
  >
  for (let round = -1; round < rounds; round++) {
    for (const [kind, telemetry] of Object.entries(kinds) as [keyof typeof kinds, Telemetry][]) {
      const microseconds = await measured(telemetry, exchanges)
      if (round >= 0) taken[kind].push(microseconds)
    }
  }
  for (const telemetry of Object.values(kinds)) await telemetry[Symbol.asyncDispose]()
  const { everything, withoutLog, metricsAlone, off } = taken
  return {
    everything: median(everything),
    withoutLog: median(withoutLog),
    metricsAlone: median(metricsAlone),
    off: median(off),
  }
}

/** The CPU time of the process for one exchange, what is put off until later included. */
async function measured(telemetry: Telemetry, exchanges: number): Promise<number> {
  Bun.gc(true)
  const before = process.cpuUsage()
  for (let done = 0; done < exchanges; done++) {
    pass(telemetry.passage(`req_${randomHex(32)}`, headers))
    // As many as end in one turn of the event loop of a busy gateway.
    if (done % 32 === 31) await turn()
  }
  await telemetry.flush()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / exchanges
}

/** What http, the exchange and its account do with a passage. */
function pass(passage: Passage): void {
  passage.received(0.1)
  passage.begins(1)
  passage.sends()
  passage.heard()
  passage.onExchange(recordOf())
  passage.timing()
  passage.answered(answer)
}

const headers = new Headers({
  host: '127.0.0.1:8700',
  authorization: 'Bearer key',
  'content-type': 'application/json',
  'user-agent': 'bench',
})
const answer = {
  method: 'POST',
  endpoint: 'chat-completions',
  protocol: 'chat-completions',
  status: 200,
  isStream: false,
}
const target = remote({
  name: 'up',
  protocol: 'chat-completions',
  url: 'http://127.0.0.1:1',
}).target(brandAs<UpstreamModel>('bench'))
const model = brandAs<ModelName>('bench')

function recordOf(): ExchangeRecord {
  return {
    id: 'req_0',
    keyId: 'key_1',
    projectId: 'default',
    endpoint: 'chat',
    protocol: 'chat-completions',
    model,
    stream: false,
    maxTokens: 200,
    choices: undefined,
    route: 'only target',
    openedAt: performance.now() - 300,
    result: 'complete',
    target,
    attempts: [{ model: target, result: 'answered', startedMs: 1, tookMs: 250 }],
    usage: { input: 110, output: 90 },
    counted: 'exact',
    cost: 1680,
    notes: 0,
    queueMs: undefined,
    firstByteMs: 250,
    totalMs: 300,
    answer: { id: 'chatcmpl-1', model: 'bench', reason: 'end' },
  }
}

async function started(chosen: TelemetrySettings): Promise<Telemetry> {
  const known = { model: (name: string) => name === 'bench', target: () => true }
  const telemetry = new Telemetry({
    settings: chosen,
    environment: {},
    lines: pino.destination({ dest: openSync('/dev/null', 'w'), sync: false }),
    known: () => known,
    observed: () => {
      throw new Error('Nobody asks here.')
    },
    addressOf: () => undefined,
    log: { warn: (facts, message) => console.error(message, facts), isLevelEnabled: () => true },
  })
  await telemetry.flush()
  return telemetry
}

/** A collector in a process of its own, so that what it costs is not counted. */
async function startReceiver() {
  const program = `
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: async (request) => {
      await request.arrayBuffer()
      return Response.json({})
    } })
    console.log(server.port)`
  const child = Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe' })
  const { value } = await child.stdout.getReader().read()
  const port = Number(new TextDecoder().decode(value))
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill()
      await child.exited
    },
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

if (import.meta.main) console.log(await measureTelemetry(50_000, 9))
