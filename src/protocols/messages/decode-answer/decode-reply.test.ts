import { describe, expect, test } from 'bun:test'

import type { BlockStart } from '#chat/event.ts'
import { folded, heard, thrownBy } from '#test/messages-frames.ts'

import { decodeReply } from './decode-reply.ts'

function message(members: object): string {
  return JSON.stringify({
    id: 'msg_up',
    type: 'message',
    role: 'assistant',
    model: 'big-1',
    content: [],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 2 },
    ...members,
  })
}

function rawOf(start: BlockStart): string {
  return start.type === 'other' ? start.raw : ''
}

describe('a message is decoded', () => {
  test('into its events and, in a step of its own, its end', () => {
    const steps = decodeReply(message({ content: [{ type: 'text', text: 'hi' }] }), heard())
    expect(steps.map(({ means }) => means.map(({ type }) => type))).toEqual([
      ['answer-start', 'usage', 'block-start', 'block-delta', 'block-end'],
      ['answer-end'],
    ])
    expect(folded(steps)).toMatchObject({
      id: 'msg_up',
      model: 'big-1',
      blocks: [{ start: { type: 'text' }, text: 'hi' }],
      usage: { input: 10, output: 2 },
      end: { reason: 'end', said: 'end_turn' },
    })
  })

  test('with the kind and explanation of a refusal', () => {
    const details = { type: 'refusal', category: 'cyber', explanation: 'Not this.' }
    const refused = message({ stop_reason: 'refusal', stop_details: details })
    expect(folded(decodeReply(refused, heard())).end).toMatchObject({
      reason: 'refusal',
      refusal: 'Not this.',
      refusalCategory: 'cyber',
    })
  })

  test('with the input of calls as it was written, number forms and key order and all', () => {
    const text = message({ stop_reason: 'tool_use' }).replace(
      '"content":[]',
      '"content":[{"type":"text","text":"\\"input\\":{"},{"type":"tool_use","id":"c","name":"n","input": {"b":1.0, "a":12345678901234567890}}]',
    )
    const { blocks } = folded(decodeReply(text, heard(new Map([['n', 'own name']]))))
    expect(blocks[1]).toMatchObject({
      start: { type: 'call', id: 'c', name: 'own name' },
      text: '{"b":1.0, "a":12345678901234567890}',
    })
  })

  test('with thoughts, what is withheld, server tools and citations', () => {
    const content = [
      { type: 'thinking', thinking: 'why', signature: 'sig' },
      { type: 'redacted_thinking', data: 'blob' },
      { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'x' } },
      { type: 'text', text: 'a', citations: [{ type: 'char_location' }] },
      { type: 'tool_use', id: 'c', name: 'f', input: {} },
    ]
    const { blocks } = folded(decodeReply(message({ content }), heard()))
    expect(blocks).toMatchObject([
      { text: 'why', marks: [{ family: 'anthropic', kind: 'signature', data: 'sig' }] },
      { text: '', marks: [{ kind: 'redacted', data: 'blob' }] },
      { start: { type: 'other', kind: 'server_tool_use', raw: JSON.stringify(content[2]) } },
      { text: 'a', citations: ['{"type":"char_location"}'] },
      { start: { type: 'call', id: 'c', name: 'f' }, text: '{}' },
    ])
  })

  test('with raw parts that fit on the one line of a frame', () => {
    const content = [
      { type: 'odd_block', text: 'a\nb' },
      { type: 'text', text: 'a', citations: [{ type: 'char_location' }] },
    ]
    const text = JSON.stringify(JSON.parse(message({ content })), null, 2)
    const { blocks } = folded(decodeReply(text, heard()))
    const raws = [rawOf(blocks[0]!.start), String(blocks[1]?.citations[0])]
    expect(raws.map((raw) => JSON.parse(raw))).toEqual([content[0]!, { type: 'char_location' }])
    expect(raws.join('')).not.toMatch(/[\r\n]/)
  })

  test('with no blocks where a server writes null for its content', () => {
    expect(folded(decodeReply(message({ content: null }), heard())).blocks).toEqual([])
  })

  test('with a note for a reason that nobody knows', () => {
    const { end, notes } = folded(decodeReply(message({ stop_reason: 'novel' }), heard()))
    expect(end).toMatchObject({ reason: 'end', said: 'novel' })
    expect(notes).toEqual([{ field: 'answer.stop_reason', what: 'unknown word, told as end' }])
  })
})

describe('what is no message', () => {
  test('fails with what an error told under a good status means', () => {
    const body = '{"type":"error","error":{"type":"overloaded_error","message":"Full."}}'
    const error = thrownBy(() => decodeReply(body, heard()))
    expect(error).toMatchObject({
      code: 'upstream-overloaded',
      message: 'Full.',
      upstream: { body },
    })
  })

  test.each([
    '',
    '<html>',
    '[]',
    '{}',
    '{"type":"message"}',
    '{"object":"chat.completion","choices":[]}',
  ])('fails: %j', (body) => {
    const error = thrownBy(() => decodeReply(body, heard()))
    expect(error).toMatchObject({ code: 'upstream-failed' })
  })
})
