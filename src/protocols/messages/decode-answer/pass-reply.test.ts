import { describe, expect, test } from 'bun:test'

import { folded, heard, thrownBy } from '#test/messages-frames.ts'

import { decodeReply } from './decode-reply.ts'
import { passReply } from './pass-reply.ts'

const text = ` {"type":"message","id":"msg_up", "role":"assistant","model":"big-1","unknown":[1.0],
  "content":[{"type":"text","text":"hi"}],"stop_reason":"stop_sequence","stop_sequence":"END",
  "usage":{"input_tokens":10,"cache_read_input_tokens":4,"output_tokens":2}}
`

describe('a message is passed on', () => {
  test('as it came, in one step, with what accounting needs (T-P01)', () => {
    const steps = passReply(text)
    expect(steps).toHaveLength(1)
    expect(steps[0]?.said).toBe(text)
    expect(steps[0]?.means).toEqual([
      { type: 'answer-start', id: 'msg_up', model: 'big-1' },
      { type: 'usage', usage: { input: 10, cacheRead: 4, output: 2 } },
      { type: 'answer-end', reason: 'stop-sequence', said: 'stop_sequence', stopSequence: 'END' },
    ])
  })

  test('with the same count and end that a translation would read (T-P03)', () => {
    const { usage, end } = folded(decodeReply(text, heard()))
    expect(folded(passReply(text))).toMatchObject({ usage, end: end! })
  })

  test('unless it is an error under a good status', () => {
    const body = '{"type":"error","error":{"type":"rate_limit_error","message":"Slow."}}'
    expect(thrownBy(() => passReply(body))).toMatchObject({ code: 'upstream-busy' })
  })

  test.each(['', '{}', 'null', '<html>'])('unless it is no message: %j', (body) => {
    expect(thrownBy(() => passReply(body))).toMatchObject({ code: 'upstream-failed' })
  })
})
