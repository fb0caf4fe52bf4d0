import { BlockList, isIP } from 'node:net'

/** Whether an address lies in one of the networks. IPv4 in the dress of IPv6 counts as IPv4. */
export function liesIn(networks: readonly string[], address: string): boolean {
  const [bare = ''] = address.split('%')
  const family = familyOf(bare)
  return family !== undefined && listOf(networks).check(bare, family)
}

/** Whether all that lies in the narrow network lies in the wide one too. */
export function coversNetwork(wide: string, narrow: string): boolean {
  const [outer, inner] = [partsOf(wide), partsOf(narrow)]
  if (outer.family !== inner.family || inner.prefix < outer.prefix) return false
  return listed([wide]).check(inner.address, inner.family)
}

const lists = new WeakMap<readonly string[], BlockList>()

/** Read once for each list of networks, which lives as long as whatever it was written in. */
function listOf(networks: readonly string[]): BlockList {
  let list = lists.get(networks)
  if (list === undefined) {
    list = listed(networks)
    lists.set(networks, list)
  }
  return list
}

function listed(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const { address, prefix, family } = partsOf(network)
    list.addSubnet(address, prefix, family)
  }
  return list
}

type Family = 'ipv4' | 'ipv6'

interface NetworkParts {
  readonly address: string
  readonly prefix: number
  readonly family: Family
}

/** The parts of what was found to be a network: an address alone is a network of one. */
function partsOf(network: string): NetworkParts {
  const [address = '', prefix] = network.split('/')
  const family = familyOf(address) ?? 'ipv6'
  return { address, family, prefix: prefix === undefined ? widths[family] : Number(prefix) }
}

const widths = { ipv4: 32, ipv6: 128 } as const

function familyOf(address: string): Family | undefined {
  const version = isIP(address)
  if (version === 0) return undefined
  return version === 4 ? 'ipv4' : 'ipv6'
}
