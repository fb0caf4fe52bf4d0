import { describe, expect, test } from 'bun:test'

import { GatewayError } from '#chat/error.ts'
import { emptyAnswer, type FoldedAnswer, type FoldedBlock } from '#chat/folded-answer.ts'
import { brandAs } from '#std/brand.ts'
import type { RawJson } from '#std/json.ts'
import { told } from '#test/chat-answers.ts'

import { encodeReply } from './encode-reply.ts'

function answer(...blocks: Partial<FoldedBlock>[]): FoldedAnswer {
  const whole = blocks.map((block) => ({
    start: { type: 'text' as const },
    text: '',
    marks: [],
    citations: [],
    ...block,
  }))
  return { ...emptyAnswer(), blocks: whole, end: { type: 'answer-end', reason: 'end' } }
}

function contentOf(...blocks: Partial<FoldedBlock>[]): unknown {
  return JSON.parse(encodeReply(answer(...blocks), told)).content
}

const cutEnd = { type: 'answer-end', reason: 'length' } as const
const call = { type: 'call', id: 'c1', name: 'f' } as const

describe('an answer told as a message', () => {
  test('RES-01, RES-09: has its nine members, the id first', () => {
    const text = encodeReply(
      { ...answer({ text: 'hi' }), model: 'served', usage: { input: 3, output: 1 } },
      told,
    )
    expect(text).toBe(
      '{"id":"id_1","type":"message","role":"assistant","model":"served","content":[{"type":"text","text":"hi"}],"stop_reason":"end_turn","stop_sequence":null,"stop_details":null,"usage":{"input_tokens":3,"output_tokens":1}}',
    )
  })

  test('RES-05: may be empty', () => {
    expect(JSON.parse(encodeReply(answer(), told))).toMatchObject({
      content: [],
      usage: { input_tokens: 0, output_tokens: 0 },
      model: 'asked',
    })
  })

  test('RES-02: citations are there as they came, or not at all', () => {
    expect(contentOf({ text: 'a' })).toEqual([{ type: 'text', text: 'a' }])
    const cited = answer({ text: 'a', citations: [brandAs<RawJson>('{"n":1.0}')] })
    expect(encodeReply(cited, told)).toContain('"citations":[{"n":1.0}]')
  })

  test('RES-03: a thought always has a signature that is a string', () => {
    expect(contentOf({ start: { type: 'reasoning' }, text: 'why' })).toEqual([
      { type: 'thinking', thinking: 'why', signature: 'parley.1.unknown' },
    ])
  })

  test('a block that only this protocol knows is told as it came', () => {
    const raw = brandAs<RawJson>('{"type":"server_tool_use","n":1.0}')
    expect(
      encodeReply(answer({ start: { type: 'other', kind: 'server_tool_use', raw } }), told),
    ).toContain(`[${raw}]`)
  })

  test('RES-08: a call that was cut is told with no input, which is noted', () => {
    const cut = { ...answer({ start: call, text: '{"a":' }), end: cutEnd }
    expect(JSON.parse(encodeReply(cut, told))).toMatchObject({ content: [{ input: {} }] })
    expect(cut.notes).toEqual([
      { field: 'answer.tool_calls.arguments', what: 'cut off, told as {}' },
    ])
  })

  test('T-Q45: a thought without a mark tells whose model it came from', () => {
    const thought = answer({ start: { type: 'reasoning' }, text: 'why' })
    expect(encodeReply(thought, { ...told, family: 'deepseek' })).toContain('"parley.1.deepseek"')
  })

  test('an answer without an end is none', () => {
    expect(() => encodeReply(emptyAnswer(), told)).toThrow(GatewayError)
  })
})
