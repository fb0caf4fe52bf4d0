import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { ask, type Seen } from './client.ts'
import { type GatewayProcess, hasStarted, startProcess } from './gateway-process.ts'
import { startLoad } from './load.ts'
import { examine, recordsOf } from './oracle.ts'
import { recover } from './recover.ts'
import { newRig, type Rig, servedBy } from './rig.ts'
import type { Chance } from './seeded.ts'

/** What the disk does to the N-th call. */
export interface Fault {
  readonly call: 'fsync' | 'pwrite64'
  readonly error: 'EIO' | 'ENOSPC'
  readonly at: number
  /** Whether every call after it fails too. */
  readonly goesOn: boolean
}

export interface FaultsOptions {
  readonly chance: Chance
  readonly faults: readonly Fault[]
  readonly clients: number
  readonly isOver?: () => boolean
  readonly say?: (words: string) => void
}

export interface FaultsEnd {
  readonly faults: number
  /** Of these, those that clients noticed: the others came after the gateway had been killed, or before it served. */
  readonly noticed: number
  readonly acknowledged: number
  readonly violations: readonly string[]
}

/** Whether this machine lets one process fail the calls of another. */
export function mayInject(): boolean {
  const strace = Bun.which('strace')
  if (strace === null) return false
  return Bun.spawnSync([strace, '-o', '/dev/null', 'true']).exitCode === 0
}

/** Every fault of the list on a gateway under load: what was acknowledged is in the database, whatever the disk said. */
export async function diskFaults(options: FaultsOptions): Promise<FaultsEnd> {
  const { chance, faults, isOver = () => false, say } = options
  await using rig = await newRig({ temper: { seed: chance.between(1, 1e6) } })
  const end = { faults: 0, noticed: 0, acknowledged: 0, violations: [] as string[] }
  for (const fault of faults) {
    if (isOver()) break
    const round = await faultRound(rig, fault, { ...options, name: `f${end.faults}` })
    end.faults++
    end.noticed += round.isNoticed ? 1 : 0
    end.acknowledged += round.acknowledged
    end.violations.push(...round.violations.map((one) => `${wordsOf(fault)}: ${one}`))
    if (end.faults % 20 === 0) say?.(`${end.faults} faults, ${end.noticed} noticed`)
  }
  return end
}

/** Every call from the first to this one, both kinds, the trouble passing or staying, in an order of chance. */
export function everyFault(most: number, chance: Chance): Fault[] {
  const all = Array.from({ length: most }, (_, index) => [
    { call: 'fsync', error: 'EIO', at: index + 1, goesOn: chance.in(0.5) } as const,
    { call: 'pwrite64', error: 'ENOSPC', at: index + 1, goesOn: chance.in(0.5) } as const,
  ]).flat()
  return all
    .map((fault) => ({ fault, order: chance.next() }))
    .toSorted((one, other) => one.order - other.order)
    .map(({ fault }) => fault)
}

/** How long a round waits for its fault, and then for what the gateway makes of it. */
const longestMs = 2500
const afterMs = 120

interface FaultRound {
  readonly isNoticed: boolean
  readonly acknowledged: number
  readonly violations: readonly string[]
}

async function faultRound(
  rig: Rig,
  fault: Fault,
  { chance, clients, name }: FaultsOptions & { readonly name: string },
): Promise<FaultRound> {
  for (const upstream of Object.values(rig.upstreams)) upstream.forget()
  const gateway = await startProcess({ folder: rig.folder, under: straceOf(fault) })
  // A gateway that cannot open its database must say so, and never serve.
  const seen = hasStarted(gateway) ? await loaded(rig, gateway, { chance, clients, name }) : []
  const evidence = { seen, served: servedBy(rig), keys: rig.keys }
  const left = examine(rig.database, { ...evidence, isRecovered: false })
  await recover(rig.database)
  const recovered = examine(rig.database, { ...evidence, isRecovered: true })
  return {
    isNoticed: seen.some(({ status }) => status === 503),
    acknowledged: recovered.figures.acknowledged,
    violations: [...left.violations, ...recovered.violations, ...refusedInVain(rig, seen)],
  }
}

function straceOf({ call, error, at, goesOn }: Fault): string[] {
  const inject = `inject=${call}:error=${error}:when=${at}${goesOn ? '+' : ''}`
  // As a detached grandchild, so that the process that is started is the gateway itself.
  return [
    'strace',
    '-D',
    '-f',
    '--seccomp-bpf',
    '-o',
    '/dev/null',
    '-e',
    `trace=${call}`,
    '-e',
    inject,
  ]
}

async function loaded(
  rig: Rig,
  gateway: GatewayProcess,
  {
    chance,
    clients,
    name,
  }: { readonly chance: Chance; readonly clients: number; readonly name: string },
): Promise<readonly Seen[]> {
  const load = startLoad({ rig, port: gateway.port, chance, clients, round: name })
  const began = performance.now()
  const isNoticed = () => load.seen.some(({ status }) => status === 503)
  while (!isNoticed() && performance.now() - began < longestMs) await Bun.sleep(10)
  await Bun.sleep(afterMs)
  await gateway.kill()
  return load.stop()
}

/** P7: who was refused for want of a disk had not been heard by any upstream, unless the trouble came in between. */
function refusedInVain(rig: Rig, seen: readonly Seen[]): string[] {
  const records = recordsOf(rig.database)
  return seen
    .filter(({ status, id = '', asking }) => {
      if (status !== 503 || records.has(id)) return false
      return servedBy(rig).some(({ model }) => asking.model === model)
    })
    .map(({ asking }) => `P7: ${asking.model} went upstream, and nothing of it could be written`)
}

function wordsOf({ call, error, at, goesOn }: Fault): string {
  return `${error} at ${call} ${at}${goesOn ? ' and all after it' : ''}`
}

export interface FullDiskEnd {
  /** Requests that were refused while the disk was full, and those that were answered when it was not any more. */
  readonly refused: number
  readonly answeredAgain: number
  readonly violations: readonly string[]
}

/**
 * A disk that fills up under a gateway and is emptied again. To be run where the folder is a small file system of its
 * own: see `full-disk.ts`.
 */
export async function fullDisk(folder: string, chance: Chance): Promise<FullDiskEnd> {
  await using rig = await newRig({ temper: { seed: chance.between(1, 1e6) }, folder })
  const gateway = await startProcess({ folder })
  if (!hasStarted(gateway)) throw new Error(`The gateway did not start: ${gateway.complaint}`)
  const load = startLoad({ rig, port: gateway.port, chance, clients: 20, round: 'full' })
  await until(() => load.seen.some(isAnswered), 'a first answer')
  const ballast = join(folder, 'ballast')
  fill(ballast)
  await until(() => load.seen.some(isRefused), 'a refusal')
  await Bun.sleep(300)
  const refused = load.seen.filter(isRefused)
  writeFileSync(ballast, '')
  const soFar = load.seen.length
  await until(
    () => load.seen.slice(soFar).some(isAnswered),
    'an answer after the disk had room again',
  )
  // What ended while the disk was full is owed to the ledger, and is paid within a second or two.
  await Bun.sleep(2500)
  const seen = await load.stop()
  const control = await ask({
    port: gateway.port,
    key: rig.keys[0]?.text ?? '',
    protocol: 'messages',
    model: 'messages/m-control',
    stream: true,
  })
  await gateway.kill()
  await recover(rig.database)
  const all = [...seen, control]
  const evidence = { seen: all, served: servedBy(rig), keys: rig.keys, isRecovered: true }
  const { violations, figures } = examine(rig.database, evidence)
  return {
    refused: refused.length,
    answeredAgain: seen.slice(soFar).filter(isAnswered).length,
    violations: [
      ...violations,
      ...refusedInVain(rig, all),
      ...(control.isWhole ? [] : ['the gateway did not recover when the disk had room again']),
      ...(figures.crashed > 0
        ? [`${figures.crashed} outcomes were lost while the disk was full`]
        : []),
    ],
  }
}

const isRefused = ({ status }: Seen): boolean => status === 503
const isAnswered = ({ status }: Seen): boolean => status === 200

/** Writes until there is no room for another page. */
function fill(ballast: string): void {
  for (const size of [1 << 20, 1 << 16, 1 << 12]) {
    try {
      for (;;) writeFileSync(ballast, new Uint8Array(size), { flag: 'a' })
    } catch {
      // Full for pieces of this size.
    }
  }
}

async function until(isSo: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + 20_000
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error(`Waited for ${what}, and it did not come.`)
    await Bun.sleep(20)
  }
}
