import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'

import { createAnthropic } from '@ai-sdk/anthropic'
import Anthropic from '@anthropic-ai/sdk'
import { streamText } from 'ai'

import type { ProtocolName } from '#chat/names.ts'

import { c, delta, DONE, F, r, role, sse as chatText, t, USG } from './chat-answers.ts'
import { heardOf, idle, recording } from './chat-callers.ts'
import { messagesFrames, readMessagesStream } from './grammars.ts'
import {
  anthropicOf,
  apiError,
  asked,
  bothLanes,
  fixture,
  hello,
  helloChunks,
  helloEvents,
  LedgerFile,
  rejection,
  servedBy,
} from './messages-callers.ts'
import { blockDelta, blockStart, ending, frame, messageStart } from './messages-frames.ts'
import {
  close,
  neverAnswer,
  reset,
  type Script,
  sse,
  startScriptedUpstream,
  waitFor,
  write,
} from './scripted-upstream.ts'
import { startGateway, type TestGateway } from './start-gateway.ts'

// Streams as a messages caller receives them, over real sockets.

const streaming = { ...asked, stream: true }

function stream(gateway: TestGateway, init: RequestInit = {}): Promise<Response> {
  return fetch(`${gateway.url}/v1/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${gateway.key}`,
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
    },
    body: JSON.stringify(streaming),
    ...init,
  })
}

/** A gateway and an upstream with this script, for the time of one test. */
async function between(
  protocol: ProtocolName,
  scripts: Parameters<typeof startScriptedUpstream>[0],
  act: (
    gateway: TestGateway,
    upstream: Awaited<ReturnType<typeof startScriptedUpstream>>,
  ) => Promise<void>,
  settings: object = {},
): Promise<void> {
  await using upstream = await startScriptedUpstream(scripts)
  await using gateway = await startGateway(servedBy(protocol, upstream, settings))
  await act(gateway, upstream)
}

const vendorStreams = [
  'text.sse',
  'tool-use.sse',
  'thinking.sse',
  'web-search.sse',
  'refusal.sse',
  'unknown-events.sse',
  'tool-cut.sse',
]

describe('the stream of a messages upstream', () => {
  test.each(vendorStreams)(
    'T-P01 SSE-20 %s arrives byte for byte, however it is cut',
    async (name) => {
      const bytes = new TextEncoder().encode(fixture(name))
      const every = (size: number) =>
        Array.from({ length: Math.ceil(bytes.length / size) - 1 }, (_, at) => (at + 1) * size)
      for (const cutAt of [[], every(7), every(400)]) {
        await between('messages', [sse(bytes, { cutAt })], async (gateway) => {
          const response = await stream(gateway)
          expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
          expect(response.headers.get('x-accel-buffering')).toBe('no')
          expect(response.headers.get('cache-control')).toBe('no-cache')
          expect(await heardOf(response)).toEqual({ text: fixture(name), isWhole: true })
        })
      }
    },
  )

  test('SSE-21 SSE-22 is added up by the official client', async () => {
    const messages: Record<string, Anthropic.Message> = {}
    for (const name of vendorStreams) {
      await between('messages', [sse([fixture(name)])], async (gateway) => {
        messages[name] = await anthropicOf(gateway).messages.stream(asked).finalMessage()
      })
    }
    expect(messages['text.sse']?.content).toEqual([
      { type: 'text', text: 'Hello! Zoë says: 你好 🙂\u2028What shall we do?' },
    ] as never)
    expect(messages['text.sse']?.usage).toMatchObject({
      input_tokens: 472,
      cache_read_input_tokens: 1024,
      output_tokens: 15,
    })
    expect(messages['tool-use.sse']?.content).toMatchObject([
      { type: 'text', text: "I'll check both." },
      { type: 'tool_use', input: { location: 'Bodø, NO', unit: 'celsius' } },
      { type: 'tool_use', name: 'get_time', input: {} },
    ])
    expect(messages['thinking.sse']?.content).toMatchObject([
      {
        type: 'thinking',
        signature: 'EpkCCkYIBRgCKkDx7w/J+4mQ2vLrT9sZ1nYb6cKpWf8hGdUe3aXiVoRtM5qS0j==',
      },
      { type: 'redacted_thinking' },
      { type: 'text', text: '19 * 312 = 5,928' },
    ])
    expect(messages['web-search.sse']?.content).toMatchObject([
      { type: 'server_tool_use', input: { query: 'weather Oslo today' } },
      { type: 'web_search_tool_result' },
      { type: 'text', citations: [{ type: 'web_search_result_location' }] },
    ])
    expect(messages['refusal.sse']).toMatchObject({ content: [], stop_reason: 'refusal' })
    expect(messages['tool-cut.sse']?.stop_reason).toBe('max_tokens')
  })

  test('T-T03 is understood by the official client whatever line ends a server writes', async () => {
    for (const end of ['\r\n', '\r']) {
      const text = `: hello${end}${end}${fixture('tool-use.sse').replaceAll('\n', end)}`
      await between('messages', [sse([text])], async (gateway) => {
        const message = await anthropicOf(gateway).messages.stream(asked).finalMessage()
        expect(message.content).toHaveLength(3)
        expect(message.usage.output_tokens).toBe(89)
      })
    }
  })

  test('T-P02 the model’s name is all that changes on the way there', async () => {
    const said =
      '{ "stream" :true,\n "messages":[{"role":"user","content":"say \\"model\\":\\"m\\" \\u00e9"}],"a_new_member":{"model":"m","n":1.0,"big":12345678901234567890},\t"model" : "up\\/real", "max_tokens":16 }\n'
    await between('messages', hello.messages, async (gateway, upstream) => {
      const response = await stream(gateway, { body: said })
      expect((await heardOf(response)).text).toBe(helloEvents)
      const { body } = await upstream.request(0)
      expect(body).toBe(said.replace('"up\\/real"', '"real"'))
    })
  })
})

/** Streams of chat upstreams as they were recorded, leaving out what this protocol has no request for. */
const recordings = readdirSync(new URL('fixtures/chat-completions', import.meta.url)).filter(
  (name) => name.endsWith('.sse') && !name.startsWith('two-choices'),
)

describe('the stream of a chat upstream', () => {
  test.each(recordings)(
    'SSE-01 SSE-02 SSE-04 SSE-05 SSE-06 SSE-21 %s is told in the grammar of this protocol',
    async (name) => {
      await between('chat-completions', [sse([recording(name)])], async (gateway) => {
        const { text, isWhole } = await heardOf(await stream(gateway))
        expect(isWhole).toBe(true)
        expect(text).not.toContain('[DONE]')
        expect(text).toEndWith('\n\n')
        const told = readMessagesStream(text)
        if (told.outcome !== 'complete') throw new Error('The stream ends in an error.')
        const message = await anthropicOf(gateway).messages.stream(asked).finalMessage()
        expect(withoutIds(message)).toMatchObject(withoutIds(told.message))
        const faults: unknown[] = []
        const provider = createAnthropic({ apiKey: gateway.key, baseURL: `${gateway.url}/v1` })
        const read = streamText({
          model: provider('m'),
          prompt: 'hi',
          maxOutputTokens: 16,
          onError: ({ error }) => void faults.push(error),
        })
        await read.consumeStream()
        expect(faults).toEqual([])
      })
    },
  )

  // A server that gives its calls no ids has them minted, for each answer anew.
  function withoutIds(message: object): object {
    return JSON.parse(JSON.stringify(message), (key, value: unknown) =>
      key === 'id' ? undefined : value,
    ) as object
  }

  test('SSE-06 RES-07 adds up to what it says as one reply', async () => {
    for (const name of [
      'text',
      'tool-call',
      'parallel-calls',
      'reasoning',
      'structured',
      'spent',
    ]) {
      const script = (request: { body: string }): Script =>
        request.body.includes('"stream":true')
          ? sse([recording(`${name}.sse`)])
          : [write(whole(recording(`${name}.json`)))]
      await between('chat-completions', script, async (gateway) => {
        const client = anthropicOf(gateway)
        const streamed = await client.messages.stream(asked).finalMessage()
        const replied = await client.messages.create(asked)
        expect(streamed.stop_reason).toBe(replied.stop_reason)
        // Not every stream was recorded with its usage.
        if (recording(`${name}.sse`).includes('"usage":{'))
          expect(streamed.usage.output_tokens).toBe(replied.usage.output_tokens)
        expect(streamed.content.map(({ type }) => type)).toEqual(
          replied.content.map(({ type }) => type),
        )
      })
    }
  })

  const shapes = [
    ['a tool without arguments SSE-09', [role, t(0, 'c1', 'f', ''), F('tool_calls')]],
    ['thoughts, text, a call SSE-10', [role, r('why'), c('x'), t(0, 'c1', 'f', '{}'), F('stop')]],
    [
      'text, a call, text SSE-18',
      [role, c('a'), t(0, 'c1', 'f', '{"a":1}'), c('b'), F('tool_calls')],
    ],
    ['roles again and again SSE-17', [role, role, c('a'), delta({ role: 'assistant' }), F('stop')]],
    [
      'interleaved calls SSE-08',
      [
        role,
        t(0, 'c1', 'f', '{"a":'),
        t(1, 'c2', 'g', '{"b":'),
        t(0, undefined, undefined, '1}'),
        t(1, undefined, undefined, '2}'),
        F('tool_calls'),
      ],
    ],
    ['no content at all SSE-22', [role, F('content_filter')]],
  ] as const

  test.each(shapes)('%s is in the grammar, and is added up', async (_, chunks) => {
    const text = chatText(...chunks, USG(10, 2), DONE)
    await between('chat-completions', [sse([text])], async (gateway) => {
      const told = readMessagesStream((await heardOf(await stream(gateway))).text)
      const message = await anthropicOf(gateway).messages.stream(asked).finalMessage()
      expect(told.outcome === 'complete' && told.message['content']).toEqual(message.content)
      for (const block of message.content)
        if (block.type === 'tool_use') expect(block.input).toBeObject()
    })
  })

  test('V1021-13 arguments that are no strict JSON never reach a caller as such', async () => {
    const text = chatText(role, t(0, 'c1', 'f', '{"a":1 /*c*/}'), F('tool_calls'), DONE)
    await between('chat-completions', [sse([text])], async (gateway) => {
      const { text: told, isWhole } = await heardOf(await stream(gateway))
      expect(told).not.toContain('/*c*/')
      expect(readMessagesStream(told).outcome).toBe('error')
      expect(isWhole).toBe(false)
      await apiError(anthropicOf(gateway).messages.stream(asked).finalMessage())
    })
  })
})

/** Reads a stream frame by frame, as far as a test wants it. */
class FrameReader {
  readonly #reads: AsyncIterator<Uint8Array>
  #unread = ''

  constructor({ body }: Response) {
    if (body === null) throw new Error('No body.')
    this.#reads = body[Symbol.asyncIterator]()
  }

  /** The names of the events until one of this name has come. */
  async until(event: string): Promise<string[]> {
    const names: string[] = []
    while (names.at(-1) !== event) {
      const end = this.#unread.indexOf('\n\n') + 2
      if (end === 1) {
        const { done, value } = await this.#reads.next()
        if (done === true) throw new Error(`The stream ended before ${event}.`)
        this.#unread += Buffer.from(value).toString()
      } else {
        names.push(messagesFrames(this.#unread.slice(0, end))[0]?.name ?? '')
        this.#unread = this.#unread.slice(end)
      }
    }
    return names
  }
}

/** One body of frames in parts: each is sent only after the test has opened its gate. */
function gated(...parts: readonly string[]) {
  const gates = parts.map(() => Promise.withResolvers<void>())
  const cutAt: number[] = []
  let at = 0
  for (const part of parts.slice(0, -1)) cutAt.push((at += Buffer.byteLength(part)))
  const between = (cut: number) => gates[cut]?.promise ?? Promise.resolve()
  return {
    script: sse([...parts], { cutAt, between }),
    open: (part: number) => gates[part]?.resolve(),
  }
}

describe('time', () => {
  test('SSE-16 every part of a stream goes out before the next one comes, in either lane', async () => {
    const say = (text: string) => blockDelta(0, { type: 'text_delta', text })
    const opening = messageStart() + blockStart(0, { type: 'text', text: '' })
    const lanes: [ProtocolName, string[]][] = [
      [
        'messages',
        [
          opening + say('a'),
          say('b'),
          say('c'),
          frame('content_block_stop', { index: 0 }) + ending(),
        ],
      ],
      [
        'chat-completions',
        [chatText(role, c('a')), chatText(c('b')), chatText(c('c')), chatText(F('stop'), DONE)],
      ],
    ]
    for (const [protocol, parts] of lanes) {
      const { script, open } = gated(...parts)
      await between(protocol, [script], async (gateway) => {
        const reader = new FrameReader(await stream(gateway))
        await reader.until('content_block_delta')
        open(1)
        expect(await reader.until('content_block_delta')).toEqual(['content_block_delta'])
        open(2)
        expect(await reader.until('content_block_delta')).toEqual(['content_block_delta'])
        open(3)
        await reader.until('message_stop')
      })
    }
  })

  test('T-S12 a call is told as soon as its name is known', async () => {
    const { script, open } = gated(
      chatText(role, t(0, 'c1', 'f', '')),
      chatText(t(0, undefined, undefined, '{"a":1}'), F('tool_calls'), DONE),
    )
    await between('chat-completions', [script], async (gateway) => {
      const reader = new FrameReader(await stream(gateway))
      expect(await reader.until('content_block_start')).toEqual([
        'message_start',
        'content_block_start',
      ])
      open(1)
      await reader.until('message_stop')
    })
  })

  test.each(bothLanes)(
    'a stream that is silent is kept alive with pings, before an upstream of %s',
    async (protocol) => {
      const [start, rest] =
        protocol === 'messages' ? halves(helloEvents, ' there') : halves(helloChunks, ' there')
      const { script, open } = gated(start, rest)
      await using upstream = await startScriptedUpstream([script])
      await using gateway = await startGateway({
        ...servedBy(protocol, upstream),
        limits: { keepAlive: '1ms' },
      })
      const reader = new FrameReader(await stream(gateway))
      await reader.until('content_block_delta')
      expect(await reader.until('ping')).toEqual(['ping'])
      open(1)
      const names = await reader.until('message_stop')
      expect(names.filter((name) => name !== 'ping')).toEqual([
        'content_block_delta',
        'content_block_stop',
        'message_delta',
        'message_stop',
      ])
    },
  )

  test.each(bothLanes)(
    'T-T07 one that stalls ends in an error, before an upstream of %s',
    async (protocol) => {
      const [start] =
        protocol === 'messages' ? halves(helloEvents, ' there') : halves(helloChunks, ' there')
      const stalling = sse([start], { ending: [waitFor(new Promise(() => undefined))] })
      const deadlines = { silence: '20ms' }
      await between(
        protocol,
        [stalling],
        async (gateway, upstream) => {
          const { text, isWhole } = await heardOf(await stream(gateway))
          expect(isWhole).toBe(false)
          expect(messagesFrames(text).at(-1)?.data).toMatchObject({
            error: { type: 'timeout_error' },
          })
          await (
            await upstream.request(0)
          ).closed
        },
        { deadlines },
      )
    },
  )
})

/** Two parts of a stream: the second begins with the frame that says a text. */
function halves(text: string, said: string): [string, string] {
  const at = text.lastIndexOf('\n\n', text.indexOf(said)) + 2
  return [text.slice(0, at), text.slice(at)]
}

const started = messageStart() + blockStart(0, { type: 'text', text: '' })
const speaking = started + blockDelta(0, { type: 'text_delta', text: 'Hello' })

/** Ways to fail in the middle of an answer, in the dialects of both kinds of upstream. */
const failures: readonly (readonly [string, ProtocolName, Script, string])[] = [
  ['an error event', 'messages', sse([fixture('error-mid.sse')]), 'overloaded_error'],
  [
    'an error event that another server words',
    'messages',
    sse([speaking, 'event: error\ndata: {"error":{"message":"CUDA out of memory"}}\n\n']),
    'api_error',
  ],
  ['an end too early', 'messages', sse([speaking]), 'api_error'],
  [
    'a frame that is no JSON',
    'messages',
    sse([speaking, 'event: message_delta\ndata: {"type":"message_delta",\n\n', ending()]),
    'api_error',
  ],
  [
    'an error chunk',
    'chat-completions',
    sse([
      chatText(role, c('Hello'), {
        error: { message: 'Words.', type: 'server_error', code: null },
      }),
    ]),
    'api_error',
  ],
  [
    'the error chunk of vLLM',
    'chat-completions',
    sse([chatText(role, c('Hello'), { object: 'error', message: 'Words.', code: 500 }, DONE)]),
    'api_error',
  ],
  [
    'an error with choices',
    'chat-completions',
    sse([chatText(role, c('Hello'), { ...c(''), error: { message: 'Words.', code: 529 } }, DONE)]),
    'overloaded_error',
  ],
  [
    'an end that says error',
    'chat-completions',
    sse([chatText(role, c('Hello'), F('error'), DONE)]),
    'api_error',
  ],
  ['an end too early', 'chat-completions', sse([chatText(role, c('Hello'))]), 'api_error'],
  [
    'a chunk that is no JSON',
    'chat-completions',
    sse([chatText(role, c('Hello'), '{"choices":[', F('stop'), DONE)]),
    'api_error',
  ],
]

describe('a failure in the middle', () => {
  test.each(failures)(
    'T-E10 SSE-13 %s of an upstream of %s is one error event, nothing after it, and no end',
    async (_, protocol, script, type) => {
      using ledger = new LedgerFile()
      await using upstream = await startScriptedUpstream([script])
      await using gateway = await startGateway(servedBy(protocol, upstream), ledger.path)
      const response = await stream(gateway)
      expect(response.status).toBe(200)
      const { text, isWhole } = await heardOf(response)
      expect(isWhole).toBe(false)
      const frames = messagesFrames(
        protocol === 'messages' ? text.replaceAll(/ +\}(?=\n)/g, '}') : text,
      )
      expect(frames.filter(({ name }) => name === 'error')).toHaveLength(1)
      expect(frames.at(-1)).toMatchObject({ name: 'error', data: { error: { type } } })
      expect(text).toContain('Hello')
      expect(text).not.toContain('message_stop')
      const error = await apiError(anthropicOf(gateway).messages.stream(asked).finalMessage())
      expect(error.status).toBeUndefined()
      expect<string | null>(error.type).toBe(type)
      expect(upstream.requests).toHaveLength(2)
      const [row] = await ledger.having(2)
      expect(row?.result).not.toBe('complete')
      expect(row).toMatchObject({ counted: 'estimated', target: 'up/m' })
      expect(row?.output).toBeGreaterThan(0)
    },
  )
})

// What came before a break may be lost with it, so the connection breaks only when the caller has read it.
test.each(
  bothLanes.flatMap((protocol) => [
    ['is reset', protocol, reset] as const,
    ['is closed in the middle of a body', protocol, close] as const,
  ]),
)(
  'T-E10 SSE-13 a connection that %s by an upstream of %s is an error event, and no end',
  async (_, protocol, act) => {
    const [start] =
      protocol === 'messages' ? halves(helloEvents, ' there') : halves(helloChunks, ' there')
    const { promise: read, resolve: goOn } = Promise.withResolvers<void>()
    await between(protocol, [sse([start], { ending: [waitFor(read), act] })], async (gateway) => {
      const reader = new FrameReader(await stream(gateway))
      await reader.until('content_block_delta')
      goOn()
      expect(await reader.until('error')).toEqual(['error'])
      expect(await rejection(reader.until('message_stop'))).not.toHaveProperty(
        'message',
        'The stream ended before message_stop.',
      )
    })
  },
)

test.each(bothLanes)(
  'a gateway that has to stop tells so in the middle of a stream, before an upstream of %s',
  async (protocol) => {
    const [start] =
      protocol === 'messages' ? halves(helloEvents, ' there') : halves(helloChunks, ' there')
    const endless = sse([start], { ending: [waitFor(new Promise(() => undefined))] })
    await between(protocol, [endless], async (gateway, upstream) => {
      const response = await stream(gateway)
      const stopped = gateway.gateway.drain(1)
      const { text, isWhole } = await heardOf(response)
      expect(isWhole).toBe(false)
      expect(messagesFrames(text).at(-1)?.data).toMatchObject({
        error: { type: 'overloaded_error' },
      })
      await (
        await upstream.request(0)
      ).closed
      await stopped
    })
  },
)

describe('a caller who leaves', () => {
  test.each(bothLanes)(
    'SSE-14 T-T06 in the middle of a stream closes the upstream’s connection at once, of %s',
    async (protocol) => {
      using ledger = new LedgerFile()
      const [start] =
        protocol === 'messages' ? halves(helloEvents, ' there') : halves(helloChunks, ' there')
      const endless = sse([start], { ending: [waitFor(new Promise(() => undefined))] })
      await using upstream = await startScriptedUpstream([endless])
      await using gateway = await startGateway(servedBy(protocol, upstream), ledger.path)
      const reading = anthropicOf(gateway).messages.stream(asked)
      const left = apiError(reading.done())
      reading.on('text', () => reading.abort())
      expect(await left).toBeInstanceOf(Anthropic.APIUserAbortError)
      await (
        await upstream.request(0)
      ).closed
      const [row] = await ledger.having(1)
      expect(row).toMatchObject({ result: 'client-left', target: 'up/m', counted: 'estimated' })
      expect(row?.output).toBeGreaterThan(0)
      await idle(gateway)
    },
  )

  test.each(bothLanes)(
    'T-T06 before an answer began closes it as well, of %s',
    async (protocol) => {
      using ledger = new LedgerFile()
      await using upstream = await startScriptedUpstream([neverAnswer])
      await using gateway = await startGateway(servedBy(protocol, upstream), ledger.path)
      for (const body of [asked, streaming]) {
        const leaving = new AbortController()
        const { signal } = leaving
        const left = apiError(anthropicOf(gateway).messages.create(body, { signal }))
        const request = await upstream.request(body === asked ? 0 : 1)
        leaving.abort()
        expect(await left).toBeInstanceOf(Anthropic.APIUserAbortError)
        await request.closed
      }
      for (const row of await ledger.having(2))
        expect(row).toMatchObject({ result: 'client-left', counted: 'estimated', output: null })
    },
  )

  test('who reads no more is waited for, and the rest comes when it reads on', async () => {
    const text = 'x'.repeat(64 * 1024)
    const deltas = Array.from({ length: 64 }, () => blockDelta(0, { type: 'text_delta', text }))
    const whole = [started, ...deltas, frame('content_block_stop', { index: 0 }), ending()]
    await between('messages', [sse(whole)], async (gateway) => {
      const reader = new FrameReader(await stream(gateway))
      await reader.until('content_block_delta')
      const names = await reader.until('message_stop')
      expect(names.filter((name) => name === 'content_block_delta')).toHaveLength(63)
    })
  })
})

test('many callers at once are each told their own answer, in either lane', async () => {
  for (const protocol of bothLanes) {
    const echo = (request: { body: string }): Script => {
      const said = /say (\d+)/.exec(request.body)?.[1] ?? ''
      const text = protocol === 'messages' ? helloEvents : helloChunks
      return sse([text.replace(' there', ` ${said}`)], { cutAt: [100, 500] })
    }
    await between(protocol, echo, async (gateway) => {
      const client = anthropicOf(gateway)
      const texts = await Promise.all(
        Array.from({ length: 40 }, (_, index) => {
          const messages = [{ role: 'user' as const, content: `say ${index}` }]
          return client.messages.stream({ ...asked, messages }).finalText()
        }),
      )
      expect(texts).toEqual(Array.from({ length: 40 }, (_, index) => `Hello ${index}`))
    })
  }
})

test('SSE-06 the ledger has what the caller was told, in either lane', async () => {
  for (const protocol of bothLanes) {
    using ledger = new LedgerFile()
    await using upstream = await startScriptedUpstream(hello[protocol])
    await using gateway = await startGateway(servedBy(protocol, upstream), ledger.path)
    const client = anthropicOf(gateway)
    const { usage } = await client.messages.stream(asked).finalMessage()
    await client.messages.create(asked)
    const rows = ledger.rows
    expect(rows).toHaveLength(2)
    expect(rows.map(({ stream }) => stream)).toEqual([1, 0])
    for (const row of rows) {
      expect(row).toMatchObject({
        result: 'complete',
        counted: 'exact',
        protocol: 'messages',
        input: usage.input_tokens,
        output: usage.output_tokens,
        attempts: 1,
      })
    }
  }
})

function whole(body: string): Uint8Array {
  const bytes = new TextEncoder().encode(body)
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${bytes.length}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), bytes])
}
