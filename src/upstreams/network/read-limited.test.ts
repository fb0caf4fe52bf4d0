import { expect, test } from 'bun:test'

import { BodyTooLong, readLimited } from './read-limited.ts'

const chunked = (...parts: readonly string[]) =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(new TextEncoder().encode(part))
        controller.close()
      },
    }),
  )

test('a body within the limit is read whole, a character cut between two reads included', async () => {
  expect(await readLimited(chunked('ab', 'c'), 3)).toBe('abc')
  const bytes = new TextEncoder().encode('é!')
  const cut = new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(bytes.subarray(0, 1))
        controller.enqueue(bytes.subarray(1))
        controller.close()
      },
    }),
  )
  expect(await readLimited(cut, 10)).toBe('é!')
  expect(await readLimited(new Response(null), 10)).toBe('')
})

test('a body over the limit is refused, or cut where that is enough', async () => {
  expect(await readLimited(chunked('ab', 'cd'), 3).catch((error: unknown) => error)).toBeInstanceOf(
    BodyTooLong,
  )
  expect(await readLimited(chunked('ab', 'cd'), 3, { cut: true })).toBe('abc')
})

test('an announced length is not believed of a compressed body', async () => {
  const headers = { 'content-length': '2', 'content-encoding': 'gzip' }
  const body = chunked('ab', 'cd').body
  expect(await readLimited(new Response(body, { headers }), 3, { cut: true })).toBe('abc')
})
