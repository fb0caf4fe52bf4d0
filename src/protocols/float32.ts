/** Little-endian float32 numbers as base64 with padding. A number that does not fit becomes the nearest float32. */
export function encodeFloats(numbers: readonly number[]): string {
  const bytes = Buffer.allocUnsafe(numbers.length * 4)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at < numbers.length; at++) view.setFloat32(at * 4, numbers[at] ?? 0, true)
  return bytes.toString('base64')
}

/**
 * The numbers in a base64 text of little-endian float32, exactly. Undefined if the text is none; the URL alphabet
 * and missing padding are understood.
 */
export function decodeFloats(text: string): number[] | undefined {
  if (/[^A-Za-z0-9+/_=-]/.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length % 4 !== 0) return undefined
  // A copy, since the view must begin at a multiple of four. Every machine that this runs on is little-endian.
  const copy = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
  const numbers: number[] = []
  for (const number of new Float32Array(copy)) numbers.push(number)
  return numbers
}

/**
 * The double that prints with the fewest digits among those that round to this float32. Nine digits always tell
 * two float32 apart; six are often enough.
 */
export function shortest(single: number): number {
  const size = Math.abs(single)
  if (size === 0) return single
  if (Math.fround(size) !== size || size < smallestScaled || size > largestScaled) {
    return plainShortest(single)
  }
  const exponent = Math.floor(Math.log10(size))
  for (let digits = 6; digits <= 9; digits++) {
    const place = digits - 1 - exponent
    // Both operands are exact, so the quotient is the double nearest to the decimal.
    const decimal =
      place >= 0
        ? Math.round(single * tenTo(place)) / tenTo(place)
        : Math.round(single / tenTo(-place)) * tenTo(-place)
    if (Math.fround(decimal) === single) return decimal
  }
  return plainShortest(single)
}

/** Where powers of ten are exact doubles on the whole way. */
const smallestScaled = 1e-13
const largestScaled = 1e15

const powersOfTen = Array.from({ length: 23 }, (_, power) => Number(`1e${power}`))

function tenTo(power: number): number {
  return powersOfTen[power] ?? 10 ** power
}

function plainShortest(single: number): number {
  for (let digits = 1; digits <= 9; digits++) {
    const decimal = Number(single.toPrecision(digits))
    if (Math.fround(decimal) === single) return decimal
  }
  return single
}
