import { describe, expect, test } from 'bun:test'

import { GatewayError } from '#chat/error.ts'
import { emptyAnswer, foldEvent } from '#chat/folded-answer.ts'
import { encodeReply } from '#protocols/messages/encode-answer/encode-reply.ts'
import {
  c,
  type Chunk,
  DONE,
  F,
  heard,
  piece,
  profile,
  role,
  sse,
  told,
  USG,
} from '#test/chat-answers.ts'
import { checkEvents } from '#test/grammars.ts'

import { decodeReply } from './decode-reply.ts'

function reply(message: Chunk, finish: string | null = 'stop', choice: Chunk = {}): string {
  return JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'served',
    choices: [
      { index: 0, message: { role: 'assistant', ...message }, finish_reason: finish, ...choice },
    ],
    usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
  })
}

function foldOf(text: string) {
  const events = decodeReply(text, heard).flatMap(({ means }) => means)
  checkEvents(events)
  const answer = emptyAnswer()
  for (const event of events) foldEvent(answer, event)
  return answer
}

/** The message that a messages caller is told of this reply. */
function messageOf(text: string) {
  return JSON.parse(encodeReply(foldOf(text), told))
}

function failureOf(work: () => unknown): GatewayError {
  try {
    work()
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
  throw new Error('Nothing failed.')
}

const call = (args: unknown) => ({ tool_calls: [piece(0, 'c1', 'f', args)] })

describe('a chat reply told to a messages caller', () => {
  test('T-N01, RES-01, RES-09: text, with the usage that is known', () => {
    const text = encodeReply(foldOf(reply({ content: 'hi' })), told)
    expect(text).toStartWith('{"id":"id_1"')
    expect(JSON.parse(text)).toEqual({
      id: 'id_1',
      type: 'message',
      role: 'assistant',
      model: 'served',
      content: [{ type: 'text', text: 'hi' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      stop_details: null,
      usage: { input_tokens: 10, output_tokens: 2 },
    })
  })

  test.each<[string, Chunk, unknown]>([
    [
      'T-N11: no text beside a call',
      { content: '', ...call('{}') },
      [{ type: 'tool_use', id: 'c1', name: 'f', input: {} }],
    ],
    [
      'T-N11: null beside a call',
      { content: null, ...call('{}') },
      [{ type: 'tool_use', id: 'c1', name: 'f', input: {} }],
    ],
    [
      'T-N12: a list of parts',
      {
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      [{ type: 'text', text: 'ab' }],
    ],
    [
      'T-N12: thoughts in a list of parts',
      {
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'r' }] },
          'b',
          { type: 'image_url' },
        ],
      },
      [
        { type: 'thinking', thinking: 'r', signature: 'parley.1.unknown' },
        { type: 'text', text: 'b' },
      ],
    ],
    [
      'T-N13, N10, RES-03: thoughts',
      { reasoning_content: 'r', content: 'x' },
      [
        { type: 'thinking', thinking: 'r', signature: 'parley.1.unknown' },
        { type: 'text', text: 'x' },
      ],
    ],
    [
      'N10: thoughts under the other name',
      { reasoning: 'r', reasoning_content: null, content: 'x' },
      [
        { type: 'thinking', thinking: 'r', signature: 'parley.1.unknown' },
        { type: 'text', text: 'x' },
      ],
    ],
    [
      'T-N30, N11: arguments as an object',
      call({ a: { b: [1] } }),
      [{ type: 'tool_use', id: 'c1', name: 'f', input: { a: { b: [1] } } }],
    ],
    ['T-N31: no arguments', call(''), [{ type: 'tool_use', id: 'c1', name: 'f', input: {} }]],
    [
      'T-N31: null for no arguments',
      call('null'),
      [{ type: 'tool_use', id: 'c1', name: 'f', input: {} }],
    ],
    [
      'T-N34: an id of any form',
      { tool_calls: [piece(0, 'functions.Bash:0', 'Bash', '{}')] },
      [{ type: 'tool_use', id: 'functions.Bash:0', name: 'Bash', input: {} }],
    ],
    ['RES-05, SSE-22: nothing', { content: null }, []],
  ])('%s', (_name, message, content) => {
    expect(messageOf(reply(message)).content).toEqual(content)
  })

  test('T-N14: every part of an answer is told, whatever is beside it', () => {
    const all = { content: 'x', reasoning_content: 'r', refusal: 'no', ...call('{"a":1}') }
    expect(messageOf(reply(all)).content.map(({ type }: Chunk) => type)).toEqual([
      'thinking',
      'text',
      'text',
      'tool_use',
    ])
  })

  test('the arguments of a call keep their order and their numbers', () => {
    const text = encodeReply(
      foldOf(reply(call('{"b":1.0,"a":12345678901234567890,"__proto__":{}}'))),
      told,
    )
    expect(text).toContain('"input":{"b":1.0,"a":12345678901234567890,"__proto__":{}}')
  })

  test('T-N33: a call without an id gets one', () => {
    const { content } = messageOf(
      reply({ tool_calls: [piece(0, '', 'f', '{}'), piece(1, undefined, 'f', '{}')] }),
    )
    for (const { id } of content) expect(id).toMatch(/^call_[a-zA-Z0-9]{24}$/)
    expect(content[0].id).not.toBe(content[1].id)
  })

  test('the old function_call is a call', () => {
    const { content, stop_reason: reason } = messageOf(
      reply({ content: null, function_call: { name: 'f', arguments: '{"a":1}' } }, 'function_call'),
    )
    expect(content).toMatchObject([{ type: 'tool_use', name: 'f', input: { a: 1 } }])
    expect(reason).toBe('tool_use')
  })

  test.each<[string, Chunk, string | null, Chunk, string]>([
    ['T-N15: a refusal in words', { refusal: 'no' }, 'stop', {}, 'refusal'],
    ['T-N20: stop beside a call', call('{}'), 'stop', {}, 'tool_use'],
    [
      'T-N21: the stop sequence that matched',
      { content: 'x' },
      'stop',
      { stop_reason: 'END' },
      'stop_sequence',
    ],
    ['T-N22: an unknown word', { content: 'x' }, 'repetition', {}, 'end_turn'],
    ['T-N23: length beside a call', call('{}'), 'length', {}, 'max_tokens'],
    ['T-N24: a filter', { content: 'x' }, 'content_filter', {}, 'refusal'],
    ['N09: eos', { content: 'x' }, 'eos', {}, 'end_turn'],
    ['N09: STOP', { content: 'x' }, 'STOP', {}, 'end_turn'],
    ['N09: end_turn', { content: 'x' }, 'end_turn', {}, 'end_turn'],
    ['MAX_TOKENS', { content: 'x' }, 'MAX_TOKENS', {}, 'max_tokens'],
    [
      'the end of the window',
      { content: 'x' },
      'model_length',
      {},
      'model_context_window_exceeded',
    ],
    ['SAFETY', { content: '' }, 'SAFETY', {}, 'refusal'],
    ['null', { content: 'x' }, null, {}, 'end_turn'],
    ['null beside a call', call('{}'), null, {}, 'tool_use'],
  ])('%s', (_name, message, finish, choice, reason) => {
    const told = messageOf(reply(message, finish, choice))
    expect(told.stop_reason).toBe(reason)
    expect(told.stop_sequence).toBe(reason === 'stop_sequence' ? 'END' : null)
    expect(told.stop_details === null).toBe(reason !== 'refusal')
  })

  test('T-N15: the words of a refusal are its text', () => {
    expect(messageOf(reply({ content: null, refusal: 'no' })).content).toEqual([
      { type: 'text', text: 'no' },
    ])
  })

  test.each(['length', 'content_filter'])(
    'T-N32: arguments cut off by %s are told as none, and noted',
    (finish) => {
      const answer = foldOf(reply(call('{"a":'), finish))
      const message = JSON.parse(encodeReply(answer, told))
      expect(message.content).toEqual([{ type: 'tool_use', id: 'c1', name: 'f', input: {} }])
      expect(message.stop_reason).not.toBe('tool_use')
      expect(answer.notes).toContainEqual({
        field: 'answer.tool_calls.arguments',
        what: 'cut off, told as {}',
      })
    },
  )

  test.each(['{"a":', '{"a": nope}', '[1]', '"s"', '{"a":1}}', '{"a":1 /*c*/}'])(
    'T-N32: arguments %j beside tool_calls are a failure',
    (args) => {
      const answer = foldOf(reply(call(args), 'tool_calls'))
      expect(failureOf(() => encodeReply(answer, told)).code).toBe('upstream-failed')
    },
  )

  test('T-N40: only what was called is told as a call', () => {
    const message = messageOf(reply({ content: '{"f":1}', tool_calls: [] }))
    expect(message.content).toEqual([{ type: 'text', text: '{"f":1}' }])
    expect(message.stop_reason).toBe('end_turn')
  })

  test('a signature stays with its thought, an encrypted thought with its place', () => {
    const details = [
      { type: 'reasoning.text', text: 'one', signature: 'S1' },
      { type: 'reasoning.encrypted', data: 'XX' },
      { type: 'reasoning.text', text: 'two', signature: 'S2' },
    ]
    const anthropic = {
      ...heard,
      target: { ...heard.target, profile: { ...profile, family: 'anthropic' as const } },
    }
    const steps = decodeReply(
      reply({ content: 'x', reasoning: 'onetwo', reasoning_details: details }),
      anthropic,
    )
    const answer = emptyAnswer()
    for (const { means } of steps) for (const event of means) foldEvent(answer, event)
    expect(JSON.parse(encodeReply(answer, told)).content).toEqual([
      { type: 'thinking', thinking: 'one', signature: 'S1' },
      { type: 'redacted_thinking', data: 'XX' },
      { type: 'thinking', thinking: 'two', signature: 'S2' },
      { type: 'text', text: 'x' },
    ])
  })

  test.each([
    [
      'T-U02: cached tokens are no input',
      { prompt_tokens: 100, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 40 } },
      { input_tokens: 60, cache_read_input_tokens: 40 },
    ],
    [
      'T-U10: where one vendor puts them',
      {
        prompt_tokens: 40,
        completion_tokens: 1,
        prompt_cache_hit_tokens: 30,
        prompt_cache_miss_tokens: 10,
      },
      { input_tokens: 10, cache_read_input_tokens: 30 },
    ],
    [
      'where another does',
      { prompt_tokens: 40, completion_tokens: 1, cached_tokens: 30 },
      { input_tokens: 10, cache_read_input_tokens: 30 },
    ],
    [
      'T-U09: more than was sent',
      { prompt_tokens: 10, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 30 } },
      { input_tokens: 0, cache_read_input_tokens: 30 },
    ],
    [
      'tokens written to the cache',
      {
        prompt_tokens: 40,
        completion_tokens: 1,
        prompt_tokens_details: { cache_write_tokens: 30 },
      },
      { input_tokens: 10, cache_creation_input_tokens: 30 },
    ],
  ])('%s', (_name, usage, expected) => {
    const body = { ...JSON.parse(reply({ content: 'x' })), usage }
    expect(messageOf(JSON.stringify(body)).usage).toEqual({ ...expected, output_tokens: 1 })
  })
})

describe('what is no answer', () => {
  test.each([
    ['T-N41: an error', '{"error":{"message":"no room","type":"server_error"}}', 'upstream-failed'],
    [
      'T-N41, T-E06: an error in a list',
      '[{"error":{"message":"no room","code":429}}]',
      'upstream-busy',
    ],
    ['T-N42, N14: no choices', '{"id":"x","choices":[]}', 'upstream-failed'],
    ['N14: choices missing', '{"id":"x"}', 'upstream-failed'],
    ['N14: choices that are none', '{"choices":[null]}', 'upstream-failed'],
    ['N13: HTML', '<html><body>502</body></html>', 'upstream-failed'],
    ['N13: nothing', '', 'upstream-failed'],
    ['N13: half an answer', reply({ content: 'x' }).slice(0, -1), 'upstream-failed'],
    ['a finish that says that it failed', reply({ content: 'x' }, 'error'), 'upstream-failed'],
    [
      'an error in the choice',
      reply({ content: '' }, null, { error: { message: 'gone', code: 503 } }),
      'upstream-overloaded',
    ],
  ] as const)('%s', (_name, text, code) => {
    const failure = failureOf(() => decodeReply(text, heard))
    expect(failure.code).toBe(code)
    expect(failure.message).not.toContain('<')
  })
})

test('a stream in place of a reply is understood', () => {
  const steps = decodeReply(sse(role, c('x'), F('stop'), USG(1, 2), DONE), heard)
  expect(steps.at(-1)?.means).toEqual([{ type: 'answer-end', reason: 'end', said: 'stop' }])
  expect(steps.flatMap(({ means }) => means)).toContainEqual({ type: 'block-delta', text: 'x' })
})

test('the end is in a step of its own, without words', () => {
  const steps = decodeReply(reply({ content: 'x' }), heard)
  expect(steps.map(({ means, said }) => [means.at(-1)?.type, said])).toEqual([
    ['block-end', undefined],
    ['answer-end', undefined],
  ])
})
