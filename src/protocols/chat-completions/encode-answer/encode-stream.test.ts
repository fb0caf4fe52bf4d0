import { describe, expect, test } from 'bun:test'

import type { AnswerEnd, BlockStart, ChatEvent } from '#chat/event.ts'
import type { Told } from '#protocols/protocol.ts'
import { rawJson } from '#std/json.ts'

import { encodeStream } from './encode-stream.ts'

const told: Told = {
  id: 'chatcmpl-1',
  created: 1_755_133_833,
  model: 'smart',
  wantsUsage: false,
  isLegacyFunctions: false,
}

const start: ChatEvent = { type: 'answer-start', id: 'msg_up', model: 'big-1' }
const end: AnswerEnd = { type: 'answer-end', reason: 'end' }

function block(start: BlockStart, ...inside: readonly (string | ChatEvent)[]): ChatEvent[] {
  const grown = inside.map((one): ChatEvent =>
    typeof one === 'string' ? { type: 'block-delta', text: one } : one,
  )
  return [{ type: 'block-start', block: start }, ...grown, { type: 'block-end' }]
}

function text(...pieces: readonly (string | ChatEvent)[]): ChatEvent[] {
  return block({ type: 'text' }, ...pieces)
}

function call(name: string, ...pieces: readonly (string | ChatEvent)[]): ChatEvent[] {
  return block({ type: 'call', id: `call_${name}`, name }, ...pieces)
}

function mark(kind: 'signature' | 'redacted' | 'extra', data: string): ChatEvent {
  return { type: 'block-mark', opaque: { family: 'anthropic', kind, data } }
}

function said(events: readonly ChatEvent[], members: Partial<Told> = {}): string {
  return encodeStream({ ...told, ...members }).push([start, ...events])
}

interface Chunk {
  readonly id: string
  readonly object: string
  readonly created: number
  readonly model: string
  readonly choices: readonly { delta: Record<string, unknown>; finish_reason: string | null }[]
  readonly usage?: unknown
}

function chunks(events: readonly ChatEvent[], members?: Partial<Told>): Chunk[] {
  const frames = said(events, members).split('\n\n').slice(0, -1)
  expect(frames.at(-1)).toBe('data: [DONE]')
  return frames.slice(0, -1).map((frame) => JSON.parse(frame.replace(/^data: /, '')))
}

function deltas(events: readonly ChatEvent[], members?: Partial<Told>): unknown[] {
  return chunks(events, members).flatMap(({ choices }) => choices.map(({ delta }) => delta))
}

const opening = { role: 'assistant', content: '' }

const wellFormed = /^(?:data: [^\n\r]+\n\n|:[^\n\r]*\n\n)*data: \[DONE\]\n\n$/

describe('an answer is told in chunks', () => {
  test('of data lines only, ended by [DONE] (S01)', () => {
    expect(said([...text('hi\r\n'), { type: 'idle' }, end])).toMatch(wellFormed)
  })

  test('that are exactly these', () => {
    expect(said([...text('hi'), end], { wantsUsage: true })).toMatchInlineSnapshot(`
      "data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1755133833,"model":"big-1","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}],"usage":null}

      data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1755133833,"model":"big-1","choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":null}],"usage":null}

      data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1755133833,"model":"big-1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":null}

      data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1755133833,"model":"big-1","choices":[],"usage":{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}}

      data: [DONE]

      "
    `)
  })

  test('with one id, time, model and object (S02, T-R02)', () => {
    const all = chunks([...text('a'), ...call('f', '{}'), end], { wantsUsage: true })
    const heads = all.map(({ id, object, created, model }) => [id, object, created, model])
    expect(new Set(heads.map(String)).size).toBe(1)
    expect(heads[0]).toEqual(['chatcmpl-1', 'chat.completion.chunk', 1_755_133_833, 'big-1'])
    expect(all.every(({ choices }) => Array.isArray(choices))).toBe(true)
  })

  test('under the name that was asked for where the upstream tells none', () => {
    const line = encodeStream(told).push([{ type: 'answer-start' }])
    expect(line).toContain('"model":"smart"')
  })

  test('the first of which has the role, and no other (S03)', () => {
    expect(deltas([...text('a', 'b'), end])).toEqual([
      opening,
      { content: 'a' },
      { content: 'b' },
      {},
    ])
  })

  test('whose contents join to the text, empty pieces left out (S05)', () => {
    expect(deltas([...text('', 'a\n', '\u2028"🙂', ''), end]).slice(1, -1)).toEqual([
      { content: 'a\n' },
      { content: '\u2028"🙂' },
    ])
  })

  test('without a word of usage unless it was asked for (S06)', () => {
    expect(said([{ type: 'usage', usage: { input: 1 } }, ...text('a'), end])).not.toContain('usage')
  })

  test('with usage null but in the last of them, which has no choices (S07)', () => {
    const all = chunks(
      [
        { type: 'usage', usage: { input: 10, cacheRead: 90, cacheWrite: 5, output: 1 } },
        ...text('a'),
        { type: 'usage', usage: { output: 3 } },
        end,
      ],
      { wantsUsage: true },
    )
    expect(all.slice(0, -1).every(({ usage }) => usage === null)).toBe(true)
    expect(all.at(-1)).toMatchObject({
      choices: [],
      usage: {
        prompt_tokens: 105,
        completion_tokens: 3,
        total_tokens: 108,
        prompt_tokens_details: { cached_tokens: 90, cache_write_tokens: 5 },
      },
    })
  })

  test('with a call whose header comes once and whose pieces carry nothing else (S11, T-R23)', () => {
    expect(deltas([...call('f', '{"a"', ':1}'), { ...end, reason: 'tool-use' }])).toEqual([
      opening,
      {
        tool_calls: [
          { index: 0, id: 'call_f', type: 'function', function: { name: 'f', arguments: '' } },
        ],
      },
      { tool_calls: [{ index: 0, function: { arguments: '{"a"' } }] },
      { tool_calls: [{ index: 0, function: { arguments: ':1}' } }] },
      {},
    ])
  })

  test('with calls numbered from 0 without gaps, whatever blocks lie between (T-R20)', () => {
    const all = deltas([...text('a'), ...call('f', '{}'), ...text('b'), ...call('g', '{}'), end])
    const indexes = all.flatMap((delta) => {
      const { tool_calls: calls } = delta as { tool_calls?: readonly { index: number }[] }
      return calls?.map(({ index }) => index) ?? []
    })
    expect(indexes).toEqual([0, 0, 1, 1])
  })

  test('with an empty object for a call that has no arguments (S18)', () => {
    expect(deltas([...call('f'), end]).at(-2)).toEqual({
      tool_calls: [{ index: 0, function: { arguments: '{}' } }],
    })
  })

  test('with thoughts under both names, before the content (S38, N10)', () => {
    const events = [...block({ type: 'reasoning' }, 'why', '?'), ...text('x'), end]
    expect(deltas(events)).toEqual([
      opening,
      { reasoning_content: 'why', reasoning: 'why' },
      { reasoning_content: '?', reasoning: '?' },
      { content: 'x' },
      {},
    ])
  })

  test('with the signed thoughts whole, in one chunk before the end (T-R11, T-R13, S39)', () => {
    const all = deltas([
      ...block({ type: 'reasoning' }, 'wh', 'y', mark('signature', 'sig')),
      ...block({ type: 'reasoning' }, mark('redacted', 'blob')),
      ...text('x'),
      end,
    ])
    expect(all.filter((delta) => Object.hasOwn(delta as object, 'thinking_blocks'))).toHaveLength(1)
    expect(all.at(-2)).toEqual({
      thinking_blocks: [
        { type: 'thinking', thinking: 'why', signature: 'sig' },
        { type: 'redacted_thinking', data: 'blob' },
      ],
    })
  })

  test('with a withheld thought of no visible text at all (T-R13)', () => {
    const line = said([...block({ type: 'reasoning' }, mark('redacted', 'blob')), end])
    expect(line).not.toContain('reasoning')
  })

  test('whose thought says whose it is unless it is of the usual vendor', () => {
    const opaque = { family: 'unknown', kind: 'signature', data: 's' } as const
    const events = block({ type: 'reasoning' }, 'why', { type: 'block-mark', opaque })
    expect(deltas([...events, end]).at(-2)).toEqual({
      thinking_blocks: [{ type: 'thinking', thinking: 'why', signature: 's', family: 'unknown' }],
    })
  })

  test('with a refusal in its own member, and stop beside it (S37)', () => {
    const events = block({ type: 'refusal' }, "I'm", ' sorry')
    const all = chunks([...events, { ...end, reason: 'refusal' }])
    expect(all.flatMap(({ choices }) => choices.map(({ delta }) => delta))).toEqual([
      opening,
      { refusal: "I'm" },
      { refusal: ' sorry' },
      {},
    ])
    expect(all.at(-1)?.choices[0]?.finish_reason).toBe('stop')
  })

  test('with the explanation of a refusal that came without words', () => {
    const all = chunks([{ ...end, reason: 'refusal', said: 'refusal', refusal: 'Not this.' }])
    expect(all.map(({ choices }) => choices[0])).toMatchObject([
      { delta: opening },
      { delta: { refusal: 'Not this.' } },
      { delta: {}, finish_reason: 'content_filter', native_finish_reason: 'refusal' },
    ])
  })

  test('in the old words for a caller who used functions (S42)', () => {
    const events = [...call('f', '{"a"', ':1}'), ...call('g', '{}'), { ...end, reason: 'tool-use' }]
    const all = chunks(events as ChatEvent[], { isLegacyFunctions: true })
    expect(all.flatMap(({ choices }) => choices.map(({ delta }) => delta))).toEqual([
      opening,
      { function_call: { name: 'f', arguments: '' } },
      { function_call: { arguments: '{"a"' } },
      { function_call: { arguments: ':1}' } },
      {},
    ])
    expect(all.at(-1)?.choices[0]?.finish_reason).toBe('function_call')
  })

  test('with citations of pages as annotations of the joined text (T-R25)', () => {
    const citation = (url: string): ChatEvent => ({
      type: 'block-citation',
      raw: rawJson({ type: 'web_search_result_location', url, title: 'T' }),
    })
    const all = deltas([
      ...text('one '),
      ...text('two', citation('https://a.example'), citation('not a page')),
      end,
    ])
    expect(all.at(-2)).toEqual({
      annotations: [
        {
          type: 'url_citation',
          url_citation: { start_index: 4, end_index: 7, url: 'https://a.example', title: 'T' },
        },
      ],
    })
  })

  test('without the blocks that only another protocol knows (T-R25)', () => {
    const raw = rawJson({ type: 'server_tool_use' })
    const events = block({ type: 'other', kind: 'server_tool_use', raw })
    expect(deltas([...events, ...text('x'), end])).toEqual([opening, { content: 'x' }, {}])
  })

  test('with an empty line between texts that other blocks stood between (T-R50)', () => {
    const contents = (events: readonly ChatEvent[]) =>
      deltas([...events, end])
        .map((delta) => (delta as { content?: string }).content ?? '')
        .join('')
    expect(contents([...text('a'), ...text('b')])).toBe('ab')
    expect(contents([...text('a'), ...call('f', '{}'), ...text('', 'b'), ...text('c')])).toBe(
      'a\n\nbc',
    )
    expect(contents([...call('f', '{}'), ...text('b')])).toBe('b')
  })

  test('with the member that Google’s models put beside a call, on one line', () => {
    const extra = mark('extra', '{\n"google":{"thought_signature":"s"}}')
    expect(said([...call('f', '{}', extra), end])).toMatch(wellFormed)
    expect(deltas([...call('f', '{}', extra), end]).at(-2)).toEqual({
      tool_calls: [
        {
          index: 0,
          function: { arguments: '' },
          extra_content: { google: { thought_signature: 's' } },
        },
      ],
    })
  })

  test.each([
    ['end', 'end_turn', 'stop', undefined],
    ['stop-sequence', 'stop_sequence', 'stop', 'stop_sequence'],
    ['length', 'max_tokens', 'length', undefined],
    ['context-full', 'model_context_window_exceeded', 'length', 'model_context_window_exceeded'],
    ['tool-use', 'tool_use', 'tool_calls', undefined],
    ['pause', 'pause_turn', 'stop', 'pause_turn'],
    ['refusal', 'refusal', 'content_filter', 'refusal'],
    ['end', 'novel', 'stop', 'novel'],
  ] as const)('that end for %s, said %s, as %s (T-R31, T-R32)', (reason, word, finish, native) => {
    const last = chunks([{ ...end, reason, said: word }]).at(-1)?.choices[0]
    expect(last).toEqual({
      index: 0,
      delta: {},
      finish_reason: finish,
      ...(native && { native_finish_reason: native }),
    } as unknown as Chunk['choices'][number])
  })

  test('with the stop sequence that matched', () => {
    const last = said([{ ...end, reason: 'stop-sequence', stopSequence: 'END' }])
    expect(last).toContain('"finish_reason":"stop","stop_sequence":"END"')
  })

  test('and a comment while the upstream has nothing to say (T-R40)', () => {
    const encoder = encodeStream(told)
    encoder.push([start])
    expect(encoder.push([{ type: 'idle' }])).toBe(': keep-alive\n\n')
    expect(encoder.push([])).toBe('')
  })
})
