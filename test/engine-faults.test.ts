import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pino from 'pino'

import { startGateway, type TestGateway } from './start-gateway.ts'
import { until } from './until.ts'

// What can happen to the engine's process and to what it is given: the gateway stays, whoever is concerned is told, and
// the next caller is served.

// A process of the engine that starts anew takes its time on a machine with much else to do.
setDefaultTimeout(20_000)

const model = 'parley-mini'
const boxed = new URL('../models/mini/parley-mini.gguf', import.meta.url).pathname

let home: string
let gateway: TestGateway
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'parley-faults-'))
  mkdirSync(join(home, 'models'))
  const whole = readFileSync(boxed)
  const put = (name: string, bytes: Uint8Array | string): void =>
    writeFileSync(join(home, 'models', name), bytes)
  put('truncated.gguf', whole.subarray(0, whole.length / 2))
  put('beheaded.gguf', whole.subarray(0, 1000))
  put('text.gguf', 'This is no model at all. '.repeat(1000))
  put('empty.gguf', '')
  put('noise.gguf', Buffer.concat([whole.subarray(0, 64), Buffer.alloc(100_000, 0xff)]))
  const models = {
    missing: { file: join(home, 'nonesuch.gguf') },
    vast: { file: boxed, contextSize: 1_000_000 },
  }
  gateway = await startGateway(
    { engine: { models, memory: '1GiB' } },
    ':memory:',
    pino({ level: 'silent' }),
    {
      home,
      patienceMs: 1500,
      backOffMs: 20,
    },
  )
})
afterAll(async () => {
  await gateway[Symbol.asyncDispose]()
  rmSync(home, { recursive: true, force: true })
})

const hello = [{ role: 'user', content: 'Hello!' }]
const usual = { model, messages: hello, max_tokens: 8, temperature: 0 }
/** A schema of one endless text keeps an answer going for as long as it may. */
const schema = { type: 'string', minLength: 1000 }
const endlessChat = {
  ...usual,
  max_tokens: 1900,
  stream: true,
  response_format: { type: 'json_schema', json_schema: { name: 'x', strict: true, schema } },
}
const endlessMessage = {
  ...usual,
  max_tokens: 1900,
  stream: true,
  output_config: { format: { type: 'json_schema', schema } },
}

/** The pid of the child, which must be there: a signal to process 0 would be for ourselves. */
function childPid(): number {
  const pid = gateway.gateway.engine?.status().pid
  if (pid === undefined) throw new Error('The engine has no process.')
  return pid
}

async function expectServed(): Promise<void> {
  const response = await gateway.post('/v1/chat/completions', usual)
  expect([response.status, await response.text()]).toEqual([
    200,
    expect.stringContaining('choices'),
  ])
}

/** An answer, since what has not begun may be asked for again, or a failure that says what happened. */
async function expectHonest(response: Response): Promise<void> {
  const body = await response.json()
  if (response.status === 200) expect(body).not.toHaveProperty('error')
  else
    expect([response.status, body]).toEqual([
      502,
      expect.objectContaining({ error: expect.anything() }),
    ])
}

/** All that comes of a stream, and whether it ended as HTTP says. */
async function heardOf(response: Response): Promise<{ text: string; isClean: boolean }> {
  let text = ''
  try {
    const decoder = new TextDecoder()
    for await (const bytes of response.body ?? []) text += decoder.decode(bytes, { stream: true })
    return { text, isClean: true }
  } catch {
    return { text, isClean: false }
  }
}

async function firstBytes(response: Response): Promise<void> {
  const reader = response.clone().body?.getReader()
  await reader?.read()
  void reader?.cancel()
}

describe('a process of the engine that is lost', () => {
  const deaths = [
    ['SIGSEGV', 'SIGSEGV'],
    ['SIGKILL', 'SIGKILL'],
    ['SIGSTOP', 'no sign of life'],
  ] as const

  test.each(deaths)(
    'by %s in the middle of a stream breaks it honestly in both protocols',
    async (signal, words) => {
      const streams = await Promise.all([
        gateway.post('/v1/chat/completions', endlessChat),
        gateway.post('/v1/messages', endlessMessage),
      ])
      await Promise.all(streams.map(firstBytes))
      const pid = childPid()
      process.kill(pid, signal)
      const [chat, message] = await Promise.all(streams.map(heardOf))
      expect(chat?.text).toContain('"error"')
      expect(chat?.text).toContain(words)
      expect(chat?.text).not.toContain('[DONE]')
      expect(message?.text).toContain('event: error')
      expect(message?.text).not.toContain('message_stop')
      expect([chat?.isClean, message?.isClean]).toEqual([false, false])
      await expectServed()
      expect(childPid()).not.toBe(pid)
    },
  )

  test('before it has said anything costs an answer of the next one, or is told with a status', async () => {
    await expectServed()
    process.kill(childPid(), 'SIGSTOP')
    const paths = [
      ['/v1/chat/completions', usual],
      ['/v1/messages', usual],
      ['/v1/messages/count_tokens', { model, messages: hello }],
      ['/v1/embeddings', { model: 'parley-mini-embed', input: 'x' }],
    ] as const
    const responses = await Promise.all(paths.map(([path, body]) => gateway.post(path, body)))
    await Promise.all(responses.map(expectHonest))
    await expectServed()
  })

  test('while it loads a model fails that load alone', async () => {
    const { engine } = gateway.gateway
    await engine?.unload(model)
    const asked = gateway.post('/v1/chat/completions', usual)
    const isLoading = (): boolean =>
      engine?.status().models.some(({ name, state }) => name === model && state === 'loading') ===
      true
    await until(() => isLoading() && engine?.status().pid !== undefined)
    process.kill(childPid(), 'SIGKILL')
    await expectHonest(await asked)
    await expectServed()
  })
})

test('a full engine sends callers away and says for how long, in both protocols', async () => {
  await using full = await startGateway({ engine: { sequences: 1, queue: 1 } })
  const { engine } = full.gateway
  const [first, second] = [endlessChat, usual].map((body) =>
    full.post('/v1/chat/completions', body),
  )
  await until(() => engine?.status().models[0]?.waiting === 1)
  const refused = await Promise.all([
    full.post('/v1/chat/completions', usual),
    full.post('/v1/messages', usual),
  ])
  for (const response of refused) {
    expect([503, 529]).toContain(response.status)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await response.json()).toMatchObject({
      error: { message: expect.stringContaining('The engine is busy') },
    })
  }
  await (await first)?.body?.cancel()
  expect(await (await second)?.text()).toContain('choices')
})

test('an answer that takes longer than a request may is broken off, and its slot is free', async () => {
  await using hasty = await startGateway({ engine: {}, limits: { total: '300ms' } })
  const { engine } = hasty.gateway
  await engine?.load(model, new AbortController().signal)
  const { text, isClean } = await heardOf(await hasty.post('/v1/chat/completions', endlessChat))
  expect(text).toContain('did not finish its answer')
  expect(text.includes('[DONE]') && isClean).toBe(false)
  expect(engine?.status().models).toMatchObject([{ working: 0 }])
})

test.if(process.platform === 'linux')('the process of the engine sees no keys', async () => {
  const environment = { PATH: '/bin', OPENAI_API_KEY: 'sk-canary', PARLEY_ENGINE_X: 'y' }
  await using own = await startGateway({ engine: {} }, ':memory:', undefined, { environment })
  await own.gateway.engine?.load(model, new AbortController().signal)
  const seen = readFileSync(`/proc/${own.gateway.engine?.status().pid}/environ`, 'utf8')
  expect(seen).toContain('PARLEY_ENGINE_X=y')
  expect(seen).not.toContain('canary')
})

describe('a model file', () => {
  const files = [
    ['truncated', /truncated/],
    ['beheaded', /beheaded/],
    ['text', /GGUF/],
    ['empty', /GGUF/],
    ['noise', /noise/],
    ['missing', /nonesuch\.gguf|missing/],
    ['vast', /memory|GiB|MiB/i],
  ] as const

  test.each(files)(
    'that is %s is refused with what is wrong, and costs nobody else anything',
    async (name, words) => {
      const { engine } = gateway.gateway
      await expectServed()
      const losses = engine?.status().losses
      const response = await gateway.post('/v1/messages', { ...usual, model: name })
      const body = await response.json()
      expect(response.status).toBeGreaterThanOrEqual(400)
      expect(body).toMatchObject({
        type: 'error',
        error: { message: expect.stringMatching(words) },
      })
      expect(engine?.status().losses).toBe(losses ?? 0)
      await expectServed()
    },
  )
})

describe('a request', () => {
  const schemaOf = (schema: object) => ({
    response_format: { type: 'json_schema', json_schema: { name: 'x', strict: true, schema } },
  })
  const bad: readonly [string, object][] = [
    ['a schema of no type that there is', schemaOf({ type: 'nonsense' })],
    ['a schema that refers to nothing', schemaOf({ $ref: '#/$defs/nonesuch' })],
    ['a schema with a pattern that is none', schemaOf({ type: 'string', pattern: '([' })],
    ['a schema that nothing fits', schemaOf({ enum: [] })],
    [
      'a tool whose schema is no schema',
      {
        tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'nonsense' } } }],
        tool_choice: 'required',
      },
    ],
  ]
  test.each(bad)(
    'with %s is refused or answered, never the end of the engine',
    async (_, members) => {
      await expectServed()
      const pid = childPid()
      const response = await gateway.post('/v1/chat/completions', { ...usual, ...members })
      const body = await response.json()
      expect(response.status === 200 || response.status === 400).toBe(true)
      if (response.status === 400) expect(body).toHaveProperty('error.message')
      expect(childPid()).toBe(pid)
      await expectServed()
    },
  )

  const deep = Array.from({ length: 60 }).reduce<object>(
    (inner) => ({ type: 'object', properties: { a: inner }, required: ['a'] }),
    { type: 'string' },
  )
  const absurd: readonly [string, object][] = [
    ['max_tokens beyond everything', { max_tokens: 1_000_000_000 }],
    ['a thousand stop sequences', { stop: ['\u0001', '\u0002', '\u0003', 'x'.repeat(100_000)] }],
    ['a top_k of millions', { top_k: 1_000_000_000, temperature: 1 }],
    ['a bias on tokens that there are not', { logit_bias: { 99999999: 100, 0: -100 } }],
    ['a schema sixty levels deep', schemaOf(deep)],
    ['a number of huge length', schemaOf({ type: 'string', minLength: 1_000_000_000 })],
    [
      'five hundred tools',
      {
        tools: Array.from({ length: 500 }, (_, index) => ({
          type: 'function',
          function: { name: `tool_${index}`, parameters: { type: 'object', properties: {} } },
        })),
      },
    ],
    ['a huge seed', { seed: Number.MAX_SAFE_INTEGER }],
  ]
  test.each(absurd)('with %s is answered or refused, and the engine stays', async (_, members) => {
    await expectServed()
    const pid = childPid()
    const response = await gateway.post('/v1/chat/completions', { ...usual, ...members })
    await response.text()
    expect(response.status === 200 || response.status === 400).toBe(true)
    expect(childPid()).toBe(pid)
    await expectServed()
  })

  test('for vectors of absurd size or count is answered or refused, and the engine stays', async () => {
    await expectServed()
    const pid = childPid()
    const embedder = 'parley-mini-embed'
    const statuses = await Promise.all(
      [
        { input: 'x', dimensions: 1_000_000 },
        { input: 'word '.repeat(50_000) },
        { input: [[99_999_999, 0]] },
        { input: Array.from({ length: 300 }, (_, index) => `text ${index}`) },
      ].map(
        async (body) => (await gateway.post('/v1/embeddings', { model: embedder, ...body })).status,
      ),
    )
    expect(statuses).toEqual([400, 400, 400, 200])
    expect(childPid()).toBe(pid)
  })
})
