import { stat } from 'node:fs/promises'
import { cpuUsage, memoryUsage } from 'node:process'

import type { EngineNow, Snapshot, TargetNow } from './snapshot.ts'

/** The parts of a gateway, as far as they are looked at. */
export interface Observed {
  readonly server: { readonly inFlight: number; readonly streams: number } | undefined
  readonly health: { states(): readonly HealthState[] }
  readonly engine: { status(): EngineStatus } | undefined
  readonly ledger: { readonly queue: number; readonly failure: unknown }
  /** The file of the database, or a name that is no file. */
  readonly database: string
}

interface HealthState extends Omit<TargetNow, 'upstream' | 'model'> {
  /** `upstream/model`. */
  readonly target: string
}

interface EngineStatus extends Omit<EngineNow, 'isRunning'> {
  readonly pid: number | undefined
}

/** How all of them are now. */
export async function snapshotOf(observed: Observed): Promise<Snapshot> {
  const { server, health, engine, ledger, database } = observed
  const { user, system } = cpuUsage()
  return {
    inFlight: server?.inFlight ?? 0,
    streams: server?.streams ?? 0,
    targets: health.states().map(targetOf),
    engine: engine && engineOf(engine.status()),
    ledger: { queue: ledger.queue, isFailed: ledger.failure !== undefined },
    databaseBytes: await sizesOf(database),
    process: {
      residentBytes: memoryUsage.rss(),
      cpuSeconds: (user + system) / 1e6,
      startedAt: performance.timeOrigin / 1000,
    },
  }
}

function targetOf({ target, ...state }: HealthState): TargetNow {
  const slash = target.indexOf('/')
  return { ...state, upstream: target.slice(0, slash), model: target.slice(slash + 1) }
}

function engineOf({ pid, losses, residentBytes, models }: EngineStatus): EngineNow {
  return { isRunning: pid !== undefined, losses, residentBytes, models }
}

async function sizesOf(file: string): Promise<Readonly<Record<string, number>>> {
  const [main, wal] = await Promise.all([sizeOf(file), sizeOf(`${file}-wal`)])
  return { ...(main !== undefined && { main }), ...(wal !== undefined && { wal }) }
}

async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size
  } catch {
    // A database in memory has no file, and there is not always a log beside one.
    return undefined
  }
}
