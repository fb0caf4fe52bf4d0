import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

import { readGgufFileInfo } from 'node-llama-cpp'

import type { Conversation, Tool, Turn } from '#chat/conversation.ts'
import type { ChatEvent, TokenLogprob } from '#chat/event.ts'
import { emptyAnswer, foldEvent } from '#chat/folded-answer.ts'
import type { Failure, ModelFacts, Order, Report } from '#engine/orders.ts'
import { rawJson } from '#std/json.ts'

const root = join(import.meta.dir, '..', '..', '..')
const chatFile = join(root, 'models', 'mini', 'parley-mini.gguf')
const embedFile = join(root, 'models', 'mini', 'parley-mini-embed.gguf')

/** An order without its id. */
type Asked = Order extends infer One
  ? One extends { readonly id: number }
    ? Omit<One, 'id'>
    : never
  : never

/** The real child, spoken to over its channel. */
class Child {
  readonly #process: Bun.Subprocess
  readonly #listeners = new Map<number, (report: Report) => void>()
  #ready: (report: Report) => void = () => undefined
  readonly ready = new Promise<Report>((resolve) => (this.#ready = resolve))
  #lastId = 0

  constructor() {
    this.#process = Bun.spawn({
      cmd: [process.execPath, join(import.meta.dir, 'engine-process.ts')],
      cwd: root,
      stdio: ['ignore', 'ignore', 'ignore'],
      serialization: 'advanced',
      ipc: (report: Report) => {
        if (report.type === 'ready') this.#ready(report)
        else this.#listeners.get(report.id)?.(report)
      },
    })
  }

  get exited(): Promise<number> {
    return this.#process.exited
  }

  disconnect(): void {
    this.#process.disconnect()
  }

  kill(): void {
    this.#process.kill()
  }

  send(order: Order): void {
    this.#process.send(order)
  }

  /** Gives an order and listens until `isLast` says that it has been carried out. */
  ask(order: Asked, listen: (report: Report, id: number) => void): number {
    const id = ++this.#lastId
    this.#listeners.set(id, (report) => listen(report, id))
    this.send({ ...order, id } as Order)
    return id
  }

  one(order: Asked): Promise<Report> {
    return new Promise((resolve) => {
      this.ask(order, (report) => {
        if (report.type !== 'loading' && report.type !== 'events') resolve(report)
      })
    })
  }
}

interface Said {
  readonly events: readonly ChatEvent[]
  readonly text: string
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[]
  readonly reason: string | undefined
  readonly stopSequence: string | undefined
  readonly usage: { readonly input: number; readonly cacheRead: number; readonly output: number }
  readonly failure: Failure | undefined
}

const child = new Child()
let facts: ModelFacts
let embedFacts: ModelFacts

async function loadFacts(model: string, file: string): Promise<ModelFacts> {
  const report = await child.one({ type: 'load', model, file, options: {} })
  if (report.type !== 'loaded') throw new Error(JSON.stringify(report))
  return report.facts
}

beforeAll(async () => {
  await child.ready
  facts = await loadFacts('mini', chatFile)
  embedFacts = await loadFacts('embed', embedFile)
})

afterAll(() => child.kill())

function turn(role: Turn['role'], text: string): Turn {
  return { role, shape: 'string', blocks: [{ type: 'text', text }], field: 'messages[0]' }
}

function chat(text: string, more: Partial<Conversation> = {}): Conversation {
  return {
    turns: [turn('user', text)],
    tools: [],
    sampling: { temperature: 0 },
    stop: [],
    choices: 1,
    extra: new Map(),
    maxTokens: 40,
    ...more,
  }
}

function say(conversation: Conversation, model = 'mini'): Promise<Said> {
  return new Promise((resolve) => {
    const events: ChatEvent[] = []
    child.ask({ type: 'generate', model, conversation }, (report) => {
      if (report.type === 'failed') resolve(saidOf(events, report.failure))
      if (report.type !== 'events') return
      events.push(...report.events)
      if (events.at(-1)?.type === 'answer-end') resolve(saidOf(events))
    })
  })
}

function saidOf(events: readonly ChatEvent[], failure?: Failure): Said {
  const answer = emptyAnswer()
  for (const event of events) foldEvent(answer, event)
  const { input = 0, cacheRead = 0, output = 0 } = answer.usage
  return {
    events,
    text: answer.blocks
      .filter(({ start }) => start.type === 'text')
      .map(({ text }) => text)
      .join(''),
    calls: answer.blocks.flatMap(({ start, text }) =>
      start.type === 'call' ? [{ name: start.name, arguments: JSON.parse(text) as unknown }] : [],
    ),
    reason: answer.end?.reason,
    stopSequence: answer.end?.stopSequence,
    usage: { input, cacheRead, output },
    failure,
  }
}

async function failureOf(order: Asked): Promise<Failure> {
  const report = await child.one(order)
  if (report.type !== 'failed')
    throw new Error(`It did not fail: ${JSON.stringify(report).slice(0, 200)}`)
  return report.failure
}

const weather: Tool = {
  name: 'get_weather',
  description: 'Get the weather of a city.',
  schema: rawJson({
    type: 'object',
    properties: {
      city: { type: 'string', maxLength: 12 },
      unit: { enum: ['celsius', 'fahrenheit'] },
    },
    required: ['city', 'unit'],
  }),
  field: 'tools[0]',
}
const add: Tool = {
  name: 'add',
  description: 'Add two numbers.',
  schema: rawJson({
    type: 'object',
    properties: {
      a: { type: 'integer', minimum: 0, maximum: 99 },
      b: { type: 'integer', minimum: 0, maximum: 99 },
    },
    required: ['a', 'b'],
  }),
  field: 'tools[1]',
}
const tools = [weather, add]

test('what is known of a loaded model', () => {
  expect(facts).toMatchObject({
    kind: 'chat',
    architecture: 'llama',
    sequences: 4,
    takesImages: false,
    hasTools: true,
  })
  expect(facts.parameters).toBeGreaterThan(1_000_000)
  expect(facts.contextSize).toBeLessThanOrEqual(facts.trainedContextSize)
  expect(embedFacts).toMatchObject({ kind: 'embedding' })
})

describe('an answer', () => {
  test('comes in pieces, and says how much it took', async () => {
    const { events, text, usage, reason } = await say(
      chat('Hello there, who are you?', { maxTokens: 8 }),
    )
    expect(events[0]).toEqual({ type: 'answer-start' })
    expect(text).not.toBe('')
    expect(usage.output).toBeLessThanOrEqual(8)
    expect(['end', 'length']).toContain(reason ?? '')
  })

  test('is as long as asked for, and says so', async () => {
    const { usage, reason } = await say(chat('Tell me something.', { maxTokens: 3 }))
    expect([usage.output, reason]).toEqual([3, 'length'])
  })

  test('is the same for the same seed, and another for another one', async () => {
    const wild = (seed: number) =>
      say(
        chat('Tell me a story.', {
          sampling: { temperature: 3, topK: 0, topP: 1, minP: 0, seed: rawJson(seed) },
        }),
      )
    const one = await wild(1)
    expect((await wild(1)).text).toBe(one.text)
    expect((await wild(2)).text).not.toBe(one.text)
  })

  test('ends at a stop sequence, which is not told', async () => {
    const whole = await say(chat('Tell me a story.'))
    const stop = whole.text.slice(6, 9)
    const cut = await say(chat('Tell me a story.', { stop: ['never said', stop] }))
    expect(cut.text).toBe(whole.text.slice(0, whole.text.indexOf(stop)))
    expect([cut.reason, cut.stopSequence]).toEqual(['stop-sequence', stop])
  })

  test('goes on where the caller began it', async () => {
    const whole = await say(chat('Tell me a story.'))
    const turns = [turn('user', 'Tell me a story.'), turn('assistant', whole.text.slice(0, 1))]
    const { text } = await say(chat('', { turns }))
    expect(text).not.toBe('')
  })

  test('tells how likely its tokens were', async () => {
    const { events, text } = await say(chat('Hello.', { logprobs: { top: 3 }, maxTokens: 6 }))
    const logprobs: readonly TokenLogprob[] = events.flatMap((event) =>
      event.type === 'block-delta' ? (event.logprobs ?? []) : [],
    )
    expect(text).not.toBe('')
    expect(logprobs.map((one) => one.text).join('')).toBe(text)
    for (const { text: said, logprob, top } of logprobs) {
      expect(logprob).toBeLessThanOrEqual(0)
      expect(top).toHaveLength(3)
      expect(top[0]).toEqual({ text: said, logprob })
    }
  })

  test('keeps from a token that has been banned', async () => {
    const { text } = await say(chat('Hello.', { maxTokens: 1, sampling: { temperature: 0 } }))
    const vocabulary = Object.fromEntries(Array.from({ length: 1900 }, (_, id) => [id, -100]))
    const other = await say(
      chat('Hello.', {
        maxTokens: 1,
        sampling: { temperature: 0, logitBias: rawJson(vocabulary) },
      }),
    )
    expect(other.text).not.toBe(text)
  })

  test('repeats itself less if that is penalised', async () => {
    const sampling = { temperature: 0, frequencyPenalty: 2, presencePenalty: 2 }
    const { usage, failure } = await say(chat('Say the word yes ten times.', { sampling }))
    expect(failure).toBeUndefined()
    expect(usage.output).toBeGreaterThan(0)
  })
})

describe('calls of tools', () => {
  test('one is made if it has to be, of a tool that there is, with arguments that fit', async () => {
    const { calls, reason } = await say(
      chat('What is 3 and 4?', {
        tools,
        toolChoice: { type: 'any' },
        parallelCalls: false,
        maxTokens: 200,
      }),
    )
    expect(reason).toBe('tool-use')
    expect(calls).toHaveLength(1)
    const call = calls[0]!
    if (call.name === 'add')
      expect(call.arguments).toEqual({ a: expect.any(Number), b: expect.any(Number) })
    else
      expect(call).toEqual({
        name: 'get_weather',
        arguments: {
          city: expect.any(String),
          unit: expect.stringMatching(/^(celsius|fahrenheit)$/),
        },
      })
  })

  test.each(['get_weather', 'add'])('of the one that is named: %s', async (name) => {
    const choice = { type: 'named', name } as const
    const { calls, text } = await say(
      chat('Hello', { tools, toolChoice: choice, parallelCalls: false, maxTokens: 200 }),
    )
    expect(calls.map((call) => call.name)).toEqual([name])
    expect(text).toBe('')
  })

  test('one that the model begins by itself is held to the tools from its mark on', async () => {
    const { metadata } = await readGgufFileInfo(chatFile, { logWarnings: false })
    const mark = Array.from(metadata.tokenizer.ggml.tokens).indexOf('<tool_call>')
    const sampling = { temperature: 0, logitBias: rawJson({ [mark]: 100 }) }
    const { calls, reason, text } = await say(
      chat('Hello', { tools, sampling, parallelCalls: false, maxTokens: 200 }),
    )
    expect([calls.length, reason, text]).toEqual([1, 'tool-use', ''])
    expect(['get_weather', 'add']).toContain(calls[0]!.name)
  })

  test('none is made if there may be none', async () => {
    const { calls } = await say(
      chat('What is the weather in Oslo in celsius?', { tools, toolChoice: { type: 'none' } }),
    )
    expect(calls).toEqual([])
  })

  test('a choice of a tool that there is not is refused', async () => {
    const { failure } = await say(
      chat('Hello', { tools, toolChoice: { type: 'named', name: 'other' } }),
    )
    expect(failure).toMatchObject({ code: 'request-invalid', param: 'tool_choice' })
  })
})

describe('an answer in a given form', () => {
  const schema = rawJson({
    type: 'object',
    properties: {
      name: { type: 'string', maxLength: 8 },
      tags: { type: 'array', items: { enum: ['a', 'b'] }, minItems: 1, maxItems: 3 },
      inner: {
        type: 'object',
        properties: { depth: { type: 'integer', minimum: 1, maximum: 9 } },
        required: ['depth'],
      },
    },
    required: ['name', 'tags', 'inner'],
  })

  test('T-L03 fits a nested schema, even at a wild temperature', async () => {
    const sampling = { temperature: 5, topK: 0, topP: 1, minP: 0, seed: rawJson(7) }
    const { text, reason } = await say(
      chat('Otto', { format: { type: 'schema', schema }, sampling, maxTokens: 300 }),
    )
    expect(reason).toBe('end')
    expect(JSON.parse(text)).toEqual({
      name: expect.any(String),
      tags: expect.arrayContaining([expect.stringMatching(/^[ab]$/)]),
      inner: { depth: expect.any(Number) },
    })
  })

  test('that grows beyond all measure is refused or given, and never the end of the process', async () => {
    const list = (items: unknown): unknown => ({
      type: 'array',
      items,
      minItems: 1000,
      maxItems: 1000,
    })
    const wild = [
      list(list(list({ type: 'string', minLength: 1000 }))),
      { type: 'string', pattern: '^(a?){500}$' },
      { anyOf: Array.from({ length: 900 }, (_, at) => ({ const: 'x'.repeat(at) })) },
    ]
    for (const one of wild) {
      const { failure, usage } = await say(
        chat('Hi', { format: { type: 'schema', schema: rawJson(one) }, maxTokens: 2 }),
      )
      if (failure === undefined) expect(usage.output).toBeGreaterThan(0)
      else expect(['request-invalid', 'not-expressible']).toContain(failure.code)
    }
    expect((await child.one({ type: 'ping' })).type).toBe('alive')
  })

  test('is a JSON object if that is all that is asked for', async () => {
    const { text, reason } = await say(
      chat('Name: Otto.', { format: { type: 'json' }, maxTokens: 400 }),
    )
    if (reason === 'end') expect(JSON.parse(text)).toBeInstanceOf(Object)
    expect(text).toStartWith('{')
  })

  test.each<[string, unknown, string]>([
    ['no schema', { type: 'strange' }, 'request-invalid'],
    ['a schema that is only itself', { $ref: '#' }, 'request-invalid'],
    ['a schema of endless texts', { type: 'string', minLength: 10_000_000 }, 'not-expressible'],
    [
      'a hundred thousand properties',
      {
        type: 'object',
        properties: Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`p${at}`, {}])),
      },
      'not-expressible',
    ],
  ])('is refused, and the next one served: %s', async (_, bad, code) => {
    const { failure } = await say(chat('Hi', { format: { type: 'schema', schema: rawJson(bad) } }))
    expect(failure?.code).toBe(code as never)
    expect((await say(chat('Hi', { maxTokens: 1 }))).usage.output).toBe(1)
  })
})

describe('tokens', () => {
  test('are counted as they are used', async () => {
    const conversation = chat('How much is 12 and 30?', {
      tools,
      turns: [turn('system', 'Be brief.'), turn('user', 'Hello')],
    })
    const counted = await child.one({ type: 'count', model: 'mini', conversation })
    const { usage } = await say({ ...conversation, maxTokens: 1 })
    expect(counted).toMatchObject({ type: 'counted', tokens: usage.input + usage.cacheRead })
  })

  test('of a text that spells special words are those of plain text', async () => {
    const count = async (text: string) => {
      const report = await child.one({ type: 'count', model: 'mini', conversation: chat(text) })
      return report.type === 'counted' ? report.tokens : 0
    }
    const empty = await count('')
    expect((await count('<|end|>')) - empty).toBeGreaterThan(2)
    expect((await count('<|end|><|system|>')) - empty).toBeGreaterThan(4)
  })

  test('of a conversation of ten turns are read once each', async () => {
    const turns: Turn[] = []
    let read = 0
    let last: Said | undefined
    for (let round = 0; round < 10; round++) {
      turns.push(turn('user', `This is round ${round} of our talk about words.`))
      last = await say(chat('', { turns: [...turns], maxTokens: 12 }))
      read += last.usage.input
      turns.push(turn('assistant', last.text))
    }
    const prompt = last!.usage.input + last!.usage.cacheRead
    expect(last!.usage.cacheRead).toBeGreaterThan(last!.usage.input)
    expect(read).toBeLessThan(prompt + 10)
  })

  test('T-L05 are read and kept if no answer is wanted, and the next answer begins behind them', async () => {
    const turns = [turn('user', `Remember these words: ${'red green blue '.repeat(250)}`)]
    const kept = await say(chat('', { turns, maxTokens: 0 }))
    const { events } = kept
    const counts = events.findLast((event) => event.type === 'usage')
    if (counts?.type !== 'usage') throw new Error('It told no usage.')
    const { cacheWrite = 0, cacheRead = 0 } = counts.usage
    expect(counts.usage).toMatchObject({ input: 0, output: 0 })
    expect([kept.text, kept.reason, kept.failure]).toEqual(['', 'length', undefined])
    expect(cacheWrite).toBeGreaterThan(700)
    const { usage } = await say(chat('', { turns, maxTokens: 1 }))
    expect(usage).toMatchObject({ input: 1, cacheRead: cacheRead + cacheWrite - 1 })
  })

  test('that are too many are refused with the numbers, never cut', async () => {
    const { failure } = await say(chat('word '.repeat(facts.contextSize), { maxTokens: 5 }))
    expect(failure?.code).toBe('context-exceeded')
    expect(failure?.message).toContain(String(facts.contextSize))
  })

  test('that fill the context end the answer', async () => {
    const count = async (words: number) => {
      const report = await child.one({
        type: 'count',
        model: 'mini',
        conversation: chat('a '.repeat(words)),
      })
      return report.type === 'counted' ? report.tokens : 0
    }
    const each = ((await count(300)) - (await count(100))) / 200
    const filler = 'a '.repeat(Math.floor((facts.contextSize - 40) / each))
    const ban = Object.fromEntries(Array.from({ length: 3 }, (_, id) => [id, -100]))
    const { reason, failure } = await say(
      chat(filler, {
        maxTokens: 500,
        format: { type: 'schema', schema: rawJson({ type: 'string', minLength: 900 }) },
        sampling: { temperature: 0, logitBias: rawJson(ban) },
      }),
    )
    expect([reason, failure?.code]).toEqual(['context-full', undefined])
  })
})

describe('several answers', () => {
  // Digits at the end of a score depend on how many are computed at once: these answers are sure enough not to show it.
  // One of a hundred rounds went wrong, on a busy machine, when several answers sorted the scores of a batch at once.
  test('at once are those that each would be alone, however often', async () => {
    const questions = [
      'What is the capital of France?',
      'What is 3 plus 4?',
      'How many days are in a week?',
      'Say the word tree.',
    ]
    const ask = async (question: string) => (await say(chat(question, { maxTokens: 24 }))).text
    const alone: string[] = []
    for (const question of questions) alone.push(await ask(question))
    for (let round = 0; round < 60; round++)
      expect(await Promise.all(questions.map(ask))).toEqual(alone)
  })

  test('of a seed are the same beside others, but for a draw that falls on an edge', async () => {
    const same: boolean[] = []
    for (const seed of [5, 6, 7]) {
      const seeded = chat('Tell me a story.', {
        sampling: { temperature: 1, seed: rawJson(seed) },
        maxTokens: 16,
      })
      const alone = await say(seeded)
      const [beside] = await Promise.all([say(seeded), say(chat('Hello')), say(chat('Bye'))])
      same.push(beside.text === alone.text)
    }
    expect(same).toContain(true)
  })

  test('beyond those that the model can give are refused as busy', async () => {
    const all = await Promise.all(
      Array.from({ length: 5 }, (_, at) => say(chat(`Tell me of ${at}.`))),
    )
    expect(all.filter(({ failure }) => failure?.code === 'engine-busy')).toHaveLength(1)
  })

  test('under way do not keep one who comes waiting for their end', async () => {
    const forced = { type: 'schema', schema: rawJson({ type: 'string', minLength: 1000 }) } as const
    const long = chat('Hello', { maxTokens: 400, format: forced })
    const begun = Array.from({ length: 3 }, () => say(long))
    let areOver = false
    void Promise.any(begun).then(() => {
      areOver = true
    })
    // Every slot has read something else before, which has to be forgotten first.
    for (const question of ['What is 3 plus 4?', 'Say the word tree.', 'Who are you?']) {
      const { failure } = await say(chat(question, { maxTokens: 5 }))
      expect([failure, areOver]).toEqual([undefined, false])
    }
    await Promise.all(begun)
  })

  test('T-L01 one that is broken off is told no more of, and the next ones wait for its place without being refused', async () => {
    const forced = { type: 'schema', schema: rawJson({ type: 'string', minLength: 1000 }) } as const
    const endless = chat('Hello', { maxTokens: 1500, format: forced })
    const begun = Array.from({ length: 4 }, () => {
      let reports = 0
      let id = 0
      const first = new Promise<void>((resolve) => {
        id = child.ask({ type: 'generate', model: 'mini', conversation: endless }, () => {
          if (++reports === 3) resolve()
        })
      })
      return { first, id: () => id, reports: () => reports }
    })
    await Promise.all(begun.map(({ first }) => first))
    for (const { id } of begun) child.send({ type: 'abort', target: id() })
    await child.one({ type: 'ping' })
    const before = begun.map(({ reports }) => reports())
    const served = await Promise.all(begun.map(() => say(chat('Hello', { maxTokens: 5 }))))
    expect(served.map(({ failure }) => failure)).toEqual(begun.map(() => undefined))
    expect(begun.map(({ reports }) => reports())).toEqual(before)
  })
})

describe('embeddings', () => {
  const embedded = async (inputs: readonly (string | readonly number[])[], dimensions?: number) => {
    const report = await child.one({
      type: 'embed',
      model: 'embed',
      inputs,
      ...(dimensions === undefined ? {} : { dimensions }),
    })
    if (report.type !== 'embedded') throw new Error(JSON.stringify(report))
    return report
  }
  const norm = (vector: Float32Array) => Math.hypot(...vector)

  test('have length 1, one for each input, and their tokens are counted', async () => {
    const { vectors, tokens } = await embedded(['The cat sleeps.', 'Rain is falling on the town.'])
    expect(vectors.map(({ length }) => length)).toEqual([
      embedFacts.dimensions!,
      embedFacts.dimensions!,
    ])
    for (const vector of vectors) expect(norm(vector)).toBeCloseTo(1, 5)
    const parts = [
      await embedded(['The cat sleeps.']),
      await embedded(['Rain is falling on the town.']),
    ]
    expect(tokens).toBe(parts[0]!.tokens + parts[1]!.tokens)
    expect([...vectors[1]!]).toEqual([...parts[1]!.vectors[0]!])
  })

  test('are cut to fewer dimensions, and have length 1 again', async () => {
    const [whole] = (await embedded(['The cat sleeps.'])).vectors
    const [cut] = (await embedded(['The cat sleeps.'], 16)).vectors
    expect(cut).toHaveLength(16)
    expect(norm(cut!)).toBeCloseTo(1, 5)
    const length = norm(whole!.slice(0, 16))
    expect(cut![3]).toBeCloseTo(whole![3]! / length, 5)
  })

  test('are made of tokens too', async () => {
    const { vectors, tokens } = await embedded([[20, 30, 40]])
    expect([vectors.length, tokens]).toEqual([1, 3])
  })

  test.each<[string, Asked, Partial<Failure>]>([
    [
      'of a text that is too long',
      { type: 'embed', model: 'embed', inputs: ['a', 'word '.repeat(3000)] },
      { code: 'context-exceeded', param: 'input[1]' },
    ],
    [
      'of a token that there is not',
      { type: 'embed', model: 'embed', inputs: [[9_999_999]] },
      { code: 'request-invalid', param: 'input[0]' },
    ],
    [
      'of nothing',
      { type: 'embed', model: 'embed', inputs: [''] },
      { code: 'request-invalid', param: 'input[0]' },
    ],
    [
      'of too many dimensions',
      { type: 'embed', model: 'embed', inputs: ['a'], dimensions: 100_000 },
      { code: 'request-invalid', param: 'dimensions' },
    ],
    [
      'by a model that chats',
      { type: 'embed', model: 'mini', inputs: ['a'] },
      { code: 'not-expressible', param: 'model' },
    ],
    [
      'in place of a chat',
      { type: 'generate', model: 'embed', conversation: chat('Hello') },
      { code: 'not-expressible', param: 'model' },
    ],
  ])('are refused: %s', async (_, order, failure) => {
    expect(await failureOf(order)).toMatchObject(failure)
  })
})

test('what a text model cannot read is refused with its field', async () => {
  const image: Turn = {
    ...turn('user', ''),
    field: 'messages[4]',
    blocks: [{ type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }],
  }
  const { failure } = await say(chat('', { turns: [image] }))
  expect(failure).toMatchObject({ code: 'not-expressible', param: 'messages[4]' })
})

test('more answers than one to a request are refused', async () => {
  expect((await say(chat('Hi', { choices: 2 }))).failure).toMatchObject({
    code: 'not-expressible',
    param: 'n',
  })
})

describe('files that are no whole models are refused, and the process lives on', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-engine-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const whole = readFileSync(chatFile)
  const wild = Buffer.from(whole)
  wild.writeBigUInt64LE(2n ** 60n, 8)
  const files: [string, Buffer | undefined][] = [
    ['missing', undefined],
    ['empty', Buffer.alloc(0)],
    ['not a GGUF', Buffer.from('Not a model at all. '.repeat(500))],
    ['cut inside its tables', whole.subarray(0, 5000)],
    ['cut inside its weights', whole.subarray(0, whole.length - 4096)],
    ['with wild counts', wild],
    [
      'of zeros after its first bytes',
      Buffer.concat([whole.subarray(0, 24), Buffer.alloc(100_000)]),
    ],
  ]

  test.each(files)('%s', async (name, bytes) => {
    const file = join(folder, `${name.replaceAll(' ', '-')}.gguf`)
    if (bytes !== undefined) writeFileSync(file, bytes)
    const failure = await failureOf({ type: 'load', model: `bad ${name}`, file, options: {} })
    expect(failure.code).toBe('upstream-failed')
    expect((await child.one({ type: 'ping' })).type).toBe('alive')
  })

  test('or that take more memory than may be used, with the numbers', async () => {
    const failure = await failureOf({
      type: 'load',
      model: 'large',
      file: chatFile,
      options: { memoryLimit: 1_000_000 },
    })
    expect(failure).toMatchObject({ code: 'engine-busy' })
    expect(failure.detail).toBeUndefined()
    expect(failure.message).toMatch(/\d+ MiB .* 1 MiB may be used/)
  })

  test('or that find no room beside the others, which may make room', async () => {
    const memoryLimit = facts.memoryBytes + embedFacts.memoryBytes + 1_000_000
    const order = {
      type: 'load',
      model: 'beside',
      file: chatFile,
      options: { memoryLimit },
    } as const
    const failure = await failureOf(order)
    expect(failure).toMatchObject({ code: 'engine-busy', detail: 'memory' })
    expect(failure.message).toMatch(/and 1 MiB of \d+ MiB are free/)
  })

  test('or that would take terabytes, at once', async () => {
    const options = { contextSize: 10_000_000, sequences: 64 }
    const failure = await failureOf({ type: 'load', model: 'wild', file: chatFile, options })
    expect(failure).toMatchObject({ code: 'engine-busy' })
    expect(failure.message).toContain('64 answers at once with 10000000 tokens each')
  })
})

test('an answer whose model is unloaded is told to be broken', async () => {
  expect(
    (await child.one({ type: 'load', model: 'passing', file: chatFile, options: {} })).type,
  ).toBe('loaded')
  const forced = { type: 'schema', schema: rawJson({ type: 'string', minLength: 1000 }) } as const
  const endless = say(chat('Hello', { maxTokens: 1500, format: forced }), 'passing')
  expect((await child.one({ type: 'unload', model: 'passing' })).type).toBe('unloaded')
  expect((await endless).failure?.code).toBe('upstream-lost')
})

test('a model that was unloaded is known no more', async () => {
  expect(
    (await child.one({ type: 'load', model: 'again', file: embedFile, options: {} })).type,
  ).toBe('loaded')
  expect((await child.one({ type: 'unload', model: 'again' })).type).toBe('unloaded')
  expect((await failureOf({ type: 'embed', model: 'again', inputs: ['a'] })).code).toBe(
    'upstream-failed',
  )
})

test('the process ends with its parent', async () => {
  const orphan = new Child()
  await orphan.ready
  orphan.disconnect()
  expect(await orphan.exited).toBe(0)
})
