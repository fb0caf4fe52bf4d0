import { describe, expect, test } from 'bun:test'

import { framesOf } from '#protocols/frames-of.ts'
import {
  blockDelta,
  blockStart,
  blockStop,
  messageDelta,
  messageStart,
} from '#test/messages-frames.ts'
import { requestIn } from '#test/remote-rig.ts'

import { cutStream } from './cut-stream.ts'

function cutOf(members: object = {}) {
  return cutStream(requestIn('messages', { stream: true, ...members }, version))
}

const version = { 'anthropic-version': '2023-06-01' }
const usage = { input: 10, cacheRead: 2, output: 7 }
const text = { type: 'text_delta', text: 'x' }

function eventsOf(words: string | undefined): unknown[] {
  return framesOf(words ?? '').map(({ event, data }) => {
    expect(JSON.parse(data).type).toBe(event)
    return JSON.parse(data)
  })
}

const ending = [
  {
    type: 'message_delta',
    delta: { stop_reason: 'max_tokens', stop_sequence: null },
    usage: { input_tokens: 10, cache_read_input_tokens: 2, output_tokens: 7 },
  },
  { type: 'message_stop' },
]

describe('the end of a stream that is cut', () => {
  test.each([
    ['grows', blockDelta(2, text)],
    [
      'grows, and the server says that it lives',
      `${blockDelta(2, text)}event: ping\ndata: {"type":"ping"}\n\n`,
    ],
    ['has just begun', blockStop(1) + blockStart(2, { type: 'text', text: '' })],
  ])('ends the block that %s, the message, and tells what was used', (_, last) => {
    const words = cutOf().endAfter(new TextEncoder().encode(last))?.(usage)
    expect(eventsOf(words)).toEqual([{ type: 'content_block_stop', index: 2 }, ...ending])
  })

  test('ends no block where none is open', () => {
    const words = cutOf().endAfter(blockDelta(2, text) + blockStop(2))?.(usage)
    expect(eventsOf(words)).toEqual(ending)
  })

  test.each([
    ['the reason for the end', blockStop(0) + messageDelta('end_turn')],
    ['only the beginning', messageStart()],
    ['a sign of life', 'event: ping\ndata: {"type":"ping"}\n\n'],
  ])('has no place after %s', (_, last) => {
    expect(cutOf().endAfter(last)).toBeUndefined()
  })
})

test('frames say nothing of how much text there is where the vendor runs tools of its own', () => {
  const own = { name: 'f', input_schema: { type: 'object' } }
  expect(cutOf().isPlain).toBe(true)
  expect(cutOf({ tools: [own, { ...own, name: 'g', type: 'custom' }] }).isPlain).toBe(true)
  expect(cutOf({ tools: [{ type: 'web_search_20250305', name: 'web_search' }] }).isPlain).toBe(
    false,
  )
  const server = { type: 'url', url: 'https://example.com', name: 's' }
  expect(cutOf({ mcp_servers: [server] }).isPlain).toBe(false)
})
