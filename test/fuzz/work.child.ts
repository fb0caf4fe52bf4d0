import { work } from './counted-work.ts'

const { hostileStreams } = await import('./hostile-streams.ts')
const { openLanes } = await import('./lanes.ts')

/** Work for a stream of so many bytes, cut into reads of so many. */
function workFor(bytes: Uint8Array, readBytes: number, open: () => StreamDecoder): number {
  const before = work.done
  const decoder = open()
  try {
    for (let at = 0; at < bytes.length; at += readBytes)
      for (const _step of decoder.push(bytes.subarray(at, at + readBytes)));
    for (const _step of decoder.end());
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'GatewayError') throw error
  }
  return work.done - before
}

import type { StreamDecoder } from '#protocols/protocol.ts'

const small = 16 * 1024
const times = 8

/** How much more is done for eight times as much, for every stream, lane and size of read: about eight if it is linear. */
const growths = hostileStreams.flatMap(({ name, make }) =>
  openLanes.flatMap((lane) =>
    [700, 1 << 30].map((readBytes) => ({
      name: `${name}, ${lane.name}, ${readBytes > small ? 'in one read' : `in reads of ${readBytes}`}`,
      growth:
        workFor(make(small * times), readBytes, lane.open) /
        workFor(make(small), readBytes, lane.open),
    })),
  ),
)
process.stdout.write(JSON.stringify(growths))
