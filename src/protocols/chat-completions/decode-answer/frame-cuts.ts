import { asBuffer, copyInto } from '#protocols/read-bytes.ts'
import { JsonTextError, skipValue } from '#std/json.ts'

/** A stretch of bytes that does not go on. */
export interface Cut {
  readonly start: number
  readonly end: number
}

const comma = 44
const openBrace = 123
const closeBrace = 125

/** The bytes up to `stop` without the stretches; the very bytes where there are none. */
export function without(bytes: Uint8Array, cuts: readonly Cut[], stop: number): Uint8Array {
  const [only] = cuts
  if (only === undefined) return stop === bytes.length ? bytes : bytes.subarray(0, stop)
  if (cuts.length === 1 && only.end <= stop) return withoutOne(bytes, only, stop)
  const kept = Buffer.allocUnsafe(stop)
  let length = 0
  let at = 0
  for (const { start, end } of cuts.toSorted((one, other) => one.start - other.start)) {
    if (start > at)
      length += copyInto(kept, length, { bytes, start: at, end: Math.min(start, stop) })
    // The comma before this member has gone with the member before it, so the one after it has to go.
    const isFirst = start < at && end > at
    at = Math.max(at, isFirst ? afterComma(bytes, end) : end)
  }
  if (at < stop) length += copyInto(kept, length, { bytes, start: at, end: stop })
  return kept.subarray(0, length)
}

/** Of many streams every frame has one, so that it is worth not making a view. */
function withoutOne(bytes: Uint8Array, { start, end }: Cut, stop: number): Uint8Array {
  const kept = Buffer.allocUnsafe(start + stop - end)
  copyInto(kept, 0, { bytes, start: 0, end: start })
  copyInto(kept, start, { bytes, start: end, end: stop })
  return kept
}

/** The member of an object whose key begins at `keyStart`, with one of the commas beside it. Nothing where its value is no JSON or nests too deep. */
export function memberCut(bytes: Uint8Array, keyStart: number, valueStart: number): Cut {
  const end = valueEnd(bytes, valueStart)
  if (end === undefined) return { start: keyStart, end: keyStart }
  let before = keyStart - 1
  while (isBlank(bytes[before])) before--
  if (bytes[before] === comma) return { start: before, end }
  return { start: keyStart, end: afterComma(bytes, end) }
}

/**
 * Whether `"key":null` stands as a member does, between a brace or a comma and another: what is left of a frame that is no
 * JSON could otherwise say that the answer is over.
 */
export function isNullMember(bytes: Uint8Array, keyStart: number, valueStart: number): boolean {
  let before = keyStart - 1
  while (isBlank(bytes[before])) before--
  const after = bytes[skipBlank(bytes, valueStart + 4)]
  const isBegun = bytes[before] === comma || bytes[before] === openBrace
  return isBegun && (after === comma || after === closeBrace)
}

/** The offset of what follows the blanks at `at`. */
export function skipBlank(bytes: Uint8Array, at: number): number {
  let next = at
  while (isBlank(bytes[next])) next++
  return next
}

/** The offset after the comma that follows, or the same offset if none does. */
function afterComma(bytes: Uint8Array, at: number): number {
  const after = skipBlank(bytes, at)
  return bytes[after] === comma ? after + 1 : at
}

/** Of a long frame only as much is made a text as the value needs, so that many values cost no more than one. */
function valueEnd(bytes: Uint8Array, start: number): number | undefined {
  if (bytes[start] === 110) return start + 4
  for (let size = 1024; ; size *= 4) {
    const isAll = start + size >= bytes.length
    const length = lengthOfValue(asBuffer(bytes).toString('latin1', start, start + size))
    if (length !== undefined && (length < size || isAll)) return start + length
    if (isAll) return undefined
  }
}

// One byte is one unit, so offsets stay those of the bytes; quotes and brackets are no part of any other character.
function lengthOfValue(text: string): number | undefined {
  try {
    return skipValue(text, 0)
  } catch (error) {
    if (error instanceof JsonTextError) return undefined
    throw error
  }
}

function isBlank(byte: number | undefined): boolean {
  return byte === 32 || byte === 9
}
