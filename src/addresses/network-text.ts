/*
 * Browsers check what is typed with these, so they need nothing of the runtime. What a network holds is known to
 * `networks.ts`.
 */

/** Whether a text is an address, or a network such as `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/')
  const most = isIpv4(address) ? 32 : isIpv6(address) ? 128 : undefined
  if (most === undefined || rest.length > 0) return false
  if (prefix === undefined) return true
  return /^(0|[1-9]\d{0,2})$/.test(prefix) && Number(prefix) <= most
}

const byte = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const ipv4 = new RegExp(`^${byte}(?:\\.${byte}){3}$`)

function isIpv4(text: string): boolean {
  return ipv4.test(text)
}

/** Without a zone: `fe80::1%eth0` names a card of one machine. */
function isIpv6(text: string): boolean {
  if (!/^[0-9a-f:.]{2,45}$/i.test(text)) return false
  const [head = '', tail, ...rest] = text.split('::')
  if (rest.length > 0) return false
  const groups = [...groupsOf(head, tail === undefined), ...groupsOf(tail ?? '', true)]
  const width = groups.reduce((sum, group) => sum + widthOf(group), 0)
  if (Number.isNaN(width)) return false
  // Two colons stand for one group of noughts at least.
  return tail === undefined ? width === 8 : width < 8
}

/** The groups of one side of the two colons. Only the last group of all may be an address of IPv4. */
function groupsOf(side: string, isLast: boolean): readonly string[] {
  if (side === '') return []
  const groups = side.split(':')
  return groups.map((group, at) =>
    group.includes('.') && !(isLast && at === groups.length - 1) ? 'misplaced' : group,
  )
}

/** How many of the eight groups it takes; not a number where it is none. */
function widthOf(group: string): number {
  if (group.includes('.')) return isIpv4(group) ? 2 : Number.NaN
  return /^[0-9a-f]{1,4}$/i.test(group) ? 1 : Number.NaN
}
