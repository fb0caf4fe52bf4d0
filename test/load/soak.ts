import { atMost, exactly, type Figure, none, told } from './figure.ts'
import type { Manner } from './orders.ts'
import { closed, countOf, type Size } from './parts.ts'
import { type LoadRig, newLoadRig } from './rig.ts'

/** Every twentieth exchange goes wrong at its upstream, in one of three ways, and as many callers leave in the middle. */
const faultShare = 0.05
const faults = ['cut', 'fail', 'silent'] as const
const leaving = 0.05

interface Sample {
  readonly minute: number
  readonly megabytes: number
  readonly descriptors: number
}

/** Waves of short streams for as long as it is wished: memory and descriptors stay where they are. */
export async function soak({ streams, seconds, nice = 0 }: Size): Promise<Figure[]> {
  await using rig = await newLoadRig({ nice })
  const began = performance.now()
  const samples: Sample[] = []
  const ends = { whole: 0, left: 0, expected: 0, broken: {} as Record<string, number>, missed: 0 }
  while (performance.now() - began < seconds * 1000) {
    await wave(rig, streams, ends)
    const { now } = rig.gateway.memoryMb()
    const minute = (performance.now() - began) / 60_000
    samples.push({ minute, megabytes: now, descriptors: rig.gateway.descriptors() })
  }
  await rig.control()
  const book = await closed(rig)
  const settled = samples.slice(Math.floor(samples.length / 3))
  const [first, last] = [settled[0], settled.at(-1)]
  const minutes = seconds / 60
  return [
    told('exchanges', new Intl.NumberFormat('en').format(ends.whole + ends.left + ends.expected)),
    told('of them broken by their upstream, and seen to be', String(ends.expected)),
    told('of them left by their callers', String(ends.left)),
    exactly('broken by their upstream, and seen as whole', ends.missed, 0),
    none('broken without cause', ends.broken),
    told(
      'resident memory, at the first third and at the end',
      `${first?.megabytes} MB, ${last?.megabytes} MB`,
    ),
    // A shorter run shows how memory is warmed up, not how it grows.
    minutes < 20
      ? told('slope of memory', `${slope(settled).toFixed(2)} MB a minute`)
      : atMost('slope of memory', slope(settled), 1, ' MB a minute'),
    told(
      'descriptors, at the first third and at the end',
      `${first?.descriptors}, ${last?.descriptors}`,
    ),
    exactly('left open in the ledger', book.stillOpen, 0),
    none('ledger promises broken', countOf(book.violations)),
  ]
}

interface Ends {
  whole: number
  left: number
  expected: number
  missed: number
  broken: Record<string, number>
}

async function wave(rig: LoadRig, streams: number, ends: Ends): Promise<void> {
  const bad = Math.max(faults.length, Math.round(streams * faultShare))
  const good = rig.streams({ ...shape(streams - bad, 'none'), translated: 0.3, leaving })
  const spoilt = faults.map((fault) =>
    rig.streams({ ...shape(Math.ceil(bad / faults.length), fault), translated: 0.3 }),
  )
  const tally = await good.end
  ends.whole += tally.whole
  ends.left += tally.left
  for (const [words, times] of Object.entries(tally.broken))
    ends.broken[words] = (ends.broken[words] ?? 0) + times
  for (const { end } of spoilt) {
    const { whole, broken } = await end
    ends.missed += whole
    ends.expected += Object.values(broken).reduce((sum, times) => sum + times, 0)
  }
}

function shape(count: number, fault: Manner['fault']) {
  return { count, rampMs: 1500, manner: { events: 20, everyMs: 100, bytes: 200, fault } }
}

/** Megabytes a minute, by least squares. */
export function slope(samples: readonly Sample[]): number {
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
  const [x, y] = [
    mean(samples.map(({ minute }) => minute)),
    mean(samples.map((one) => one.megabytes)),
  ]
  const spread = samples.reduce((sum, { minute }) => sum + (minute - x) ** 2, 0)
  const shared = samples.reduce((sum, one) => sum + (one.minute - x) * (one.megabytes - y), 0)
  return spread === 0 ? 0 : shared / spread
}
