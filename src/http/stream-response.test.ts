import { describe, expect, test } from 'bun:test'

import { GatewayError } from '#chat/error.ts'
import { chatCompletions } from '#protocols/chat-completions/protocol.ts'
import type { Chunk } from '#protocols/tell.ts'

import { streamResponse } from './stream-response.ts'

const gone = new GatewayError('client-gone', 'The client closed the connection.')

/** A source of chunks that notes how it is left. */
class Source implements AsyncIterator<Chunk> {
  returned = 0
  readonly #values: (Chunk | Error)[]

  constructor(...values: (Chunk | Error)[]) {
    this.#values = values
  }

  next(): Promise<IteratorResult<Chunk>> {
    const value = this.#values.shift()
    if (value instanceof Error) return Promise.reject(value)
    return Promise.resolve(value === undefined ? { done: true, value } : { done: false, value })
  }

  return(): Promise<IteratorResult<Chunk>> {
    this.returned++
    return Promise.resolve({ done: true, value: undefined })
  }
}

function respond(chunks: Source, controller = new AbortController()) {
  const done = { count: 0 }
  const reported: string[] = []
  const outgoing = { type: 'stream', chunks, headers: new Map(), notes: [] } as const
  const response = streamResponse(outgoing, {
    requestId: 'req_1',
    protocol: chatCompletions,
    keepAliveMs: 60_000,
    signal: controller.signal,
    report: ({ code }) => void reported.push(code),
    done: () => void done.count++,
  })
  return { response, done, controller, reported }
}

describe('the response of a stream', () => {
  test('S01 has the headers that keep proxies from holding it back', () => {
    const { headers } = respond(new Source()).response
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-cache')
    expect(headers.get('x-accel-buffering')).toBe('no')
    expect(headers.get('content-length')).toBeNull()
    expect(headers.get('x-request-id')).toBe('req_1')
  })

  test('gives the chunks as they are, and closes their source once', async () => {
    const source = new Source('data: a\n\n', new TextEncoder().encode('data: b\n\n'))
    const { response, done } = respond(source)
    expect(await response.text()).toBe('data: a\n\ndata: b\n\n')
    expect(source.returned).toBe(1)
    expect(done.count).toBe(1)
  })

  test('S26 T-E13 breaks off after one error frame, without an end', async () => {
    const failure = new GatewayError('upstream-lost', 'The upstream stopped.')
    const { response, done } = respond(new Source('data: a\n\n', failure))
    const reader = response.body!.getReader()
    let text = ''
    const ending = await (async () => {
      for (;;) {
        const { done: isOver, value } = await reader.read()
        if (isOver) return 'clean'
        text += new TextDecoder().decode(value)
      }
    })().catch(() => 'broken')
    expect(ending).toBe('broken')
    expect(text).toStartWith('data: a\n\ndata: {"error":{"message":"The upstream stopped."')
    expect(text).not.toContain('[DONE]')
    expect(done.count).toBe(1)
  })

  test.each([
    ['internal', ['internal']],
    ['storage-unavailable', ['storage-unavailable']],
    ['gateway-stopping', []],
    ['upstream-lost', []],
  ] as const)('reports %s to the operator as %j', async (code, told) => {
    const { response, reported } = respond(
      new Source('data: a\n\n', new GatewayError(code, 'It broke.')),
    )
    await response.text().catch(() => undefined)
    expect(reported).toEqual([...told])
  })

  test('A23 closes the answer of a caller who had gone before its first byte', () => {
    const controller = new AbortController()
    const early = new Source('data: a\n\n')
    controller.abort(gone)
    expect(respond(early, controller).done.count).toBe(1)
    expect(early.returned).toBe(1)

    const late = new Source('data: a\n\n')
    const { done, controller: other } = respond(late)
    other.abort(gone)
    expect(late.returned).toBe(1)
    expect(done.count).toBe(1)
  })

  test('does not close the answer of a caller who is still there when the gateway stops: it is to be told', () => {
    const source = new Source('data: a\n\n')
    const { controller } = respond(source)
    controller.abort(new GatewayError('gateway-stopping', 'stopping'))
    expect(source.returned).toBe(0)
  })
})
