/**
 * Looks into bytes as they came from the network. `Buffer` has these searches, but to make a buffer of a read, or a
 * view of a part of it, costs more than all of them together, so they are lent to the read itself.
 */
const { indexOf, copy } = Buffer.prototype

/** The offset of `mark` at or after `from`, or -1. */
export function indexIn(bytes: Uint8Array, mark: Uint8Array | number, from = 0): number {
  return indexOf.call(bytes, mark, from)
}

/** Copies the bytes from `start` to `end` into `target` at `at`. Gives their number. */
export function copyInto(
  target: Uint8Array,
  at: number,
  { bytes, start, end }: { bytes: Uint8Array; start: number; end: number },
): number {
  return copy.call(bytes, target, at, start, end)
}

/** The same bytes with the methods of a buffer: for the few reads that have to be looked into closely. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return bytes instanceof Buffer
    ? bytes
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
