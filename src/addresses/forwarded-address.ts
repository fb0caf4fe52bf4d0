import { isIP } from 'node:net'

import { liesIn } from './networks.ts'

/** Proxies that are believed, and the one header in which they say whom they speak for. */
export interface ProxyTrust {
  /** Addresses and networks such as `10.0.0.0/8`. Nobody is believed where there are none. */
  readonly proxies: readonly string[]
  /** The header that these proxies write. Any other is the caller's own, whoever passes it on. */
  readonly header: ForwardingHeader
}

/** The one that proxies write by custom, and that of RFC 7239. */
export const forwardingHeaders = ['x-forwarded-for', 'forwarded'] as const

export type ForwardingHeader = (typeof forwardingHeaders)[number]

/**
 * The address that a request comes from: the one at the other end of the connection, or if that is a proxy that is
 * believed, the one that it says asked it, and so on from right to left until somebody is not believed. What stands to
 * the left of that one anybody may have written. Undefined where a proxy says something that is no address.
 */
export function forwardedAddress(
  peer: string | undefined,
  headers: Pick<Headers, 'get'>,
  { proxies, header }: ProxyTrust,
): string | undefined {
  if (peer === undefined) return undefined
  if (proxies.length === 0 || !liesIn(proxies, peer)) return plainAddress(peer)
  let address = plainAddress(peer)
  let left = headers.get(header) ?? ''
  for (let hop = 0; left !== ''; hop++) {
    if (hop === mostHops) return undefined
    const comma = left.lastIndexOf(',')
    const said = saidIn(left.slice(comma + 1), header)
    if (said === undefined || !liesIn(proxies, said)) return said
    address = said
    left = comma === -1 ? '' : left.slice(0, comma)
    // A comma inside a quoted text ends nothing: what was read as an element is a part of one.
    if (header === 'forwarded' && isInQuotes(left)) return undefined
  }
  return address
}

/** Whether a request has passed a proxy that says so. Any of these shows it; none of them shows the reverse. */
export function hasPassedProxy(headers: Pick<Headers, 'has'>): boolean {
  return proxyMarks.some((name) => headers.has(name))
}

const proxyMarks = [
  ...forwardingHeaders,
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-forwarded-server',
  'x-real-ip',
  'via',
  'cf-connecting-ip',
  'true-client-ip',
] as const

/** More proxies than stand before anything. */
const mostHops = 16

function saidIn(element: string, header: ForwardingHeader): string | undefined {
  const node = header === 'forwarded' ? forNode(element) : element.trim()
  return node === undefined ? undefined : addressIn(node)
}

/** The `for` of one element of RFC 7239. Undefined unless all of the element is well formed and it is there once. */
function forNode(element: string): string | undefined {
  const pairs = element.split(';').map((pair) => pairForm.exec(pair.trim()))
  if (pairs.includes(null)) return undefined
  const nodes = pairs.flatMap((pair) => (pair?.[1]?.toLowerCase() === 'for' ? [pair] : []))
  const [node, ...others] = nodes
  return others.length > 0 ? undefined : (node?.[2] ?? node?.[3])
}

const pairForm = /^([\w!#$%&'*+.^`|~-]+)=(?:"([^"\\]*)"|([\w!#$%&'*+.^`|~-]+))$/

function isInQuotes(text: string): boolean {
  return text.split('"').length % 2 === 0
}

/** The address in `192.0.2.7`, `192.0.2.7:4711`, `2001:db8::7`, `[2001:db8::7]` or `[2001:db8::7]:4711`. */
function addressIn(node: string): string | undefined {
  if (isIP(node) !== 0) return plainAddress(node)
  const [, dotted, bracketed] = nodeForm.exec(node) ?? []
  const bare = dotted ?? bracketed ?? ''
  return isIP(bare) === (dotted === undefined ? 6 : 4) ? plainAddress(bare) : undefined
}

const nodeForm = /^(?:(\d{1,3}(?:\.\d{1,3}){3})|\[([0-9a-f:.]{2,45})\])(?::\d{1,5})?$/i

/** One way to write each address, without a zone; one of the fourth version is written so in whatever dress it came. */
function plainAddress(address: string): string {
  const [bare = ''] = address.split('%')
  if (isIP(bare) !== 6) return bare
  const groups = groupsOf(bare)
  const [high = 0, low = 0] = groups.slice(6)
  const isDressed = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (isDressed) return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  const whole = groups.map((group) => group.toString(16)).join(':')
  return new URL(`http://[${whole}]`).hostname.slice(1, -1)
}

/** The eight numbers of an address of the sixth version. */
function groupsOf(address: string): number[] {
  const [before = [], after = []] = address
    .split('::')
    .map((half) => half.split(':').flatMap(numbersIn))
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}

/** One number, or two where the address ends as one of the fourth version. */
function numbersIn(group: string): number[] {
  if (group === '') return []
  if (!group.includes('.')) return [Number.parseInt(group, 16)]
  const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
  return [a * 256 + b, c * 256 + d]
}
