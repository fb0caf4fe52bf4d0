import { type Command, InvalidArgumentError } from 'commander'

import type { PolicyChange } from '#keys/policy-schema.ts'
import { type Endpoint, endpoints, type Policy, type Rates } from '#keys/policy.ts'

/** What somebody types to remove what is there. */
export const none = 'none'
export type None = typeof none

/** What the options on a policy were given. */
export interface PolicyFlags extends RateFlags {
  readonly models?: readonly string[] | None
  readonly endpoints?: readonly Endpoint[] | None
  readonly addresses?: readonly string[] | None
  readonly maxTokens?: number | None
  readonly concurrency?: number | None
  readonly tag?: Tags | None
  readonly contentLogging?: boolean | None
}

type RateFlags = { readonly [Name in (typeof rateFlags)[number][0]]?: number | None }
type Tags = ReadonlyMap<string, string | null>

/** The options for rates, which part of a policy each sets, and what it counts. */
export const rateFlags = [
  ['rpm', 'requestsPerMinute', 'requests a minute'],
  ['rpd', 'requestsPerDay', 'requests a day'],
  ['itpm', 'inputTokensPerMinute', 'input tokens a minute'],
  ['itpd', 'inputTokensPerDay', 'input tokens a day'],
  ['otpm', 'outputTokensPerMinute', 'output tokens a minute'],
  ['otpd', 'outputTokensPerDay', 'output tokens a day'],
  ['tpm', 'tokensPerMinute', 'tokens a minute, input and output'],
  ['tpd', 'tokensPerDay', 'tokens a day, input and output'],
] as const satisfies readonly (readonly [string, keyof Rates, string])[]

/** Gives a command the options of a policy. */
export function withPolicyFlags(command: Command): Command {
  command
    .option('--models <globs>', 'names or upstream/model, such as "gpt-*,fast"', list)
    .option('--endpoints <list>', `some of ${endpoints.join(', ')}`, endpointList)
    .option('--addresses <list>', 'where callers may come from: 10.0.0.0/8,fd00::/8', list)
    .option('--max-tokens <number>', 'the most tokens of one answer', whole)
  for (const [name, , words] of rateFlags) command.option(`--${name} <number>`, words, whole)
  return command
    .option('--concurrency <number>', 'requests under way at once', whole)
    .option('--tag <name=value>', 'a word of your own; may be repeated', tagged)
    .option('--content-logging <on|off>', 'whether what is said may be kept', onOff)
}

/** The change of a policy that the options ask for. */
export function policyChangeOf(flags: PolicyFlags): PolicyChange {
  const rates = rateFlags.flatMap(([flag, rate]) =>
    flags[flag] === undefined ? [] : [[rate, orNull(flags[flag])] as const],
  )
  return {
    ...given('models', flags.models),
    ...given('endpoints', flags.endpoints),
    ...given('addresses', flags.addresses),
    ...given('maxTokens', flags.maxTokens),
    ...given('concurrency', flags.concurrency),
    ...given('contentLogging', flags.contentLogging),
    ...(rates.length > 0 && { rates: Object.fromEntries(rates) }),
    ...(flags.tag !== undefined && {
      tags: flags.tag === none ? null : Object.fromEntries(flags.tag),
    }),
  }
}

/** A value as a change of ours has it: `null` removes. */
export function orNull<Value>(value: Value | None): Value | null {
  return value === none ? null : value
}

function given<Name extends keyof Policy, Value>(
  name: Name,
  value: Value | None | undefined,
): { readonly [One in Name]?: Value | null } {
  // The one member that it has, if any, is that name's.
  return (value === undefined ? {} : { [name]: orNull(value) }) as {
    readonly [One in Name]?: Value | null
  }
}

function list(text: string, former?: readonly string[] | None): readonly string[] | None {
  if (text === none) return none
  const words = text.split(',').map((word) => word.trim())
  if (words.includes('')) throw new InvalidArgumentError('expected a list such as a,b,c, or none')
  return [...new Set([...listed(former), ...words])]
}

function endpointList(
  text: string,
  former?: readonly Endpoint[] | None,
): readonly Endpoint[] | None {
  const words = list(text, former)
  if (words === none) return none
  const known = endpoints.filter((endpoint) => words.includes(endpoint))
  if (known.length !== words.length)
    throw new InvalidArgumentError(`expected some of ${endpoints.join(', ')}, or none`)
  return known
}

const multiples = { '': 1, k: 1000, m: 1_000_000 } as const

/** `60`, `200k`, `2M`. */
function whole(text: string): number | None {
  if (text === none) return none
  const [, digits = '', unit = ''] = /^(\d{1,13})([km]?)$/i.exec(text) ?? []
  const multiple = multiples[unit.toLowerCase() as keyof typeof multiples]
  const value = Number(digits) * multiple
  if (digits === '' || value === 0)
    throw new InvalidArgumentError(
      'expected a whole number above zero such as 60, 200k or 2M, or none',
    )
  return value
}

/** `team=search` sets a tag, `team=` removes it, `none` removes all. */
function tagged(text: string, former?: Tags | None): Tags | None {
  if (text === none) return none
  const at = text.indexOf('=')
  if (at < 1)
    throw new InvalidArgumentError(
      'expected name=value, name= to remove one, or none to remove all',
    )
  return new Map([...listed(former), [text.slice(0, at), text.slice(at + 1) || null]])
}

function onOff(text: string): boolean | None {
  if (text === none) return none
  if (text !== 'on' && text !== 'off') throw new InvalidArgumentError('expected on, off or none')
  return text === 'on'
}

/** What was given before, where an option may be repeated. */
function listed<Items>(former: Items | None | undefined): Items | readonly never[] {
  return former === undefined || former === none ? [] : former
}
