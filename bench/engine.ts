import { readFileSync, writeFileSync } from 'node:fs'

import Table from 'cli-table3'

import { startGateway } from '#test/start-gateway.ts'

import { median } from './median.ts'

/** Tokens a second of all callers together, through the gateway and by `node-llama-cpp` alone, and their ratio. */
export interface EngineFigures {
  readonly callers: number
  readonly gateway: number
  readonly direct: number
  /** The median of pairs that were measured one right after the other. */
  readonly ratio: number
}

const file = new URL('../models/mini/parley-mini.gguf', import.meta.url).pathname
const contextSize = 1024

/** Measures the engine through the whole gateway beside the library that it is built on, in pairs. */
export async function measureEngine(isQuick: boolean): Promise<EngineFigures[]> {
  const figures: EngineFigures[] = []
  for (const callers of [1, 4, 16]) {
    const tokens = isQuick ? 64 : 400
    const pairs: Pair[] = []
    for (let round = 0; round < (isQuick ? 1 : 5); round++)
      pairs.push(await pairOf(callers, tokens, round % 2 === 0))
    figures.push({
      callers,
      gateway: Math.round(median(pairs.map(({ gateway }) => gateway))),
      direct: Math.round(median(pairs.map(({ direct }) => direct))),
      ratio: Number(median(pairs.map(({ gateway, direct }) => gateway / direct)).toFixed(3)),
    })
  }
  return figures
}

interface Pair {
  readonly gateway: number
  readonly direct: number
}

/** Whoever comes second finds the machine as the first one left it, so that they take turns. */
async function pairOf(callers: number, tokens: number, isDirectFirst: boolean): Promise<Pair> {
  if (isDirectFirst) {
    const direct = await directSpeed(callers, tokens)
    return { direct, gateway: await gatewaySpeed(callers, tokens) }
  }
  const gateway = await gatewaySpeed(callers, tokens)
  return { gateway, direct: await directSpeed(callers, tokens) }
}

/** Prints what was measured. */
export function printEngine(figures: readonly EngineFigures[]): void {
  const table = new Table({
    head: ['callers', 'tokens/s by node-llama-cpp', 'tokens/s through Parley', '×'],
    style: { head: [], border: [] },
  })
  for (const { callers, gateway, direct, ratio } of figures)
    table.push([callers, direct.toFixed(0), gateway.toFixed(0), ratio.toFixed(2)])
  console.log(table.toString())
}

/** Rounds of which nothing is measured: until then compilers are at work, and the gateway has more for them to do. */
const runningIn = 3

/** So that a second of answers or more is measured, whatever the number of callers. */
function roundsOf(callers: number): number {
  return Math.max(1, Math.round(8 / callers))
}

const schema = { type: 'string', minLength: 1000, maxLength: 1000 }

/** Different beginnings, so that nobody profits from another's cache. */
const questions = Array.from(
  { length: 16 },
  (_, index) => `What is ${index + 3} plus ${index * 7 + 11}? Tell me about it.`,
)

async function directSpeed(callers: number, tokens: number): Promise<number> {
  const prompts = questions.map((question) => `<|user|>${question}`)
  const rounds = { runningIn, measured: roundsOf(callers) }
  const job = { file, callers, tokens, contextSize, prompts, threads: 1, rounds }
  const child = Bun.spawn(['bin/parley-bun', 'bench/engine-direct.ts'], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
    env: { ...process.env, BENCH_JOB: JSON.stringify(job) },
  })
  const text = await new Response(child.stdout).text()
  await child.exited
  const said = JSON.parse(text.trim().split('\n').at(-1) ?? '')
  return said.tokens / said.seconds
}

async function gatewaySpeed(callers: number, tokens: number): Promise<number> {
  await using gateway = await startGateway({
    engine: { sequences: callers, models: { 'parley-mini': { contextSize } } },
  })
  const ask = async (caller: number, most: number): Promise<number> => {
    const response = await gateway.post('/v1/chat/completions', {
      model: 'parley-mini',
      messages: [{ role: 'user', content: questions[caller % questions.length] }],
      max_tokens: most,
      temperature: 0,
      stream: true,
      stream_options: { include_usage: true },
      // One long JSON text, as the other side is made to write too.
      response_format: { type: 'json_schema', json_schema: { name: 'long', strict: true, schema } },
    })
    const text = await response.text()
    const [, count = '0'] = /"completion_tokens":(\d+)/.exec(text) ?? []
    if (!response.ok || count === '0') throw new Error(text.slice(0, 500))
    return Number(count)
  }
  const round = async (most: number): Promise<number> => {
    const counts = await Promise.all(
      Array.from({ length: callers }, (_, caller) => ask(caller, most)),
    )
    return counts.reduce((sum, count) => sum + count, 0)
  }
  for (let ran = 0; ran < runningIn; ran++) await round(tokens)
  const startedAt = performance.now()
  let count = 0
  for (let ran = 0; ran < roundsOf(callers); ran++) count += await round(tokens)
  return (1000 * count) / (performance.now() - startedAt)
}

if (import.meta.main) {
  const isQuick = process.argv.includes('--quick')
  const engine = await measureEngine(isQuick)
  if (process.argv.includes('--json')) console.log(JSON.stringify(engine))
  else printEngine(engine)
  if (!isQuick) keep(engine)
}

/** Puts new figures of the engine beside those of the last whole run. */
function keep(engine: readonly EngineFigures[]): void {
  const path = 'bench/results.json'
  const last: object = JSON.parse(readFileSync(path, 'utf8'))
  writeFileSync(path, `${JSON.stringify({ ...last, engine }, null, 2)}\n`)
}
