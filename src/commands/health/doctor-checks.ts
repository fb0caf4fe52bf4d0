import { readFileSync, statfsSync, statSync } from 'node:fs'

import type { Config } from '#config/schema.ts'
import { offerOf } from '#gateway.ts'
import type { Keys } from '#keys/keys.ts'
import { verify } from '#ledger/conservation.ts'
import type { Storage } from '#storage/database.ts'
import { storeOf } from '#upstreams/build-engine.ts'
import type { RemoteSettings } from '#upstreams/build-remote.ts'
import { wayTo } from '#upstreams/network/proxies.ts'
import { originOf } from '#upstreams/network/reachable.ts'
import type { Upstream } from '#upstreams/upstream.ts'
import type { VendorName } from '#upstreams/vendors/vendors.ts'

/** What one look found: all well, something to know, or something to mend. */
export interface Finding {
  readonly what: string
  readonly state: 'well' | 'odd' | 'ill'
  readonly found: string
  /** What to do, where there is something to do. */
  readonly advice?: string
}

const mebi = 1024 * 1024
const leastFreeBytes = 200 * mebi
const goodFreeBytes = 2048 * mebi
const goodDescriptors = 4096
const soonMs = 14 * 86_400_000
const goodSkewMs = 30_000
const lookMs = 5000

/** Whether the folder of all state is there, is this user's alone, and has room. */
export function homeFindings(home: string): Finding[] {
  try {
    const isOpen = (statSync(home).mode & 0o077) !== 0
    const { bavail, bsize } = statfsSync(home)
    return [
      isOpen
        ? {
            what: 'home',
            state: 'odd',
            found: `${home} can be read by others`,
            advice: `chmod 700 ${home}`,
          }
        : { what: 'home', state: 'well', found: home },
      diskFinding(bavail * bsize),
    ]
  } catch {
    const advice = 'The first start creates it: parley serve.'
    return [{ what: 'home', state: 'odd', found: `${home} is not there`, advice }]
  }
}

function diskFinding(freeBytes: number): Finding {
  const found = `${Math.floor(freeBytes / mebi).toLocaleString('en')} MiB free`
  if (freeBytes >= goodFreeBytes) return { what: 'disk', state: 'well', found }
  const advice = 'Make room: where the ledger cannot be written, nothing that costs is answered.'
  return { what: 'disk', state: freeBytes < leastFreeBytes ? 'ill' : 'odd', found, advice }
}

/** How many connections the system lets a process have. */
export function descriptorFinding(limits = '/proc/self/limits'): Finding[] {
  let count: number
  try {
    const line = readFileSync(limits, 'utf8').match(/^Max open files\s+(\d+|unlimited)/m)?.[1]
    count = line === 'unlimited' ? Infinity : Number(line)
  } catch {
    // Only Linux tells it in this place; elsewhere there is nothing to say.
    return []
  }
  const found = `${count.toLocaleString('en')} open files`
  if (count >= goodDescriptors) return [{ what: 'limits', state: 'well', found }]
  const advice = `Every stream takes two. Raise it: ulimit -n ${goodDescriptors}`
  return [{ what: 'limits', state: 'odd', found, advice }]
}

/** Whether the ledger adds up, and whether anybody can call. */
export async function stateFindings(
  storage: Storage,
  keys: Keys,
  now: number,
): Promise<readonly Finding[]> {
  const { wrong } = await verify(storage)
  const ledger: Finding =
    wrong.length === 0
      ? { what: 'ledger', state: 'well', found: 'every balance is the sum of its entries' }
      : {
          what: 'ledger',
          state: 'ill',
          found: `${wrong.length} balances are not the sum of their entries`,
          advice: '"parley usage verify" shows which.',
        }
  return [ledger, keyFinding(await keys.list(), now)]
}

function keyFinding(
  all: readonly { readonly status: string; readonly expiresAt?: number }[],
  now: number,
): Finding {
  const active = all.filter(({ status }) => status === 'active')
  const ending = active.filter(({ expiresAt = Infinity }) => expiresAt - now < soonMs)
  const found = `${active.length} of ${all.length} can be used`
  if (active.length === 0)
    return { what: 'keys', state: 'ill', found, advice: 'parley keys create --name <name>' }
  if (ending.length === 0) return { what: 'keys', state: 'well', found }
  const advice = `${ending.length} expire within two weeks: "parley keys list" shows which.`
  return { what: 'keys', state: 'odd', found, advice }
}

/** Whether every upstream answers, and takes our key. */
export async function upstreamFindings(
  config: Config<VendorName>,
  discovered: readonly RemoteSettings[],
): Promise<readonly Finding[]> {
  const { upstreams, catalogue } = offerOf(config, discovered, undefined)
  try {
    return await Promise.all(upstreams.map(upstreamFinding))
  } finally {
    catalogue.close()
  }
}

async function upstreamFinding(upstream: Upstream): Promise<Finding> {
  const what = `upstream ${upstream.name}`
  const startedAt = performance.now()
  try {
    const patience = AbortSignal.timeout(lookMs)
    // A list that the config has says nothing of whoever is to serve it.
    const cards = await (upstream.askModels?.(patience) ?? upstream.listModels(patience))
    const took = Math.round(performance.now() - startedAt)
    return { what, state: 'well', found: `${cards.length} models, in ${took} ms` }
  } catch (error) {
    const isLate = error instanceof DOMException
    const found = isLate ? `no answer within ${lookMs / 1000} s` : wordsOf(error)
    const advice = 'Check its `url` and `key` in the config, and whether it runs.'
    return { what, state: 'ill', found, advice }
  }
}

/** Whether the clock is right, by what the upstreams' own clocks say: periods of budgets and expiries go by it. */
export async function clockFinding(
  origins: readonly string[],
  now: () => number,
): Promise<readonly Finding[]> {
  const skews = await Promise.all(origins.map(async (origin) => skewAgainst(origin, now)))
  const known = skews.filter((skew) => skew !== undefined)
  const [least] = known.toSorted((one, other) => Math.abs(one) - Math.abs(other))
  if (least === undefined) return []
  const seconds = Math.round(Math.abs(least) / 1000)
  if (Math.abs(least) < goodSkewMs)
    return [{ what: 'clock', state: 'well', found: `within ${Math.max(1, seconds)} s of others` }]
  const found = `${seconds} s ${least > 0 ? 'ahead of' : 'behind'} all upstreams`
  const advice = 'Let the system set its clock by the network (ntp).'
  return [{ what: 'clock', state: 'ill', found, advice }]
}

async function skewAgainst(origin: string, now: () => number): Promise<number | undefined> {
  try {
    const response = await fetch(origin, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(lookMs),
      ...wayTo(originOf(origin).host),
    })
    const said = Date.parse(response.headers.get('date') ?? '')
    return Number.isNaN(said) ? undefined : now() - said
  } catch {
    // Whoever does not answer has no clock for us; that it does not answer is told elsewhere.
    return undefined
  }
}

/** Whether the engine's model files are there and whole. */
export async function engineFindings(
  { engine }: Pick<Config, 'engine'>,
  home: string,
): Promise<readonly Finding[]> {
  if (!engine.enabled) return [{ what: 'engine', state: 'well', found: 'switched off' }]
  try {
    const marks = await storeOf(engine, home).catalogue()
    const names = marks.map(({ name }) => name).join(', ')
    if (names !== '') return [{ what: 'engine', state: 'well', found: names }]
    return [{ what: 'engine', state: 'odd', found: 'no models', advice: 'parley pull <source>' }]
  } catch (error) {
    const advice = 'Remove the file, or pull it again.'
    return [{ what: 'engine', state: 'ill', found: wordsOf(error), advice }]
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
