import { describe, expect, test } from 'bun:test'

import { GatewayError } from '#chat/error.ts'
import {
  blockDelta,
  blockStart,
  blockStop,
  cutInto,
  ending,
  folded,
  frame,
  heard,
  meansOf,
  messageDelta,
  messageStart,
  messageStop,
  stepsOf,
  textBlock,
  thinkingBlock,
  thrownBy,
  toolBlock,
} from '#test/messages-frames.ts'

import { decodeStream } from './decode-stream.ts'

function eventsOf(...reads: readonly (string | Uint8Array)[]) {
  return meansOf(stepsOf(decodeStream(heard()), ...reads))
}

function answerOf(text: string, names?: ReadonlyMap<string, string>) {
  return folded(stepsOf(decodeStream(heard(names)), text))
}

function failureOf(...reads: readonly string[]): GatewayError {
  const error = thrownBy(() => eventsOf(...reads))
  expect(error).toBeInstanceOf(GatewayError)
  return error as GatewayError
}

describe('a messages stream is decoded', () => {
  test('into our words, in order', () => {
    expect(eventsOf(messageStart(), textBlock(0, 'he', 'llo'), ending())).toEqual([
      { type: 'answer-start', id: 'msg_up', model: 'big-1' },
      { type: 'usage', usage: { input: 10, output: 1 } },
      { type: 'block-start', block: { type: 'text' } },
      { type: 'block-delta', text: 'he' },
      { type: 'block-delta', text: 'llo' },
      { type: 'block-end' },
      { type: 'usage', usage: { input: 10, output: 5 } },
      { type: 'answer-end', reason: 'end', said: 'end_turn' },
    ])
  })

  test('with one step a read and the end in a step of its own', () => {
    const decoder = decodeStream(heard())
    expect([...decoder.push(Buffer.from(messageStart() + textBlock(0, 'x')))]).toHaveLength(1)
    const last = [...decoder.push(Buffer.from(ending()))]
    expect(last.map(({ means }) => means.map(({ type }) => type))).toEqual([
      ['usage'],
      ['answer-end'],
    ])
    expect([...decoder.end()]).toEqual([])
  })

  test('alike wherever the reads are cut (T-T01, T-T02)', () => {
    const text = messageStart() + textBlock(0, '🙂é', '\u2028 data: x') + ending()
    const whole = eventsOf(text)
    for (const size of [1, 2, 3, 7, 64]) {
      expect(eventsOf(...cutInto(text, size))).toEqual(whole)
    }
  })

  test('alike with CRLF, CR, no space after the colon, and a byte order mark (T-T03)', () => {
    const text = messageStart() + textBlock(0, 'x') + ending()
    const whole = eventsOf(text)
    expect(eventsOf(text.replaceAll('\n', '\r\n'))).toEqual(whole)
    expect(eventsOf(text.replaceAll('\n', '\r'))).toEqual(whole)
    expect(eventsOf(text.replaceAll('data: ', 'data:'))).toEqual(whole)
    expect(eventsOf(`\uFEFF${text}`)).toEqual(whole)
  })

  test('by the type inside the data, whatever the name of the event', () => {
    const text = messageStart() + textBlock(0, 'x') + ending()
    expect(eventsOf(text.replaceAll(/event: .*\n/g, ''))).toEqual(eventsOf(text))
  })

  test('with the count so far at every report, an absent or late zero erasing nothing (T-U06)', () => {
    const usages = eventsOf(
      messageStart({ input_tokens: 7, cache_read_input_tokens: 90, output_tokens: 1 }),
      messageDelta(null, { input_tokens: 0, output_tokens: 3 }),
      messageDelta('end_turn', { output_tokens: 4, cache_read_input_tokens: null }),
      messageStop,
    ).filter(({ type }) => type === 'usage')
    expect(usages).toEqual([
      { type: 'usage', usage: { input: 7, cacheRead: 90, output: 1 } },
      { type: 'usage', usage: { input: 7, cacheRead: 90, output: 3 } },
      { type: 'usage', usage: { input: 7, cacheRead: 90, output: 4 } },
    ])
  })

  test('with usage that only the last event brings (T-U04)', () => {
    const { usage } = answerOf(
      messageStart({}) +
        messageDelta('end_turn', { input_tokens: 8, output_tokens: 2 }) +
        messageStop,
    )
    expect(usage).toEqual({ input: 8, output: 2 })
  })

  test('with thoughts, their last signature as a mark, and what is withheld as a mark of its own', () => {
    const { blocks } = answerOf(
      messageStart() +
        blockStart(0, { type: 'thinking', thinking: '', signature: '' }) +
        blockDelta(0, { type: 'thinking_delta', thinking: 'why' }) +
        blockDelta(0, { type: 'signature_delta', signature: 'first' }) +
        blockDelta(0, { type: 'signature_delta', signature: 'last' }) +
        blockStop(0) +
        blockStart(1, { type: 'redacted_thinking', data: 'secret' }) +
        blockStop(1) +
        thinkingBlock(2, 'unsigned') +
        ending(),
    )
    expect(blocks).toEqual([
      {
        start: { type: 'reasoning' },
        text: 'why',
        marks: [{ family: 'anthropic', kind: 'signature', data: 'last' }],
        citations: [],
      },
      {
        start: { type: 'reasoning' },
        text: '',
        marks: [{ family: 'anthropic', kind: 'redacted', data: 'secret' }],
        citations: [],
      },
      { start: { type: 'reasoning' }, text: 'unsigned', marks: [], citations: [] },
    ])
  })

  test('with the raw arguments of calls, under the names that the caller knows', () => {
    const { blocks } = answerOf(
      messageStart() +
        toolBlock(
          0,
          { id: 'toolu_1', name: 'sent_1' },
          '',
          '{"b":1.0,',
          '"a":12345678901234567890}',
        ) +
        ending('tool_use'),
      new Map([['sent_1', "the caller's own name"]]),
    )
    expect(blocks[0]?.start).toEqual({
      type: 'call',
      id: 'toolu_1',
      name: "the caller's own name",
    })
    expect(blocks[0]?.text).toBe('{"b":1.0,"a":12345678901234567890}')
  })

  test('with an empty object for a call that brought no arguments (T-R22)', () => {
    const text = messageStart() + toolBlock(0, { id: 'c', name: 'f' }, '') + ending('tool_use')
    expect(answerOf(text).blocks[0]?.text).toBe('{}')
  })

  test('with the input of the start where no fragment follows, as it was written (T-R24)', () => {
    const start =
      'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"c","name":"f","input":{"z":1.0, "a":[2]}}}\n\n'
    const text = messageStart() + start + blockStop(0) + ending('tool_use')
    expect(answerOf(text).blocks[0]?.text).toBe('{"z":1.0, "a":[2]}')
  })

  test('with fragments in place of what the start held', () => {
    const tool = toolBlock(0, { id: 'c', name: 'f', input: { old: 1 } }, '{"a":', '1}')
    expect(answerOf(messageStart() + tool + ending('tool_use')).blocks[0]?.text).toBe('{"a":1}')
  })

  test('with an id for a call that has none', () => {
    const text = messageStart() + toolBlock(0, { id: '', name: 'f' }) + ending('tool_use')
    expect(answerOf(text).blocks[0]?.start).toMatchObject({
      id: expect.stringMatching(/^toolu_[0-9A-Za-z]{24}$/),
    })
  })

  test('with blocks of server tools kept whole, their input put in, and citations as they were said', () => {
    const citation = { type: 'web_search_result_location', url: 'https://a.example', title: 'A' }
    const { blocks } = answerOf(
      messageStart() +
        blockStart(0, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }) +
        blockDelta(0, { type: 'input_json_delta', partial_json: '{"query":' }) +
        blockDelta(0, { type: 'input_json_delta', partial_json: '"x"}' }) +
        blockStop(0) +
        blockStart(1, { type: 'web_search_tool_result', tool_use_id: 's', content: [] }) +
        blockStop(1) +
        blockStart(2, { type: 'text', text: '' }) +
        blockDelta(2, { type: 'text_delta', text: 'found' }) +
        blockDelta(2, { type: 'citations_delta', citation }) +
        blockStop(2) +
        ending(),
    )
    expect(blocks.map(({ start }) => start)).toMatchObject([
      {
        type: 'other',
        kind: 'server_tool_use',
        raw: '{"type":"server_tool_use","id":"s","name":"web_search","input":{"query":"x"}}',
      },
      { type: 'other', kind: 'web_search_tool_result' },
      { type: 'text' },
    ])
    expect(blocks[2]?.citations.map(String)).toEqual([JSON.stringify(citation)])
  })

  test('with the input of a server tool left out, and a note, where it was cut', () => {
    const { blocks, notes } = answerOf(
      messageStart() +
        blockStart(0, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }) +
        blockDelta(0, { type: 'input_json_delta', partial_json: '{"query":' }) +
        blockStop(0) +
        ending('max_tokens'),
    )
    expect(blocks[0]?.start).toMatchObject({
      raw: '{"type":"server_tool_use","id":"s","name":"web_search","input":{}}',
    })
    expect(notes).toEqual([
      { field: 'answer.content', what: 'cut input of server_tool_use left out' },
    ])
  })

  test('and nothing of an event that nobody knows before it has begun', () => {
    const text = messageStart() + textBlock(0, 'x') + ending()
    expect(eventsOf(frame('brand_new') + text)).toEqual(eventsOf(text))
  })

  test('with text and citations that the start of a block already holds', () => {
    const text =
      messageStart() +
      blockStart(0, { type: 'text', text: 'a', citations: [{ type: 'x' }] }) +
      blockDelta(0, { type: 'text_delta', text: 'b' }) +
      blockStop(0) +
      ending()
    expect(answerOf(text).blocks).toMatchObject([{ text: 'ab', citations: ['{"type":"x"}'] }])
  })

  test('with a sign of life for each ping and comment once it has begun, and none before', () => {
    const events = eventsOf(
      frame('ping') + messageStart({}) + frame('ping') + ': still here\n\n' + ending(),
    )
    expect(events.filter(({ type }) => type === 'idle')).toHaveLength(2)
    expect(events[0]?.type).toBe('answer-start')
  })

  test('with a note for events and fragments that nobody knows (T-R43)', () => {
    const { notes, blocks } = answerOf(
      messageStart() +
        frame('brand_new') +
        blockStart(0, { type: 'text', text: '' }) +
        blockDelta(0, { type: 'shiny_delta', shine: 1 }) +
        blockDelta(0, { type: 'text_delta', text: 'x' }) +
        blockStop(0) +
        ending(),
    )
    expect(notes).toEqual([
      { field: 'answer', what: 'brand_new left out' },
      { field: 'answer.content', what: 'shiny_delta left out' },
    ])
    expect(blocks[0]?.text).toBe('x')
  })

  test.each([
    ['end_turn', 'end'],
    ['stop_sequence', 'stop-sequence'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'context-full'],
    ['refusal', 'refusal'],
    ['pause_turn', 'pause'],
  ] as const)('with %s as the reason %s', (said, reason) => {
    const { end, notes } = answerOf(messageStart() + textBlock(0, 'x') + ending(said))
    expect(end).toMatchObject({ reason, said })
    expect(notes).toEqual([])
  })

  test('with a reason that follows the calls, and a note where the word was none', () => {
    const call = toolBlock(0, { id: 'c', name: 'f' })
    const reasonOf = (text: string) => {
      const { end, notes } = answerOf(messageStart() + text)
      return [end?.reason, notes.map(({ what }) => what)]
    }
    expect(reasonOf(call + ending('tool_use'))).toEqual(['tool-use', []])
    expect(reasonOf(call + ending('end_turn'))).toEqual(['tool-use', []])
    expect(reasonOf(call + ending('max_tokens'))).toEqual(['length', []])
    expect(reasonOf(ending('tool_use'))).toEqual(['end', ['said without a call, told as end']])
    expect(reasonOf(ending('novel'))).toEqual(['end', ['unknown word, told as end']])
    expect(reasonOf(messageStop)).toEqual(['end', ['missing, told as end']])
  })

  test('with the stop sequence, and the kind and explanation of a refusal', () => {
    const delta = frame('message_delta', {
      delta: {
        stop_reason: 'refusal',
        stop_sequence: 'END',
        stop_details: { type: 'refusal', category: 'bio', explanation: 'Not this.' },
      },
      usage: { output_tokens: 0 },
    })
    expect(answerOf(messageStart() + delta + messageStop).end).toEqual({
      type: 'answer-end',
      reason: 'refusal',
      said: 'refusal',
      stopSequence: 'END',
      refusal: 'Not this.',
      refusalCategory: 'bio',
    })
  })

  test('with blocks closed that the server left open', () => {
    const text =
      messageStart() +
      blockStart(0, { type: 'text', text: 'a' }) +
      blockStart(1, { type: 'text', text: 'b' }) +
      ending()
    expect(answerOf(text).blocks.map((block) => block.text)).toEqual(['a', 'b'])
    expect(eventsOf(text).filter(({ type }) => type === 'block-end')).toHaveLength(2)
  })

  test('and nothing after its end is read', () => {
    const text = messageStart() + textBlock(0, 'x') + ending()
    expect(eventsOf(`${text}data: [DONE]\n\n${messageStart()}`)).toEqual(eventsOf(text))
  })
})

test('a call that has the id of an earlier one is given its own, since results are matched by it', () => {
  const twice =
    toolBlock(0, { id: 'toolu_1', name: 'f' }) + toolBlock(1, { id: 'toolu_1', name: 'g' })
  const ids = eventsOf(messageStart() + twice + ending('tool_use')).flatMap((event) =>
    event.type === 'block-start' && event.block.type === 'call' ? [event.block.id] : [],
  )
  expect(ids[0]).toBe('toolu_1')
  expect(new Set(ids).size).toBe(2)
})

describe('a messages stream fails', () => {
  test('as lost when it ends before message_stop, whichever byte it ends at (T-R42, T-F02)', () => {
    const text =
      messageStart() + textBlock(0, 'hé') + toolBlock(1, { id: 'c', name: 'f' }) + ending()
    const bytes = Buffer.from(text)
    // A last frame that lacks only its blank line is whole: the last two bytes are line ends.
    for (let length = 0; length < bytes.length - 2; length++) {
      const error = thrownBy(() => eventsOf(bytes.subarray(0, length)))
      expect(error).toMatchObject({ code: 'upstream-lost' })
    }
    expect(eventsOf(bytes.subarray(0, -2)).at(-1)?.type).toBe('answer-end')
  })

  test.each([
    ['overloaded_error', 'upstream-overloaded'],
    ['rate_limit_error', 'upstream-busy'],
    ['api_error', 'upstream-failed'],
    ['timeout_error', 'upstream-timeout'],
    ['invalid_request_error', 'upstream-refused'],
  ] as const)('as the server says: %s is %s, in its own words (T-E10)', (type, code) => {
    const data = JSON.stringify({ type: 'error', error: { type, message: 'Words.' } })
    const text = `${messageStart()}event: error\ndata: ${data}\n\n`
    const error = failureOf(text)
    expect(error).toMatchObject({ code, message: 'Words.' })
    expect(error.upstream).toMatchObject({ protocol: 'messages', type, body: data })
  })

  test.each([
    [
      'without the name of the event',
      'data: {"type":"error","error":{"type":"api_error","message":"w"}}',
    ],
    ['in the shape of the other protocol', 'event: error\ndata: {"error":{"message":"w"}}'],
    ['with no type at all', 'data: {"error":{"message":"w"}}'],
  ])('on an error told %s', (_, lines) => {
    expect(failureOf(`${messageStart()}${lines}\n\n`)).toMatchObject({
      code: 'upstream-failed',
      message: 'w',
    })
  })

  test('after what came before it in the same read has been told', () => {
    const decoder = decodeStream(heard())
    const read =
      messageStart() +
      textBlock(0, 'x') +
      frame('error', { error: { type: 'api_error', message: 'w' } })
    const steps = decoder.push(Buffer.from(read))[Symbol.iterator]()
    expect(steps.next().value).toMatchObject({ means: { length: 5 } })
    expect(() => steps.next()).toThrow('w')
  })

  test.each([
    ['a second message_start', messageStart() + messageStart()],
    ['content before message_start', textBlock(0, 'x')],
    ['message_stop before message_start', messageStop],
    ['a fragment of no block', messageStart() + blockDelta(0, { type: 'text_delta', text: 'x' })],
    [
      'blocks that are interleaved',
      messageStart() +
        blockStart(0, { type: 'text', text: '' }) +
        blockStart(1, { type: 'text', text: '' }) +
        blockDelta(0, { type: 'text_delta', text: 'x' }),
    ],
    [
      'text inside a call',
      messageStart() +
        blockStart(0, { type: 'tool_use', id: 'c', name: 'f', input: {} }) +
        blockDelta(0, { type: 'text_delta', text: 'x' }),
    ],
    ['a block of no type', messageStart() + blockStart(0, {})],
    ['a call of no tool', messageStart() + toolBlock(0, { id: 'c', name: '' })],
    ['data that is no JSON', `${messageStart()}data: {"type":\n\n`],
    ['data that is no object', `${messageStart()}data: 1\n\n`],
  ])('on %s', (_, text) => {
    expect(failureOf(text)).toMatchObject({ code: 'upstream-failed' })
  })

  test('on a frame over 8 MiB', () => {
    const read = 'x'.repeat(1024 * 1024)
    expect(failureOf(...Array.from({ length: 9 }, () => read))).toMatchObject({
      code: 'upstream-failed',
    })
  })
})
