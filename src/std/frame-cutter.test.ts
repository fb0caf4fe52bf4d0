import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { FrameCutter, frameEnd, frameStart } from './frame-cutter.ts'
import { SseReader } from './sse.ts'

describe('FrameCutter', () => {
  test.each([
    ['\n', 'LF'],
    ['\r\n', 'CRLF'],
    ['\r', 'CR'],
  ])('gives whole frames as they came and keeps the unfinished one (%j, %s)', (end) => {
    const whole = `event: a${end}data: 1${end}${end}data: 2${end}${end}`
    const cutter = new FrameCutter()
    expect(cutter.push(bytesOf(`${whole}data: 3`)).toString()).toBe(whole)
    expect(cutter.push(bytesOf(`3${end}`)).toString()).toBe('')
    expect(cutter.push(bytesOf(`${end}`)).toString()).toBe(`data: 33${end}${end}`)
    expect(cutter.rest().toString()).toBe('')
  })

  test('copies nothing when a read ends with a frame', () => {
    const read = bytesOf('data: 1\n\n')
    const whole = new FrameCutter().push(read)
    expect(whole.buffer).toBe(read.buffer)
    expect(whole.byteLength).toBe(read.byteLength)
  })

  test('waits for the second half of a CRLF before it calls the frame whole', () => {
    const cutter = new FrameCutter()
    expect(cutter.push(bytesOf('data: 1\r\n\r')).toString()).toBe('')
    expect(cutter.push(bytesOf('\n')).toString()).toBe('data: 1\r\n\r\n')
  })

  test('loses and invents nothing wherever the reads are cut, and never cuts inside a frame', () => {
    const piece = fc.constantFrom(
      '\n',
      '\r\n',
      '\r',
      'data: x',
      'event: y',
      ':',
      'é',
      '\n\n',
      '\r\n\r\n',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.array(fc.nat(9)), (pieces, cuts) => {
        const text = pieces.join('')
        const cutter = new FrameCutter()
        const taken = readsOf(bytesOf(text), cuts).map((read) => cutter.push(read))
        const rest = cutter.rest()
        expect(Buffer.concat([...taken, rest]).toString()).toBe(text)
        // Each piece read alone gives the frames of the whole: no frame was cut in two.
        const apart = [...taken, rest].flatMap((part) => framesOf(part.toString()))
        expect(apart).toEqual(framesOf(text))
      }),
    )
  })

  test('takes a frame that comes byte by byte in linear time', () => {
    const cutter = new FrameCutter()
    const one = bytesOf('x')
    for (let count = 0; count < 300_000; count++) cutter.push(one)
    expect(cutter.push(bytesOf('\n\n')).length).toBe(300_002)
  })

  test('refuses a frame over 8 MiB', () => {
    const cutter = new FrameCutter()
    const mebibyte = Buffer.alloc(1024 * 1024, 'x')
    for (let count = 0; count < 8; count++) cutter.push(mebibyte)
    expect(() => cutter.push(bytesOf('x'))).toThrow('over 8 MiB')
  })
})

describe('frameEnd', () => {
  test('finds the blank line after an offset, or the end of the bytes', () => {
    expect(frameEnd(bytesOf('data: 1\n\ndata: 2\n\n'), 0)).toBe(9)
    expect(frameEnd(bytesOf('data: 1\r\n\r\ndata: 2'), 3)).toBe(11)
    expect(frameEnd(bytesOf('data: 1'), 3)).toBe(7)
  })
})

describe('frameStart', () => {
  test('finds the blank line before an offset, or the beginning of the bytes', () => {
    expect(frameStart(bytesOf('data: 1\n\ndata: 2\n\n'), 14)).toBe(9)
    expect(frameStart(bytesOf('data: 1\r\n\r\ndata: 2'), 11)).toBe(11)
    expect(frameStart(bytesOf('data: 1\ndata: 2'), 12)).toBe(0)
  })
})

function bytesOf(text: string): Buffer {
  return Buffer.from(text)
}

function readsOf(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const reads: Buffer[] = []
  let at = 0
  for (const size of cuts) {
    reads.push(bytes.subarray(at, at + size))
    at += size
  }
  return [...reads, bytes.subarray(at)]
}

function framesOf(text: string): unknown[] {
  const reader = new SseReader()
  return [...reader.push(bytesOf(text)), ...reader.end()]
}
