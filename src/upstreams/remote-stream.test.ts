import { describe, expect, test } from 'bun:test'

import { GatewayError } from '#chat/error.ts'
import {
  chunk,
  chunks,
  events,
  failureOf,
  hear,
  meaningOf,
  open,
  remote,
  reply,
  requestIn,
  textOf,
} from '#test/remote-rig.ts'
import {
  chunk as httpChunk,
  close,
  dataFrames,
  eventFrames,
  head,
  json,
  neverAnswer,
  reset,
  type Script,
  sse,
  startScriptedUpstream,
  waitFor,
  write,
} from '#test/scripted-upstream.ts'

const chatStream = () => requestIn('chat-completions', { stream: true })
const messagesStream = () => requestIn('messages', { stream: true })
const never = new Promise<never>(() => {})

/** Frames, and then whatever the test wants to happen once they have been read. */
function framesThen(frames: readonly string[], gate: Promise<unknown>, ...acts: Script): Script {
  return sse(frames, { ending: [waitFor(gate), ...acts] })
}

describe('a stream in the caller’s protocol', () => {
  test('passes on byte for byte, comments and unknown members and all (T-P01)', async () => {
    const frames = [': hello\n\n', ...dataFrames({ ...chunks[0], odd: 1 }, ...chunks.slice(1))]
    await using up = await startScriptedUpstream([sse(frames, { cutAt: [5, 40, 41] })])
    const answer = await open(remote({ protocol: 'chat-completions', url: up.url }), chatStream())
    const { text, failure } = await hear(answer)
    expect(failure).toBeUndefined()
    expect(text).toBe(frames.join(''))
    expect(answer.words).toEqual({ protocol: 'chat-completions', form: 'stream' })
  })

  test('leaves its connection to the next request once it has ended', async () => {
    await using up = await startScriptedUpstream([sse(dataFrames(...chunks))])
    const upstream = remote({ protocol: 'chat-completions', url: up.url })
    for (let round = 0; round < 3; round++) await hear(await open(upstream, chatStream()))
    expect(up.requests.map(({ connection }) => connection)).toEqual([0, 0, 0])
  })

  test('is told again where it would break official clients (S13)', async () => {
    const odd = [
      chunk({ role: 'assistant', content: 'Hel' }),
      chunk({ role: 'assistant', content: 'lo' }),
    ]
    await using up = await startScriptedUpstream([sse(dataFrames(...odd, chunk({}, 'stop')))])
    const answer = await open(remote({ vendor: 'ollama', url: up.url }), chatStream())
    expect(answer.words).toBeUndefined()
    expect(meaningOf((await hear(answer)).steps)).toBe('Hello')
  })

  test('is passed on even so if our words could not hold it: several choices, probabilities', async () => {
    const frames = dataFrames(...chunks)
    await using up = await startScriptedUpstream([sse(frames)])
    const upstream = remote({ vendor: 'ollama', url: up.url })
    const request = requestIn('chat-completions', { stream: true, n: 2 })
    expect((await hear(await open(upstream, request))).text).toBe(frames.join(''))
  })

  test('is passed on even so if our words could not hold the request', async () => {
    const frames = dataFrames(...chunks)
    await using up = await startScriptedUpstream([sse(frames)])
    const upstream = remote({ vendor: 'ollama', url: up.url })
    const tools = [{ type: 'custom', custom: { name: 'f', format: { type: 'text' } } }]
    const request = requestIn('chat-completions', { stream: true, tools })
    expect(() => request.meaning()).toThrow('tools')
    expect((await hear(await open(upstream, request))).text).toBe(frames.join(''))
  })

  test('marks what is only its beginning, so that another target could still be asked', async () => {
    const gate = Promise.withResolvers<void>()
    const frames = eventFrames(...events)
    const first = frames.slice(0, 1).join('').length
    const script = sse(frames, { cutAt: [first], between: () => gate.promise })
    await using up = await startScriptedUpstream([script])
    const answer = await open(remote({ protocol: 'messages', url: up.origin }), messagesStream())
    const steps = answer.steps[Symbol.asyncIterator]()
    expect((await steps.next()).value).toMatchObject({ isPreamble: true })
    gate.resolve()
    expect((await steps.next()).value).not.toHaveProperty('isPreamble')
  })
})

describe('the form of an answer', () => {
  test.each([
    ['JSON where a stream was asked for', json(200, reply)],
    [
      'JSON without a content type',
      [
        write(head(200, { 'content-length': `${JSON.stringify(reply).length}` })),
        write(JSON.stringify(reply)),
      ],
    ],
    [
      'a stream that calls itself text',
      sse(dataFrames(...chunks), { headers: { 'content-type': 'text/plain' }, cutAt: [30, 31] }),
    ],
  ])('%s is understood', async (_, script) => {
    await using up = await startScriptedUpstream([script])
    const upstream = remote({ protocol: 'chat-completions', url: up.url })
    const { steps, failure, text } = await hear(await open(upstream, chatStream()))
    expect(failure).toBeUndefined()
    expect(text === '' ? meaningOf(steps) : text).toContain('Hello')
  })

  test('a stream where JSON was asked for is told by its meaning', async () => {
    await using up = await startScriptedUpstream([sse(dataFrames(...chunks))])
    const upstream = remote({ protocol: 'chat-completions', url: up.url })
    const answer = await open(upstream, requestIn('chat-completions'))
    expect(answer.words).toBeUndefined()
    expect(meaningOf((await hear(answer)).steps)).toBe('Hello there')
  })

  test('HTML where a stream was asked for is a failure, and none of it gets through', async () => {
    const html = { 'content-type': 'text/html' }
    await using up = await startScriptedUpstream([json(200, '<html>Login</html>', html)])
    const upstream = remote({ protocol: 'chat-completions', url: up.url })
    const failure = await failureOf(open(upstream, chatStream()))
    expect(failure?.code).toBe('upstream-failed')
    expect(failure?.message).not.toContain('Login')
  })

  test('a compressed stream is read all the same (T-T05)', async () => {
    const frames = dataFrames(...chunks)
    const packed = Bun.gzipSync(new TextEncoder().encode(frames.join('')))
    const headers = { 'content-encoding': 'gzip' }
    await using up = await startScriptedUpstream([sse(packed, { headers, cutAt: [3, 11, 50] })])
    const upstream = remote({ protocol: 'chat-completions', url: up.url })
    expect((await hear(await open(upstream, chatStream()))).text).toBe(frames.join(''))
  })
})

describe('a stream that fails', () => {
  test('by a coding that nobody asked for is a failure, and none of it gets through', async () => {
    const packed = Bun.gzipSync(Bun.gzipSync(Buffer.from(dataFrames(...chunks).join(''))))
    const headers = { 'content-encoding': 'gzip, gzip' }
    await using up = await startScriptedUpstream([sse(packed, { headers })])
    const upstream = remote({ protocol: 'chat-completions', url: up.url })
    expect((await failureOf(open(upstream, chatStream())))?.code).toBe('upstream-failed')
  })

  test('with a piece of a frame and nothing else has not begun', async () => {
    await using up = await startScriptedUpstream([sse(['d'])])
    const upstream = remote({ protocol: 'chat-completions', url: up.url })
    const { steps, failure } = await hear(await open(upstream, chatStream()))
    expect(steps.filter(({ isPreamble }) => isPreamble !== true)).toEqual([])
    expect(failure?.code).toBe('upstream-lost')
  })

  test('as its first event is a failure with a status (T-E09, S33)', async () => {
    const frames = dataFrames({ error: { message: 'no room', code: 503 } })
    await using up = await startScriptedUpstream([sse(frames)])
    const answer = await open(remote({ protocol: 'chat-completions', url: up.url }), chatStream())
    const { steps, failure } = await hear(answer)
    expect(steps).toEqual([])
    expect(failure?.code).toBe('upstream-overloaded')
  })

  test('before any event is a failure, and not an empty answer (SSE-12)', async () => {
    await using up = await startScriptedUpstream([sse([])])
    const answer = await open(remote({ protocol: 'messages', url: up.origin }), messagesStream())
    expect((await hear(answer)).failure?.code).toBe('upstream-lost')
  })

  const broken: readonly (readonly [string, 'chat-completions' | 'messages', readonly string[]])[] =
    [
      ['S26', 'chat-completions', dataFrames(...chunks).slice(0, 2)],
      ['SSE-13', 'messages', eventFrames(...events).slice(0, 3)],
    ]
  test.each(broken)(
    'by a reset in the middle is lost, after what had come (%s)',
    async (_, protocol, frames) => {
      const read = Promise.withResolvers<void>()
      await using up = await startScriptedUpstream([framesThen(frames, read.promise, reset)])
      const upstream = remote({ protocol, url: up.origin })
      const answer = await open(upstream, requestIn(protocol, { stream: true }))
      let text = ''
      const failure = await failureOf(
        (async () => {
          for await (const { said } of answer.steps) {
            text += textOf(said)
            if (text.length === frames.join('').length) read.resolve()
          }
        })(),
      )
      expect(text).toBe(frames.join(''))
      expect([failure?.code, failure?.worthAnotherUpstream]).toEqual(['upstream-lost', true])
    },
  )

  test.each([
    ['S27, chunked', sse(dataFrames(...chunks).slice(0, 2))],
    [
      'S27, until the connection closes',
      sse(dataFrames(...chunks).slice(0, 2), { chunked: false }),
    ],
    [
      'S27, closed inside a chunk',
      [...sse(dataFrames(...chunks).slice(0, 2), { ending: [] }), write('ff\r\ndata'), close],
    ],
  ])('by ending without its own end is lost, however clean the end was (%s)', async (_, script) => {
    await using up = await startScriptedUpstream([script])
    const answer = await open(remote({ protocol: 'chat-completions', url: up.url }), chatStream())
    expect((await hear(answer)).failure?.code).toBe('upstream-lost')
  })

  test('after its own end has not failed', async () => {
    const read = Promise.withResolvers<void>()
    const frames = eventFrames(...events)
    await using up = await startScriptedUpstream([framesThen(frames, read.promise, reset)])
    const answer = await open(remote({ protocol: 'messages', url: up.origin }), messagesStream())
    const steps = answer.steps[Symbol.asyncIterator]()
    const means: string[] = []
    while (!means.includes('answer-end')) {
      const step = await steps.next()
      for (const event of step.value?.means ?? []) means.push(event.type)
    }
    read.resolve()
    await steps.return?.()
    expect(means.at(-1)).toBe('answer-end')
  })
})

describe('a deadline', () => {
  const short = { firstByteMs: 30, silenceMs: 30, progressMs: 60, totalMs: 5000 }

  test('passes for an upstream that never answers (T-T07)', async () => {
    await using up = await startScriptedUpstream([neverAnswer])
    const upstream = remote({ protocol: 'chat-completions', url: up.url, deadlines: short })
    const failure = await failureOf(open(upstream, chatStream()))
    expect([failure?.code, failure?.status]).toEqual(['upstream-timeout', 504])
    expect(failure?.message).toContain('did not begin to answer')
    await (
      await up.request(0)
    ).closed
  })

  test('passes for an upstream that sends only its headers (T-T07)', async () => {
    await using up = await startScriptedUpstream([framesThen([], never)])
    const upstream = remote({ protocol: 'chat-completions', url: up.url, deadlines: short })
    const { failure } = await hear(await open(upstream, chatStream()))
    expect(failure?.message).toContain('did not begin to answer')
    await (
      await up.request(0)
    ).closed
  })

  test('passes for a stream that falls silent, after what it said (T-T07)', async () => {
    const frames = dataFrames(...chunks).slice(0, 2)
    await using up = await startScriptedUpstream([framesThen(frames, never)])
    const upstream = remote({ protocol: 'chat-completions', url: up.url, deadlines: short })
    const { failure, text } = await hear(await open(upstream, chatStream()))
    expect(text).toBe(frames.join(''))
    expect([failure?.code, failure?.message]).toEqual([
      'upstream-timeout',
      'The upstream `up` fell silent in the middle of its answer within 0.03 s. Ask again, or ask for less.',
    ])
  })

  test.each([
    ['chat-completions', ': still here\n\n', dataFrames(...chunks)],
    ['messages', 'event: ping\ndata: {"type": "ping"}\n\n', eventFrames(...events)],
  ] as const)(
    'passes for a %s stream that does nothing but ping',
    async (protocol, ping, frames) => {
      let wasRead = Promise.withResolvers<void>()
      await using up = await startScriptedUpstream(async function* () {
        yield* sse(frames.slice(0, 1), { ending: [] })
        for (;;) {
          yield waitFor(wasRead.promise)
          wasRead = Promise.withResolvers<void>()
          yield write(httpChunk(ping))
        }
      })
      const deadlines = { ...short, silenceMs: 60_000, totalMs: 60_000 }
      const upstream = remote({ protocol, url: up.origin, deadlines })
      const answer = await open(upstream, requestIn(protocol, { stream: true }))
      let reads = 0
      const failure = await failureOf(
        (async () => {
          for await (const _ of answer.steps) {
            reads++
            wasRead.resolve()
          }
        })(),
      )
      expect(failure?.message).toContain('without saying anything')
      expect(reads).toBeGreaterThan(3)
    },
  )

  test('for the whole holds for a reply that trickles', async () => {
    const script = [
      write(head(200, { 'content-type': 'application/json', 'content-length': '99' })),
      write('{'),
      waitFor(never),
    ]
    await using up = await startScriptedUpstream([script])
    const deadlines = { ...short, totalMs: 40 }
    const upstream = remote({ protocol: 'chat-completions', url: up.url, deadlines })
    const failure = await failureOf(open(upstream, requestIn('chat-completions')))
    expect(failure?.message).toContain('did not finish its answer')
  })
})

describe('leaving', () => {
  const gone = new GatewayError('client-gone', 'The caller left.')

  test('before the answer begins closes the upstream’s connection (T-T06)', async () => {
    await using up = await startScriptedUpstream([neverAnswer])
    const leaving = new AbortController()
    const upstream = remote({ protocol: 'chat-completions', url: up.url })
    const failing = failureOf(open(upstream, chatStream(), leaving.signal))
    const { closed } = await up.request(0)
    leaving.abort(gone)
    expect(await failing).toBe(gone)
    await closed
  })

  test('in the middle of the answer closes it too, with the caller’s own reason (A23, T-T06)', async () => {
    await using up = await startScriptedUpstream([
      framesThen(dataFrames(...chunks).slice(0, 2), never),
    ])
    const leaving = new AbortController()
    const upstream = remote({ protocol: 'chat-completions', url: up.url })
    const answer = await open(upstream, chatStream(), leaving.signal)
    const steps = answer.steps[Symbol.asyncIterator]()
    await steps.next()
    const next = failureOf(steps.next())
    leaving.abort(gone)
    expect(await next).toBe(gone)
    await (
      await up.request(0)
    ).closed
  })

  test('by returning early closes it at once, even while a read is awaited', async () => {
    await using up = await startScriptedUpstream([
      framesThen(dataFrames(...chunks).slice(0, 2), never),
    ])
    const upstream = remote({ protocol: 'chat-completions', url: up.url })
    const steps = (await open(upstream, chatStream())).steps[Symbol.asyncIterator]()
    await steps.next()
    const next = failureOf(steps.next())
    await steps.return?.()
    await (
      await up.request(0)
    ).closed
    await next
    expect(await steps.next()).toEqual({ done: true, value: undefined })
  })

  test('without reading anything closes it too', async () => {
    await using up = await startScriptedUpstream([framesThen(dataFrames(...chunks), never)])
    const upstream = remote({ protocol: 'chat-completions', url: up.url })
    const answer = await open(upstream, chatStream())
    await answer.steps[Symbol.asyncIterator]().return?.()
    await (
      await up.request(0)
    ).closed
  })
})
