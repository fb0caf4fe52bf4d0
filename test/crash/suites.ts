import { abortMatrix } from './aborts.ts'
import { killedCommands } from './commands.ts'
import { diskFaults, everyFault, mayInject } from './faults.ts'
import { onSmallDisk } from './full-disk.ts'
import { powerLossImages } from './images.ts'
import { randomKills } from './kills.ts'
import { putBugsBack } from './mutations.ts'
import { namedPoints } from './points.ts'
import { recordings } from './recordings.ts'
import { seeded } from './seeded.ts'

/** What a suite is given. */
export interface Setting {
  readonly seed: number
  /** Whether its share of the time is over. What it has done until then counts. */
  readonly isOver: () => boolean
  readonly say: (words: string) => void
}

/** What a suite has done and found, as a line of the proof. */
export interface Outcome {
  /** What was done to it, and how often: `412 kills`. */
  readonly done: string
  /** What came of it. */
  readonly found: string
  readonly violations: readonly string[]
}

export const suiteNames = ['kill', 'points', 'faults', 'images', 'aborts', 'mutations'] as const

export type SuiteName = (typeof suiteNames)[number]

/** The long run of each, and its share of the time. */
export const suites: Readonly<
  Record<
    SuiteName,
    { readonly share: number; readonly run: (setting: Setting) => Promise<Outcome> }
  >
> = {
  kill: { share: 0.22, run: kill },
  points: { share: 0.24, run: points },
  faults: { share: 0.36, run: faults },
  images: { share: 0.06, run: images },
  aborts: { share: 0.04, run: aborts },
  mutations: { share: 0.2, run: mutations },
}

async function kill({ seed, ...setting }: Setting): Promise<Outcome> {
  const chance = seeded(seed)
  const end = await randomKills({ ...setting, chance, kills: 1000, clients: 50, mostMs: 1500 })
  return {
    done: `${count(end.kills)} kills at random times under 50 clients, ${count(end.requests)} requests`,
    found: `${count(end.acknowledged)} ends were seen by clients: ${end.lost} records lost, ${end.doubled} doubled, ${end.unrecorded} requests unrecorded, ${end.overBudget} micro-dollars over budget; ${count(end.crashed)} exchanges charged at what was held`,
    violations: end.violations,
  }
}

async function points({ seed, ...setting }: Setting): Promise<Outcome> {
  const chance = seeded(seed)
  const commands = await killedCommands({ ...setting, chance, kills: 20 })
  const end = await namedPoints({ ...setting, chance, each: 20, clients: 30 })
  const violations = [...commands.violations, ...end.violations]
  return {
    done: `${count(end.kills)} kills at ${end.points} named points, and ${commands.kills} of commands that issue and rotate keys`,
    found: `${count(end.acknowledged)} ends were seen by clients, ${commands.shown} keys were shown: ${lostIn(violations)}`,
    violations,
  }
}

async function faults({ seed, ...setting }: Setting): Promise<Outcome> {
  const chance = seeded(seed)
  if (!mayInject()) return skipped('strace is not there, or may not trace: install it to run this')
  const end = await diskFaults({ ...setting, chance, clients: 30, faults: everyFault(200, chance) })
  const disk = await onSmallDisk(seed)
  const ofDisk =
    disk === undefined
      ? 'a full disk was not tried: this machine allows no mounts'
      : `on a full disk ${disk.refused} requests were refused, and ${disk.answeredAgain} answered once it had room again`
  return {
    done: `${count(end.faults)} failures of fsync and write, each at another call; a disk that fills up`,
    found: `${count(end.acknowledged)} ends were seen by clients: ${lostIn(end.violations)}; ${ofDisk}`,
    violations: [...end.violations, ...(disk?.violations ?? [])],
  }
}

async function images({ seed, ...setting }: Setting): Promise<Outcome> {
  const end = await powerLossImages({ ...setting, chance: seeded(seed), images: 600 })
  return {
    done: `${count(end.images)} images of what a power loss may leave`,
    found: `${count(end.expected)} records had been acknowledged before the last fsync of an image: ${lostIn(end.violations)}`,
    violations: end.violations,
  }
}

async function aborts({ seed }: Setting): Promise<Outcome> {
  const streams = recordings(50, seed)
  const end = await abortMatrix(streams)
  return {
    done: `${count(end.aborts)} clients that left, one after each frame of ${streams.length} streams, in both protocols`,
    found: `${count(end.exact)} counted exactly, ${count(end.estimated)} estimated and marked so, ${end.violations.length} too little; upstreams closed within ${Math.ceil(end.closedMs.p99)} ms (p99)`,
    violations: end.violations,
  }
}

async function mutations({ isOver, say }: Setting): Promise<Outcome> {
  const end = await putBugsBack({ isOver, say })
  return {
    done: `${end.mutations} bugs that gateways of this kind have had, put back one at a time`,
    found: `${end.caught.length} caught by the tests`,
    violations: end.violations,
  }
}

function skipped(why: string): Outcome {
  return { done: 'not run', found: why, violations: [] }
}

function lostIn(violations: readonly string[]): string {
  return violations.length === 0 ? 'nothing lost' : `${violations.length} violations`
}

const grouped = new Intl.NumberFormat('en')

function count(number: number): string {
  return grouped.format(number)
}
