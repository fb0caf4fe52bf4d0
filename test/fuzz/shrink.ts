/**
 * The smallest input found, by leaving out ever smaller pieces, that still fails in the same way. `failureOf` gives what
 * an input fails with, or undefined. At most `tries` inputs are tried.
 */
export async function shrunk(
  input: Uint8Array,
  failureOf: (input: Uint8Array) => string | undefined | Promise<string | undefined>,
  tries = 2000,
): Promise<Uint8Array> {
  const kind = kindOf((await failureOf(input)) ?? '')
  let smallest = input
  let left = tries
  for (let size = Math.ceil(input.length / 2); size >= 1 && left > 0;) {
    const before = smallest.length
    for (let at = 0; at < smallest.length && left > 0; left--) {
      const shorter = Buffer.concat([smallest.subarray(0, at), smallest.subarray(at + size)])
      const failure = await failureOf(shorter)
      if (failure !== undefined && kindOf(failure) === kind) smallest = shorter
      else at += size
    }
    if (smallest.length === before || size > 1) size = size === 1 ? 0 : Math.floor(size / 2)
  }
  return smallest
}

/** Failures are of a kind if they differ only in numbers and in what is quoted. */
export function kindOf(failure: string): string {
  return failure
    .split('\n', 1)
    .join('')
    .replaceAll(/"(?:[^"\\]|\\.)*"?/g, '"…"')
    .replaceAll(/\d+/g, '0')
    .slice(0, 60)
}
