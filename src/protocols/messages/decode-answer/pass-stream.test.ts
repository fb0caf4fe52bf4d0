import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import type { GatewayError } from '#chat/error.ts'
import type { Step } from '#chat/step.ts'
import { encodeStreamError } from '#protocols/messages/encode-answer/encode-error.ts'
import {
  blockDelta,
  blockStart,
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
  thrownBy,
  toolBlock,
} from '#test/messages-frames.ts'

import { decodeStream } from './decode-stream.ts'
import { passStream } from './pass-stream.ts'

function saidIn(steps: readonly Step[]): string {
  return Buffer.concat(steps.map(({ said }) => Buffer.from(said ?? ''))).toString()
}

const odd = [
  '\uFEFF: hello\n\n',
  messageStart().replace('}\n\n', '}     \n\n'),
  frame('ping'),
  frame('brand_new', { x: 'message_stop "error" é🙂\u2028' }),
  'id: 7\nretry: 10\nevent:content_block_start\ndata:{"type":"content_block_start",\ndata: "index":0,"content_block":{"type":"text","text":""}}\n\n\n\n',
  blockDelta(0, { type: 'text_delta', text: 'the error was message_stop' }),
  frame('content_block_stop', { index: 0 }),
  messageDelta('end_turn'),
  messageStop,
].join('')

describe('a messages stream is passed on', () => {
  test.each([1, 2, 3, 7, 64, 1_000_000])(
    'byte for byte, unknown events, pings, padding and all, in reads of %i bytes (T-P01, T-T01)',
    (size) => {
      for (const text of [odd, odd.replaceAll('\n', '\r\n'), odd.replaceAll('\n', '\r')]) {
        expect(saidIn(stepsOf(passStream(), ...cutInto(text, size)))).toBe(text)
      }
    },
  )

  test('only in whole frames', () => {
    const text = messageStart() + textBlock(0, 'hello', 'world') + ending()
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 90 }), (size) => {
        for (const { said } of stepsOf(passStream(), ...cutInto(text, size))) {
          expect(Buffer.from(said ?? '').toString()).toMatch(/^event: [^]*\n\n$/)
        }
      }),
    )
  })

  test('without a copy when a read ends with a frame', () => {
    const decoder = passStream()
    const read = Buffer.from(messageStart())
    const [step] = [...decoder.push(read)]
    expect((step!.said as Uint8Array).buffer).toBe(read.buffer)
  })

  test('its last frame in a step of its own, so that it can be held back', () => {
    const text = messageStart() + textBlock(0, 'x') + ending()
    const steps = stepsOf(passStream(), text)
    expect(steps.map(({ said }) => Buffer.from(said ?? '').toString())).toEqual([
      text.slice(0, -messageStop.length),
      messageStop,
    ])
    expect(steps.map(({ means }) => means.map(({ type }) => type))).toEqual([
      ['answer-start', 'usage', 'usage'],
      ['answer-end'],
    ])
  })

  test('with the same start, count and end that a translation would read (T-P03)', () => {
    const text =
      messageStart({ input_tokens: 7, cache_read_input_tokens: 9, output_tokens: 1 }) +
      toolBlock(0, { id: 'c', name: 'f' }, '{"error":"message_delta"}') +
      ending('tool_use')
    const passed = folded(stepsOf(passStream(), text))
    const decoded = folded(stepsOf(decodeStream(heard()), text))
    expect(passed).toEqual({ ...decoded, blocks: [] })
    expect(passed.usage).toEqual({ input: 7, cacheRead: 9, output: 5 })
  })

  test('with every report of usage as soon as it comes', () => {
    const decoder = passStream()
    const push = (text: string) => meansOf([...decoder.push(Buffer.from(text))])
    expect(push(messageStart())).toHaveLength(2)
    expect(push(textBlock(0, 'message_'))).toEqual([])
    expect(push(messageDelta(null, { output_tokens: 3 }))).toEqual([
      { type: 'usage', usage: { input: 10, output: 3 } },
    ])
  })

  test('with a last blank line added if the server forgot it, since clients drop the frame otherwise', () => {
    const text = messageStart() + ending()
    const said = saidIn(stepsOf(passStream(), text.slice(0, -2)))
    expect(said).toStartWith(text.slice(0, -2))
    expect(said).toEndWith('\n\n')
  })

  test('and what some servers send after its end goes with it', () => {
    const text = `${messageStart()}${ending()}data: [DONE]\n\n`
    expect(saidIn(stepsOf(passStream(), text))).toBe(text)
  })
})

test('nothing goes on after a messages stream has ended, in whatever read it comes', () => {
  const decoder = passStream()
  expect([...decoder.push(Buffer.from(messageStart() + ending()))]).toHaveLength(2)
  expect([...decoder.push(Buffer.from('data: [DONE]\n\n'))]).toEqual([])
  expect([...decoder.end()]).toEqual([])
})

describe('a messages stream that is passed on fails', () => {
  test('as lost when it ends before message_stop, with nothing but whole frames said', () => {
    const bytes = Buffer.from(messageStart() + textBlock(0, 'hé') + ending())
    for (let length = 0; length < bytes.length - 2; length++) {
      const decoder = passStream()
      const said = saidIn([...decoder.push(bytes.subarray(0, length))])
      expect(bytes.toString()).toStartWith(said)
      expect(thrownBy(() => [...decoder.end()])).toMatchObject({ code: 'upstream-lost' })
    }
  })

  test('with the error of the server in its own words, after what came before it (T-E10)', () => {
    const before = messageStart() + blockStart(0, { type: 'text', text: '' })
    const failing = frame('error', {
      error: { type: 'overloaded_error', message: 'Overloaded', details: { x: 1 } },
    })
    const steps = passStream()
      .push(Buffer.from(before + failing))
      [Symbol.iterator]()
    expect(Buffer.from(steps.next().value?.said ?? '').toString()).toBe(before)
    const error = thrownBy(() => steps.next())
    expect(error).toMatchObject({ code: 'upstream-overloaded' })
    expect(encodeStreamError(error as GatewayError, 'req_own')).toBe(failing)
  })

  test.each([
    ['a second message_start', messageStart() + messageStart()],
    ['message_stop before message_start', messageStop],
    ['a first frame that is no JSON', `data: hello there\n\n${messageStart()}`],
    ['a frame that ends an answer and is no JSON', `${messageStart()}data: {"message_stop\n\n`],
  ])('on %s', (_, text) => {
    expect(thrownBy(() => stepsOf(passStream(), text))).toMatchObject({ code: 'upstream-failed' })
  })

  test('on a frame over 8 MiB', () => {
    const reads = Array.from({ length: 9 }, () => Buffer.alloc(1024 * 1024, 'x'))
    expect(thrownBy(() => stepsOf(passStream(), ...reads))).toMatchObject({
      code: 'upstream-failed',
    })
  })
})
