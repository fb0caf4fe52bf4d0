import { afterEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import process from 'node:process'

import type { Conversation } from '#chat/conversation.ts'
import { GatewayError } from '#chat/error.ts'
import type { ChatEvent } from '#chat/event.ts'
import { ModelStore } from '#engine/files/model-store.ts'

import { Engine, type EngineOptions } from './engine.ts'
import type { Generation } from './generation.ts'

const names = 'echo endless crash crash-later deadly deaf large flood log vectors'.split(' ')
const command = [Bun.argv[0] ?? 'bun', join(import.meta.dir, 'scripted.child.ts')]
const opened: Engine[] = []
const told: string[] = []

/** An engine whose child is a script that misbehaves as the model's name says. */
function engineWith(options: Partial<EngineOptions> = {}): Engine {
  const named = Object.fromEntries(names.map((name) => [name, { file: `/${name}.gguf`, load: {} }]))
  const engine = new Engine({
    store: new ModelStore({ named }),
    command,
    environment: {},
    load: { sequences: 2 },
    queue: 4,
    idleMs: 60_000,
    backOffMs: 10,
    report: (message) => told.push(message),
    ...options,
  })
  opened.push(engine)
  return engine
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((engine) => engine[Symbol.asyncDispose]()))
  told.length = 0
})

const here = (): AbortSignal => new AbortController().signal

function asks(text: string): Conversation {
  return {
    turns: [
      { role: 'user', shape: 'string', field: 'messages[0]', blocks: [{ type: 'text', text }] },
    ],
    tools: [],
    sampling: {},
    stop: [],
    choices: 1,
    extra: new Map(),
  }
}

async function answer(engine: Engine, model: string, text = ''): Promise<string> {
  return saidIn(await eventsOf(await engine.generate({ model, signal: here() }, asks(text))))
}

async function eventsOf(generation: Generation): Promise<ChatEvent[]> {
  const all: ChatEvent[] = []
  for await (const events of generation) all.push(...events)
  return all
}

function saidIn(events: readonly ChatEvent[]): string {
  return events.map((event) => (event.type === 'block-delta' ? event.text : '')).join('')
}

async function failureOf(work: Promise<unknown>): Promise<GatewayError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof GatewayError) return error
  throw new Error(`Expected a failure, got ${String(error)}.`)
}

describe('the engine', () => {
  test('starts nothing before somebody asks, and then answers, embeds and counts', async () => {
    const engine = engineWith()
    expect(engine.status()).toMatchObject({ pid: undefined, models: [] })
    expect(await answer(engine, 'echo', 'hello')).toBe('hello')
    const embedded = await engine.embed({ model: 'vectors', signal: here(), inputs: ['ab', 'c'] })
    expect(embedded).toMatchObject({
      vectors: [new Float32Array([2, 0.5]), new Float32Array([1, 0.5])],
      tokens: 2,
    })
    expect(await engine.count({ model: 'echo', signal: here() }, asks('x'))).toBe(7)
    expect(engine.status().models).toMatchObject([
      { name: 'echo', state: 'loaded', working: 0 },
      { name: 'vectors', state: 'loaded', working: 0 },
    ])
    expect(engine.facts('echo')?.architecture).toBe('script')
    expect(engine.facts('endless')).toBeUndefined()
  })

  test('knows no model that is not there', async () => {
    const engine = engineWith()
    expect(await failureOf(answer(engine, 'nonesuch'))).toMatchObject({
      code: 'model-unknown',
      param: 'model',
    })
    expect(engine.status().pid).toBeUndefined()
  })

  test('refuses vectors of a chat model and chats with an embedding model by name', async () => {
    const engine = engineWith()
    const embedding = engine.embed({ model: 'echo', signal: here(), inputs: ['x'] })
    expect(await failureOf(embedding)).toMatchObject({ code: 'not-expressible' })
    const chat = await failureOf(answer(engine, 'vectors'))
    expect(chat.message).toContain('`vectors` embeds texts')
    expect(engine.status().models).toMatchObject([{ working: 0 }, { working: 0 }])
  })

  test('gives two callers at once their own answers', async () => {
    const engine = engineWith()
    const texts = ['one', 'two', 'three', 'four', 'five']
    expect(await Promise.all(texts.map((text) => answer(engine, 'echo', text)))).toEqual(texts)
  })

  test('loads a model once, however many wait for it', async () => {
    const engine = engineWith()
    await Promise.all([answer(engine, 'echo'), answer(engine, 'echo'), engine.load('echo', here())])
    expect((await answer(engine, 'log')).match(/load:echo/g)).toHaveLength(1)
  })
})

describe('a caller who leaves', () => {
  test('frees the slot at once, and the child is told', async () => {
    const engine = engineWith({ load: { sequences: 1 } })
    const leaving = new AbortController()
    const asker = { model: 'endless', signal: leaving.signal }
    const generation = await engine.generate(asker, asks(''))
    await generation.next()
    expect(engine.status().models).toMatchObject([{ working: 1 }])
    leaving.abort(new GatewayError('client-gone', 'The caller has gone.'))
    expect(engine.status().models).toMatchObject([{ working: 0 }])
    expect(await failureOf(generation.next())).toMatchObject({ code: 'client-gone' })
    expect(await answer(engine, 'log')).toContain('generate:endless abort')
  })

  test('by ending the iteration does the same', async () => {
    const engine = engineWith({ load: { sequences: 1 } })
    for await (const events of await engine.generate(
      { model: 'endless', signal: here() },
      asks(''),
    )) {
      expect(events[0]?.type).toBe('answer-start')
      break
    }
    expect(engine.status().models).toMatchObject([{ working: 0 }])
    expect(await answer(engine, 'log')).toContain('generate:endless abort')
  })

  test('frees a place in the queue', async () => {
    const engine = engineWith({ load: { sequences: 1 } })
    await engine.generate({ model: 'endless', signal: here() }, asks(''))
    const leaving = new AbortController()
    const waiting = engine.generate({ model: 'endless', signal: leaving.signal }, asks(''))
    while (engine.status().models[0]?.waiting !== 1) await Promise.resolve()
    leaving.abort(new GatewayError('client-gone', 'The caller has gone.'))
    expect(await failureOf(waiting)).toMatchObject({ code: 'client-gone' })
    expect(engine.status().models).toMatchObject([{ working: 1, waiting: 0 }])
  })
})

describe('a full engine', () => {
  test('lets callers wait, and refuses those beyond the limit with engine-busy', async () => {
    const engine = engineWith({ load: { sequences: 1 }, queue: 1 })
    const first = await engine.generate({ model: 'endless', signal: here() }, asks(''))
    const second = engine.generate({ model: 'endless', signal: here() }, asks(''))
    while (engine.status().models[0]?.waiting !== 1) await Promise.resolve()
    const third = await failureOf(engine.generate({ model: 'endless', signal: here() }, asks('')))
    expect(third).toMatchObject({ code: 'engine-busy', status: 503, worthAnotherUpstream: true })
    await first.return()
    expect((await second).waitedMs).toBeGreaterThan(0)
  })

  test('breaks an answer whose reader stands still', async () => {
    const engine = engineWith()
    const generation = await engine.generate({ model: 'flood', signal: here() }, asks(''))
    while (engine.status().models[0]?.working === 1) await Bun.sleep(1)
    const failure = await failureOf(generation.next())
    expect(failure).toMatchObject({ code: 'upstream-lost' })
    expect(failure.message).toContain('1 MiB')
  })
})

describe('a child that dies', () => {
  test('before it says anything fails its callers, who may ask elsewhere, and serves the next', async () => {
    const engine = engineWith()
    await answer(engine, 'echo')
    const { pid } = engine.status()
    const failure = await failureOf(answer(engine, 'crash'))
    expect(failure).toMatchObject({ code: 'upstream-failed', worthAnotherUpstream: true })
    expect(failure.message).toContain('SIGSEGV')
    expect(told).toEqual([expect.stringContaining('SIGSEGV')])
    expect(await answer(engine, 'echo', 'again')).toBe('again')
    expect(engine.status().pid).not.toBe(pid)
    expect(engine.status().losses).toBe(1)
  })

  test('in the middle of an answer breaks it, and those who wait in the queue are served by the next child', async () => {
    const engine = engineWith({ load: { sequences: 1 } })
    const begin = () => engine.generate({ model: 'crash-later', signal: here() }, asks(''))
    const generation = await begin()
    const waiting = begin()
    expect((await generation.next()).value).toMatchObject([{ type: 'answer-start' }])
    expect(await failureOf(generation.next())).toMatchObject({ code: 'upstream-lost' })
    expect((await (await waiting).next()).value).toMatchObject([{ type: 'answer-start' }])
    expect(engine.status().losses).toBe(1)
  })

  test('of a model twice in a row is not made to load it again, and says so', async () => {
    const engine = engineWith()
    expect(await failureOf(answer(engine, 'deadly'))).toMatchObject({ code: 'upstream-failed' })
    expect(await failureOf(answer(engine, 'deadly'))).toMatchObject({ code: 'upstream-failed' })
    const { losses } = engine.status()
    const refused = await failureOf(answer(engine, 'deadly'))
    expect(refused.message).toContain('2 times in a row')
    expect(refused.retryAfter).toBeGreaterThan(200)
    expect(engine.status().losses).toBe(losses)
    expect(await answer(engine, 'echo', 'fine')).toBe('fine')
  })

  test('that is stopped, or hears nothing any more, is ended and replaced', async () => {
    const engine = engineWith({ patienceMs: 100 })
    const failure = await failureOf(answer(engine, 'deaf'))
    expect(failure.message).toContain('no sign of life')
    expect(await answer(engine, 'echo', 'one')).toBe('one')
    process.kill(engine.status().pid ?? 0, 'SIGSTOP')
    expect(await failureOf(answer(engine, 'echo'))).toMatchObject({ code: 'upstream-failed' })
    expect(await answer(engine, 'echo', 'two')).toBe('two')
  })

  test('cannot start at all is an error, not a wait', async () => {
    const engine = engineWith({ command: [Bun.argv[0] ?? 'bun', '/nonesuch.ts'] })
    const failure = await failureOf(answer(engine, 'echo'))
    expect(failure).toMatchObject({ code: 'upstream-failed' })
    expect(failure.message).toContain('does not start')
  })
})

describe('models', () => {
  test('go after idling and come back', async () => {
    const engine = engineWith({ idleMs: 1 })
    await answer(engine, 'echo')
    while (engine.status().models.length > 0) await Bun.sleep(1)
    expect(await answer(engine, 'echo', 'back')).toBe('back')
    expect(await answer(engine, 'log')).toContain('unload:echo load:echo')
  })

  test('that idle make room for one that needs their memory; those that work do not', async () => {
    const engine = engineWith()
    await answer(engine, 'echo')
    await engine.load('large', here())
    expect(engine.status().models.map(({ name }) => name)).toEqual(['large'])
    await engine.unload('large')
    await engine.generate({ model: 'endless', signal: here() }, asks(''))
    expect(await failureOf(engine.load('large', here()))).toMatchObject({
      code: 'engine-busy',
      message: 'Too large.',
      detail: undefined,
    })
    expect(engine.status().models.map(({ name }) => name)).toEqual(['endless'])
  })

  test('are unloaded on demand, but not while they answer', async () => {
    const engine = engineWith()
    const generation = await engine.generate({ model: 'endless', signal: here() }, asks(''))
    expect(await failureOf(engine.unload('endless'))).toMatchObject({ code: 'engine-busy' })
    await generation.return()
    expect(await engine.unload('endless')).toBe(true)
    expect(await engine.unload('endless')).toBe(false)
  })
})

describe('an engine that is replaced', () => {
  test('ends when its last answer has', async () => {
    const engine = engineWith()
    const generation = await engine.generate({ model: 'endless', signal: here() }, asks(''))
    engine.retire()
    expect(engine.status().pid).toBeGreaterThan(0)
    await generation.return()
    expect(engine.status().pid).toBeUndefined()
  })

  test('serves those who wait for a model, for a slot, or for a number', async () => {
    const engine = engineWith({ load: { sequences: 1 } })
    const works = [answer(engine, 'echo', 'one'), answer(engine, 'echo', 'two')]
    const counted = engine.count({ model: 'echo', signal: here() }, asks('x'))
    const loaded = engine.load('log', here())
    engine.retire()
    expect(await Promise.all(works)).toEqual(['one', 'two'])
    expect(await counted).toBe(7)
    expect((await loaded).architecture).toBe('script')
    expect(engine.status().pid).toBeUndefined()
  })

  test('admits the next in its queue when its last answer ends', async () => {
    const engine = engineWith({ load: { sequences: 1 } })
    const first = await engine.generate({ model: 'endless', signal: here() }, asks(''))
    const second = engine.generate({ model: 'endless', signal: here() }, asks(''))
    while (engine.status().models[0]?.waiting !== 1) await Promise.resolve()
    engine.retire()
    await first.return()
    const generation = await second
    expect((await generation.next()).value?.[0]?.type).toBe('answer-start')
    await generation.return()
    expect(engine.status().pid).toBeUndefined()
  })

  test('serves whoever comes late, and ends again', async () => {
    const engine = engineWith()
    await answer(engine, 'echo')
    engine.retire()
    expect(engine.status().pid).toBeUndefined()
    expect(await answer(engine, 'echo', 'late')).toBe('late')
    expect(engine.status()).toMatchObject({ pid: undefined, models: [], losses: 0 })
    expect(told).toEqual([])
  })

  test('ends too when those who waited for its models have left', async () => {
    const engine = engineWith()
    const leaving = new AbortController()
    const loads = ['echo', 'vectors'].map((name) => engine.load(name, leaving.signal))
    while (engine.status().models.length < 2) await Promise.resolve()
    engine.retire()
    leaving.abort(new GatewayError('client-gone', 'The caller has gone.'))
    for (const load of loads) expect(await failureOf(load)).toMatchObject({ code: 'client-gone' })
    while (engine.status().models.length > 0) await Bun.sleep(1)
    expect(engine.status().pid).toBeUndefined()
  })
})
