import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { GatewayError } from '#chat/error.ts'
import { emptyAnswer, foldEvent } from '#chat/folded-answer.ts'
import type { Step } from '#chat/step.ts'
import { chatCompletions } from '#protocols/chat-completions/protocol.ts'
import * as chatUsage from '#protocols/chat-completions/usage.ts'
import { messages } from '#protocols/messages/protocol.ts'
import * as messagesUsage from '#protocols/messages/usage.ts'
import type { Protocol, StreamDecoder, Told } from '#protocols/protocol.ts'

import { checkEvents, type Json, readChatStream, readMessagesStream } from './grammars.ts'
import {
  blockDelta,
  blockStart,
  blockStop,
  frame,
  heard,
  meansOf,
  messageDelta,
  messageStop,
} from './messages-frames.ts'

const told: Told = {
  id: 'id_1',
  created: 1_700_000_000,
  model: 'asked',
  wantsUsage: true,
  isLegacyFunctions: false,
}

const callers = [
  { name: 'messages', protocol: messages, read: readMessagesStream },
  {
    name: 'chat-completions',
    protocol: chatCompletions,
    read: (text: string) => readChatStream(text, told),
  },
] as const
type Caller = (typeof callers)[number]

// What a model says, and how a server of this protocol says it.

type Said =
  | { readonly type: 'text'; readonly text: string; readonly urls: readonly string[] }
  | { readonly type: 'thinking'; readonly text: string; readonly signature: string }
  | { readonly type: 'redacted'; readonly data: string }
  | { readonly type: 'call'; readonly name: string; readonly input: string }
  | { readonly type: 'server'; readonly query: string }

interface Script {
  readonly blocks: readonly Said[]
  readonly reason: string
  readonly usage: {
    readonly input: number
    readonly read: number
    readonly write: number
    readonly output: number
  }
}

interface Manner {
  /** Where texts and inputs are cut; used round and round. */
  readonly sizes: readonly number[]
  readonly noise: readonly number[]
  readonly usageIn: 'start' | 'end' | 'both' | 'thrice'
  readonly inputIn: 'fragments' | 'start'
  readonly hasStops: boolean
}

// Without U+FFFD, so that one in the answer can only come of a character that was torn.
const spoken = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .filter((text) => !text.includes('\uFFFD'))
const input = fc.oneof(
  fc.constantFrom('{}', '{"a":{"b":["}{",1.0]}}', '{ "x" : "\\"\\\\" }', '{"__proto__":{"x":1}}'),
  fc
    .dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 1 }))
    .map((value) => JSON.stringify(value)),
)
const said: fc.Arbitrary<Said> = fc.oneof(
  fc.record({
    type: fc.constant('text' as const),
    text: spoken,
    urls: fc.array(fc.constantFrom('https://a.example', 'https://b.example'), { maxLength: 2 }),
  }),
  fc.record({
    type: fc.constant('thinking' as const),
    text: fc.oneof(spoken, fc.constant('')),
    signature: fc.constantFrom('sig-1', 'sig-2'),
  }),
  fc.record({ type: fc.constant('redacted' as const), data: fc.constant('blob') }),
  fc.record({
    type: fc.constant('call' as const),
    name: fc.constantFrom('f', 'get_weather', '__proto__'),
    input,
  }),
  fc.record({ type: fc.constant('server' as const), query: spoken }),
)
const script: fc.Arbitrary<Script> = fc.record({
  blocks: fc.array(said, { maxLength: 6 }),
  reason: fc.constantFrom('end_turn', 'max_tokens', 'refusal', 'pause_turn', 'novel'),
  usage: fc.record({
    input: fc.nat(1000),
    read: fc.nat(1000),
    write: fc.nat(1000),
    output: fc.nat(1000),
  }),
})
const manner: fc.Arbitrary<Manner> = fc.record({
  sizes: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
  noise: fc.array(fc.nat(5), { minLength: 1, maxLength: 7 }),
  usageIn: fc.constantFrom('start', 'end', 'both', 'thrice'),
  inputIn: fc.constantFrom('fragments', 'start'),
  hasStops: fc.boolean(),
})

const plain: Manner = {
  sizes: [1000],
  noise: [0],
  usageIn: 'both',
  inputIn: 'fragments',
  hasStops: true,
}

function pieces(text: string, sizes: readonly number[]): string[] {
  const units = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment)
  const result: string[] = []
  for (let at = 0, turn = 0; at < units.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    result.push(units.slice(at, at + size).join(''))
    at += size
  }
  return result
}

function citation(url: string): object {
  return { type: 'web_search_result_location', url, title: 'A page', cited_text: 'x' }
}

/** The block as a message has it. The input of a call is put in as text, since it is told as it was written. */
function wholeBlock(one: Said, at: number): string {
  switch (one.type) {
    case 'text':
      return JSON.stringify({
        type: 'text',
        text: one.text,
        ...(one.urls.length > 0 && { citations: one.urls.map(citation) }),
      })
    case 'thinking':
      return JSON.stringify({ type: 'thinking', thinking: one.text, signature: one.signature })
    case 'redacted':
      return JSON.stringify({ type: 'redacted_thinking', data: one.data })
    case 'call':
      return `{"type":"tool_use","id":"toolu_${at}","name":"${one.name}","input":${one.input}}`
    case 'server':
      return `{"type":"server_tool_use","id":"srvtoolu_${at}","name":"web_search","input":${JSON.stringify({ query: one.query })}}`
  }
}

function blockFrames(one: Said, at: number, manner: Manner): string[] {
  const { sizes, inputIn } = manner
  const delta = (member: object) => blockDelta(at, member)
  switch (one.type) {
    case 'text':
      return [
        blockStart(at, { type: 'text', text: '' }),
        ...pieces(one.text, sizes).map((text) => delta({ type: 'text_delta', text })),
        ...one.urls.map((url) => delta({ type: 'citations_delta', citation: citation(url) })),
      ]
    case 'thinking':
      return [
        blockStart(at, { type: 'thinking', thinking: '', signature: '' }),
        ...pieces(one.text, sizes).map((thinking) => delta({ type: 'thinking_delta', thinking })),
        delta({ type: 'signature_delta', signature: one.signature }),
      ]
    case 'redacted':
      return [blockStart(at, { type: 'redacted_thinking', data: one.data })]
    case 'call':
    case 'server': {
      const whole = wholeBlock(one, at)
      const text = one.type === 'call' ? one.input : JSON.stringify({ query: one.query })
      const empty = `${whole.slice(0, whole.lastIndexOf(text))}{}}`
      if (inputIn === 'start') return [startFrame(at, whole)]
      return [
        startFrame(at, empty),
        delta({ type: 'input_json_delta', partial_json: '' }),
        ...pieces(text, sizes).map((json) =>
          delta({ type: 'input_json_delta', partial_json: json }),
        ),
      ]
    }
  }
}

function startFrame(at: number, block: string): string {
  return `event: content_block_start\ndata: {"type":"content_block_start","index":${at},"content_block":${block}}\n\n`
}

/** What servers send between the events that matter. */
const noises = [
  '',
  frame('ping'),
  ': still here\n\n',
  frame('brand_new', { message_stop: 'error' }),
  '\n',
  'id: 7\nretry: 10\n\n',
]

function framesOf({ blocks, reason, usage }: Script, manner: Manner): string[] {
  const counts = {
    input_tokens: usage.input,
    cache_read_input_tokens: usage.read,
    cache_creation_input_tokens: usage.write,
  }
  const start = {
    id: 'msg_up',
    type: 'message',
    role: 'assistant',
    model: 'served',
    content: [],
    usage: manner.usageIn === 'end' ? {} : { ...counts, output_tokens: 1 },
  }
  const content = blocks.flatMap((one, at) => [
    ...blockFrames(one, at, manner),
    ...(manner.hasStops ? [blockStop(at)] : []),
  ])
  const last = { ...(manner.usageIn === 'start' ? {} : counts), output_tokens: usage.output }
  const running = manner.usageIn === 'thrice' ? [messageDelta(null, { output_tokens: 0 })] : []
  const frames = [
    frame('message_start', { message: start }),
    ...content,
    ...running,
    messageDelta(reasonOf(blocks, reason), last),
    ...(manner.usageIn === 'thrice' ? [messageDelta(null, last)] : []),
    messageStop,
  ]
  return frames.flatMap((one, at) => [
    noises[manner.noise[at % manner.noise.length] ?? 0] ?? '',
    one,
  ])
}

function reasonOf(blocks: readonly Said[], reason: string): string {
  const hasCalls = blocks.some(({ type }) => type === 'call')
  return hasCalls && reason === 'end_turn' ? 'tool_use' : reason
}

function streamOf(script: Script, manner: Manner): string {
  return framesOf(script, manner).join('')
}

function replyOf({ blocks, reason, usage }: Script): string {
  const rest = JSON.stringify({
    stop_reason: reasonOf(blocks, reason),
    stop_sequence: null,
    usage: {
      input_tokens: usage.input,
      cache_read_input_tokens: usage.read,
      cache_creation_input_tokens: usage.write,
      output_tokens: usage.output,
    },
  })
  return `{"id":"msg_up","type":"message","role":"assistant","model":"served","content":[${blocks.map(wholeBlock).join(',')}],${rest.slice(1)}`
}

// How it is told.

function* readsOf(bytes: Buffer, sizes: readonly number[]): Generator<Buffer> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    yield bytes.subarray(at, at + size)
    at += size
  }
}

function* stepsOf(decoder: StreamDecoder, reads: Iterable<Uint8Array>): Generator<Step> {
  for (const read of reads) yield* decoder.push(read)
  yield* decoder.end()
}

/** Everything a caller is sent. Anything but a GatewayError is a fault of ours. */
function tell({ protocol }: { readonly protocol: Protocol }, steps: Iterable<Step>): string {
  const encoder = protocol.encodeStream(told)
  let text = ''
  try {
    for (const { means } of steps) text += encoder.push(means)
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    text += protocol.encodeStreamError(error, 'req_1')
  }
  return text
}

function tellText(
  caller: Caller,
  text: string | Buffer,
  sizes: readonly number[] = [1 << 20],
): string {
  return tell(caller, stepsOf(messages.decodeStream(heard()), readsOf(Buffer.from(text), sizes)))
}

function foldOf(steps: Iterable<Step>) {
  const answer = emptyAnswer()
  for (const event of meansOf([...steps])) foldEvent(answer, event)
  return answer
}

function streamed(text: string) {
  return foldOf(stepsOf(messages.decodeStream(heard()), [Buffer.from(text)]))
}

function complete(caller: Caller, text: string): Json {
  const result = caller.read(text)
  if (result.outcome === 'error') throw new Error(`told an error: ${JSON.stringify(result.error)}`)
  return result.message
}

/** A reply of this protocol as the reader of the stream adds it up. */
function asRead(caller: Caller, reply: string): Json {
  const value = JSON.parse(reply)
  if (caller.name === 'messages') return value
  const { message, finish_reason: finish, index: _, ...beside } = value.choices[0]
  const { role: _role, refusal, ...rest } = message
  const { id, created, model, usage } = value
  return {
    id,
    created,
    model,
    // A stream says its first, empty content before it can know that no text will come.
    message: { ...rest, content: rest.content ?? '', ...(refusal !== null && { refusal }) },
    finish_reason: finish,
    beside,
    usage,
  }
}

const runs = { numRuns: 150 }

describe.each(callers)('answers of messages upstreams told to callers of $name', (caller) => {
  test('L4: the stream adds up to the reply', () => {
    fc.assert(
      fc.property(script, manner, (script, manner) => {
        const text = streamOf(script, manner)
        const steps = [...stepsOf(messages.decodeStream(heard()), [Buffer.from(text)])]
        checkEvents(meansOf(steps))
        const reply = caller.protocol.encodeReply(foldOf(steps), told)
        expect(complete(caller, tell(caller, steps))).toEqual(asRead(caller, reply))
        const whole = caller.protocol.encodeReply(
          foldOf(messages.decodeReply(replyOf(script), heard())),
          told,
        )
        expect(JSON.parse(reply)).toEqual(JSON.parse(whole))
      }),
      runs,
    )
  })

  test('L5, T-T01, T-T02, T-T03: however the bytes are cut and the lines end, the caller is told the same', () => {
    fc.assert(
      fc.property(
        script,
        manner,
        fc.array(fc.integer({ min: 1, max: 70 }), { minLength: 1, maxLength: 9 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        (script, manner, sizes, lineEnd) => {
          const text = streamOf(script, manner)
          const cut = tellText(caller, text.replaceAll('\n', lineEnd), sizes)
          expect(cut).toBe(tellText(caller, text))
          expect(cut).not.toContain('\uFFFD')
        },
      ),
      runs,
    )
  })

  test('L6: however the texts and inputs are cut and counted, the answer is the same', () => {
    fc.assert(
      fc.property(script, manner, (script, manner) => {
        const answer = complete(caller, tellText(caller, streamOf(script, manner)))
        expect(answer).toEqual(complete(caller, tellText(caller, streamOf(script, plain))))
      }),
      runs,
    )
  })

  test('L7, L8, T-F02: cut short anywhere, the answer ends in an error and in nothing else', () => {
    fc.assert(
      fc.property(script, manner, fc.nat(), (script, manner, seed) => {
        const bytes = Buffer.from(streamOf(script, manner))
        // Without its two line ends the last frame can still be read.
        const short = bytes.subarray(0, seed % (bytes.length - 2))
        expect(caller.read(closed(caller, tellText(caller, short))).outcome).toBe('error')
      }),
      runs,
    )
  })

  test('L7, T-F03: frames doubled, lost or out of order break the grammar of no stream', () => {
    fc.assert(
      fc.property(
        script,
        manner,
        fc.array(fc.nat(60), { maxLength: 40 }),
        (script, manner, order) => {
          const frames = framesOf(script, manner)
          const text = order.map((at) => frames[at % frames.length]).join('')
          const mixed = `${frames.slice(0, 2).join('')}${text}${messageStop}`
          for (const one of [text, mixed]) caller.read(closed(caller, tellText(caller, one)))
        },
      ),
      { numRuns: 400 },
    )
  })

  test('L7: whatever the members of the events are, the stream is whole or an error', () => {
    const value = fc.constantFrom<unknown>(
      null,
      '',
      'x',
      0,
      1,
      true,
      [],
      {},
      [{}],
      { a: 1 },
      undefined,
    )
    const block = fc.record({
      type: fc.oneof(
        fc.constantFrom('text', 'thinking', 'tool_use', 'redacted_thinking', 'odd'),
        value,
      ),
      id: value,
      name: value,
      input: value,
      text: value,
      data: value,
      citations: value,
    })
    const delta = fc.record({
      type: fc.constantFrom(
        'text_delta',
        'thinking_delta',
        'input_json_delta',
        'signature_delta',
        'odd',
        1,
      ),
      text: value,
      thinking: value,
      partial_json: value,
      signature: value,
      citation: value,
    })
    const event = fc.record({
      type: fc.oneof(
        fc.constantFrom('content_block_start', 'content_block_delta', 'content_block_stop'),
        fc.constantFrom('message_delta', 'ping', 'odd'),
        value,
      ),
      index: fc.constantFrom(0, 0, 0, 1, undefined, 'x'),
      content_block: fc.oneof(block, value),
      delta: fc.oneof(delta, fc.record({ stop_reason: value, stop_details: value }), value),
      usage: fc.oneof(fc.record({ input_tokens: value, output_tokens: value }), value),
    })
    fc.assert(
      fc.property(fc.array(event, { maxLength: 8 }), value, (events, message) => {
        const frames = events.map((one) => `data: ${JSON.stringify(one)}\n\n`)
        const text = [frame('message_start', { message }), ...frames, messageStop].join('')
        caller.read(closed(caller, tellText(caller, text)))
      }),
      { numRuns: 800 },
    )
  })

  test('L9: counts are those of the upstream, however often it reports them (T-U01, T-U06)', () => {
    fc.assert(
      fc.property(script, manner, (script, manner) => {
        const { usage } = complete(caller, tellText(caller, streamOf(script, manner)))
        const { input, read, write, output } = script.usage
        const known = streamed(streamOf(script, manner)).usage
        expect(known).toEqual({ input, cacheRead: read, cacheWrite: write, output })
        const prompt = input + read + write
        expect(usage).toEqual(
          caller.name === 'messages'
            ? {
                input_tokens: input,
                cache_read_input_tokens: read,
                cache_creation_input_tokens: write,
                output_tokens: output,
              }
            : {
                prompt_tokens: prompt,
                completion_tokens: output,
                total_tokens: prompt + output,
                prompt_tokens_details: { cached_tokens: read, cache_write_tokens: write },
              },
        )
      }),
      runs,
    )
  })

  test('L12, T-F05: streams told side by side are the streams told one after another', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(script, manner), { minLength: 2, maxLength: 3 }), (answers) => {
        const texts = answers.map(([script, manner]) => streamOf(script, manner))
        const streams = texts.map((text) => ({
          reads: readsOf(Buffer.from(text), [40]),
          decoder: messages.decodeStream(heard()),
          encoder: caller.protocol.encodeStream(told),
          told: '',
        }))
        let waiting = streams
        while (waiting.length > 0) {
          waiting = waiting.filter((stream) => {
            const { value, done } = stream.reads.next()
            const steps = done === true ? stream.decoder.end() : stream.decoder.push(value)
            for (const { means } of steps) stream.told += stream.encoder.push(means)
            return done !== true
          })
        }
        expect(streams.map((stream) => stream.told)).toEqual(
          texts.map((text) => tellText(caller, text, [40])),
        )
      }),
      { numRuns: 40 },
    )
  })
})

describe('what is told is what was said', () => {
  test('L1, L13: to callers of the same protocol, block for block', () => {
    fc.assert(
      fc.property(script, manner, (script, manner) => {
        const { content } = complete(callers[0], tellText(callers[0], streamOf(script, manner)))
        expect(content).toEqual(script.blocks.map((one, at) => JSON.parse(wholeBlock(one, at))))
      }),
      runs,
    )
  })

  test('L6: the arguments of calls to chat callers, unit for unit', () => {
    fc.assert(
      fc.property(script, manner, (script, manner) => {
        const { message } = complete(callers[1], tellText(callers[1], streamOf(script, manner)))
        const calls = ((message as Json)['tool_calls'] ?? []) as { function: Json }[]
        const inputs = script.blocks.flatMap((one) => (one.type === 'call' ? [one.input] : []))
        expect(calls.map((one) => one.function['arguments'])).toEqual(inputs)
      }),
      runs,
    )
  })

  test('T-P01, T-P03: a stream that is passed on comes byte for byte, counted as if it were told', () => {
    fc.assert(
      fc.property(
        script,
        manner,
        fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 9 }),
        (script, manner, sizes) => {
          const text = streamOf(script, manner)
          const passed = [...stepsOf(passing(), readsOf(Buffer.from(text), sizes))]
          expect(Buffer.concat(passed.map((step) => Buffer.from(step.said ?? ''))).toString()).toBe(
            text,
          )
          expect(foldOf(passed).usage).toEqual(streamed(text).usage)
          expect(meansOf(passed).at(-1)).toMatchObject({ type: 'answer-end' })
        },
      ),
      runs,
    )
  })

  test('T-P03: a reply that is passed on is counted as if it were told', () => {
    fc.assert(
      fc.property(script, (script) => {
        const text = replyOf(script)
        const passed = foldOf(messages.passReply(text))
        expect(passed.usage).toEqual(foldOf(messages.decodeReply(text, heard())).usage)
        expect(messages.passReply(text)[0]?.said).toBe(text)
      }),
      runs,
    )
  })

  test('L9: usage survives the way through the other protocol and back', () => {
    const count = fc.nat(100_000)
    fc.assert(
      fc.property(count, count, count, count, (input, cacheRead, cacheWrite, output) => {
        const usage = { input, cacheRead, cacheWrite, output }
        expect(chatUsage.decodeUsage(chatUsage.encodeUsage(usage))).toEqual(usage)
        expect(messagesUsage.decodeUsage(messagesUsage.encodeUsage(usage))).toEqual(usage)
      }),
      runs,
    )
  })
})

function passing(): StreamDecoder {
  return messages.passStream({} as Parameters<Protocol['passStream']>[0])
}

/** A stream that failed before its first event is told as a status, not as a stream: here it counts as its error alone. */
function closed(caller: Caller, text: string): string {
  return text === ''
    ? caller.protocol.encodeStreamError(new GatewayError('upstream-lost', ''), '')
    : text
}
