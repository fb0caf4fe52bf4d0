import { existsSync, readFileSync } from 'node:fs'

import { startGateway, type TestGateway } from './start-gateway.ts'

/**
 * Measures the models in the box through the whole gateway, on the cases that `models/mini/train/evaluate.py` wrote:
 * wordings and tools that no training has seen, on tools and requests written by hand as people test agents with
 * them, and on tools and wordings written after the training, blind. `npm run models:eval`, `--json` for programs,
 * `--show` for what was wrong.
 */

interface Case {
  readonly skill: string
  readonly messages: readonly CaseMessage[]
  readonly tools: readonly object[]
  readonly schema: object | null
  readonly check: Check
}

interface CaseMessage {
  readonly role: string
  readonly content: string
  readonly tool_calls?: readonly { readonly function: CaseCall }[]
}

interface CaseCall {
  readonly name: string
  readonly arguments: object
}

/** When an answer is right: every text of `all`, one of `any`, exactly `calls`, or exactly the JSON `value`. */
interface Check {
  readonly all: readonly string[]
  readonly any: readonly string[]
  readonly calls: readonly CaseCall[]
  readonly value: unknown
}

interface Said {
  readonly text: string
  /** Arguments that are no JSON are nothing. */
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[]
}

/** What this reads of a reply. */
interface ChatBody {
  readonly choices?: readonly {
    readonly message: {
      readonly content?: string | null
      readonly tool_calls?: readonly {
        readonly function: { readonly name: string; readonly arguments: string }
      }[]
    }
  }[]
}

/** The skills that are about tools: the others are talk. */
const callSkills: ReadonlySet<string> = new Set(['tool calls', 'no call'])

/** On tools and wordings that the generators do not have: told apart from what the goals are set for. */
const apart: ReadonlySet<string> = new Set(['everyday tool calls', 'tool calls, written blind'])

const folder = new URL('../models/mini/eval/', import.meta.url).pathname
const atOnce = 4
const isJson = process.argv.includes('--json')
const isShown = process.argv.includes('--show')

await using gateway = await startGateway({ engine: { sequences: atOnce, queue: 10_000 } })
const figures = { ...(await chatFigures(gateway)), ...(await retrievalFigures(gateway)) }
if (isJson) console.log(JSON.stringify(figures))
else
  for (const [name, { right, of }] of Object.entries(figures))
    console.log(`${name.padEnd(28)} ${((100 * right) / of).toFixed(1).padStart(6)} %  of ${of}`)

interface Figure {
  right: number
  of: number
}

async function chatFigures(on: TestGateway): Promise<Record<string, Figure>> {
  const cases = ['cases.jsonl', 'everyday.jsonl', 'blind.jsonl'].flatMap(linesOf<Case>)
  const found: Record<string, Figure> = {}
  const add = (name: string, isRight: boolean): void => {
    const figure = (found[name] ??= { right: 0, of: 0 })
    figure.of++
    if (isRight) figure.right++
  }
  await inTurns(cases, async (one) => {
    const said = await answerTo(one, on)
    const isRight = holds(one.check, said)
    add(one.skill, isRight)
    if (!apart.has(one.skill))
      add(callSkills.has(one.skill) ? 'all tool calls' : 'all skills', isRight)
    if (one.schema !== null) add('valid JSON under a schema', jsonIn(said.text) !== undefined)
    if (isShown && !isRight)
      console.error({ skill: one.skill, asked: one.messages.at(-1), said, wanted: one.check })
  })
  return found
}

/** The share of texts whose nearest among all is their own paraphrase. */
async function retrievalFigures(on: TestGateway): Promise<Record<string, Figure>> {
  const pairs = linesOf<object>('retrieval.jsonl').map((line) =>
    Object.values(line).filter((value): value is string => typeof value === 'string'),
  )
  if (pairs.length === 0) return {}
  const [ones, others] = await Promise.all([
    vectorsOf(
      pairs.map(([one = '']) => one),
      on,
    ),
    vectorsOf(
      pairs.map(([, other = '']) => other),
      on,
    ),
  ])
  const right = ones.filter((vector, index) => nearest(vector, others) === index).length
  return { 'retrieval, top 1': { right, of: pairs.length } }
}

function linesOf<T>(name: string): T[] {
  if (!existsSync(folder + name))
    throw new Error(`There is no ${folder}${name}: write it with models/mini/train/evaluate.py.`)
  const lines = readFileSync(folder + name, 'utf8').split('\n')
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line))
}

async function inTurns<T>(all: readonly T[], act: (one: T) => Promise<void>): Promise<void> {
  const left = all.values()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const one of left) await act(one)
    }),
  )
}

async function answerTo({ messages, tools, schema }: Case, on: TestGateway): Promise<Said> {
  const response = await on.post('/v1/chat/completions', {
    model: 'parley-mini',
    messages: messagesOf(messages),
    temperature: 0,
    max_tokens: 400,
    ...(tools.length > 0 && { tools }),
    ...(schema !== null && {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'answer', strict: true, schema },
      },
    }),
  })
  if (!response.ok) throw new Error(`The gateway refused a question: ${await response.text()}`)
  const body = (await response.json()) as ChatBody
  const { content, tool_calls: calls = [] } = body.choices?.[0]?.message ?? {}
  return {
    text: content ?? '',
    calls: calls.map(({ function: { name, arguments: text } }) => ({
      name,
      arguments: jsonIn(text),
    })),
  }
}

/** The messages as the chat protocol has them: calls with ids, which their results name in turn. */
function messagesOf(messages: readonly CaseMessage[]): object[] {
  let [given, answered] = [0, 0]
  return messages.map(({ role, content, tool_calls: calls }) => {
    if (role === 'tool') return { role, content, tool_call_id: `call_${answered++}` }
    if (calls === undefined) return { role, content }
    return {
      role,
      content: content === '' ? null : content,
      tool_calls: calls.map(({ function: { name, arguments: values } }) => ({
        id: `call_${given++}`,
        type: 'function',
        function: { name, arguments: JSON.stringify(values) },
      })),
    }
  })
}

function holds({ all, any, calls, value }: Check, said: Said): boolean {
  if (calls.length > 0) return Bun.deepEquals(said.calls, calls)
  if (said.calls.length > 0) return false
  if (value !== null) return Bun.deepEquals(jsonIn(said.text), value)
  return (
    all.every((part) => said.text.includes(part)) && (any.length === 0 || any.includes(said.text))
  )
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function vectorsOf(input: readonly string[], on: TestGateway): Promise<number[][]> {
  const response = await on.post('/v1/embeddings', { model: 'parley-mini-embed', input })
  const { data } = (await response.json()) as { data: { embedding: number[] }[] }
  return data.map(({ embedding }) => embedding)
}

/** The index of the vector that points most in the same direction; all are of length one. */
function nearest(vector: readonly number[], all: readonly (readonly number[])[]): number {
  const scores = all.map((other) =>
    vector.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0),
  )
  return scores.indexOf(Math.max(...scores))
}
