import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { GatewayError } from '#chat/error.ts'
import type { ChatEvent } from '#chat/event.ts'
import { emptyAnswer, foldEvent } from '#chat/folded-answer.ts'
import type { Step } from '#chat/step.ts'
import type { Usage } from '#chat/usage.ts'
import { decodeReply } from '#protocols/chat-completions/decode-answer/decode-reply.ts'
import { decodeStream } from '#protocols/chat-completions/decode-answer/decode-stream.ts'
import * as chatErrors from '#protocols/chat-completions/encode-answer/encode-error.ts'
import { encodeReply as encodeChatReply } from '#protocols/chat-completions/encode-answer/encode-reply.ts'
import { encodeStream as encodeChatStream } from '#protocols/chat-completions/encode-answer/encode-stream.ts'
import * as chatUsage from '#protocols/chat-completions/usage.ts'
import * as messagesErrors from '#protocols/messages/encode-answer/encode-error.ts'
import { encodeReply as encodeMessage } from '#protocols/messages/encode-answer/encode-reply.ts'
import { encodeStream as encodeMessageStream } from '#protocols/messages/encode-answer/encode-stream.ts'
import * as messagesUsage from '#protocols/messages/usage.ts'
import type { StreamDecoder, StreamEncoder } from '#protocols/protocol.ts'

import { heard, told } from './chat-answers.ts'
import { checkEvents, type Json, readChatStream, readMessagesStream } from './grammars.ts'

/** A caller, as far as an answer is told to it. */
interface Caller {
  readonly name: string
  readonly encoder: () => StreamEncoder
  readonly wordError: (error: GatewayError) => string
  readonly read: (text: string) => ReturnType<typeof readMessagesStream>
}

const callers: readonly Caller[] = [
  {
    name: 'messages',
    encoder: () => encodeMessageStream(told),
    wordError: (error) => messagesErrors.encodeStreamError(error, 'req_1'),
    read: readMessagesStream,
  },
  {
    name: 'chat-completions',
    encoder: () => encodeChatStream(told),
    wordError: (error) => chatErrors.encodeStreamError(error, 'req_1'),
    read: (text) => readChatStream(text, told),
  },
]

// What a model says, and the ways in which servers are known to say it.

type Segment =
  | { readonly type: 'reasoning' | 'text'; readonly text: string }
  | { readonly type: 'calls'; readonly calls: readonly Call[] }

interface Call {
  readonly name: string
  readonly arguments: string
}

interface Script {
  readonly segments: readonly Segment[]
  readonly usage: { readonly prompt: number; readonly cached: number; readonly completion: number }
}

const modes = [
  'normal',
  'id repeated',
  'no index',
  'index always 0',
  'whole call',
  'whole call without index',
  'interleaved calls',
  'name late',
  'no id',
  'content and call in one chunk',
  'text in the middle of a call',
] as const
type Mode = (typeof modes)[number]

interface Manner {
  readonly mode: Mode
  /** Where texts and arguments are cut; used round and round. */
  readonly sizes: readonly number[]
  readonly noise: readonly number[]
  readonly usageIn: 'own chunk' | 'finish chunk' | 'choice' | 'every chunk'
  readonly thoughtsIn: 'reasoning_content' | 'reasoning'
}

// Without U+FFFD, so that one in the answer can only come of a character that was torn.
const spoken = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .filter((text) => text.trim() !== '' && !text.includes('\uFFFD'))
const callArguments = fc.oneof(
  fc.constantFrom(
    '',
    '{}',
    '{"a":{"b":["}{",1.0]}}',
    '{ "x" : "\\"\\\\" }',
    '{"__proto__":{"x":1}}',
  ),
  fc
    .dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 1 }))
    .map((value) => JSON.stringify(value)),
)
const call = fc.record({
  name: fc.constantFrom('f', 'get_weather', '__proto__'),
  arguments: callArguments,
})
const segment: fc.Arbitrary<Segment> = fc.oneof(
  fc.record({ type: fc.constant('reasoning' as const), text: spoken }),
  fc.record({ type: fc.constant('text' as const), text: spoken }),
  fc.record({
    type: fc.constant('calls' as const),
    calls: fc.array(call, { minLength: 1, maxLength: 3 }),
  }),
)
const script: fc.Arbitrary<Script> = fc.record({
  segments: fc.array(segment, { maxLength: 5 }).map(merged),
  usage: fc
    .record({ fresh: fc.nat(1000), cached: fc.nat(1000), completion: fc.nat(1000) })
    .map(({ fresh, cached, completion }) => ({ prompt: fresh + cached, cached, completion })),
})
const manner: fc.Arbitrary<Manner> = fc.record({
  mode: fc.constantFrom(...modes),
  sizes: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
  noise: fc.array(fc.nat(7), { minLength: 1, maxLength: 7 }),
  usageIn: fc.constantFrom('own chunk', 'finish chunk', 'choice', 'every chunk'),
  thoughtsIn: fc.constantFrom('reasoning_content', 'reasoning'),
})

/** Neighbours of one kind are one. */
function merged(segments: readonly Segment[]): Segment[] {
  const result: Segment[] = []
  for (const one of segments) {
    const last = result.at(-1)
    if (last?.type === 'calls' && one.type === 'calls') {
      result[result.length - 1] = { type: 'calls', calls: [...last.calls, ...one.calls] }
    } else if (last !== undefined && last.type === one.type && 'text' in last && 'text' in one) {
      result[result.length - 1] = { type: last.type, text: last.text + one.text }
    } else result.push(one)
  }
  return result
}

/** In one of the modes a text comes in the middle of a call, and is to be told after it. */
const interjected = 'meanwhile'

function expected({ segments }: Script, { mode }: Manner): Segment[] {
  if (mode !== 'text in the middle of a call') return [...segments]
  return merged(
    segments.flatMap((one): Segment[] =>
      one.type === 'calls' && isCuttable(one.calls.at(-1))
        ? [one, { type: 'text', text: interjected }]
        : [one],
    ),
  )
}

function isCuttable(one: Call | undefined): boolean {
  return one !== undefined && one.arguments.length > 2
}

/** Cuts into pieces, never between the halves of a character: a server encodes each piece by itself. */
function pieces(text: string, sizes: readonly number[]): string[] {
  const units = [...new Intl.Segmenter().segment(text)].map(({ segment: unit }) => unit)
  const result: string[] = []
  for (let at = 0, turn = 0; at < units.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    result.push(units.slice(at, at + size).join(''))
    at += size
  }
  return result
}

type Delta = { readonly [key: string]: unknown }

function deltasOf({ segments }: Script, manner: Manner): Delta[] {
  let calls = 0
  let deltas: Delta[] = [{ role: 'assistant', content: '' }]
  for (const one of segments) {
    if (one.type === 'calls') {
      const added = callDeltas(one.calls, manner, calls)
      calls += one.calls.length
      deltas = joinedWith(deltas, added, manner.mode)
    } else {
      const member = one.type === 'text' ? 'content' : manner.thoughtsIn
      deltas.push(...pieces(one.text, manner.sizes).map((text) => ({ [member]: text })))
    }
  }
  return deltas
}

function joinedWith(deltas: readonly Delta[], added: readonly Delta[], mode: Mode): Delta[] {
  const [first, ...rest] = added
  const last = deltas.at(-1)
  if (mode !== 'content and call in one chunk' || last === undefined) return [...deltas, ...added]
  return [...deltas.slice(0, -1), { ...last, ...first }, ...rest]
}

function callDeltas(calls: readonly Call[], manner: Manner, from: number): Delta[] {
  const each = calls.map((one, at) => pieceList(one, manner, from + at))
  const { mode } = manner
  const inOrder = mode === 'interleaved calls' ? interleaved(each) : each.flat()
  const deltas: Delta[] = inOrder.map((piece) => ({ tool_calls: [piece] }))
  if (mode === 'text in the middle of a call' && isCuttable(calls.at(-1))) {
    deltas.splice(-1, 0, { content: interjected })
  }
  return deltas
}

function interleaved(each: readonly (readonly Delta[])[]): Delta[] {
  const longest = Math.max(0, ...each.map((list) => list.length))
  return Array.from({ length: longest }, (_, at) => at).flatMap((at) =>
    each.map((list) => list[at]).filter((piece) => piece !== undefined),
  )
}

function pieceList(
  { name, arguments: text }: Call,
  { mode, sizes }: Manner,
  number: number,
): Delta[] {
  const id = `call_${number}`
  const index = mode === 'index always 0' ? 0 : number
  const whole = { index, id, type: 'function', function: { name, arguments: text } }
  // The last unit comes by itself, so that something can come before it.
  const cut =
    text.length > 2
      ? [...pieces(text.slice(0, -1), sizes), text.slice(-1)]
      : text === ''
        ? []
        : [text]
  const rest = cut.map((piece) => ({ index, function: { arguments: piece } }))
  const header = { index, id, type: 'function', function: { name, arguments: '' } }
  switch (mode) {
    case 'whole call':
      return [whole]
    case 'whole call without index':
      return [{ ...whole, index: undefined }]
    case 'no index':
      return [header, ...rest].map((piece) => ({ ...piece, index: undefined }))
    case 'id repeated':
      return [
        header,
        ...rest.map((piece) => ({ ...piece, id, function: { ...piece.function, name } })),
      ]
    case 'no id':
      return [{ ...header, id: undefined }, ...rest]
    case 'name late': {
      const named = { index, function: { name, arguments: cut.slice(1).join('') } }
      return [{ index, id, function: { arguments: cut[0] ?? '' } }, named]
    }
    case 'normal':
    case 'index always 0':
    case 'interleaved calls':
    case 'content and call in one chunk':
    case 'text in the middle of a call':
      return [header, ...rest]
  }
}

const noises: readonly Delta[] = [
  {},
  { tool_calls: [] },
  { content: '' },
  { content: null, refusal: null },
  { role: 'assistant' },
  { role: '', reasoning_content: '' },
  { function_call: null, tool_calls: null },
  { annotations: [], audio: null },
]

/** The chunks of a stream, as values. The last is the finish, or the usage after it. */
function chunksOf(script: Script, manner: Manner): Delta[] {
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'served' }
  const usage = usageOf(script)
  const deltas = deltasOf(script, manner)
  const finish = deltas.some((delta) => delta['tool_calls'] !== undefined) ? 'tool_calls' : 'stop'
  const running = manner.usageIn === 'every chunk' ? { ...usage, completion_tokens: 0 } : null
  const chunks: Delta[] = deltas.map((delta, at) => {
    const noise = noises[manner.noise[at % manner.noise.length] ?? 0]
    const choice = {
      index: 0,
      delta: { ...noise, ...delta },
      finish_reason: at % 2 === 0 ? null : '',
    }
    return { ...head, choices: [choice], usage: running, logprobs: null }
  })
  const end = { index: 0, delta: {}, finish_reason: finish }
  const inChoice = manner.usageIn === 'choice' ? { usage } : {}
  const inChunk =
    manner.usageIn === 'finish chunk' || manner.usageIn === 'every chunk' ? { usage } : {}
  chunks.push({ ...head, choices: [{ ...end, ...inChoice }], ...inChunk })
  if (manner.usageIn === 'own chunk') chunks.push({ ...head, choices: [], usage })
  return chunks
}

function usageOf({ usage: { prompt, cached, completion } }: Script): Delta {
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: cached },
  }
}

function streamText(chunks: readonly Delta[], lineEnd = '\n'): string {
  const frames = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]']
  return frames.map((data) => `data: ${data}${lineEnd}${lineEnd}`).join('')
}

// How an answer is told.

function* readsOf(bytes: Buffer, sizes: readonly number[]): Generator<Buffer> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = Math.max(1, sizes[turn % sizes.length] ?? 1)
    yield bytes.subarray(at, at + size)
    at += size
  }
}

function* stepsOf(decoder: StreamDecoder, reads: Iterable<Uint8Array>): Generator<Step> {
  for (const read of reads) yield* decoder.push(read)
  yield* decoder.end()
}

/** Everything a caller is sent: the answer, or what there is of it and the failure. Anything but a GatewayError is a fault of ours. */
function tell(caller: Caller, steps: Iterable<Step>): string {
  const encoder = caller.encoder()
  let text = ''
  try {
    for (const { means } of steps) text += encoder.push(means)
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    text += caller.wordError(error)
  }
  return text
}

function tellText(caller: Caller, text: string, sizes: readonly number[] = [1 << 20]): string {
  return tell(caller, stepsOf(decodeStream(heard), readsOf(Buffer.from(text), sizes)))
}

function eventsOf(text: string): ChatEvent[] {
  return [...stepsOf(decodeStream(heard), [Buffer.from(text)])].flatMap(({ means }) => means)
}

/** Ids that the gateway made, numbered, so that two runs can be compared. */
function withoutMinted(text: string): string {
  const minted = new Map<string, string>()
  return text.replaceAll(/call_[A-Za-z0-9]{24}/g, (id) => {
    if (!minted.has(id)) minted.set(id, `minted_${minted.size}`)
    return minted.get(id) ?? id
  })
}

function complete(caller: Caller, text: string): Json {
  const result = caller.read(text)
  if (result.outcome === 'error') throw new Error(`told an error: ${JSON.stringify(result.error)}`)
  return result.message
}

const runs = { numRuns: 120 }

describe.each(callers)('answers of chat upstreams told to callers of $name', (caller) => {
  test('L5, T-T01, T-T02: however the bytes are cut, the caller is told the same', () => {
    fc.assert(
      fc.property(
        script,
        manner,
        fc.array(fc.integer({ min: 1, max: 70 }), { minLength: 1, maxLength: 9 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        (script, manner, sizes, lineEnd) => {
          const chunks = chunksOf(script, manner)
          const whole = tellText(caller, streamText(chunks))
          const cut = tellText(caller, streamText(chunks, lineEnd), sizes)
          expect(withoutMinted(cut)).toBe(withoutMinted(whole))
          expect(cut).not.toContain('\uFFFD')
        },
      ),
      runs,
    )
  })

  test('L5: byte by byte', () => {
    fc.assert(
      fc.property(script, manner, (script, manner) => {
        const text = streamText(chunksOf(script, manner))
        expect(withoutMinted(tellText(caller, text, [1]))).toBe(
          withoutMinted(tellText(caller, text)),
        )
      }),
      { numRuns: 25 },
    )
  })

  test('L7, L8, T-F02: cut short anywhere, the answer ends in an error and in nothing else', () => {
    fc.assert(
      fc.property(script, manner, fc.nat(), (script, manner, seed) => {
        const chunks = chunksOf(script, manner)
        const withFinish = manner.usageIn === 'own chunk' ? -2 : -1
        const before =
          Buffer.from(streamText(chunks.slice(0, withFinish))).length - 'data: [DONE]\n\n'.length
        const bytes = Buffer.from(streamText(chunks)).subarray(0, seed % (before + 1))
        const result = caller.read(tell(caller, stepsOf(decodeStream(heard), [bytes])))
        expect(result.outcome).toBe('error')
      }),
      runs,
    )
  })

  test('L7, T-F03: chunks doubled, lost or out of order break the grammar of no stream', () => {
    fc.assert(
      fc.property(
        script,
        manner,
        fc.array(fc.nat(), { maxLength: 12 }),
        (script, manner, picks) => {
          const chunks = chunksOf(script, manner)
          for (const pick of picks) {
            const from = pick % chunks.length
            const [moved] = chunks.slice(from, from + 1)
            if (moved === undefined) continue
            if (pick % 3 !== 0) chunks.splice(from, 1)
            if (pick % 3 !== 1) chunks.splice((pick * 7) % (chunks.length + 1), 0, moved)
          }
          caller.read(tellText(caller, streamText(chunks)))
        },
      ),
      runs,
    )
  })

  test('L7: neither garbage in the bytes nor in the members breaks the grammar', () => {
    const member = fc.constantFrom('id', 'model', 'choices', 'usage', 'error', 'object', 'detail')
    const garbled = fc.record({
      at: fc.nat(),
      member,
      value: fc.jsonValue(),
      bytes: fc.uint8Array({ maxLength: 6 }),
    })
    fc.assert(
      fc.property(script, manner, garbled, (script, manner, { at, member: key, value, bytes }) => {
        const chunks = chunksOf(script, manner)
        const index = at % chunks.length
        const spoilt = chunks.with(index, { ...chunks[index], [key]: value })
        caller.read(tellText(caller, streamText(spoilt)))
        const sound = Buffer.from(streamText(chunks))
        const cut = at % sound.length
        const mixed = Buffer.concat([sound.subarray(0, cut), bytes, sound.subarray(cut)])
        caller.read(tell(caller, stepsOf(decodeStream(heard), [mixed])))
      }),
      runs,
    )
  })

  test('L7: no value in a delta breaks the grammar', () => {
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(null, '', 'x', ' ', '{}', '{"a":', 0, 1, -1, true),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(
          fc.constantFrom(
            'index',
            'id',
            'function',
            'name',
            'arguments',
            'text',
            'type',
            'thinking',
            'signature',
            'data',
            'content',
          ),
          tie('value'),
          { maxKeys: 4 },
        ),
      ),
    }))
    const delta = fc.dictionary(
      fc.constantFrom(
        'role',
        'content',
        'refusal',
        'reasoning_content',
        'reasoning',
        'reasoning_details',
        'thinking_blocks',
        'tool_calls',
        'function_call',
        'annotations',
        'audio',
      ),
      value,
    )
    const choice = fc.record({
      index: fc.constantFrom(0, undefined, 1, null),
      delta: fc.oneof(delta, value),
      message: fc.oneof(fc.constant(undefined), delta),
      finish_reason: fc.constantFrom(null, '', 'stop', 'tool_calls', 'length', 'error', 'odd'),
      stop_reason: fc.constantFrom(undefined, 'END', 5, null),
    })
    const chunk = fc.record({
      id: fc.constantFrom('a', 'b', ''),
      choices: fc.array(choice, { maxLength: 2 }),
    })
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 6 }), fc.boolean(), (chunks, isDone) => {
        const text = streamText(chunks)
        caller.read(tellText(caller, isDone ? text : text.slice(0, -'data: [DONE]\n\n'.length)))
      }),
      { numRuns: 800 },
    )
  })

  test('L12, T-F05: streams told side by side are the streams told one after another', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(script, manner), { minLength: 2, maxLength: 4 }), (answers) => {
        const texts = answers.map(([script, manner]) => streamText(chunksOf(script, manner)))
        const alone = texts.map((text) => withoutMinted(tellText(caller, text, [40])))
        const streams = texts.map((text) => ({
          reads: readsOf(Buffer.from(text), [40]),
          decoder: decodeStream(heard),
          encoder: caller.encoder(),
          said: '',
        }))
        let waiting = streams
        while (waiting.length > 0) {
          waiting = waiting.filter((stream) => {
            const { value, done } = stream.reads.next()
            const steps = done === true ? stream.decoder.end() : stream.decoder.push(value)
            for (const { means } of steps) stream.said += stream.encoder.push(means)
            return done !== true
          })
        }
        expect(streams.map(({ said }) => withoutMinted(said))).toEqual(alone)
      }),
      { numRuns: 40 },
    )
  })
})

describe('what is told is what was said', () => {
  test.each(modes)('L6, L7: messages callers, %s', (mode) => {
    fc.assert(
      fc.property(script, manner, (script, rest) => {
        const manner = { ...rest, mode }
        const message = complete(
          callers[0]!,
          tellText(callers[0]!, streamText(chunksOf(script, manner))),
        )
        expect(message['content']).toEqual(contentOf(expected(script, manner), message['content']))
        const hasCalls = script.segments.some(({ type }) => type === 'calls')
        expect(message['stop_reason']).toBe(hasCalls ? 'tool_use' : 'end_turn')
        expect(message['model']).toBe('served')
        const { prompt, cached, completion } = script.usage
        expect(message['usage']).toEqual({
          input_tokens: prompt - cached,
          cache_read_input_tokens: cached,
          output_tokens: completion,
        })
      }),
      runs,
    )
  })

  test.each(modes)('L6, L7: chat-completions callers, %s', (mode) => {
    fc.assert(
      fc.property(script, manner, (script, rest) => {
        const manner = { ...rest, mode }
        const { message, finish_reason: finish } = complete(
          callers[1]!,
          tellText(callers[1]!, streamText(chunksOf(script, manner))),
        ) as { message: Json; finish_reason: unknown }
        const segments = expected(script, manner)
        const calls = segments.flatMap((one) => (one.type === 'calls' ? one.calls : []))
        const toldCalls = (message['tool_calls'] ?? []) as { function: Call }[]
        expect(toldCalls.map((one) => one.function)).toEqual(
          calls.map((one) => ({ ...one, arguments: one.arguments === '' ? '{}' : one.arguments })),
        )
        const said = (type: string) =>
          segments
            .flatMap((one) => (one.type === type && 'text' in one ? [one.text] : []))
            .join('\n\n')
        expect(message['content']).toBe(said('text'))
        expect(message['reasoning_content'] ?? '').toBe(said('reasoning'))
        expect(finish).toBe(calls.length > 0 ? 'tool_calls' : 'stop')
      }),
      runs,
    )
  })

  test('L4: a stream adds up to the reply, for both callers', () => {
    fc.assert(
      fc.property(script, manner, (script, manner) => {
        const events = eventsOf(streamText(chunksOf(script, manner)))
        checkEvents(events)
        const answer = emptyAnswer()
        for (const event of events) foldEvent(answer, event)
        const message = complete(callers[0]!, encodeMessageStream(told).push(events))
        expect(message).toEqual(JSON.parse(encodeMessage(answer, told)))
        const reply = JSON.parse(encodeChatReply(answer, told))
        const chunks = complete(callers[1]!, encodeChatStream(told).push(events))
        expect(withoutEmpty({ ...reply.choices[0].message, role: undefined })).toEqual(
          withoutEmpty(chunks['message'] as Json),
        )
        expect(reply.choices[0].finish_reason).toBe(chunks['finish_reason'])
        expect(reply.usage).toEqual(chunks['usage'])
      }),
      runs,
    )
  })

  test('L4: a reply of the upstream means what its stream means', () => {
    fc.assert(
      fc.property(script, (script) => {
        const reply = replyOf(script)
        const ordered = inReplyOrder(script)
        const manner: Manner = {
          mode: 'normal',
          sizes: [3],
          noise: [0],
          usageIn: 'own chunk',
          thoughtsIn: 'reasoning_content',
        }
        const streamed = tellText(callers[0]!, streamText(chunksOf(ordered, manner)))
        const whole = tell(callers[0]!, decodeReply(JSON.stringify(reply), heard))
        expect(complete(callers[0]!, whole)).toEqual(complete(callers[0]!, streamed))
      }),
      runs,
    )
  })
})

/** A reply has no order: thoughts come before the text, and calls after it. */
function inReplyOrder({ segments, usage }: Script): Script {
  const order = ['reasoning', 'text', 'calls']
  const sorted = segments.toSorted((a, b) => order.indexOf(a.type) - order.indexOf(b.type))
  return { segments: merged(sorted), usage }
}

function replyOf(script: Script): Json {
  const { segments } = inReplyOrder(script)
  const said = (type: string) =>
    segments.flatMap((one) => (one.type === type && 'text' in one ? [one.text] : [])).join('')
  const calls = segments.flatMap((one) => (one.type === 'calls' ? one.calls : []))
  return {
    id: 'chatcmpl-1',
    model: 'served',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: said('text') || null,
          reasoning_content: said('reasoning'),
          tool_calls: calls.map((one, at) => ({
            id: `call_${at}`,
            type: 'function',
            function: one,
          })),
        },
        finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
      },
    ],
    usage: usageOf(script),
  }
}

/** The blocks that a message is to have, with the ids that it has: some were made up on the way. */
function contentOf(segments: readonly Segment[], content: unknown): unknown[] {
  const ids = (content as Json[]).map((block) => block['id'])
  return segments
    .flatMap((one): Json[] => {
      if ('text' in one) return [spokenBlock(one.type, one.text)]
      return one.calls.map(({ name, arguments: text }) => ({
        type: 'tool_use',
        name,
        input: JSON.parse(text || '{}'),
      }))
    })
    .map((block, at) => (block['type'] === 'tool_use' ? { ...block, id: ids[at] } : block))
}

function spokenBlock(type: 'text' | 'reasoning', text: string): Json {
  return type === 'text'
    ? { type, text }
    : { type: 'thinking', thinking: text, signature: 'parley.1.unknown' }
}

function withoutEmpty(message: Json): Json {
  return Object.fromEntries(
    Object.entries(message).filter(
      ([, value]) => value !== null && value !== undefined && value !== '',
    ),
  )
}

describe('usage', () => {
  const counts = fc
    .record({
      input: fc.nat(1e9),
      cacheRead: fc.nat(1e9),
      cacheWrite: fc.nat(1e9),
      output: fc.nat(1e9),
      part: fc.nat(100),
    })
    .map(({ part, ...usage }): Usage => ({
      ...usage,
      reasoning: Math.floor((usage.output * part) / 100),
    }))

  test('L9: passes through both protocols and back unchanged', () => {
    fc.assert(
      fc.property(counts, (usage) => {
        const chat = chatUsage.encodeUsage(usage)
        expect(chatUsage.decodeUsage(chat)).toEqual(usage)
        expect(chat.total_tokens).toBe(chat.prompt_tokens + chat.completion_tokens)
        expect(chat.prompt_tokens_details?.cached_tokens).toBeLessThanOrEqual(chat.prompt_tokens)
        const message = messagesUsage.encodeUsage(usage)
        expect(messagesUsage.decodeUsage(message)).toEqual(usage)
      }),
    )
  })

  test('L9: whatever a server counts, no count is negative and no part is more than the whole', () => {
    const odd = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(null, 'many', undefined))
    const wire = fc.record({
      prompt_tokens: odd,
      completion_tokens: odd,
      total_tokens: odd,
      prompt_tokens_details: fc.oneof(
        odd,
        fc.record({ cached_tokens: odd, cache_write_tokens: odd }),
      ),
      completion_tokens_details: fc.oneof(odd, fc.record({ reasoning_tokens: odd })),
      prompt_cache_hit_tokens: odd,
    })
    fc.assert(
      fc.property(wire, (counted) => {
        const usage = chatUsage.decodeUsage(counted) ?? {}
        for (const count of Object.values(usage)) {
          expect(Number.isSafeInteger(count) && count >= 0).toBe(true)
        }
        const said = chatUsage.encodeUsage(usage)
        expect(said.completion_tokens_details?.reasoning_tokens ?? 0).toBeLessThanOrEqual(
          said.completion_tokens,
        )
      }),
    )
  })

  test('L9, T-U06: saying it again changes nothing', () => {
    fc.assert(
      fc.property(script, manner, fc.nat(3), (script, manner, times) => {
        const chunks = chunksOf(script, manner)
        const again = Array.from({ length: times }, () => ({ choices: [], usage: usageOf(script) }))
        const once = complete(callers[0]!, tellText(callers[0]!, streamText(chunks)))
        const often = complete(
          callers[0]!,
          tellText(callers[0]!, streamText([...chunks, ...again])),
        )
        expect(often['usage']).toEqual(once['usage'])
      }),
      { numRuns: 40 },
    )
  })
})
