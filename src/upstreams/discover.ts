import { isAnyAddress, isLoopbackName } from '#addresses/loopback.ts'
import { isObject, parseJson } from '#std/json.ts'
import { Secret } from '#std/secret.ts'
import { originOf } from '#upstreams/network/reachable.ts'
import { readLimited } from '#upstreams/network/read-limited.ts'
import { endpointsAt } from '#upstreams/vendors/endpoint-url.ts'
import type { Vendor } from '#upstreams/vendors/vendor.ts'
import { type VendorName, vendorNamed, vendorNames } from '#upstreams/vendors/vendors.ts'

import { problemWith, type RemoteSettings } from './build-remote.ts'

export interface DiscoverOptions {
  /** The environment, as a plain record. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The ports that this gateway listens on itself: what answers there is no upstream. */
  readonly ownPorts: readonly number[]
  /** Told of what was found and cannot be used, and why. */
  readonly report?: (problem: string) => void
  /** How long a local server may take to answer, in milliseconds; the start waits no longer. */
  readonly patienceMs?: number
  /** Where local servers are looked for; their vendors' usual ports unless given. */
  readonly ports?: Readonly<Partial<Record<VendorName, number>>>
}

const usualPatienceMs = 300
const maxListBytes = 1024 * 1024

/**
 * What can be used without any config: vendors whose keys are in the environment, then model servers that answer on
 * their usual loopback ports.
 */
export async function discover(options: DiscoverOptions): Promise<readonly RemoteSettings[]> {
  const local = await localServers(options)
  const usable = keyedVendors(options).filter((settings) => {
    const problem = problemWith(settings)
    if (problem === undefined) return true
    options.report?.(`The environment names ${settings.name}, which cannot be used. ${problem}`)
    return false
  })
  return [...usable, ...local]
}

function keyedVendors({ environment, ownPorts }: DiscoverOptions): RemoteSettings[] {
  return allVendors().flatMap(([name, { keyVariable = '', speaks }]) => {
    const key = environment[keyVariable]?.trim()
    if (key === undefined || key === '') return []
    const said = environment[keyVariable.replace(/_API_KEY$/, '_BASE_URL')]?.trim() || undefined
    // Whoever points an SDK at this gateway has put a key of ours beside it.
    if (said !== undefined && isOwn(said, ownPorts)) return []
    const hasUrl = Object.values(speaks).some(({ url }) => url !== undefined)
    return hasUrl || said !== undefined
      ? [{ name, vendor: name, key: new Secret(key), ...(said === undefined ? {} : { url: said }) }]
      : []
  })
}

async function localServers(options: DiscoverOptions): Promise<RemoteSettings[]> {
  const candidates = allVendors().flatMap(([name, vendor]) => {
    const port = options.ports === undefined ? vendor.port : options.ports[name]
    return port === undefined || options.ownPorts.includes(port) ? [] : [{ name, port }]
  })
  const signal = AbortSignal.timeout(options.patienceMs ?? usualPatienceMs)
  const answered = await Promise.all(
    candidates.map(async ({ name, port }) => {
      const url = `http://127.0.0.1:${port}/v1`
      return (await listsModels(url, signal)) ? [{ name, vendor: name, url }] : []
    }),
  )
  return answered.flat()
}

/** Whether a model server answers: a list in JSON, which no other web server has there. It may be empty, or even null. */
async function listsModels(url: string, signal: AbortSignal): Promise<boolean> {
  const endpoint = endpointsAt({ url, protocol: 'chat-completions' }).urlOf('models', '')
  try {
    const response = await fetch(endpoint ?? url, { signal, redirect: 'manual', proxy: false })
    const parsed = parseJson(await readLimited(response, maxListBytes))
    return response.ok && parsed.ok && isList(parsed.value)
  } catch {
    // Nobody there, or nobody who speaks this protocol in time.
    return false
  }
}

function isList(value: unknown): boolean {
  return isObject(value) && (Array.isArray(value['data']) || value['object'] === 'list')
}

function isOwn(url: string, ownPorts: readonly number[]): boolean {
  if (!URL.canParse(url)) return false
  const { host, port } = originOf(url)
  return (isLoopbackName(host) || isAnyAddress(host)) && ownPorts.includes(port)
}

function allVendors(): (readonly [VendorName, Vendor])[] {
  return vendorNames.map((name) => [name, vendorNamed(name)] as const)
}
