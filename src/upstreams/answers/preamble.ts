import { saysSomething } from '#chat/event.ts'
import type { StreamDecoder } from '#protocols/protocol.ts'

/**
 * Tells of the reads of a passed-on stream whether they are still only its beginning. The steps of such a stream
 * mean too little to tell, so its first reads are decoded a second time, until one says something.
 */
export function preambleTest(probe: StreamDecoder): (read: Uint8Array) => boolean {
  let isOver = false
  return (read) => {
    if (isOver) return false
    const said = whatIsSaid(probe, read)
    isOver = said !== 'nothing'
    return said !== 'something'
  }
}

function whatIsSaid(probe: StreamDecoder, read: Uint8Array): 'nothing' | 'something' | 'unclear' {
  try {
    for (const { means } of probe.push(read)) if (means.some(saysSomething)) return 'something'
    return 'nothing'
  } catch {
    // A failure, or what our words cannot say: the next step shows which, so this one is no commitment yet.
    return 'unclear'
  }
}
