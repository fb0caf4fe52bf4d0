import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { SseError, type SseFrame, SseReader } from './sse.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** Reads a stream that is cut at the given places. */
function read(bytes: Uint8Array, cuts: readonly number[] = []): SseFrame[] {
  const reader = new SseReader()
  const frames: SseFrame[] = []
  let from = 0
  for (const to of [...cuts, bytes.length]) {
    frames.push(...reader.push(bytes.subarray(from, to)))
    from = to
  }
  return [...frames, ...reader.end()]
}

const frame = (data: string, event = '') => ({ event, data, isComment: false })

describe('a stream of events', () => {
  test.each([
    ['line feeds', 'event: a\ndata: 1\n\ndata: 2\n\n'],
    ['carriage returns', 'event: a\rdata: 1\r\rdata: 2\r\r'],
    ['both', 'event: a\r\ndata: 1\r\n\r\ndata: 2\r\n\r\n'],
    ['no blank after the colon', 'event:a\ndata:1\n\ndata:2\n\n'],
    ['a byte order mark', '\uFEFFevent: a\ndata: 1\n\ndata: 2\n\n'],
    ['fields that mean nothing here', 'id: 7\nretry: 10\nevent: a\nfoo: x\ndata: 1\n\ndata: 2\n\n'],
    ['no last blank line', 'event: a\ndata: 1\n\ndata: 2'],
  ])('T-T03 is read with %s', (_, text) => {
    expect(read(bytesOf(text))).toEqual([frame('1', 'a'), frame('2')])
  })

  test('T-T03 has data of several lines, empty data, and names without data', () => {
    expect(read(bytesOf('data: a\ndata\ndata: b\n\nevent: ping\n\ndata:\n\n'))).toEqual([
      frame('a\n\nb'),
      frame('', 'ping'),
      frame(''),
    ])
  })

  test('T-T03 has fields without a colon, which are empty', () => {
    expect(read(bytesOf('event: a\nevent\ndata: x\n\n'))).toEqual([frame('x')])
  })

  test('T-T02 gives a frame as soon as a CR ends it, and takes no LF after it for a line', () => {
    const reader = new SseReader()
    expect(reader.push(bytesOf('data: 1\r\r'))).toEqual([frame('1')])
    expect(reader.push(bytesOf('\ndata: 2\r'))).toEqual([])
    expect(reader.push(bytesOf('\n\r'))).toEqual([frame('2')])
    expect(reader.push(bytesOf('\n'))).toEqual([])
    expect(reader.end()).toEqual([])
  })

  test('T-T04 tells of comments that somebody is alive', () => {
    expect(read(bytesOf(': hello\n\n: x\ndata: 1\n\n'))).toEqual([
      { event: '', data: '', isComment: true },
      frame('1'),
    ])
  })

  test('T-T01 T-T02 is the same wherever its bytes are cut, inside characters and line ends too', () => {
    const line = fc.oneof(
      fc.constantFrom('data: {"a":"🙂é"}', 'data:x', 'event: ping', ': c', 'data', 'id: 1', ''),
      fc.string({ unit: 'grapheme' }).map((text) => `data: ${text.replaceAll(/[\r\n]/g, '')}`),
    )
    const stream = fc.tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('\n', '\r\n', '\r'))
    fc.assert(
      fc.property(stream, fc.array(fc.nat(400), { maxLength: 6 }), ([lines, end], places) => {
        const bytes = bytesOf(lines.map((one) => one + end).join(''))
        const cuts = places.filter((place) => place < bytes.length).toSorted((a, b) => a - b)
        expect(read(bytes, cuts)).toEqual(read(bytes))
      }),
    )
  })

  test('is refused when a frame never ends', () => {
    const reader = new SseReader()
    const much = bytesOf('x'.repeat(1024 * 1024))
    expect(() => {
      for (let count = 0; count < 10; count++) reader.push(much)
    }).toThrow(SseError)
  })
})
