import { GatewayError } from '#chat/error.ts'
import type { Secret } from '#std/secret.ts'

import { keyPrefix } from './key-format.ts'
import type { PolicyChange } from './policy-schema.ts'
import type { Policy } from './policy.ts'

/** What an operator says of a new key. Times are Unix milliseconds. */
export interface KeyOrder {
  readonly name: string
  /** Absent: the default project. */
  readonly projectId?: string
  /** Who answers for it: a person or a team, in words of the operator's own. */
  readonly owner?: string
  /** Absent: it is valid at once. */
  readonly notBefore?: number
  /** Absent: it does not expire. */
  readonly expiresAt?: number
  readonly policy?: Policy
  /** A text that callers have already, in place of one of ours. Absent: one is made. */
  readonly chosen?: Secret
}

/** What is to become of a key. What is absent stays as it is; `null` removes it. */
export interface KeyChange {
  readonly name?: string
  readonly owner?: string | null
  readonly notBefore?: number | null
  readonly expiresAt?: number | null
  readonly policy?: PolicyChange
}

/** Throws `request-invalid`, with the field at fault, for an order that cannot be carried out. */
export function checkOrder(order: KeyOrder, now: number): void {
  checkName(order.name, 'key')
  if (order.owner !== undefined) checkOwner(order.owner)
  checkTimes(order, now)
  if (order.chosen !== undefined) checkChosen(order.chosen)
}

/** Throws `request-invalid`, with the field at fault. `former` is what the key has now. */
export function checkChange(
  change: KeyChange,
  former: Pick<KeyOrder, 'notBefore' | 'expiresAt'>,
  now: number,
): void {
  if (change.name !== undefined) checkName(change.name, 'key')
  if (typeof change.owner === 'string') checkOwner(change.owner)
  const times = {
    notBefore: after(change.notBefore, former.notBefore),
    expiresAt: after(change.expiresAt, former.expiresAt),
  }
  // An end that has passed already may stay; only a new one has to be to come.
  checkTimes(times, change.expiresAt === undefined ? Number.NEGATIVE_INFINITY : now)
}

/** What a member is after a change of it. */
function after<Value>(
  change: Value | null | undefined,
  former: Value | undefined,
): Value | undefined {
  return change === undefined ? former : (change ?? undefined)
}

const longestName = 100
const longestChosen = 512

/** Throws `request-invalid` for a name that could not be read in a table or a log. */
export function checkName(name: string, of: 'key' | 'project' | 'organisation'): void {
  if (isReadable(name)) return
  throw new GatewayError(
    'request-invalid',
    `The name of a ${of} has to have 1 to ${longestName} characters, and no control characters among them.`,
    { param: 'name' },
  )
}

function checkOwner(owner: string): void {
  if (isReadable(owner)) return
  throw new GatewayError(
    'request-invalid',
    `An owner has to have 1 to ${longestName} characters, and no control characters among them.`,
    { param: 'owner' },
  )
}

function isReadable(words: string): boolean {
  return words.trim() !== '' && words.length <= longestName && !/\p{C}/u.test(words)
}

/** The last moment that JavaScript has a date for. */
const lastMoment = 8_640_000_000_000_000

interface Times {
  readonly notBefore?: number | undefined
  readonly expiresAt?: number | undefined
}

function checkTimes({ notBefore, expiresAt }: Times, now: number): void {
  for (const [param, time] of [
    ['notBefore', notBefore],
    ['expiresAt', expiresAt],
  ] as const)
    if (time !== undefined && !(Number.isInteger(time) && Math.abs(time) <= lastMoment))
      throw new GatewayError('request-invalid', 'A time has to be whole Unix milliseconds.', {
        param,
      })
  if (expiresAt === undefined) return
  if (expiresAt <= now)
    throw new GatewayError(
      'request-invalid',
      'The key would expire in the past. Give a time that is to come; to end a key at once, revoke it.',
      { param: 'expiresAt' },
    )
  if (notBefore !== undefined && notBefore >= expiresAt)
    throw new GatewayError(
      'request-invalid',
      'The key would never be valid: it begins when it has expired already. Give a beginning before its end.',
      { param: 'notBefore' },
    )
}

/** A chosen text has to survive a header: printable ASCII, blanks only inside. */
function checkChosen(chosen: Secret): void {
  const text = chosen.reveal()
  if (text.length > longestChosen || !/^[!-~]([ -~]*[!-~])?$/.test(text))
    throw new GatewayError(
      'request-invalid',
      `A key of your own has to have 1 to ${longestChosen} printable ASCII characters, with no blank at either end.`,
      { param: 'key' },
    )
  if (text.startsWith(keyPrefix))
    throw new GatewayError(
      'request-invalid',
      `A key of your own must not begin with "${keyPrefix}": keys that do are made by Parley alone.`,
      { param: 'key' },
    )
}
