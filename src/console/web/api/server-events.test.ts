import { expect, test } from 'bun:test'

import { type ServerEvent, serverEvents } from './server-events.ts'

const text =
  'event: head\ndata: {"a":"é"}\n\n: only a comment\n\ndata: one\ndata: two\n\nevent: x\r\ndata:y\r\n\r\n'

const expected: readonly ServerEvent[] = [
  { event: 'head', data: '{"a":"é"}' },
  { event: 'message', data: 'one\ntwo' },
  { event: 'x', data: 'y' },
]

test('events are the same wherever the bytes are cut', async () => {
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at <= bytes.length; at++) {
    const body = streamOf([bytes.slice(0, at), bytes.slice(at)])
    expect([at, await Array.fromAsync(serverEvents(body))]).toEqual([at, [...expected]])
  }
})

test('who leaves early takes no more of the body', async () => {
  let isCancelled = false
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('data: more\n\n')),
    cancel: () => {
      isCancelled = true
    },
  })
  for await (const { data } of serverEvents(body)) {
    expect(data).toBe('more')
    break
  }
  expect(isCancelled).toBe(true)
})

function streamOf(chunks: readonly Uint8Array<ArrayBuffer>[]) {
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
}
