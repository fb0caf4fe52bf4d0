import { Database } from 'bun:sqlite'

import type { Seen } from './client.ts'
import type { Manner, Served } from './counting-upstream.ts'
import { hasStarted, type Starting, startProcess } from './gateway-process.ts'
import { startLoad } from './load.ts'
import { examine, type Figures, type Findings, overspent } from './oracle.ts'
import { recover } from './recover.ts'
import { newRig, refill, type Rig, servedBy } from './rig.ts'
import type { Chance } from './seeded.ts'

export interface Round {
  readonly rig: Rig
  readonly chance: Chance
  /** Its name goes into the models that are asked for, so no two rounds may have the same. */
  readonly name: string
  readonly clients: number
  /** Kills the gateway after so many milliseconds of load. Absent: it is expected to end by itself. */
  readonly killAfterMs?: number
  /** Counts them from the first answer, which on a slow machine comes late. */
  readonly isPatient?: boolean
  readonly starting?: Partial<Starting>
  /** Leaves the database exactly as the dead gateway did, for somebody else to look at. */
  readonly isLeftAlone?: boolean
  /** A second gateway on the same home, with as many clients of its own, which is killed when it has lived as long. */
  readonly hasSecond?: boolean
}

export interface RoundEnd extends Findings {
  readonly seen: readonly Seen[]
  readonly served: readonly Served[]
  /** What ended the process; undefined if it never served. */
  readonly signal: string
}

/** Time that a gateway may take to reach the point where it is to die. */
const longestRoundMs = 20_000

/** Starts a gateway, lets clients loose on it, and examines what is left when it is gone. */
export async function killRound(round: Round): Promise<RoundEnd> {
  const { rig, chance, isLeftAlone = false } = round
  for (const upstream of Object.values(rig.upstreams)) upstream.forget()
  refill(rig)
  // A second connection also outlives the killed one, which changes how SQLite recovers: so only in some rounds.
  const watch = !isLeftAlone && chance.in(0.5) ? watchBudgets(rig.database) : { stop: () => 0 }
  const lives = await Promise.all([
    lived(round),
    ...(round.hasSecond === true ? [lived({ ...round, name: `${round.name}-second` })] : []),
  ])
  const seen = lives.flatMap((life) => life.seen)
  const overAtAnyTime = watch.stop()
  const { violations, figures } = isLeftAlone ? unexamined : await examinedTwice(rig, seen)
  return {
    violations:
      overAtAnyTime === 0
        ? violations
        : [...violations, `P4: a budget was exceeded by ${overAtAnyTime} while the gateway ran`],
    figures: { ...figures, overBudget: figures.overBudget + overAtAnyTime },
    seen,
    served: servedBy(rig),
    signal: lives[0]?.signal ?? '',
  }
}

interface Life {
  readonly seen: readonly Seen[]
  readonly signal: string
}

/** A gateway from its start to its end, and what its clients saw. */
async function lived(round: Round): Promise<Life> {
  const { rig, chance, name, clients, killAfterMs = longestRoundMs } = round
  const gateway = await startProcess({ folder: rig.folder, ...round.starting })
  if (!hasStarted(gateway)) return { seen: [], signal: gateway.signal }
  const load = startLoad({ rig, port: gateway.port, chance, clients, round: name })
  if (round.isPatient === true) await Promise.race([load.answered, gateway.exited])
  await Promise.race([Bun.sleep(killAfterMs), gateway.exited])
  await gateway.kill()
  return { seen: await load.stop(), signal: await gateway.exited }
}

const unexamined: Findings = {
  violations: [],
  figures: {
    acknowledged: 0,
    lost: 0,
    doubled: 0,
    unrecorded: 0,
    overBudget: 0,
    crashed: 0,
    abandoned: 0,
  },
}

/** As the gateway left it, and as the next one makes it: both must hold. */
export async function examinedTwice(rig: Rig, seen: readonly Seen[]): Promise<Findings> {
  const evidence = { seen, served: servedBy(rig), keys: rig.keys }
  const left = examine(rig.database, { ...evidence, isRecovered: false })
  await recover(rig.database)
  const recovered = examine(rig.database, { ...evidence, isRecovered: true })
  const violations = [...new Set([...left.violations, ...recovered.violations])]
  return { violations, figures: recovered.figures }
}

/** Looks at the balances again and again from outside, as an operator's report would. */
function watchBudgets(file: string): { stop(): number } {
  const database = new Database(file, { readwrite: true })
  database.run('PRAGMA busy_timeout = 1000')
  let most = 0
  const look = (): void => {
    most = Math.max(most, overspent(database))
  }
  const timer = setInterval(look, 20)
  return {
    stop() {
      clearInterval(timer)
      look()
      database.close()
      return most
    },
  }
}

/** Upstreams of every kind that there is, most of them good. */
const allManners: readonly Manner[] = [
  ...Array.from({ length: 10 }, () => 'well' as const),
  'uncounted',
  'talkative',
  'lost',
  'failing',
]

export interface KillsOptions {
  readonly chance: Chance
  readonly kills: number
  readonly clients: number
  /** The longest that a gateway lives: milliseconds. */
  readonly mostMs: number
  readonly isOver?: () => boolean
  readonly say?: (words: string) => void
}

export interface KillsEnd extends Omit<Figures, 'crashed' | 'abandoned'> {
  readonly kills: number
  readonly requests: number
  readonly crashed: number
  readonly abandoned: number
  readonly violations: readonly string[]
}

/** Kills one gateway after the other on the same database, at random times under load. */
export async function randomKills(options: KillsOptions): Promise<KillsEnd> {
  const { chance, kills, clients, mostMs, isOver = () => false, say } = options
  await using rig = await newRig({
    temper: { seed: chance.between(1, 1e6), manners: allManners },
  })
  const sum = { kills: 0, requests: 0, acknowledged: 0, lost: 0, doubled: 0, unrecorded: 0 }
  let rounds = 0
  let overBudget = 0
  let last = { crashed: 0, abandoned: 0 }
  const violations: string[] = []
  while (sum.kills < kills && !isOver()) {
    const name = `k${rounds++}`
    const killAfterMs = chance.between(0, mostMs)
    const hasSecond = chance.in(0.25)
    const atOnce = hasSecond ? Math.ceil(clients / 2) : clients
    const isPatient = rounds % 2 === 1
    const round = { rig, chance, name, clients: atOnce, killAfterMs, isPatient, hasSecond }
    const { figures, seen, ...end } = await killRound(round)
    sum.kills += hasSecond ? 2 : 1
    sum.requests += seen.length
    sum.acknowledged += figures.acknowledged
    sum.lost += figures.lost
    sum.doubled += figures.doubled
    sum.unrecorded += figures.unrecorded
    overBudget = Math.max(overBudget, figures.overBudget)
    last = figures
    violations.push(...end.violations.map((one) => `Kill ${sum.kills}: ${one}`))
    if (rounds % 10 === 0) say?.(`${sum.kills} kills, ${sum.acknowledged} ends seen`)
  }
  const { crashed, abandoned } = last
  return { ...sum, overBudget, crashed, abandoned, violations }
}
