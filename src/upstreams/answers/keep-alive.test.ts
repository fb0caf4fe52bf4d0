import { expect, test } from 'bun:test'

import { keepAliveTest } from './keep-alive.ts'

const inMessages = keepAliveTest('event: ping\ndata: {"type": "ping"}\n\n')
const inChat = keepAliveTest(': keep-alive\n\n')
const bytes = (text: string) => new TextEncoder().encode(text)

test.each([
  [': OPENROUTER PROCESSING\n\n', true, true],
  ['\n', true, true],
  [': a\r\n\r\n: b\r\n\r\n', true, true],
  ['event: ping\ndata: {"type":"ping"}\n\n', false, true],
  ['event: ping\ndata: {"type":"ping"}\n\nevent: message_stop\ndata: {}\n\n', false, false],
  [': alive\n\ndata: {"choices":[]}\n\n', false, false],
  ['data: {"choices":[]}\n\n', false, false],
  ['event: content_block_delta\ndata: {}\n\n', false, false],
])('%p is a sign of life and no more: in chat %p, in messages %p', (read, chat, messages) => {
  expect(inChat(bytes(read))).toBe(chat)
  expect(inMessages(bytes(read))).toBe(messages)
})
