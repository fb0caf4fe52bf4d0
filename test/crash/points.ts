import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Kysely } from 'kysely'

import { Keys } from '#keys/keys.ts'
import { SqliteLedger } from '#ledger/ledger.ts'
import { bunSqliteDialect } from '#storage/bun-sqlite-dialect.ts'
import { connect } from '#storage/connection.ts'
import { Storage } from '#storage/database.ts'
import { allMigrations, migrate } from '#storage/migrations.ts'
import type { Schema } from '#storage/schema.ts'

import { type GatewayProcess, hasStarted, startProcess } from './gateway-process.ts'
import { examinedTwice, killRound } from './kills.ts'
import { loadLedger } from './ledger-load.ts'
import { examine, type Findings, recordsOf } from './oracle.ts'
import { recover } from './recover.ts'
import { newRig, type Rig } from './rig.ts'
import type { Chance } from './seeded.ts'

/** How a point is come to: by exchanges, by a start that has something to do, or by a command. */
type Way = 'load' | 'restart' | 'migration' | 'prune'

/** Every point that `FAIL_AT` knows, and how often it is passed in a second or so. */
const points: Readonly<Record<string, { readonly way: Way; readonly often: number }>> = {
  'before-reserve': { way: 'load', often: 60 },
  'after-reserve': { way: 'load', often: 60 },
  'before-commit': { way: 'load', often: 120 },
  'after-commit': { way: 'load', often: 120 },
  'between-commit-and-terminator': { way: 'load', often: 150 },
  'during-checkpoint': { way: 'restart', often: 1 },
  'during-migration': { way: 'migration', often: 1 },
  'during-prune': { way: 'prune', often: 1 },
}

export interface PointsOptions {
  readonly chance: Chance
  /** How often the gateway is killed at each of them. */
  readonly each: number
  readonly only?: readonly string[]
  /** How often a point is passed at most before the kill, where that is less than usual. */
  readonly mostPassed?: number
  readonly clients: number
  readonly isOver?: () => boolean
  readonly say?: (words: string) => void
}

export interface PointsEnd {
  readonly kills: number
  readonly points: number
  readonly acknowledged: number
  readonly figures: readonly Findings[]
  readonly violations: readonly string[]
}

/** Kills a gateway at every named point, some random number of times passed, and examines what is left. */
export async function namedPoints(options: PointsOptions): Promise<PointsEnd> {
  const { chance, each, only = Object.keys(points), isOver = () => false, say } = options
  const { mostPassed = Number.POSITIVE_INFINITY } = options
  await using rig = await newRig({ temper: { seed: chance.between(1, 1e6) } })
  const ends: Findings[] = []
  const violations: string[] = []
  let kills = 0
  for (let turn = 0; turn < each && !isOver(); turn++) {
    for (const point of only) {
      const passing = chance.between(1, Math.min(points[point]?.often ?? 1, mostPassed))
      const failAt = `${point}:${passing}`
      const end = await killedAt(rig, failAt, { ...options, name: `${point}-${turn}` })
      if (end.signal === 'SIGKILL') kills++
      else violations.push(`${failAt} was never reached: the gateway ended with ${end.signal}`)
      ends.push(end)
      violations.push(...end.violations.map((one) => `${failAt}: ${one}`))
    }
    say?.(`${kills} kills, ${only.length} points in turn`)
  }
  return {
    kills,
    points: only.length,
    acknowledged: ends.reduce((sum, { figures }) => sum + figures.acknowledged, 0),
    figures: ends,
    violations,
  }
}

interface At extends PointsOptions {
  readonly name: string
}

async function killedAt(rig: Rig, failAt: string, at: At): Promise<Findings & Died> {
  const way = points[failAt.split(':')[0] ?? '']?.way
  if (way === 'migration') return killedAtMigration(failAt)
  if (way === 'prune') return killedAtPrune(failAt, at.chance)
  if (way === 'restart') return killedAtRestart(rig, failAt, at)
  const { chance, clients, name } = at
  return killRound({ rig, chance, clients, name, starting: { environment: { FAIL_AT: failAt } } })
}

/** A gateway that dies under load, and the next one while it writes back the log that the first one left. */
async function killedAtRestart(rig: Rig, failAt: string, at: At): Promise<Findings & Died> {
  const { chance, clients, name } = at
  const killAfterMs = chance.between(200, 1000)
  const { seen } = await killRound({ rig, chance, clients, name, killAfterMs, isLeftAlone: true })
  const ended = await startProcess({ folder: rig.folder, environment: { FAIL_AT: failAt } })
  const signal = hasStarted(ended) ? await soonDead(ended) : ended.signal
  return { ...(await examinedTwice(rig, seen)), signal }
}

/** What ends a gateway within a second or two; `nothing` if nothing does. */
async function soonDead(gateway: GatewayProcess): Promise<string> {
  const signal = await Promise.race([gateway.exited, Bun.sleep(2000).then(() => 'nothing')])
  await gateway.kill()
  return signal
}

/** A home of the first version, whose database the gateway brings to this one when it starts. */
async function killedAtMigration(failAt: string): Promise<Findings & Died> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-migration-'))
  const file = join(folder, 'state', 'parley.db')
  try {
    mkdirSync(join(folder, 'state'), { mode: 0o700 })
    const before = await firstVersion(file)
    const ended = await startProcess({ folder, environment: { FAIL_AT: failAt } })
    const signal = 'pid' in ended ? 'nothing' : ended.signal
    if ('pid' in ended) await ended.kill()
    await recover(file)
    const findings = examine(file, nobodyElse)
    using storage = await Storage.open(file)
    const kept = (await new Keys(storage).list()).map(({ id }) => id)
    const lost = before.filter((id) => !kept.includes(id))
    const violations = lost.map((id) => `the key ${id} is gone after the migration`)
    return { ...findings, violations: [...findings.violations, ...violations], signal }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A database of the first version, with keys and records of then. Gives the ids of the keys. */
async function firstVersion(file: string): Promise<string[]> {
  const database = connect(file)
  const query = new Kysely<Schema>({ dialect: bunSqliteDialect(database) })
  const [first] = Object.entries(allMigrations)
  await migrate({ file, database, query }, Object.fromEntries(first === undefined ? [] : [first]))
  const ids = Array.from({ length: 20 }, (_, at) => `key-${at}`)
  const exchange = "'chat', 'messages', 1, 1"
  for (const id of ids) {
    database.run(`INSERT INTO keys (id, name, created_at) VALUES ('${id}', '${id}', 1)`)
    database.run(`INSERT INTO ledger
      (id, key_id, model, endpoint, protocol, stream, started_at, result, attempts, counted, total_ms)
      VALUES ('was-${id}', '${id}', 'was-${id}', ${exchange}, 'complete', 1, 'exact', 1)`)
    database.run(`INSERT INTO open_exchanges
      (id, key_id, model, endpoint, protocol, stream, started_at, boot)
      VALUES ('open-${id}', '${id}', 'open-${id}', ${exchange}, 'none')`)
  }
  database.close()
  return ids
}

/** A ledger that is pruned by a process which dies in the middle of it, and then by one that does not. */
async function killedAtPrune(failAt: string, chance: Chance): Promise<Findings & Died> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-prune-'))
  const file = join(folder, 'parley.db')
  try {
    await filled(file, chance)
    const signal = await pruned(file, { FAIL_AT: failAt })
    const left = examine(file, pruning)
    await pruned(file, {})
    const done = examine(file, pruning)
    const { size } = recordsOf(file)
    const violations = size > mostLeft ? [`${size} rows are left that were to be pruned`] : []
    return { ...done, violations: [...left.violations, ...done.violations, ...violations], signal }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What is open is never pruned, and neither is the last row. */
const mostLeft = 100

interface Died {
  readonly signal: string
}

const nobodyElse = { seen: [], served: [], keys: [], isRecovered: true }

/** Pruning is no start of a gateway, and recovers nothing. */
const pruning = { ...nobodyElse, isRecovered: false }

async function filled(file: string, chance: Chance): Promise<void> {
  using storage = await Storage.open(file)
  await using ledger = await SqliteLedger.open(storage)
  let begun = 0
  const onDisk = () => void begun++
  const isOver = () => begun > 400
  await loadLedger({ ledger, chance, keyId: 'pruned', atOnce: 20, onDisk, isOver })
}

/** What ended the process that prunes. */
async function pruned(
  file: string,
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const program = join(import.meta.dir, 'prune.child.ts')
  const child = Bun.spawn([process.execPath, program, file], {
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  await child.exited
  return String(child.signalCode)
}
