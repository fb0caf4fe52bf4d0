import type { SseFrame } from '#std/sse.ts'

/**
 * What a stream of server-sent events says, read slowly and by the letter of the standard (HTML §9.2.5–9.2.6 and the UTF-8
 * decoder of the Encoding standard): the judge of the reader that is fast. Three things are ours, on purpose. An event
 * with a name and no data is told, a block of comments alone is told, and what stands after the last blank line counts
 * as if that line were there.
 */
export function referenceFrames(bytes: Uint8Array): SseFrame[] {
  const told: SseFrame[] = []
  let data = ''
  let event = ''
  let hasComment = false
  for (const line of [...linesOf(withoutMark(decodeUtf8(bytes))), '']) {
    if (line === '') {
      const isTold = data !== '' || event !== ''
      if (isTold || hasComment)
        told.push({ event, data: data.replace(/\n$/, ''), isComment: !isTold })
      data = ''
      event = ''
      hasComment = false
      continue
    }
    const colon = line.indexOf(':')
    if (colon === 0) hasComment = true
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'event') event = value
    if (field === 'data') data += `${value}\n`
  }
  return told
}

/** One of the three line ends ends a line; what follows the last of them is a line too. */
function linesOf(text: string): string[] {
  const lines: string[] = []
  let start = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text[at]
    if (unit !== '\r' && unit !== '\n') continue
    lines.push(text.slice(start, at))
    if (unit === '\r' && text[at + 1] === '\n') at++
    start = at + 1
  }
  return [...lines, text.slice(start)]
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}

interface Sequence {
  readonly length: number
  readonly lower: number
  readonly upper: number
  readonly point: number
}

const usual = { lower: 0x80, upper: 0xbf }

/** What a first byte announces, or undefined for a byte that begins nothing. */
function sequenceOf(byte: number): Sequence | undefined {
  if (byte >= 0xc2 && byte <= 0xdf) return { ...usual, length: 1, point: byte & 0x1f }
  if (byte >= 0xe0 && byte <= 0xef) {
    const lower = byte === 0xe0 ? 0xa0 : 0x80
    return { lower, upper: byte === 0xed ? 0x9f : 0xbf, length: 2, point: byte & 0xf }
  }
  if (byte >= 0xf0 && byte <= 0xf4) {
    const lower = byte === 0xf0 ? 0x90 : 0x80
    return { lower, upper: byte === 0xf4 ? 0x8f : 0xbf, length: 3, point: byte & 0x7 }
  }
  return undefined
}

/** Every longest beginning of no character becomes one U+FFFD. */
export function decodeUtf8(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length;) {
    const plain = plainEnd(bytes, at)
    text += Buffer.from(bytes.subarray(at, plain)).toString('latin1')
    if (plain === bytes.length) return text
    at = plain + 1
    const sequence = sequenceOf(bytes[plain] ?? 0)
    if (sequence === undefined) text += '\uFFFD'
    else {
      const [point, next] = continued(bytes, at, sequence)
      text += point === undefined ? '\uFFFD' : String.fromCodePoint(point)
      at = next
    }
  }
  return text
}

/** Where the bytes that are characters by themselves end. */
function plainEnd(bytes: Uint8Array, from: number): number {
  let at = from
  while ((bytes[at] ?? 0xff) <= 0x7f) at++
  return at
}

/** The character, if its bytes are all there and in their bounds, and where the next one begins. */
function continued(
  bytes: Uint8Array,
  from: number,
  { length, lower, upper, point: begun }: Sequence,
): readonly [number | undefined, number] {
  let point = begun
  for (let at = from; at < from + length; at++) {
    const byte = bytes[at] ?? -1
    const [least, most] = at === from ? [lower, upper] : [usual.lower, usual.upper]
    if (byte < least || byte > most) return [undefined, at]
    point = (point << 6) | (byte & 0x3f)
  }
  return [point, from + length]
}
