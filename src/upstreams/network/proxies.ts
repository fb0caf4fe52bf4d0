import process from 'node:process'

import { isAnyAddress, isLoopbackName } from '#addresses/loopback.ts'

import { type Origin, originOf } from './reachable.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * How `fetch` is to get to a host. It takes the proxy that the environment names, unless `NO_PROXY` says otherwise; but
 * no proxy knows the servers of this machine, and few who set one think of them.
 */
export function wayTo(host: string): { readonly proxy?: false } {
  return isOwn(host) ? straight : asTheEnvironmentSays
}

/** Where the proxy is that stands between this machine and a host, if the environment names one for such connections. */
export function proxyBefore(
  { host, isSecure }: Pick<Origin, 'host' | 'isSecure'>,
  environment: Environment = process.env,
): Origin | undefined {
  if (isOwn(host)) return undefined
  const names = [isSecure ? 'https_proxy' : 'http_proxy', 'all_proxy']
  const values = names.flatMap((name) => [environment[name], environment[name.toUpperCase()]])
  const url = values.find((value) => value !== undefined && URL.canParse(value))
  return url === undefined ? undefined : originOf(url)
}

const straight = { proxy: false } as const
const asTheEnvironmentSays = {} as const

/** Listeners on every address are this machine's too when somebody writes that as the address to ask. */
function isOwn(host: string): boolean {
  return isLoopbackName(host) || host.endsWith('.localhost') || isAnyAddress(host)
}
