const longestKeepAlive = 256
const colon = 58
const lineFeed = 10
const carriageReturn = 13

/**
 * Makes the question whether a read of a stream says only that the upstream is alive: blank lines, comments, and
 * frames that begin as the protocol's own keep-alive does.
 */
export function keepAliveTest(protocolKeepAlive: string): (read: Uint8Array) => boolean {
  const opening = protocolKeepAlive.split('\n', 1)[0] ?? ''
  const openingBytes = new TextEncoder().encode(opening)
  return (read) => {
    if (read.length > longestKeepAlive || !mayBeKeepAlive(read, openingBytes)) return false
    const frames = new TextDecoder().decode(read).split(/\r?\n\r?\n/)
    return frames.every(
      (frame) => frame.trim() === '' || frame.startsWith(':') || frame.startsWith(opening),
    )
  }
}

/** Looks at the first bytes only: nearly every read is content, and this is asked of each. */
function mayBeKeepAlive(read: Uint8Array, opening: Uint8Array): boolean {
  const first = read[0]
  if (first === colon || first === lineFeed || first === carriageReturn) return true
  for (let at = 0; at < opening.length; at++) if (read[at] !== opening[at]) return false
  return true
}
