import { describe, expect, test } from 'bun:test'

import { GatewayError } from '#chat/error.ts'
import type { ChatEvent, StopReason } from '#chat/event.ts'
import { brandAs } from '#std/brand.ts'
import type { RawJson } from '#std/json.ts'
import { inShort, told } from '#test/chat-answers.ts'
import { messagesFrames, readMessagesStream } from '#test/grammars.ts'

import { encodeStream, keepAlive } from './encode-stream.ts'

const start: ChatEvent = { type: 'answer-start', id: 'x', model: 'served' }
const stop: ChatEvent = { type: 'block-end' }

function end(reason: StopReason = 'end', more = {}): ChatEvent {
  return { type: 'answer-end', reason, ...more }
}

function text(...deltas: readonly string[]): ChatEvent[] {
  return block({ type: 'text' }, deltas)
}

function call(...deltas: readonly string[]): ChatEvent[] {
  return block({ type: 'call', id: 'c1', name: 'f' }, deltas)
}

function thought(deltas: readonly string[], ...marks: ChatEvent[]): ChatEvent[] {
  const [first, ...rest] = block({ type: 'reasoning' }, deltas)
  return [first ?? stop, ...rest.slice(0, -1), ...marks, stop]
}

function block(
  start: Extract<ChatEvent, { type: 'block-start' }>['block'],
  deltas: readonly string[],
): ChatEvent[] {
  return [
    { type: 'block-start', block: start },
    ...deltas.map((delta): ChatEvent => ({ type: 'block-delta', text: delta })),
    stop,
  ]
}

function mark(
  kind: 'signature' | 'redacted',
  data: string,
  family: 'anthropic' | 'google',
): ChatEvent {
  return { type: 'block-mark', opaque: { kind, data, family } }
}

function say(...events: readonly ChatEvent[]): string {
  return encodeStream(told).push([start, ...events])
}

function messageOf(...events: readonly ChatEvent[]) {
  const result = readMessagesStream(say(...events))
  if (result.outcome === 'error') throw new Error('An encoder never words an error.')
  return result.message
}

describe('an answer told as a messages stream', () => {
  test('SSE-01, SSE-02, SSE-04, SSE-05: named events in their order, from the start to the end', () => {
    const said = say(...text('hi'), { type: 'usage', usage: { input: 10, output: 2 } }, end())
    expect(said).toBe(
      'event: message_start\ndata: {"type":"message_start","message":{"id":"id_1","type":"message","role":"assistant","model":"served","content":[],"stop_reason":null,"stop_sequence":null,"stop_details":null,"usage":{"input_tokens":0,"output_tokens":0}}}\n\n' +
        'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\n' +
        'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hi"}}\n\n' +
        'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n\n' +
        'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null,"stop_details":null},"usage":{"input_tokens":10,"output_tokens":2}}\n\n' +
        'event: message_stop\ndata: {"type":"message_stop"}\n\n',
    )
  })

  test('T-L04: the first frame has the exact count of the input where it is known, and no output', () => {
    const usage = { input: 12, cacheRead: 8, output: 1, reasoning: 1 }
    const said = encodeStream(told).push([start, { type: 'usage', usage }])
    expect(said).toContain(
      '"usage":{"input_tokens":12,"cache_read_input_tokens":8,"output_tokens":0}',
    )
  })

  test('the first frame waits for the event after the start, which may bring that count', () => {
    const encoder = encodeStream(told)
    expect(encoder.push([start])).toBe('')
    expect(encoder.push([{ type: 'usage', usage: { input: 3 } }])).toContain('"input_tokens":3')
    expect(encoder.push([{ type: 'usage', usage: { input: 3, output: 1 } }])).toBe('')
  })

  test('SSE-06, T-U06: the last counts are told at the end, and a late zero erases nothing', () => {
    const usage = messageOf(
      { type: 'usage', usage: { input: 5, cacheRead: 2, cacheWrite: 1, output: 1 } },
      { type: 'usage', usage: { input: 0, output: 9, reasoning: 4 } },
      end(),
    )['usage']
    expect(usage).toEqual({
      input_tokens: 5,
      cache_creation_input_tokens: 1,
      cache_read_input_tokens: 2,
      output_tokens: 9,
      output_tokens_details: { thinking_tokens: 4 },
    })
  })

  test('the model is what was asked for if the upstream does not say', () => {
    expect(encodeStream(told).push([{ type: 'answer-start' }, end()])).toContain('"model":"asked"')
  })

  test.each<[string, ChatEvent[], string]>([
    ['SSE-22: a refusal without content', [end('refusal')], 'ms md(refusal;0,0) mx'],
    [
      'a block with nothing in it',
      [...text(), ...text('x'), end()],
      'ms +0text 0"x" -0 md(end_turn;0,0) mx',
    ],
    [
      'a refusal in words',
      [...block({ type: 'refusal' }, ['no']), end('refusal')],
      'ms +0text 0"no" -0 md(refusal;0,0) mx',
    ],
    [
      'SSE-10, RES-03: a thought, signed by the gateway',
      [...thought(['a', 'b']), end()],
      'ms +0thinking 0"a" 0"b" sig -0 md(end_turn;0,0) mx',
    ],
    [
      'T-S07: a thought that is only a signature',
      [...thought([], mark('signature', 'S', 'anthropic')), end()],
      'ms +0thinking sig -0 md(end_turn;0,0) mx',
    ],
    ['a thought with nothing in it', [...thought([]), end()], 'ms md(end_turn;0,0) mx'],
    [
      'SSE-18: blocks one after another',
      [...text('a'), ...call('{}'), ...text('b'), end('tool-use')],
      'ms +0text 0"a" -0 +1tool_use:f 1"{}" -1 +2text 2"b" -2 md(tool_use;0,0) mx',
    ],
    [
      'T-R40: silence of the upstream',
      [...text('a'), { type: 'idle' }, end()],
      'ms +0text 0"a" -0 ping md(end_turn;0,0) mx',
    ],
    [
      'notes are not told here',
      [{ type: 'note', field: 'x', what: 'dropped' }, end()],
      'ms md(end_turn;0,0) mx',
    ],
  ])('%s', (_name, events, short) => {
    expect(inShort(say(...events))).toBe(short)
  })

  test.each<[StopReason, string]>([
    ['end', 'end_turn'],
    ['length', 'max_tokens'],
    ['context-full', 'model_context_window_exceeded'],
    ['tool-use', 'tool_use'],
    ['pause', 'pause_turn'],
  ])('the reason %s is told as %s', (reason, word) => {
    expect(messageOf(end(reason))).toMatchObject({
      stop_reason: word,
      stop_sequence: null,
      stop_details: null,
    })
  })

  test('RES-06: the stop sequence that matched, and why it was refused', () => {
    expect(messageOf(end('stop-sequence', { stopSequence: 'END' }))).toMatchObject({
      stop_reason: 'stop_sequence',
      stop_sequence: 'END',
    })
    expect(messageOf(end('refusal', { refusal: 'why' }))).toMatchObject({
      stop_details: { type: 'refusal', category: null, explanation: 'why' },
    })
    expect(messageOf(end('refusal', { refusal: 'why', refusalCategory: 'bio' }))).toMatchObject({
      stop_details: { type: 'refusal', category: 'bio', explanation: 'why' },
    })
  })

  test('genuine signatures and withheld thoughts are told as they are, those of others are not', () => {
    expect(
      messageOf(
        ...thought(['a'], mark('signature', 'S', 'anthropic')),
        ...thought([], mark('redacted', 'R', 'anthropic')),
        ...text('x'),
        end(),
      )['content'],
    ).toEqual([
      { type: 'thinking', thinking: 'a', signature: 'S' },
      { type: 'redacted_thinking', data: 'R' },
      { type: 'text', text: 'x' },
    ])
    expect(
      messageOf(
        ...thought(['a'], mark('signature', 'S', 'google')),
        ...thought([], mark('redacted', 'R', 'google')),
        end(),
      )['content'],
    ).toEqual([{ type: 'thinking', thinking: 'a', signature: 'parley.1.google' }])
  })

  test('citations and blocks that only this protocol knows are told as they came', () => {
    const raw = brandAs<RawJson>(
      '{"type":"server_tool_use","id":"s1","name":"web_search","input":{"n":1.0}}',
    )
    const cited: ChatEvent = {
      type: 'block-citation',
      raw: brandAs<RawJson>('{"type":"x","n":1.0}'),
    }
    const [opened, ...grown] = text('a')
    const said = say(
      { type: 'block-start', block: { type: 'other', kind: 'server_tool_use', raw } },
      stop,
      opened ?? stop,
      cited,
      ...grown,
      end(),
    )
    expect(said).toContain(`"content_block":${raw}`)
    expect(said).toContain('{"type":"citations_delta","citation":{"type":"x","n":1.0}}')
    expect(messagesFrames(said)).toHaveLength(9)
  })

  test('SSE-20, S35: text holds whatever it holds', () => {
    const odd = '\u2028\u0085\r\ndata: x\n\nevent: error \uD800 🙂'
    expect(messageOf(...text(odd), end())['content']).toEqual([{ type: 'text', text: odd }])
  })

  test('keep-alive is an event that every client skips', () => {
    expect(keepAlive).toBe('event: ping\ndata: {"type":"ping"}\n\n')
  })
})

describe('the arguments of a call in a messages stream', () => {
  const inputOf = (events: ChatEvent[], reason: StopReason = 'tool-use') =>
    (messageOf(...events, end(reason))['content'] as { input: unknown }[])[0]?.input

  test.each<[string, string[], unknown]>([
    ['SSE-08: in fragments', ['{"a":', '[1.0', ']}'], { a: [1] }],
    ['SSE-09: none', [], {}],
    ['SSE-09, T-N31: blank', [' ', '\n'], {}],
    ['null for none', ['nu', 'll'], {}],
    ['an empty text for none', ['""'], {}],
    ['an object encoded twice', ['"{\\"a\\":1}"'], { a: 1 }],
    [
      'T-F06: names of the language',
      ['{"__proto__":{"x":1},"constructor":2}'],
      JSON.parse('{"__proto__":{"x":1},"constructor":2}'),
    ],
    ['blanks around it', ['\n {"a":1}', ' \n'], { a: 1 }],
  ])('%s', (_name, fragments, input) => {
    expect(inputOf(call(...fragments))).toEqual(input)
  })

  test.each<[string, string[]]>([
    ['a comment', ['{"a":1', ' /*c*/}']],
    ['a bare word', ['{"a": n', 'ope}']],
    ['a list', ['[1]']],
    ['a number', ['1']],
    ['two objects', ['{"a":1}', '{"b":2}']],
    ['half an object', ['{"a":']],
  ])('V1021-13, T-N32: what is no JSON object is never told as one: %s', (_name, fragments) => {
    const encoder = encodeStream(told)
    const before = encoder.push([start, ...text('x'), ...call(...fragments)])
    expect(before).not.toContain('nope')
    expect(before).not.toContain('/*')
    const after = () => encoder.push([...text('y'), end('tool-use')])
    expect(after).toThrow(GatewayError)
    expect(
      inShort(
        `${before}event: error\ndata: {"type":"error","error":{"type":"x","message":"x"}}\n\n`,
      ),
    ).not.toContain('-1')
  })

  test.each<StopReason>(['length', 'context-full', 'refusal'])(
    'T-N32: arguments that were cut by %s are no failure',
    (reason) => {
      expect(inputOf(call('{"a":', '"b'), reason)).toEqual({})
      expect(messageOf(...call('{"a":'), ...call('{"a":1}'), end(reason))['content']).toHaveLength(
        2,
      )
    },
  )
})
