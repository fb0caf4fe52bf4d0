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

/** What came of some rounds of answers. */
interface Rounds {
  readonly tokens: number
  readonly seconds: number
  /** Tokens of the first prompt. */
  readonly prompt: number
}

/** Whoever comes second finds the machine as the first one left it, so that they take turns. */
async function pairOf(callers: number, tokens: number, isDirectFirst: boolean): Promise<Pair> {
  if (isDirectFirst) {
    const direct = await directRounds(callers, tokens)
    return compared(await gatewayRounds(callers, tokens), direct)
  }
  const gateway = await gatewayRounds(callers, tokens)
  return compared(gateway, await directRounds(callers, tokens))
}

/**
 * Both have the same prompts. How answers meet in a batch shows in the last digits of their scores, so that with several callers some
 * part from each other on their way; that they are as long on the average is what pairs are for.
 */
function compared(gateway: Rounds, direct: Rounds): Pair {
  if (gateway.prompt !== direct.prompt)
    throw new Error(
      `Both should be asked the same, but the gateway read ${gateway.prompt} tokens and the library ${direct.prompt}.`,
    )
  return { gateway: gateway.tokens / gateway.seconds, direct: direct.tokens / direct.seconds }
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

/** The prompt that the template of the file makes of a question. */
function promptOf(question: string): string {
  const { type, minLength, maxLength } = schema
  const asRead = `{"type": "${type}", "minLength": ${minLength}, "maxLength": ${maxLength}}`
  return `<|schema|>${asRead}<|end|><|user|>${question}<|end|><|assistant|>`
}

/** Different beginnings, so that nobody profits from another's cache. */
const questions = Array.from(
  { length: 16 },
  (_, index) => `What is ${index + 3} plus ${index * 7 + 11}? Tell me about it.`,
)

async function directRounds(callers: number, tokens: number): Promise<Rounds> {
  const prompts = questions.map(promptOf)
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
  return JSON.parse(text.trim().split('\n').at(-1) ?? '')
}

async function gatewayRounds(callers: number, tokens: number): Promise<Rounds> {
  await using gateway = await startGateway({
    engine: { sequences: callers, models: { 'parley-mini': { contextSize } } },
  })
  const ask = async (caller: number): Promise<{ prompt: number; answer: number }> => {
    const response = await gateway.post('/v1/chat/completions', {
      model: 'parley-mini',
      messages: [{ role: 'user', content: questions[caller % questions.length] }],
      max_tokens: tokens,
      temperature: 0,
      stream: true,
      stream_options: { include_usage: true },
      // One long JSON text, as the other side is made to write too.
      response_format: { type: 'json_schema', json_schema: { name: 'long', strict: true, schema } },
    })
    const text = await response.text()
    const [prompt = 0, answer = 0] = ['prompt', 'completion'].map((kind) =>
      Number(new RegExp(`"${kind}_tokens":(\\d+)`).exec(text)?.[1] ?? 0),
    )
    if (!response.ok || answer === 0) throw new Error(text.slice(0, 500))
    return { prompt, answer }
  }
  const round = () => Promise.all(Array.from({ length: callers }, (_, caller) => ask(caller)))
  for (let ran = 0; ran < runningIn; ran++) await round()
  const startedAt = performance.now()
  const asked = []
  for (let ran = 0; ran < roundsOf(callers); ran++) asked.push(...(await round()))
  return {
    tokens: asked.reduce((sum, { answer }) => sum + answer, 0),
    seconds: (performance.now() - startedAt) / 1000,
    prompt: asked[0]?.prompt ?? 0,
  }
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
