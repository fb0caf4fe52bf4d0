import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { emptyAnswer, foldEvent } from '#chat/folded-answer.ts'

import { endAnswer, type Expected, readAnswer, readPiece } from './answer-reader.ts'
import { type CallFormat, channelCalls, plainCalls } from './call-format.ts'
import { chatTemplate } from './chat-template.ts'

const listed: CallFormat = {
  mark: '[TOOL_CALLS]',
  isOnlyAtStart: false,
  first: '[TOOL_CALLS][{"name": "',
  neck: '", "arguments": ',
  next: '}, {"name": "',
  last: '}]',
}
const named: CallFormat = {
  mark: '[TOOL_CALLS]',
  isOnlyAtStart: false,
  first: '[TOOL_CALLS]',
  neck: '[ARGS]',
  next: '[TOOL_CALLS]',
  last: '',
}
const bare: CallFormat = {
  mark: '{"name": "',
  isOnlyAtStart: true,
  first: '{"name": "',
  neck: '", "parameters": ',
  last: '}',
}

const expected: Expected = {
  thinking: 'none',
  thought: { open: '<think>', close: '</think>' },
  callable: ['a', 'b'],
  holdsAtMark: false,
  isHeld: false,
  isContinued: false,
  stop: [],
}

function read(pieces: readonly string[], what: Partial<Expected> = {}): unknown[] {
  const reading = readAnswer({ ...expected, ...what })
  for (const piece of pieces) if (readPiece(reading, piece).isStopped) break
  endAnswer(reading)
  const answer = emptyAnswer()
  for (const event of reading.events) foldEvent(answer, event)
  const blocks = answer.blocks.map(({ start, text }) =>
    start.type === 'call' ? `${start.name}(${text})` : `${start.type}: ${text}`,
  )
  return reading.stopSequence === undefined ? blocks : [...blocks, { stop: reading.stopSequence }]
}

/** An answer in channels, as models write that were trained so. */
const inChannels: Partial<Expected> = {
  thinking: 'possible',
  thought: chatTemplate("{{- '<|channel|>analysis<|message|>' }}", { bos: '', eos: '', ends: [] })
    .thought,
  calls: channelCalls,
}
const analysis = '<|channel|>analysis<|message|>hm<|end|><|start|>assistant'

const cases: [string, string, Partial<Expected>, unknown[]][] = [
  ['plain text', 'Hello, <world>! ', {}, ['text: Hello, <world>! ']],
  ['nothing', '', {}, []],
  [
    'text in a channel',
    `${analysis}<|channel|>final<|message|>Yes.`,
    inChannels,
    ['reasoning: hm', 'text: Yes.'],
  ],
  [
    'text in a channel without a thought',
    '<|channel|>final<|message|>Yes.',
    inChannels,
    ['text: Yes.'],
  ],
  [
    'thoughts and a call in channels',
    `${analysis}<|channel|>commentary<|message|>I look.<|end|><|start|>assistant${analysis}<|channel|>commentary to=functions.look <|constrain|>json<|message|>{"at":"<|end|>"}`,
    inChannels,
    ['reasoning: hm', 'text: I look.', 'reasoning: hm', 'look({"at":"<|end|>"})'],
  ],
  [
    'a thought',
    '<think>\nhm\n</think>\n\nYes.',
    { thinking: 'possible' },
    ['reasoning: hm', 'text: Yes.'],
  ],
  [
    'a thought that the prompt opened',
    'hm</think>Yes.',
    { thinking: 'opened' },
    ['reasoning: hm', 'text: Yes.'],
  ],
  ['an empty thought', '<think>\n\n</think>\n\nYes.', { thinking: 'possible' }, ['text: Yes.']],
  [
    'a thought that never ends',
    '<think>so and so',
    { thinking: 'possible' },
    ['reasoning: so and so'],
  ],
  ['marks of a thought that nobody asked for', 'a <think>b', {}, ['text: a <think>b']],
  ['a stop sequence', 'One. STOP two', { stop: ['STOP'] }, ['text: One. ', { stop: 'STOP' }]],
  [
    'the first of two stop sequences',
    'a\n\nb',
    { stop: ['b', '\n\n'] },
    ['text: a', { stop: '\n\n' }],
  ],
  [
    'a stop sequence in a thought',
    '<think>STOP</think>a',
    { thinking: 'possible', stop: ['STOP'] },
    ['reasoning: STOP', 'text: a'],
  ],
  [
    'a text and two calls',
    'Let me see.\n<tool_call>\n{"name": "a", "arguments": {"x": "}\\"{"}}\n</tool_call>\n<tool_call>\n{"name": "b", "arguments": {}}\n</tool_call>',
    { calls: plainCalls },
    ['text: Let me see.', 'a({"x": "}\\"{"})', 'b({})'],
  ],
  [
    'a call that is cut',
    '<tool_call>\n{"name": "a", "arguments": {"x": 1',
    { calls: plainCalls },
    ['a({"x": 1)'],
  ],
  [
    'calls in a list',
    '[TOOL_CALLS][{"name": "a", "arguments": {"x": [1, {}]}}, {"name": "b", "arguments": {}}]',
    { calls: listed },
    ['a({"x": [1, {}]})', 'b({})'],
  ],
  [
    'calls by name',
    '[TOOL_CALLS]a[ARGS]{"x": 1}[TOOL_CALLS]b[ARGS]{}',
    { calls: named },
    ['a({"x": 1})', 'b({})'],
  ],
  [
    'a call without a mark',
    '{"name": "a", "parameters": {"x": 1}}',
    { calls: bare },
    ['a({"x": 1})'],
  ],
  [
    'a call without a mark after a thought',
    '<think>hm</think>\n\n{"name": "a", "parameters": {"x": 1}}',
    { thinking: 'possible', calls: bare },
    ['reasoning: hm', 'a({"x": 1})'],
  ],
  [
    'a call without a mark after a thought that the prompt opened',
    'hm</think>{"name": "a", "parameters": {}}',
    { thinking: 'opened', calls: bare },
    ['reasoning: hm', 'a({})'],
  ],
  [
    'a second thought',
    '<think>hm</think>\n\n<think> is a word.',
    { thinking: 'possible', calls: bare },
    ['reasoning: hm', 'text: <think> is a word.'],
  ],
  [
    'JSON that begins like a call',
    '{"name": "Bob", "age": 3}',
    { calls: bare },
    ['text: {"name": "Bob", "age": 3}'],
  ],
  [
    'JSON that begins with the name of a tool',
    '{"name": "a", "age": 3}',
    { calls: bare },
    ['text: {"name": "a", "age": 3}'],
  ],
  [
    'JSON that begins like a call and is cut',
    '{"name": "a',
    { calls: bare },
    ['text: {"name": "a'],
  ],
  ['JSON that is no call', '{"nam": 1}', { calls: bare }, ['text: {"nam": 1}']],
  [
    'an object later on',
    'So: {"name": "a", "parameters": {}}',
    { calls: bare },
    ['text: So: {"name": "a", "parameters": {}}'],
  ],
  [
    'the mark of a call in a form',
    '{"said": "<tool_call> is a mark"}',
    { calls: plainCalls, isHeld: true },
    ['text: {"said": "<tool_call> is a mark"}'],
  ],
  [
    'the mark of a call in a form after a thought',
    '<think>hm</think>\n\n{"said": "<tool_call>"}',
    { calls: plainCalls, isHeld: true, thinking: 'possible' },
    ['reasoning: hm', 'text: {"said": "<tool_call>"}'],
  ],
  [
    'a call where a form could stand',
    '<think>hm</think>\n\n<tool_call>\n{"name": "a", "arguments": {}}\n</tool_call>',
    { calls: plainCalls, isHeld: true, thinking: 'possible' },
    ['reasoning: hm', 'a({})'],
  ],
  [
    'a call in a channel where a form could stand',
    `${analysis}<|channel|>commentary to=functions.look <|constrain|>json<|message|>{}`,
    { ...inChannels, isHeld: true },
    ['reasoning: hm', 'look({})'],
  ],
  [
    'a stop sequence inside arguments',
    '<tool_call>\n{"name": "a", "arguments": {"x": "STOP"}}\n</tool_call>',
    { calls: plainCalls, stop: ['STOP'] },
    ['a({"x": "STOP"})'],
  ],
  ['a text that the caller began', ' goes on', { isContinued: true }, ['text:  goes on']],
]

describe('an answer is read the same wherever its pieces are cut', () => {
  test.each(cases)('%s', (_, text, what, told) => {
    expect(read([text], what)).toEqual(told)
    for (let cut = 1; cut < text.length; cut++)
      expect(read([text.slice(0, cut), text.slice(cut)], what)).toEqual(told)
    expect(read(text.split(''), what)).toEqual(told)
  })

  test('in any number of pieces', () => {
    const pick = fc.constantFrom(...cases)
    fc.assert(
      fc.property(pick, fc.array(fc.nat(200)), ([, text, what, told], cuts) => {
        const places = [...new Set([0, ...cuts.map((cut) => cut % (text.length + 1)), text.length])]
        places.sort((a, b) => a - b)
        const pieces = places.slice(1).map((to, index) => text.slice(places[index], to))
        expect(read(pieces, what)).toEqual(told)
      }),
    )
  })
})

test('the mark of a call is told at once, with what came after it', () => {
  const reading = readAnswer({ ...expected, calls: plainCalls, holdsAtMark: true })
  expect(readPiece(reading, 'Well. <tool_').afterMark).toBeUndefined()
  expect(readPiece(reading, 'call>{"na').afterMark).toBe('{"na')
  expect(
    readPiece(reading, '\n{"name": "a", "arguments": {}}\n</tool_call>').afterMark,
  ).toBeUndefined()
  endAnswer(reading)
  expect(reading.events.map((event) => event.type)).toEqual([
    'block-start',
    'block-delta',
    'block-end',
    'block-start',
    'block-delta',
    'block-end',
  ])
})

test('a mark that may stand only at the beginning is told at once too, and after a thought', () => {
  const held: Partial<Expected> = { calls: bare, holdsAtMark: true, thinking: 'possible' }
  const reading = readAnswer({ ...expected, ...held })
  expect(readPiece(reading, '<think>hm</think>\n{"na').afterMark).toBeUndefined()
  expect(readPiece(reading, 'me": "x').afterMark).toBe('x')
})

test('what tokens were likely goes with the text that they made', () => {
  const reading = readAnswer({ ...expected, stop: ['ab!'] })
  const scored = (text: string) => ({ text, logprob: -1, top: [] })
  for (const piece of ['x', 'a', 'b', 'y']) readPiece(reading, piece, scored(piece))
  endAnswer(reading)
  const deltas = reading.events.filter((event) => event.type === 'block-delta')
  expect(
    deltas.map(({ text, logprobs }) => [text, logprobs?.map((one) => one.text).join('')]),
  ).toEqual([
    ['x', 'x'],
    ['aby', 'aby'],
  ])
})
