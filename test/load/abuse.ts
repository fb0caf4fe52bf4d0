import { controlsFor, shareOf } from './controls.ts'
import { atMost, exactly, type Figure, none, told } from './figure.ts'
import type { AttackKind, AttackTally } from './orders.ts'
import { closed, countOf, type Size } from './parts.ts'
import { newLoadRig } from './rig.ts'

const shares: Readonly<Record<AttackKind, number>> = { headers: 2000, body: 500, reader: 500 }

/** How long each may go on before it is cut, in seconds. */
const patience: Readonly<Record<AttackKind, number>> = { headers: 12.5, body: 60, reader: 70 }

/** Slow headers, slow bodies and readers that read nothing, all at once; `streams` is 3,000 at full size. */
export async function slowAttackers({ streams, seconds, nice = 0 }: Size): Promise<Figure[]> {
  await using rig = await newLoadRig({ nice })
  const count = (kind: AttackKind): number => Math.ceil((shares[kind] * streams) / 3000)
  const before = rig.gateway.descriptors()
  const attacks = (Object.keys(shares) as AttackKind[]).map((kind) => ({
    kind,
    running: rig.attack(kind, count(kind)),
  }))
  const controls = await controlsFor(rig.control, seconds)
  const after = rig.gateway.descriptors()
  const memory = rig.gateway.memoryMb()
  const tallies = await Promise.all(
    attacks.map(async ({ kind, running }) => {
      running.stop()
      return { kind, tally: await running.end }
    }),
  )
  await rig.control()
  const book = await closed(rig)
  return [
    exactly('good requests that failed meanwhile', controls.failed, 0),
    told('good requests meanwhile', String(controls.ms.length)),
    told('their time, p50', `${shareOf(controls.ms, 0.5)} ms`),
    atMost('their time, p99', shareOf(controls.ms, 0.99), 1000, ' ms'),
    ...tallies.flatMap(({ kind, tally }) => cutFigures(kind, tally, seconds)),
    told('descriptors of the gateway, before, and after', `${before}, ${after}`),
    // Bun reads about 2 MB ahead of a reader that reads nothing, if its upstream says so much.
    told('resident memory, peak', `${memory.peak} MB`),
    exactly('left open in the ledger', book.stillOpen, 0),
    none('ledger promises broken', countOf(book.violations)),
  ]
}

function cutFigures(
  kind: AttackKind,
  { cut, stillOpen, cutMs }: AttackTally,
  seconds: number,
): Figure[] {
  // A reader that reads nothing does not see that it was cut; the gateway's own descriptors show it.
  if (kind === 'reader' || seconds < patience[kind])
    return [told(`slow ${kind}: cut so far`, String(cut))]
  return [
    exactly(`slow ${kind}: not cut`, stillOpen, 0),
    atMost(`slow ${kind}: cut after at most`, cutMs.max / 1000, patience[kind], ' s'),
  ]
}
