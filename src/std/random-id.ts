import { randomBytes } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const poolBytes = 4096
let pool = Buffer.alloc(0)
let at = 0

/** Random text over `[0-9A-Za-z]`, unbiased, from the system's generator. */
export function randomText(length: number): string {
  let text = ''
  while (text.length < length) {
    if (at >= pool.length) refill()
    const byte = pool[at++] ?? 255
    // 248 is the largest multiple of 62 in a byte: what lies above would favour the first letters.
    if (byte < 248) text += alphabet[byte % 62]
  }
  return text
}

/** Random lower-case hexadecimal digits, an even number of them. */
export function randomHex(length: number): string {
  const bytes = length / 2
  if (at + bytes > pool.length) refill()
  at += bytes
  return pool.toString('hex', at - bytes, at)
}

// One call to the system for many ids: an exchange needs several, and each call costs a microsecond.
function refill(): void {
  pool = randomBytes(poolBytes)
  at = 0
}
