import { describe, expect, test } from 'bun:test'

import type { ChatEvent } from '#chat/event.ts'
import {
  c,
  type Chunk,
  delta,
  DONE,
  F,
  heard,
  inShort,
  piece,
  profile,
  r,
  role,
  sse,
  stepsOf,
  t,
  tellMessages,
  USG,
} from '#test/chat-answers.ts'
import { checkEvents, readMessagesStream } from '#test/grammars.ts'

import { decodeStream } from './decode-stream.ts'

/** What a messages caller is told of these chunks, after the first one of every stream. */
function inShortOf(...frames: readonly (Chunk | string)[]): string {
  return inShort(tellMessages(sse(role, ...frames)))
}

function messageOf(...frames: readonly (Chunk | string)[]) {
  const result = readMessagesStream(tellMessages(sse(role, ...frames)))
  if (result.outcome === 'error') throw new Error(JSON.stringify(result.error))
  return result.message
}

function eventsOf(...frames: readonly (Chunk | string)[]): readonly ChatEvent[] {
  const { steps, failure } = stepsOf(decodeStream(heard), sse(...frames))
  const events = steps.flatMap(({ means }) => means)
  checkEvents(events, failure === undefined ? 'whole' : 'prefix')
  return events
}

function failureOf(text: string) {
  return stepsOf(decodeStream(heard), text).failure
}

function notesOf(...frames: readonly (Chunk | string)[]): string[] {
  return eventsOf(role, ...frames).flatMap((event) =>
    event.type === 'note' ? [`${event.field}: ${event.what}`] : [],
  )
}

const end = [F('stop'), USG(10, 2), DONE] as const
const called = [F('tool_calls'), DONE] as const

describe('a chat stream told to a messages caller', () => {
  test.each<[string, (Chunk | string)[], string]>([
    ['T-S01: text', [c('he'), c('llo'), ...end], 'ms +0text 0"he" 0"llo" -0 md(end_turn;10,2) mx'],
    ['T-S03, SSE-17: a role and nothing else opens no block', [...end], 'ms md(end_turn;10,2) mx'],
    [
      'T-S05: thoughts, the first of them included, then text',
      [r('a'), r('b'), c('x'), ...end],
      'ms +0thinking 0"a" 0"b" sig -0 +1text 1"x" -1 md(end_turn;10,2) mx',
    ],
    [
      'T-S06: thoughts after text are a block of their own',
      [r('a'), c('x'), r('b'), t(0, 'c1', 'f', '{}'), ...called],
      'ms +0thinking 0"a" sig -0 +1text 1"x" -1 +2thinking 2"b" sig -2 +3tool_use:f 3"{}" -3 md(tool_use;0,0) mx',
    ],
    [
      'T-S10: text is closed before a call starts, whose first fragment counts',
      [c('x'), t(0, 'c1', 'f', '{"a"'), t(0, undefined, undefined, ':1}'), ...called],
      'ms +0text 0"x" -0 +1tool_use:f 1"{\\"a\\"" 1":1}" -1 md(tool_use;0,0) mx',
    ],
    [
      'T-S11: a call first, without a block of text or an empty fragment',
      [t(0, 'c1', 'f', ''), t(0, undefined, undefined, '{}'), ...called],
      'ms +0tool_use:f 0"{}" -0 md(tool_use;0,0) mx',
    ],
    [
      'T-S14: no index',
      [t(undefined, 'c1', 'f', '{"a"'), t(undefined, undefined, undefined, ':1}'), ...called],
      'ms +0tool_use:f 0"{\\"a\\"" 0":1}" -0 md(tool_use;0,0) mx',
    ],
    [
      'T-S14, S19: indexes with gaps',
      [t(3, 'c1', 'f', '{}'), t(7, 'c2', 'g', '{}'), ...called],
      'ms +0tool_use:f 0"{}" -0 +1tool_use:g 1"{}" -1 md(tool_use;0,0) mx',
    ],
    [
      'T-S15, SSE-18: text in the middle of a call waits for its end',
      [t(0, 'c1', 'f', '{"a":'), c('mid'), t(0, undefined, undefined, '1}'), ...called],
      'ms +0tool_use:f 0"{\\"a\\":" 0"1}" -0 +1text 1"mid" -1 md(tool_use;0,0) mx',
    ],
    [
      'T-S15: blank text in the middle of a call is dropped',
      [t(0, 'c1', 'f', '{"a":'), c('\n\n'), t(0, undefined, undefined, '1}'), ...called],
      'ms +0tool_use:f 0"{\\"a\\":" 0"1}" -0 md(tool_use;0,0) mx',
    ],
    [
      'T-S16: a name that comes after an empty one',
      [t(0, 'c1', '', ''), t(0, undefined, 'f', '{}'), ...called],
      'ms +0tool_use:f 0"{}" -0 md(tool_use;0,0) mx',
    ],
    [
      'T-S17: a name that comes after the first arguments',
      [t(0, 'c1', undefined, '{"a"'), t(0, undefined, 'f', ':1}'), ...called],
      'ms +0tool_use:f 0"{\\"a\\":1}" -0 md(tool_use;0,0) mx',
    ],
    [
      'T-S17: a name that comes after all arguments',
      [t(0, 'c1', undefined, '{"a":1}'), t(0, undefined, 'f', ''), ...called],
      'ms +0tool_use:f 0"{\\"a\\":1}" -0 md(tool_use;0,0) mx',
    ],
    [
      'T-S18, S14: id and name on every fragment',
      [t(0, 'c1', 'f', '{"a"'), t(0, 'c1', 'f', ':1'), t(0, 'c1', 'f', '}'), ...called],
      'ms +0tool_use:f 0"{\\"a\\"" 0":1" 0"}" -0 md(tool_use;0,0) mx',
    ],
    [
      'T-S19: text, a call and the finish in one chunk',
      [
        delta({ content: 'x', tool_calls: [piece(0, 'c1', 'f', '{}')] }, { finish_reason: 'stop' }),
        DONE,
      ],
      'ms +0text 0"x" -0 +1tool_use:f 1"{}" -1 md(tool_use;0,0) mx',
    ],
    [
      'T-S20: empty members beside thoughts close nothing',
      [
        delta({ reasoning_content: 'a', content: '', tool_calls: [] }),
        delta({ reasoning_content: 'b', content: null, tool_calls: [], refusal: '' }),
        ...end,
      ],
      'ms +0thinking 0"a" 0"b" sig -0 md(end_turn;10,2) mx',
    ],
    [
      'T-S21: arguments that happen to parse are not complete',
      [t(0, 'c1', 'f', '{"a":1'), t(0, undefined, undefined, '2}'), ...called],
      'ms +0tool_use:f 0"{\\"a\\":1" 0"2}" -0 md(tool_use;0,0) mx',
    ],
    [
      'T-S21: a bare {} is a placeholder if more comes',
      [t(0, 'c1', 'f', '{}'), t(0, undefined, undefined, '{"a":1}'), ...called],
      'ms +0tool_use:f 0"{\\"a\\":1}" -0 md(tool_use;0,0) mx',
    ],
    [
      'T-S30: the finish comes later and says stop',
      [t(0, 'c1', 'f', '{}'), F('stop'), DONE],
      'ms +0tool_use:f 0"{}" -0 md(tool_use;0,0) mx',
    ],
    [
      'T-S30: the finish of the old functions',
      [delta({ function_call: { name: 'f', arguments: '{}' } }), F('function_call'), DONE],
      'ms +0tool_use:f 0"{}" -0 md(tool_use;0,0) mx',
    ],
    [
      'T-S31: an empty finish is none',
      [delta({ content: 'a' }, { finish_reason: '' }), c('b'), ...end],
      'ms +0text 0"a" 0"b" -0 md(end_turn;10,2) mx',
    ],
    [
      'T-S34, S13: any role, or none',
      [
        delta({ role: '', content: 'a' }),
        delta({ role: null, content: 'b' }),
        delta({ role: 'assistant', content: 'c' }),
        ...end,
      ],
      'ms +0text 0"a" 0"b" 0"c" -0 md(end_turn;10,2) mx',
    ],
    [
      'T-S35, S45: a finish twice',
      [c('x'), F('stop'), F('stop'), DONE],
      'ms +0text 0"x" -0 md(end_turn;0,0) mx',
    ],
    [
      'T-S35: stop after tool_calls',
      [t(0, 'c1', 'f', ''), F('tool_calls'), F('stop'), DONE],
      'ms +0tool_use:f -0 md(tool_use;0,0) mx',
    ],
    [
      'T-S35: stop after length',
      [c('x'), F('length'), F('stop'), DONE],
      'ms +0text 0"x" -0 md(max_tokens;0,0) mx',
    ],
    [
      'T-S36: text after the finish',
      [c('x'), F('stop'), c('y'), DONE],
      'ms +0text 0"x" 0"y" -0 md(end_turn;0,0) mx',
    ],
    [
      'T-S39, S37: a refusal',
      [delta({ content: null, refusal: 'I ' }), delta({ refusal: 'will not' }), F('stop'), DONE],
      'ms +0text 0"I " 0"will not" -0 md(refusal;0,0) mx',
    ],
    [
      'T-S40, S41: members that mean nothing here',
      [
        delta({ content: 'x', obfuscation: 'zz' }, { logprobs: { content: [] } }),
        { ...F('stop'), system_fingerprint: 'fp', obfuscation: 'q' },
        DONE,
      ],
      'ms +0text 0"x" -0 md(end_turn;0,0) mx',
    ],
    [
      'S46: a list of parts, thoughts among them',
      [
        c([{ type: 'thinking', thinking: [{ type: 'text', text: 'why' }] }]),
        c([{ type: 'text', text: 'x' }]),
        ...end,
      ],
      'ms +0thinking 0"why" sig -0 +1text 1"x" -1 md(end_turn;10,2) mx',
    ],
    [
      'S38: thoughts under the other name, or both',
      [delta({ reasoning: 'a' }), delta({ reasoning: 'b', reasoning_content: 'b' }), ...end],
      'ms +0thinking 0"a" 0"b" sig -0 md(end_turn;10,2) mx',
    ],
    ['a filter', [c('x'), F('content_filter'), DONE], 'ms +0text 0"x" -0 md(refusal;0,0) mx'],
    ['SSE-22: a refusal without content', [F('content_filter'), DONE], 'ms md(refusal;0,0) mx'],
    [
      'blank text alone is all there is to tell',
      [c(' '), ...end],
      'ms +0text 0" " -0 md(end_turn;10,2) mx',
    ],
    [
      'blank text belongs to the text after it',
      [t(0, 'c1', 'f', '{}'), c('\n'), c('\n'), c('x'), ...called],
      'ms +0tool_use:f 0"{}" -0 +1text 1"\\n\\nx" -1 md(tool_use;0,0) mx',
    ],
    [
      'blank text between thoughts does not part them',
      [r('a'), c('\n'), r('b'), ...end],
      'ms +0thinking 0"a" 0"b" sig -0 md(end_turn;10,2) mx',
    ],
  ])('%s', (_name, frames, told) => {
    expect(inShortOf(...frames)).toBe(told)
  })

  test('T-S02, T-S23, S17: the fragments of two calls may be mixed', () => {
    const message = messageOf(
      t(0, 'c1', 'f', '{"a":'),
      t(1, 'c2', 'g', '{"b":'),
      t(0, undefined, undefined, '"}{"'),
      t(1, undefined, undefined, '2}'),
      t(0, undefined, undefined, '}'),
      ...called,
    )
    expect(message['content']).toEqual([
      { type: 'tool_use', id: 'c1', name: 'f', input: { a: '}{' } },
      { type: 'tool_use', id: 'c2', name: 'g', input: { b: 2 } },
    ])
  })

  test('T-S12: a call starts as soon as it is named', () => {
    const decoder = decodeStream(heard)
    const steps = [...decoder.push(Buffer.from(sse(role, t(0, 'c1', 'f', ''))))]
    expect(steps.flatMap(({ means }) => means).at(-1)).toEqual({
      type: 'block-start',
      block: { type: 'call', id: 'c1', name: 'f' },
    })
  })

  test('T-S20: a piece of a call with nothing in it holds nothing back', () => {
    const decoder = decodeStream(heard)
    const empty = { index: 0, function: { name: null, arguments: '' } }
    const read = sse(role, delta({ tool_calls: [empty] }), c('x'))
    const events = [...decoder.push(Buffer.from(read))].flatMap(({ means }) => means)
    expect(events).toContainEqual({ type: 'block-delta', text: 'x' })
  })

  test.each<[string, Chunk[]]>([
    ['T-S13: all calls numbered 0', [t(0, 'c1', 'f', '{"a":1}'), t(0, 'c2', 'g', '{"b":2}')]],
    [
      'T-S13: all numbered 0, in fragments',
      [
        t(0, 'c1', 'f', '{"a"'),
        t(0, undefined, undefined, ':1}'),
        t(0, 'c2', 'g', ''),
        t(0, undefined, undefined, '{"b":2}'),
      ],
    ],
    [
      'S15: none numbered',
      [t(undefined, 'c1', 'f', '{"a":1}'), t(undefined, 'c2', 'g', '{"b":2}')],
    ],
    [
      'both in one chunk',
      [delta({ tool_calls: [piece(0, 'c1', 'f', '{"a":1}'), piece(1, 'c2', 'g', '{"b":2}')] })],
    ],
    [
      'S21: without a type',
      [
        delta({
          tool_calls: [{ index: 0, id: 'c1', function: { name: 'f', arguments: '{"a":1}' } }],
        }),
        t(1, 'c2', 'g', '{"b":2}'),
      ],
    ],
    [
      'in two choices that are both the first',
      [
        {
          ...role,
          choices: [
            { delta: { tool_calls: [piece(0, 'c1', 'f', '{"a":1}')] } },
            { delta: { tool_calls: [piece(1, 'c2', 'g', '{"b":2}')] } },
          ],
        },
      ],
    ],
    [
      'the id after the name',
      [
        delta({ tool_calls: [piece(undefined, undefined, 'f', '{"a":')] }),
        delta({ tool_calls: [{ id: 'late' }] }),
        t(undefined, undefined, undefined, '1}'),
        t(undefined, 'c2', 'g', '{"b":2}'),
      ],
    ],
  ])('%s', (_name, chunks) => {
    const content = messageOf(...chunks, ...called)['content'] as Chunk[]
    expect(content.map(({ name, input }) => [name, input])).toEqual([
      ['f', { a: 1 }],
      ['g', { b: 2 }],
    ])
    expect(new Set(content.map(({ id }) => id)).size).toBe(2)
  })

  test.each<[string, Chunk[]]>([
    ['with an index', [t(0, '', 'f', '{}'), t(1, undefined, 'f', '{"a":1}')]],
    ['without an index', [t(undefined, '', 'f', '{}'), t(undefined, undefined, 'f', '{"a":1}')]],
    ['all numbered 0', [t(0, '', 'f', '{"b":1}'), t(0, '', 'f', '{"a":1}')]],
    ['an id given twice', [t(0, 'c1', 'f', '{}'), t(1, 'c1', 'f', '{"a":1}')]],
  ])('T-S16, T-N33: calls without an id of their own get one, %s', (_name, chunks) => {
    const ids = (messageOf(...chunks, ...called)['content'] as Chunk[]).map(({ id }) => String(id))
    expect(ids).toHaveLength(2)
    expect(new Set(ids).size).toBe(2)
    for (const id of ids) expect(id).toMatch(/^[a-zA-Z0-9_-]+$/)
  })

  test.each<[string, Chunk[]]>([
    ['beside the name only', [t(0, 'c1', 'f', ''), t(0, 'x', undefined, '{"a":1}')]],
    [
      'with every piece',
      [t(0, 'c1', 'f', ''), t(0, 'x', undefined, '{"a"'), t(0, 'y', undefined, ':1}')],
    ],
    ['after a bare {}', [t(0, 'c1', 'f', '{}'), t(0, 'x', undefined, '{"a":1}')]],
    ['with an empty last piece', [t(0, 'c1', 'f', '{"a":1}'), t(0, 'x', undefined, '')]],
    ['without an index', [t(undefined, 'c1', 'f', '{"a":'), t(undefined, 'x', undefined, '1}')]],
    ['and so does a number', [t(3, 'c1', 'f', ''), t(0, undefined, undefined, '{"a":1}')]],
  ])('an id that changes within a call begins no other one: %s', (_name, chunks) => {
    const others = [t(7, 'c2', 'g', '{}')]
    expect(messageOf(...chunks, ...others, ...called)['content']).toEqual([
      { type: 'tool_use', id: 'c1', name: 'f', input: { a: 1 } },
      { type: 'tool_use', id: 'c2', name: 'g', input: {} },
    ])
  })

  test('an id that comes alone, after a complete call of the same number, begins none that is lost', () => {
    const chunks = [
      t(0, 'c1', 'f', '{"a":1}'),
      t(0, 'c2', undefined, ''),
      t(0, undefined, 'g', ''),
      t(0, undefined, undefined, '{"b":2}'),
    ]
    expect(messageOf(...chunks, ...called)['content']).toMatchObject([
      { name: 'f', input: { a: 1 } },
      { name: 'g', input: { b: 2 } },
    ])
  })

  test('T-S22, T-R22: arguments unit by unit, with escapes, braces and astral characters in strings', () => {
    const text = '{"a":"\\"}{\\\\","b":[{"c":"🙂é"}],"n":1.0,"big":12345678901234567890}'
    const units = text.split('').map((unit) => t(0, undefined, undefined, unit))
    const said = tellMessages(sse(role, t(0, 'c1', 'f', ''), ...units, ...called))
    const told = [...said.matchAll(/"partial_json":("(?:[^"\\]|\\.)*")/g)].map(([, one]) =>
      JSON.parse(one ?? ''),
    )
    expect(told.join('')).toBe(text)
  })

  test('T-S24, N11: arguments as an object, once or with every chunk', () => {
    const whole = { a: { b: 1 } }
    for (const chunks of [
      [t(0, 'c1', 'f', whole)],
      [t(0, 'c1', 'f', whole), t(0, 'c1', 'f', whole)],
    ]) {
      expect(messageOf(...chunks, ...called)['content']).toEqual([
        { type: 'tool_use', id: 'c1', name: 'f', input: whole },
      ])
    }
  })

  test('S18, SSE-09: a call without arguments is told without any', () => {
    expect(messageOf(t(0, 'c1', 'f', ''), ...called)['content']).toEqual([
      { type: 'tool_use', id: 'c1', name: 'f', input: {} },
    ])
  })

  test('T-S32, S23: chunks without choices name nothing, and the first that does counts', () => {
    const empty = { id: '', model: '', object: '', choices: [], prompt_filter_results: [] }
    const events = eventsOf(empty, { choices: null }, c('x'), F('stop'), DONE)
    expect(events[0]).toEqual({ type: 'answer-start', id: 'chatcmpl-1', model: 'served' })
    expect(eventsOf({ choices: [{ delta: { content: 'x' } }] }, F('stop'), DONE)[0]).toEqual({
      type: 'answer-start',
    })
  })

  test('T-S33: another answer after the end of this one is refused', () => {
    const other = { ...role, id: 'chatcmpl-2' }
    const { failure } = stepsOf(decodeStream(heard), sse(role, c('x'), F('stop'), other))
    expect(failure?.code).toBe('upstream-failed')
  })

  test.each<[string, Chunk[]]>([
    [
      'after deltas',
      [
        c('he'),
        c('llo'),
        {
          id: 'chatcmpl-1',
          choices: [
            { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'hello' } },
          ],
        },
      ],
    ],
    [
      'after messages in place of deltas',
      [message('he'), message('llo'), message('hello', { finish_reason: 'stop' })],
    ],
    [
      'beside empty deltas',
      [message('he', { delta: {} }), message('llo', { delta: {} }), F('stop')],
    ],
  ])('T-S38: a message that repeats the whole says nothing new, %s', (_name, chunks) => {
    const { steps } = stepsOf(decodeStream(heard), sse(...chunks, DONE))
    const said = steps
      .flatMap(({ means }) => means)
      .flatMap((event) => (event.type === 'block-delta' ? [event.text] : []))
    expect(said).toEqual(['he', 'llo'])
  })

  test('a choice other than the first is left out, and noted', () => {
    const other = {
      ...c('y'),
      choices: [{ index: 1, delta: { content: 'y' }, finish_reason: null }],
    }
    expect(messageOf(c('x'), other, ...end)['content']).toEqual([{ type: 'text', text: 'x' }])
    expect(notesOf(c('x'), other, ...end)).toEqual(['answer.choices: only the first told'])
  })

  test('what is dropped is noted', () => {
    expect(notesOf(t(0, 'c1', 'f', '{}'), c(' '), ...called)).toEqual([
      'answer.content: blank text dropped',
    ])
    expect(
      notesOf(delta({ content: 'x', annotations: [{ type: 'url_citation' }] }), ...end),
    ).toEqual(['answer.annotations: dropped'])
    expect(notesOf(c('x'), F('repetition'), DONE)).toEqual([
      'answer.finish_reason: unknown word, told as end',
    ])
    expect(notesOf(c('x'), DONE)).toEqual(['answer.finish_reason: missing, told as end'])
    expect(notesOf(c('x'), F('tool_calls'), DONE)).toEqual([
      'answer.finish_reason: said without a call, told as end',
    ])
  })

  test('tool names are told as the caller knows them', () => {
    const names = new Map([['f_1', 'my tool']])
    const { steps } = stepsOf(
      decodeStream({ ...heard, names }),
      sse(t(0, 'c1', 'f_1', '{}'), ...called),
    )
    expect(steps.flatMap(({ means }) => means)[1]).toEqual({
      type: 'block-start',
      block: { type: 'call', id: 'c1', name: 'my tool' },
    })
  })
})

function message(content: string, choice: Chunk = {}): Chunk {
  return {
    id: 'chatcmpl-1',
    choices: [{ index: 0, message: { role: 'assistant', content }, ...choice }],
  }
}

describe('data that only its origin can read', () => {
  const signed = { type: 'reasoning.text', text: '', signature: 'SIG' }
  const marksOf = (...chunks: Chunk[]) =>
    eventsOf(role, ...chunks, ...end).flatMap((event) =>
      event.type === 'block-mark' ? [event.opaque] : [],
    )

  test('a signature ends the thought that it signs', () => {
    const events = eventsOf(
      role,
      delta({ reasoning: 'a', reasoning_details: [{ type: 'reasoning.text', text: 'a' }] }),
      delta({ reasoning_details: [signed] }),
      r('b'),
      ...end,
    )
    expect(events.filter(({ type }) => type === 'block-start')).toHaveLength(2)
    expect(events).toContainEqual({
      type: 'block-mark',
      opaque: { family: 'engine', kind: 'signature', data: 'SIG' },
    })
  })

  test('T-S07: a signature without a thought is kept', () => {
    expect(marksOf(delta({ reasoning_details: [signed] }))).toEqual([
      { family: 'engine', kind: 'signature', data: 'SIG' },
    ])
  })

  test('an encrypted thought is kept, and told as no text', () => {
    expect(
      marksOf(r('a'), delta({ reasoning_details: [{ type: 'reasoning.encrypted', data: 'XX' }] })),
    ).toEqual([{ family: 'engine', kind: 'redacted', data: 'XX' }])
  })

  test('whose it is, the server may say: by a name of ours, by a format, or by our own signature', () => {
    const familyOf = (members: object) =>
      marksOf(delta({ thinking_blocks: [{ type: 'thinking', thinking: 'a', ...members }] }))[0]
        ?.family
    expect(familyOf({ signature: 'SIG', family: 'mistral' })).toBe('mistral')
    expect(familyOf({ signature: 'SIG', format: 'anthropic-claude-v1' })).toBe('anthropic')
    expect(familyOf({ signature: 'parley.1.deepseek' })).toBe('deepseek')
    expect(familyOf({ signature: 'SIG', family: 'nobody', format: 'novel' })).toBe('engine')
  })

  test('a signature that comes too late is noted', () => {
    expect(
      notesOf(
        r('a'),
        c('x'),
        delta({ thinking_blocks: [{ type: 'thinking', thinking: 'a', signature: 'SIG' }] }),
        ...end,
      ),
    ).toEqual(['answer.reasoning: late signature dropped'])
  })

  test('thoughts that come only in pieces are told', () => {
    expect(
      messageOf(
        delta({ reasoning_details: [{ type: 'reasoning.summary', summary: 'why' }] }),
        c('x'),
        ...end,
      )['content'],
    ).toMatchObject([{ thinking: 'why' }, { text: 'x' }])
  })

  test('each call keeps its own, of the family that made it', () => {
    const extra = (data: string) => ({ extra_content: { google: { thought_signature: data } } })
    const google = {
      ...heard,
      target: { ...heard.target, profile: { ...profile, family: 'google' as const } },
    }
    const calls = delta({
      tool_calls: [
        { ...piece(undefined, 'c1', 'f', '{}'), ...extra('s1') },
        { ...piece(undefined, 'c2', 'g', '{}'), ...extra('s2') },
      ],
    })
    const { steps } = stepsOf(decodeStream(google), sse(role, calls, ...called))
    const marks = steps
      .flatMap(({ means }) => means)
      .flatMap((event) => (event.type === 'block-mark' ? [event.opaque] : []))
    expect(marks).toEqual(
      ['s1', 's2'].map((data) => ({
        family: 'google',
        kind: 'extra',
        data: JSON.stringify({ google: { thought_signature: data } }),
      })),
    )
  })
})

describe('which stop sequence matched', () => {
  test.each<[string, Chunk, unknown]>([
    ['T-N21: the matched text', { stop_reason: 'END' }, 'END'],
    ['T-N21: a token', { stop_reason: 128_001 }, undefined],
    ['T-N21: nothing', { stop_reason: null }, undefined],
    ['T-N21: the matched text under another name', { matched_stop: 'END' }, 'END'],
    ['a reason in other words', { stop_reason: 'end_turn' }, undefined],
  ])('%s', (_name, choice, matched) => {
    const last = eventsOf(role, c('x'), F('stop', choice), DONE).at(-1)
    expect(last).toEqual({
      type: 'answer-end',
      said: 'stop',
      reason: matched === undefined ? 'end' : 'stop-sequence',
      ...(matched === undefined ? {} : { stopSequence: 'END' }),
    })
  })
})

describe('usage in a stream', () => {
  const usage = {
    prompt_tokens: 100,
    completion_tokens: 7,
    prompt_tokens_details: { cached_tokens: 40 },
  }

  test.each<[string, Chunk[]]>([
    ['in a chunk of its own', [F('stop'), { choices: [], usage }]],
    ['beside the finish', [{ ...F('stop'), usage }]],
    ['in the choice', [F('stop', { usage })]],
    ['under a vendor name', [{ ...F('stop'), x_groq: { usage } }]],
    [
      'twice',
      [
        { ...F('stop'), usage },
        { choices: [], usage },
      ],
    ],
    [
      'growing',
      [
        { ...c('x'), usage: { ...usage, completion_tokens: 1 } },
        { ...F('stop'), usage: { ...usage, completion_tokens: 2 } },
        { choices: [], usage },
      ],
    ],
    [
      'followed by one that knows less',
      [
        { ...F('stop'), usage },
        { choices: [], usage: { prompt_tokens: 0, completion_tokens: 7 } },
      ],
    ],
    [
      'followed by null',
      [
        { ...F('stop'), usage },
        { choices: [], usage: null },
      ],
    ],
  ])('T-U02, T-U04, T-U06: %s', (_name, chunks) => {
    expect(messageOf(c('x'), ...chunks, DONE)['usage']).toEqual({
      input_tokens: 60,
      cache_read_input_tokens: 40,
      output_tokens: 7,
    })
  })

  test('T-U08: the thoughts of Google are counted where only the total tells of them', () => {
    const google = {
      ...heard,
      target: { ...heard.target, profile: { ...profile, family: 'google' as const } },
    }
    const usage = { prompt_tokens: 20, completion_tokens: 5, total_tokens: 32 }
    const text = sse(role, c('x'), F('stop'), { choices: [], usage }, DONE)
    const means = stepsOf(decodeStream(google), text).steps.flatMap((step) => step.means)
    expect(means).toContainEqual({
      type: 'usage',
      usage: { input: 20, output: 12, reasoning: 7 },
    })
  })

  test('T-U05, SSE-05: the first frame counts nothing that is not known yet', () => {
    const said = tellMessages(sse(role, c('x'), F('stop'), { choices: [], usage }, DONE))
    expect(said.slice(0, said.indexOf('\n\n'))).toContain(
      '"usage":{"input_tokens":0,"output_tokens":0}',
    )
  })

  test('T-U05, T-L04: the first frame has the exact input where the server counts as it goes', () => {
    const said = tellMessages(
      sse(
        { ...role, usage: { ...usage, completion_tokens: 0 } },
        c('x'),
        F('stop'),
        { choices: [], usage },
        DONE,
      ),
    )
    expect(said.slice(0, said.indexOf('\n\n'))).toContain(
      '"usage":{"input_tokens":60,"cache_read_input_tokens":40,"output_tokens":0}',
    )
  })

  test('T-U09: more cached than sent is told as no input, and noted', () => {
    const odd = {
      prompt_tokens: 10,
      completion_tokens: 1,
      prompt_tokens_details: { cached_tokens: 20 },
    }
    expect(messageOf({ ...F('stop'), usage: odd }, DONE)['usage']).toMatchObject({
      input_tokens: 0,
    })
    expect(notesOf({ ...F('stop'), usage: odd }, DONE)).toEqual([
      'answer.usage: more cached than sent, input told as 0',
    ])
  })

  test('T-E11: usage that came before a failure is still told', () => {
    const { steps, failure } = stepsOf(
      decodeStream(heard),
      sse(role, { ...c('x'), usage, error: { code: 502, message: 'gone' } }),
    )
    expect(failure?.message).toContain('gone')
    expect(steps.flatMap(({ means }) => means)).toContainEqual({
      type: 'usage',
      usage: { input: 60, cacheRead: 40, output: 7 },
    })
  })
})

describe('the end of a stream', () => {
  test('is a step of its own, after everything else', () => {
    const { steps } = stepsOf(decodeStream(heard), sse(role, c('x'), ...end))
    expect(steps.map(({ means }) => means.map(({ type }) => type).at(-1))).toEqual([
      'block-end',
      'answer-end',
    ])
    expect(steps.at(-1)?.means).toHaveLength(1)
    expect(steps.every((step) => step.said === undefined)).toBe(true)
  })

  test('is not told twice, and nothing comes after it', () => {
    const { steps } = stepsOf(
      decodeStream(heard),
      sse(role, c('x'), ...end, c('y'), DONE),
      sse(c('z')),
    )
    const types = steps.flatMap(({ means }) => means).map(({ type }) => type)
    expect(types.filter((type) => type === 'answer-end')).toHaveLength(1)
    expect(types.at(-1)).toBe('answer-end')
  })

  test.each([
    ['S25: without [DONE]', sse(role, c('x'), F('stop'))],
    ['S25: with a blank after [DONE]', sse(role, c('x'), F('stop'), '[DONE] ')],
    ['with no blank line after [DONE]', `${sse(role, c('x'), F('stop'))}data: [DONE]`],
    ['with no blank line after the finish', sse(role, c('x'), F('stop')).trimEnd()],
  ])('%s the answer is whole', (_name, text) => {
    expect(inShort(tellMessages(text))).toBe('ms +0text 0"x" -0 md(end_turn;0,0) mx')
  })

  test.each([
    ['S27, T-E12: without a finish', sse(role, c('x')), 'upstream-lost'],
    ['in the middle of a chunk', sse(role, c('x'), F('stop')) + 'data: {"choi', 'upstream-lost'],
    ['before anything was said', '', 'upstream-lost'],
    ['with [DONE] and nothing before it', sse(DONE), 'upstream-failed'],
    ['with JSON in place of a stream', '{"id":"x"}', 'upstream-lost'],
  ] as const)('T-F02, SSE-13: %s the answer is not', (_name, text, code) => {
    expect(failureOf(text)?.code).toBe(code)
  })
})

describe('failures inside a stream', () => {
  test.each<[string, string, string, string]>([
    [
      'S29: flat, under an event of its name',
      'event: error\ndata: {"message":"no room"}\n\n',
      'upstream-failed',
      'no room',
    ],
    [
      'as no JSON, under an event of its name',
      'event: error\ndata: no room\n\n',
      'upstream-failed',
      'no room',
    ],
    ['S30: a text', sse({ error: 'no room' }), 'upstream-failed', 'no room'],
    [
      'an object',
      sse({ error: { message: 'no room', type: 'server_error' } }),
      'upstream-failed',
      'no room',
    ],
    [
      'T-E14: marked by its object',
      sse({ object: 'error', message: 'no room', code: 400 }),
      'upstream-refused',
      'no room',
    ],
    [
      'T-E11: beside no choices',
      sse({ choices: [], error: { code: 502, message: 'no room' } }),
      'upstream-failed',
      'no room',
    ],
    [
      'T-E11: in the choice',
      sse(delta({}, { error: { code: 429, message: 'no room' }, finish_reason: 'error' })),
      'upstream-busy',
      'no room',
    ],
    ['T-E11: a finish that says so', sse(F('error')), 'upstream-failed', 'error'],
    [
      'a finish that says so in other words',
      sse(F('insufficient_system_resource')),
      'upstream-failed',
      'insufficient_system_resource',
    ],
    [
      'in the words of the other protocol',
      sse({ type: 'error', error: { type: 'overloaded_error', message: 'no room' } }),
      'upstream-overloaded',
      'no room',
    ],
    [
      'wrapped in a list',
      'event: error\ndata: [{"error":{"code":400,"message":"no room","status":"INVALID_ARGUMENT"}}]\n\n',
      'upstream-failed',
      'no room',
    ],
    ['T-E15: a chunk that is no JSON', sse('{"choices":['), 'upstream-failed', 'no JSON'],
    ['a chunk that is no object', sse('"[DONE]"'), 'upstream-failed', 'no JSON'],
    [
      'a finished call that goes on',
      sse(t(0, 'c1', 'f', '{"a":1}'), t(1, 'c2', 'g', '{}'), t(0, undefined, undefined, '{"b":1}')),
      'upstream-failed',
      'more arguments',
    ],
    [
      'a call without a name',
      sse(t(0, 'c1', '', '{}'), F('tool_calls'), DONE),
      'upstream-failed',
      'without naming',
    ],
    ['audio', sse(delta({ audio: { data: 'xx' } })), 'upstream-failed', 'audio'],
  ])('%s', (_name, bad, code, words) => {
    const { steps, failure } = stepsOf(
      decodeStream(heard),
      sse(role, c('x')) + bad + sse(c('never'), F('stop'), DONE),
    )
    const events = steps.flatMap(({ means }) => means)
    expect(events).toContainEqual({ type: 'block-delta', text: 'x' })
    expect(JSON.stringify(events)).not.toContain('never')
    expect(String(failure?.code)).toBe(code)
    expect(failure?.message).toContain(words)
    checkEvents(events, 'prefix')
  })

  test('T-E10: is told once, and nothing after it', () => {
    expect(
      inShort(tellMessages(sse(role, c('x'), { error: 'a' }, { error: 'b' }, F('stop'), DONE))),
    ).toBe('ms +0text 0"x" ERR(api_error)')
  })

  test('S31: an error that is null is none', () => {
    expect(
      inShort(tellMessages(sse({ ...role, error: null }, { ...c('x'), error: null }, ...end))),
    ).toBe('ms +0text 0"x" -0 md(end_turn;10,2) mx')
  })

  test('S33, T-E09: one before everything else is all that happens', () => {
    const { steps, failure } = stepsOf(
      decodeStream(heard),
      sse({ error: { code: 503, message: 'busy' } }),
    )
    expect(steps).toEqual([])
    expect(failure?.code).toBe('upstream-overloaded')
  })
})

describe('the bytes of a stream', () => {
  test('T-T02, S35, SSE-20: characters cut in two, line ends and separators in text', () => {
    const text = '🙂é\n\r\u2028 data: x\n\nevent: error'
    const bytes = Buffer.from(sse(role, c(text), F('stop'), DONE))
    const { steps } = stepsOf(
      decodeStream(heard),
      ...Array.from(bytes, (byte) => Uint8Array.of(byte)),
    )
    const said = steps
      .flatMap(({ means }) => means)
      .flatMap((event) => (event.type === 'block-delta' ? [event.text] : []))
    expect(said.join('')).toBe(text)
  })

  test.each([
    ['no blank after the colon', (text: string) => text.replaceAll('data: ', 'data:')],
    ['CRLF', (text: string) => text.replaceAll('\n', '\r\n')],
    ['CR', (text: string) => text.replaceAll('\n', '\r')],
    ['a byte order mark', (text: string) => `\uFEFF${text}`],
    ['several data lines', (text: string) => text.replaceAll(',"choices"', '\ndata: ,"choices"')],
    ['ids and retries', (text: string) => `retry: 5\nid: 1\n\n${text}`],
    ['events without data', (text: string) => `event: ping\n\ndata:\n\n${text}`],
  ])('T-T03: %s', (_name, change) => {
    expect(inShort(tellMessages(change(sse(role, c('x'), ...end))))).toBe(
      'ms +0text 0"x" -0 md(end_turn;10,2) mx',
    )
  })

  test('T-T04: comments show that the upstream is alive, from its first word on', () => {
    const comment = ': PROCESSING\n\n'
    expect(
      inShort(tellMessages(comment + sse(role) + comment + sse(c('x')) + comment + sse(...end))),
    ).toBe('ms ping +0text 0"x" ping -0 md(end_turn;10,2) mx')
  })
})

describe('what could be made to hurt', () => {
  test('T-F04: sixteen megabytes of arguments pass through', () => {
    const mebi = 'x'.repeat(1024 * 1024)
    const decoder = decodeStream(heard)
    let units = 0
    const count = (text: string) => {
      for (const { means } of decoder.push(Buffer.from(text))) {
        for (const event of means) if (event.type === 'block-delta') units += event.text.length
      }
    }
    count(sse(role, t(0, 'c1', 'f', '{"a":"')))
    for (let turn = 0; turn < 16; turn++) count(sse(t(0, undefined, undefined, mebi)))
    count(sse(t(0, undefined, undefined, '"}'), ...called))
    expect(units).toBe(16 * 1024 * 1024 + 8)
  })

  test('T-F04: ten thousand calls', () => {
    const calls = Array.from({ length: 10_000 }, (_, at) => t(at, `c${at}`, 'f', `{"a":${at}}`))
    const { steps } = stepsOf(decodeStream(heard), sse(role, ...calls, ...called))
    const starts = steps.flatMap(({ means }) => means).filter(({ type }) => type === 'block-start')
    expect(starts).toHaveLength(10_000)
  })

  test('T-F04: arguments nested ten thousand levels deep', () => {
    const deep = '['.repeat(10_000)
    const text = `{"a":${deep}${']'.repeat(10_000)}}`
    expect(inShortOf(t(0, 'c1', 'f', text), ...called)).toContain('md(tool_use;0,0) mx')
  })

  test('T-F04: more than can be held back is refused', () => {
    const mebi = 'x'.repeat(1024 * 1024)
    const frames = [t(0, 'c1', 'f', '{'), ...Array.from({ length: 17 }, () => c(mebi))]
    expect(failureOf(sse(role, ...frames))?.message).toContain('16 MiB')
  })

  test('T-T01: a frame over 8 MiB is refused', () => {
    const decoder = decodeStream(heard)
    const mebi = Buffer.alloc(1024 * 1024, 'x')
    const reads = [Buffer.from('data: '), ...Array.from({ length: 9 }, () => mebi)]
    expect(stepsOf(decoder, ...reads).failure?.message).toContain('8 MiB')
  })
})
