import { controlsFor, shareOf } from './controls.ts'
import { atMost, exactly, type Figure, none, told } from './figure.ts'
import { closed, countOf, placesFor, type Size, ticking } from './parts.ts'
import { newLoadRig, opened } from './rig.ts'

/** How long the longest of the other key's requests may take beside a crowd, at the 99th of a hundred. */
const longestMs = 500

/**
 * One key has `streams` of them open, all that it may have, and asks for more all the time; another asks for one
 * thing after the other and is served as if nobody else were there.
 */
export async function fairShares({ streams, seconds, nice = 0 }: Size): Promise<Figure[]> {
  await using rig = await newLoadRig({
    nice,
    config: { limits: { exchanges: placesFor(streams) } },
  })
  const other = await rig.another('single')
  const alone = await controlsFor(other, Math.min(5, seconds))
  const crowd = rig.streams({
    count: streams,
    rampMs: 1000,
    manner: ticking(seconds + 20),
    translated: 0.1,
  })
  await opened(crowd, streams, 60_000)
  const pushing = rig.streams({
    count: streams * 3,
    rampMs: seconds * 1000,
    manner: ticking(seconds),
    translated: 0.1,
  })
  const beside = await controlsFor(other, seconds)
  const pushed = await pushing.end
  crowd.stop()
  const tally = await crowd.end
  const book = await closed(rig)
  return [
    exactly('streams that one key holds', tally.peak, streams),
    told('of its other requests refused in good order', `${pushed.refused} of ${streams * 3}`),
    none('of its other requests broken', pushed.broken),
    told('requests of another key meanwhile', String(beside.ms.length)),
    exactly('of them refused or failed', beside.failed, 0),
    told(
      'their time, p50, and with nobody beside them',
      `${shareOf(beside.ms, 0.5)} ms, ${shareOf(alone.ms, 0.5)} ms`,
    ),
    atMost('their time, p99', shareOf(beside.ms, 0.99), longestMs, ' ms'),
    exactly('left open in the ledger', book.stillOpen, 0),
    none('ledger promises broken', countOf(book.violations)),
  ]
}
