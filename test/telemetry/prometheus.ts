import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { adminOf } from '#test/admin-rig.ts'
import { linesIn, sumOf } from '#test/metrics-text.ts'
import { startOtlpReceiver } from '#test/otlp-receiver.ts'
import { json, startScriptedUpstream } from '#test/scripted-upstream.ts'
import { startGateway, type TestGateway } from '#test/start-gateway.ts'

// Prometheus itself, from Debian's package, scrapes the whole gateway with the real engine in it. Run by
// `npm run test:telemetry`; where Prometheus is not installed, every test here says so and is skipped.

setDefaultTimeout(120_000)

const prometheus = Bun.which('prometheus')
const promtool = Bun.which('promtool')
const isThere = prometheus !== null && promtool !== null
if (!isThere) console.log('Prometheus is not installed (apt-get install prometheus): skipped.')

const rules = resolve('docs/telemetry/alerts.yaml')
const token = 'a-token-for-prometheus'
const home = mkdtempSync(join(tmpdir(), 'parley-telemetry-'))
const owned = new AsyncDisposableStack()
let gateway: TestGateway
let api: string

beforeAll(async () => {
  if (!isThere) return
  const receiver = owned.use(startOtlpReceiver())
  const broken = owned.use(await startScriptedUpstream([json(503, { error: { message: 'away' } })]))
  const up = { protocol: 'chat-completions', url: broken.url, serves: ['m'] }
  const config = {
    engine: {},
    upstreams: { up },
    models: { safe: { targets: ['up/m', 'engine/parley-mini'] } },
    telemetry: {
      metrics: { token },
      traces: { ratio: 1 },
      otlp: { endpoint: receiver.url, every: '1s' },
    },
  }
  gateway = owned.use(await startGateway(config, join(home, 'parley.db')))
  await served(gateway)
  await receiver.waitForSpans(1)
  api = await startPrometheus(adminOf(gateway.gateway).port)
})

afterAll(async () => {
  await owned.disposeAsync()
  rmSync(home, { recursive: true, force: true })
})

/** Answers in both protocols, by way of a failure and without. */
const asked = 6

async function served({ post }: TestGateway): Promise<void> {
  const messages = [{ role: 'user', content: 'Hello!' }]
  for (const path of ['/v1/chat/completions', '/v1/messages']) {
    for (const [model, stream] of [
      ['parley-mini', false],
      ['parley-mini', true],
      ['safe', true],
    ] as const) {
      const response = await post(path, { model, stream, messages, max_tokens: 8 })
      expect(response.status).toBe(200)
      await response.text()
    }
  }
}

async function startPrometheus(target: number): Promise<string> {
  const port = await freePort()
  const config = join(home, 'prometheus.yml')
  writeFileSync(
    config,
    `
global: { scrape_interval: 1s, evaluation_interval: 1s }
rule_files: [${rules}]
scrape_configs:
  - job_name: parley
    authorization: { credentials: ${token} }
    static_configs: [{ targets: ["127.0.0.1:${target}"] }]
`,
  )
  const child = Bun.spawn(
    [
      prometheus ?? '',
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(home, 'tsdb')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    { stdout: 'ignore', stderr: 'inherit' },
  )
  owned.defer(async () => {
    child.kill()
    await child.exited
  })
  const url = `http://127.0.0.1:${port}`
  await eventually(async () => (await fetch(`${url}/-/ready`)).ok)
  return url
}

function freePort(): Promise<number> {
  const server = createServer()
  return new Promise((found) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => found(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

/** Resolves when something has become true; what it throws on the way counts as not yet. */
async function eventually(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue().catch(() => false))) await new Promise((again) => setTimeout(again, 100))
}

interface Found {
  readonly metric: Readonly<Record<string, string>>
  readonly value: readonly [number, string]
}

async function queried(expression: string): Promise<readonly Found[]> {
  const response = await fetch(`${api}/api/v1/query?query=${encodeURIComponent(expression)}`)
  const { status, data, error } = (await response.json()) as {
    status: string
    error?: string
    data: { result: Found[] }
  }
  if (status !== 'success') throw new Error(`${expression}: ${error}`)
  return data.result
}

async function metricsText(): Promise<string> {
  const url = `http://127.0.0.1:${adminOf(gateway.gateway).port}/metrics`
  return (await fetch(url, { headers: { authorization: `Bearer ${token}` } })).text()
}

/** Runs promtool; gives what it says, and whether all is well. */
async function told(words: readonly string[], input = ''): Promise<[number, string]> {
  const child = Bun.spawn([promtool ?? '', ...words], {
    stdin: new Blob([input]),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const said = await Promise.all([child.stdout.text(), child.stderr.text()])
  return [await child.exited, said.join('')]
}

test.skipIf(!isThere)('Prometheus has what was served', async () => {
  await eventually(async () => {
    const [found] = await queried('sum(parley_exchanges_total{result="complete"})')
    return found?.value[1] === String(asked)
  })
  const byProtocol = await queried('sum by (protocol) (parley_exchanges_total)')
  const counts = byProtocol.map(({ metric, value }) => `${metric['protocol']}: ${value[1]}`)
  expect(counts.toSorted()).toEqual(['chat-completions: 3', 'messages: 3'])
  const [fallen] = await queried('sum(parley_fallbacks_total{target="up/m"})')
  expect(fallen?.value[1]).toBe('2')
  const [up] = await queried('up{job="parley"}')
  expect(up?.value[1]).toBe('1')
})

test.skipIf(!isThere)('every question of the dashboard has an answer of its kind', async () => {
  const { panels } = await Bun.file('docs/telemetry/grafana-dashboard.json').json()
  const names = new Set(linesIn(await metricsText()).map(({ name }) => name))
  // The engine tells how much memory it has when its heart beats, which may not have been yet.
  names.add('parley_engine_resident_bytes')
  for (const { title, targets = [] } of panels as {
    title: string
    targets?: { expr: string }[]
  }[]) {
    for (const { expr } of targets) {
      for (const [name] of expr.matchAll(/\b(?:parley|process)_\w+/g))
        expect([title, name, names.has(name)]).toEqual([title, name, true])
      const asking = expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*')
      await queried(asking)
    }
  }
})

test.skipIf(!isThere)('the rules are loaded, and each of them can be worked out', async () => {
  interface Rule {
    readonly name: string
    readonly health: string
    readonly lastError?: string
  }
  const loaded = async (): Promise<Rule[]> => {
    const { data } = (await (await fetch(`${api}/api/v1/rules`)).json()) as {
      data: { groups: { rules: Rule[] }[] }
    }
    return data.groups.flatMap((group) => group.rules)
  }
  await eventually(async () => (await loaded()).every(({ health }) => health !== 'unknown'))
  const unwell = (await loaded()).filter(({ health }) => health !== 'ok')
  expect(unwell).toEqual([])
  expect((await loaded()).length).toBeGreaterThan(10)
})

test.skipIf(!isThere)('promtool finds nothing wrong with the metrics', async () => {
  const text = await metricsText()
  expect(sumOf(linesIn(text), 'parley_engine_sequences')).toBeGreaterThan(0)
  expect(await told(['check', 'metrics'], text)).toEqual([0, ''])
})

test.skipIf(!isThere)('promtool finds nothing wrong with the rules', async () => {
  expect((await told(['check', 'rules', rules]))[0]).toBe(0)
})

test.skipIf(!isThere)('rules fire when they should, and not when all is well', async () => {
  const [status, said] = await told(['test', 'rules', 'test/telemetry/alerts-promtool.yaml'])
  expect([status, status === 0 ? '' : said]).toEqual([0, ''])
})
