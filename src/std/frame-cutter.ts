import { SseError } from './sse.ts'

const lineFeed = 10
const carriageReturn = 13
const maxFrameBytes = 8 * 1024 * 1024
const nothing = Buffer.alloc(0)
const lineFeeds = [lineFeed, lineFeed] as const

/**
 * Cuts the bytes of a stream of server-sent events after the last blank line that each read completes, and
 * changes none of them: what it gives, joined, is what it was given. LF, CRLF and CR are line ends.
 * A frame over 8 MiB throws `SseError`.
 */
export class FrameCutter {
  #carried = nothing
  #carriedBytes = 0
  /** The two bytes before this read, which a line end may straddle. */
  #before: readonly [number, number] = [-1, -1]

  /** The frames that this read completes, possibly none: the read itself, or a view of it, when nothing was carried. */
  push(read: Uint8Array): Uint8Array {
    if (read.length === 0) return nothing
    // Nearly every read is whole frames.
    if (this.#carriedBytes === 0 && read.at(-1) === lineFeed && read.at(-2) === lineFeed) {
      this.#before = lineFeeds
      return read
    }
    return this.#cut(Buffer.from(read.buffer, read.byteOffset, read.byteLength))
  }

  #cut(bytes: Buffer): Buffer {
    const cut = lastFrameEnd(bytes, this.#before)
    this.#before = [byteAt(bytes, bytes.length - 2, this.#before), bytes[bytes.length - 1] ?? -1]
    if (cut === -1) {
      this.#carry(bytes)
      return nothing
    }
    const whole = this.#takeWith(bytes.subarray(0, cut))
    if (cut < bytes.length) this.#carry(bytes.subarray(cut))
    return whole
  }

  /** What came after the last blank line. */
  rest(): Buffer {
    return this.#takeWith(nothing)
  }

  #takeWith(bytes: Buffer): Buffer {
    if (this.#carriedBytes === 0) return bytes
    const whole = Buffer.concat([this.#carried.subarray(0, this.#carriedBytes), bytes])
    this.#carriedBytes = 0
    return whole
  }

  /** Copies, into room that doubles: linear over a frame however small its pieces are. */
  #carry(bytes: Buffer): void {
    const length = this.#carriedBytes + bytes.length
    if (length > maxFrameBytes) throw new SseError('A frame of the stream is over 8 MiB.')
    if (length > this.#carried.length) {
      const larger = Buffer.allocUnsafe(Math.max(4096, 2 * length))
      this.#carried.copy(larger, 0, 0, this.#carriedBytes)
      this.#carried = larger
    }
    bytes.copy(this.#carried, this.#carriedBytes)
    this.#carriedBytes = length
  }
}

/** The offset after the last blank line that ends at or before `at`; 0 if there is none. */
export function frameStart(bytes: Uint8Array, at: number): number {
  let start = at
  while (start > 0 && !isFrameEnd(bytes, start, unknown)) start--
  return start
}

/** The offset after the first blank line that ends after `from`; the length if there is none. */
export function frameEnd(bytes: Uint8Array, from: number): number {
  for (let at = from + 1; at < bytes.length; at++) {
    if (isFrameEnd(bytes, at, unknown)) return at
  }
  return bytes.length
}

const unknown = [-1, -1] as const

/** The offset after the last blank line, or -1. It is 0 where only this read shows that the ones before ended in one. */
function lastFrameEnd(bytes: Uint8Array, before: readonly [number, number]): number {
  for (let at = bytes.length; at >= 0; at--) {
    if (isFrameEnd(bytes, at, before)) return at
  }
  return -1
}

/** Whether an empty line ends just before `at`. */
function isFrameEnd(bytes: Uint8Array, at: number, before: readonly [number, number]): boolean {
  const last = byteAt(bytes, at - 1, before)
  if (last === lineFeed) {
    if (at === 0) return false
    const second = byteAt(bytes, at - 2, before)
    return (
      second === lineFeed || (second === carriageReturn && isLineEnd(byteAt(bytes, at - 3, before)))
    )
  }
  if (last !== carriageReturn) return false
  const second = byteAt(bytes, at - 2, before)
  // A CR at the end may be half of a CRLF, unless the stream has shown that a CR alone ends its lines.
  return at === bytes.length
    ? second === carriageReturn
    : bytes[at] !== lineFeed && isLineEnd(second)
}

function byteAt(bytes: Uint8Array, at: number, before: readonly [number, number]): number {
  if (at >= 0) return bytes[at] ?? -1
  return at === -1 ? before[1] : at === -2 ? before[0] : -1
}

function isLineEnd(byte: number): boolean {
  return byte === lineFeed || byte === carriageReturn
}
