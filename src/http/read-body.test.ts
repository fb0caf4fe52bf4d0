import { describe, expect, test } from 'bun:test'

import { GatewayError } from '#chat/error.ts'

import { parseBody, readBody } from './read-body.ts'

const request = (
  body: string | Uint8Array | ReadableStream<Uint8Array>,
  headers: Record<string, string> = {},
) => new Request('http://localhost/', { method: 'POST', body, headers })

async function refusal(read: Promise<unknown>): Promise<GatewayError> {
  try {
    await read
  } catch (error) {
    return GatewayError.from(error)
  }
  throw new Error('It was not refused.')
}

describe('a body', () => {
  test('A15 is JSON whatever its content type says, and is kept as it came', async () => {
    const text = '{ "model": "m",\n "n": 9223372036854775807 }'
    const body = await readBody(request(text, { 'content-type': 'text/plain' }), 1000)
    expect(body.text).toBe(text)
    expect(body.members.map(({ key }) => key)).toEqual(['model', 'n'])
  })

  test('A18 may be as large as the limit, and not a byte larger', async () => {
    const text = JSON.stringify({ text: 'x'.repeat(100) })
    expect((await readBody(request(text), text.length)).text).toBe(text)
    expect(await refusal(readBody(request(text), text.length - 1))).toMatchObject({
      code: 'body-too-large',
      status: 413,
    })
  })

  test('A17 of unknown length is refused as soon as it is over the limit, without being read to its end', async () => {
    let pulled = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled++
        controller.enqueue(new Uint8Array(1000))
      },
    })
    expect(await refusal(readBody(request(endless), 10_000))).toMatchObject({
      code: 'body-too-large',
    })
    expect(pulled).toBeLessThan(20)
  })

  test.each(['{', '', '[]', '"x"', 'null', '{"a":1}x', '{"a" 1}', "{'a':1}"])(
    'V01 V02 REQ-01 that is %j is refused in words',
    (text) => {
      expect(() => parseBody(text)).toThrow('not valid JSON')
    },
  )

  test('is refused when it has more members than any honest request, in one object or in many', () => {
    const keys = Array.from({ length: 260_000 }, (_, at) => `"k${at}":1`).join(',')
    const fewer = Array.from({ length: 1000 }, (_, at) => `"k${at}":1`).join(',')
    expect(parseBody(`{"a":{${fewer}}}`).members).toHaveLength(1)
    for (const text of [`{${keys}}`, `{"a":{${keys}}}`, `{"a":[${'{"b":1},'.repeat(260_000)}1]}`])
      expect(() => parseBody(text)).toThrow('members')
  })

  test('is refused when it nests deeper than any honest request, however it is closed', () => {
    const deep = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`
    expect(parseBody(deep(100)).members).toHaveLength(1)
    expect(() => parseBody(deep(5000))).toThrow('deeper')
    expect(() => parseBody(`{"a":${'['.repeat(2_000_000)}`)).toThrow('deeper')
  })

  test('V34 may hold any character that UTF-8 can say, and loses a byte order mark', async () => {
    const text = '{"a":"🙂\\u0000\\ud83d\u2028"}'
    expect((await readBody(request(`\uFEFF${text}`), 1000)).text).toBe(text)
  })

  test('is refused if it is no UTF-8', async () => {
    const bytes = new Uint8Array([...new TextEncoder().encode('{"a":"'), 0xff, 0x22, 0x7d])
    expect(await refusal(readBody(request(bytes), 1000))).toMatchObject({
      code: 'request-invalid',
      detail: 'request_body_encoding_invalid',
    })
  })

  test('is refused if it is compressed, before it is read', async () => {
    const compressed = request('xx', { 'content-encoding': 'gzip' })
    expect(await refusal(readBody(compressed, 1000))).toMatchObject({
      code: 'media-unsupported',
      status: 415,
    })
  })
})
