import { describe, expect, test } from 'bun:test'

import type { Opaque } from '#chat/conversation.ts'
import type { AnswerEnd, BlockStart } from '#chat/event.ts'
import type { FoldedAnswer, FoldedBlock } from '#chat/folded-answer.ts'
import type { Usage } from '#chat/usage.ts'
import type { Told } from '#protocols/protocol.ts'
import { rawJson } from '#std/json.ts'
import { thrownBy } from '#test/messages-frames.ts'

import { encodeReply } from './encode-reply.ts'

const told: Told = {
  id: 'chatcmpl-1',
  created: 1_755_133_833,
  model: 'smart',
  wantsUsage: false,
  isLegacyFunctions: false,
}

function block(start: BlockStart, text = '', members: Partial<FoldedBlock> = {}): FoldedBlock {
  return { start, text, marks: [], citations: [], ...members }
}

function text(said: string, members?: Partial<FoldedBlock>): FoldedBlock {
  return block({ type: 'text' }, said, members)
}

function call(name: string, said = '{}', marks: Opaque[] = []): FoldedBlock {
  return block({ type: 'call', id: `call_${name}`, name }, said, { marks })
}

function answer(
  blocks: FoldedBlock[],
  end: Partial<AnswerEnd> = {},
  usage: Usage = { input: 10, output: 2 },
): FoldedAnswer {
  return {
    id: 'msg_up',
    model: 'big-1',
    blocks,
    usage,
    end: { type: 'answer-end', reason: 'end', ...end },
    notes: [],
  }
}

function choiceOf(folded: FoldedAnswer, members: Partial<Told> = {}): Record<string, unknown> {
  return JSON.parse(encodeReply(folded, { ...told, ...members })).choices[0]
}

function messageOf(blocks: FoldedBlock[], members?: Partial<Told>): Record<string, unknown> {
  return choiceOf(answer(blocks), members)['message'] as Record<string, unknown>
}

describe('a whole answer', () => {
  test('is told with every member that clients rely on, and no other (N01, N02)', () => {
    expect(JSON.parse(encodeReply(answer([text('hi')]), told))).toEqual({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1_755_133_833,
      model: 'big-1',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'hi', refusal: null },
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
    })
  })

  test('of a call has no content, and its arguments as text (N03)', () => {
    const said = answer([call('f', '{"b":1.0}')], { reason: 'tool-use' })
    expect(choiceOf(said)).toEqual({
      index: 0,
      message: {
        role: 'assistant',
        content: null,
        refusal: null,
        tool_calls: [
          { id: 'call_f', type: 'function', function: { name: 'f', arguments: '{"b":1.0}' } },
        ],
      },
      finish_reason: 'tool_calls',
    })
  })

  test('of two calls has both, each with its own id (N05)', () => {
    const { tool_calls: calls } = messageOf([call('f'), call('g')])
    expect(calls).toMatchObject([{ id: 'call_f' }, { id: 'call_g' }])
  })

  test('that was cut says length (N07)', () => {
    expect(choiceOf(answer([text('')], { reason: 'length' }))).toMatchObject({
      message: { content: '' },
      finish_reason: 'length',
    })
  })

  test('has its thoughts under both names, and none of them in the content (N10)', () => {
    const message = messageOf([block({ type: 'reasoning' }, 'why'), text('x')])
    expect(message).toEqual({
      role: 'assistant',
      content: 'x',
      refusal: null,
      reasoning_content: 'why',
      reasoning: 'why',
    })
  })

  test('has the thoughts that are signed or withheld whole (T-R11, T-R13)', () => {
    const signature: Opaque = { family: 'anthropic', kind: 'signature', data: 'sig' }
    const redacted: Opaque = { family: 'anthropic', kind: 'redacted', data: 'blob' }
    const message = messageOf([
      block({ type: 'reasoning' }, 'why', { marks: [signature] }),
      block({ type: 'reasoning' }, '', { marks: [redacted] }),
      block({ type: 'reasoning' }, '', { marks: [signature] }),
      text('x'),
    ])
    expect(message['reasoning_content']).toBe('why')
    expect(message['thinking_blocks']).toEqual([
      { type: 'thinking', thinking: 'why', signature: 'sig' },
      { type: 'redacted_thinking', data: 'blob' },
      { type: 'thinking', thinking: '', signature: 'sig' },
    ])
  })

  test('joins its texts, with an empty line and a note where other blocks stood between (T-R50)', () => {
    const joinedTexts = answer([text('a'), text('b')])
    expect(choiceOf(joinedTexts)).toMatchObject({ message: { content: 'ab' } })
    expect(joinedTexts.notes).toEqual([])
    const apart = answer([text('a'), call('f'), text('b')])
    expect(choiceOf(apart)).toMatchObject({ message: { content: 'a\n\nb' } })
    expect(apart.notes).toEqual([
      { field: 'answer.content', what: 'texts between other blocks joined' },
    ])
  })

  test('of nothing has an empty content (T-R52)', () => {
    expect(choiceOf(answer([]))).toMatchObject({
      message: { content: '', refusal: null },
      finish_reason: 'stop',
    })
  })

  test('keeps citations of pages, and nothing of a block that it has no place for (T-R25)', () => {
    const raw = (members: object) => rawJson({ type: 'web_search_result_location', ...members })
    const said = answer([
      block({ type: 'other', kind: 'server_tool_use', raw: rawJson({}) }),
      text('one '),
      text('two', { citations: [raw({ url: 'https://a.example' }), raw({})] }),
    ])
    expect(choiceOf(said)).toMatchObject({
      message: {
        content: 'one two',
        annotations: [
          {
            type: 'url_citation',
            url_citation: {
              start_index: 4,
              end_index: 7,
              url: 'https://a.example',
              title: 'https://a.example',
            },
          },
        ],
      },
    })
  })

  test('that is a refusal says so in its own member', () => {
    expect(choiceOf(answer([block({ type: 'refusal' }, 'No.')], { reason: 'refusal' }))).toEqual({
      index: 0,
      message: { role: 'assistant', content: null, refusal: 'No.' },
      finish_reason: 'stop',
    })
    const explained = answer([], { reason: 'refusal', said: 'refusal', refusal: 'Not this.' })
    expect(choiceOf(explained)).toMatchObject({
      message: { content: null, refusal: 'Not this.' },
      finish_reason: 'content_filter',
      native_finish_reason: 'refusal',
    })
  })

  test('speaks of function_call to a caller who used functions, and notes what that cannot hold', () => {
    const said = answer([call('f'), call('g')], { reason: 'tool-use' })
    expect(choiceOf(said, { isLegacyFunctions: true })).toEqual({
      index: 0,
      message: {
        role: 'assistant',
        content: null,
        refusal: null,
        function_call: { name: 'f', arguments: '{}' },
      },
      finish_reason: 'function_call',
    })
    expect(said.notes).toHaveLength(1)
  })

  test('has an empty object for a call without arguments, and what Google put beside it', () => {
    const extra: Opaque = { family: 'google', kind: 'extra', data: '{"google":{"s":1}}' }
    expect(messageOf([call('f', '', [extra])])['tool_calls']).toEqual([
      {
        id: 'call_f',
        type: 'function',
        function: { name: 'f', arguments: '{}' },
        extra_content: { google: { s: 1 } },
      },
    ])
  })

  test('counts the cache into the prompt (T-U01)', () => {
    const usage = { input: 10, cacheRead: 90, cacheWrite: 5, output: 3, reasoning: 2 }
    expect(JSON.parse(encodeReply(answer([], {}, usage), told)).usage).toEqual({
      prompt_tokens: 105,
      completion_tokens: 3,
      total_tokens: 108,
      prompt_tokens_details: { cached_tokens: 90, cache_write_tokens: 5 },
      completion_tokens_details: { reasoning_tokens: 2 },
    })
  })

  test('without an end is no answer', () => {
    const { end: _, ...endless } = answer([text('x')])
    expect(thrownBy(() => encodeReply(endless, told))).toMatchObject({ code: 'upstream-lost' })
  })
})
