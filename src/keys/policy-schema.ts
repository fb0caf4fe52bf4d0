import { z } from 'zod'

import { isNetwork } from '#addresses/network-text.ts'
import { GatewayError } from '#chat/error.ts'
import { isObject } from '#std/json.ts'

import { endpoints, type Policy, type Rates } from './policy.ts'

/** What is to become of a policy: a value takes the place of what is there, `null` removes it, what is absent stays. */
export type PolicyChange = {
  readonly [Field in Exclude<keyof Policy, 'rates' | 'tags'>]?: Policy[Field] | null
} & {
  readonly rates?: { readonly [Rate in keyof Rates]?: Rates[Rate] | null } | null
  readonly tags?: Readonly<Record<string, string | null>> | null
}

/** Takes what somebody wrote as a policy. Throws `request-invalid` that names every field at fault. */
export function checkPolicy(written: unknown): Policy {
  const { data, error } = policySchema.safeParse(written)
  if (error === undefined) return data
  const problems = error.issues.flatMap(problemsOf)
  const said = problems.slice(0, mostProblems).map(({ path, words }) => `${path}: ${words}`)
  const more = problems.length - said.length
  throw new GatewayError(
    'request-invalid',
    `This policy cannot be used. ${said.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`,
    { param: problems[0]?.path },
  )
}

/** Everything that is wrong with what somebody wrote as a policy; empty for one that can be used. */
export function policyProblems(written: unknown): readonly PolicyProblem[] {
  return policySchema.safeParse(written).error?.issues.flatMap(problemsOf) ?? []
}

/** The policy after a change. Throws `request-invalid` as `checkPolicy` does. */
export function changedPolicy(policy: Policy, change: PolicyChange): Policy {
  const members = new Map<string, unknown>(Object.entries(policy))
  for (const [field, value] of Object.entries(change)) {
    const isMapping = field === 'rates' || field === 'tags'
    const next = isMapping && isObject(value) ? merged(members.get(field), value) : value
    if (next === null) members.delete(field)
    else if (next !== undefined) members.set(field, next)
  }
  return checkPolicy(Object.fromEntries(members))
}

/**
 * Reads policies as the database keeps them. Equal texts give the same object, so that whatever is worked out from a
 * policy is worked out once. A policy that cannot be read allows nothing: throws `storage-unavailable`.
 */
export function policyReader(): (text: string) => Policy {
  const read = new Map<string, Policy>()
  return (text) => {
    const known = read.get(text)
    if (known !== undefined) return known
    const policy = storedPolicy(text)
    if (read.size >= mostRemembered) read.clear()
    read.set(text, policy)
    return policy
  }
}

const mostProblems = 3
const mostRemembered = 10_000

function storedPolicy(text: string): Policy {
  try {
    return policySchema.parse(JSON.parse(text))
  } catch (cause) {
    throw new GatewayError(
      'storage-unavailable',
      'A policy in the database cannot be read. The operator of this gateway has to put a backup of the database in its place, or install the version that wrote it.',
      { cause },
    )
  }
}

function merged(former: unknown, change: object): object | null {
  const members = new Map<string, unknown>(Object.entries(former ?? {}))
  for (const [name, value] of Object.entries(change)) {
    if (value === null) members.delete(name)
    else members.set(name, value)
  }
  return members.size === 0 ? null : Object.fromEntries(members)
}

/** What is wrong with one field: `rates.tokensPerDay`, `models.2`. */
export interface PolicyProblem {
  readonly path: string
  readonly words: string
}

function problemsOf(issue: z.core.$ZodIssue): PolicyProblem[] {
  const path = issue.path.map(String)
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      path: [...path, shown(key)].join('.'),
      words: 'there is no such field',
    }))
  const isKey = issue.code === 'invalid_key'
  const words = isKey ? (issue.issues[0]?.message ?? issue.message) : issue.message
  return [{ path: path.map(shown).join('.') || 'policy', words }]
}

/** A name that somebody chose, fit for one line of a message. */
function shown(name: string): string {
  return name.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 60)
}

function wholeNumber(most: number) {
  const error = `expected a whole number from 1 to ${most}`
  return z.int({ error }).min(1, { error }).max(most, { error })
}

function listOf<Item extends z.ZodType>(item: Item, most: number) {
  const error = `expected 1 to ${most} entries; leave the field out to set no limit`
  return z.array(item, { error }).min(1, { error }).max(most, { error })
}

/** Each of them costs a search in every request, so their number is bounded. */
const mostStars = 8

const glob = z
  .string({ error: 'expected a glob such as `gpt-*`' })
  .regex(/^[\x21-\x7e]{1,200}$/, {
    error: 'expected a glob of 1 to 200 printable characters without blanks',
  })
  .refine((text) => text.split('*').length <= mostStars + 1, {
    error: `expected a glob with ${mostStars} stars at most`,
  })

const network = z
  .string({ error: 'expected an address or a network such as 10.0.0.0/8' })
  .refine(isNetwork, { error: 'expected an address or a network such as 10.0.0.0/8 or fd00::/8' })

const tagName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/, {
    error: 'expected a tag name of 1 to 63 letters, digits, `_`, `.` and `-`, led by no sign',
  })
  // Names that every object has would be read as tags that nobody set.
  .refine((name) => !(name in {}), { error: 'expected a tag name that is not reserved' })

const tagValue = z
  .string({ error: 'expected text' })
  .min(1, { error: 'expected text that is not empty' })
  .max(200, { error: 'expected 200 characters at most' })
  .refine((text) => !/\p{C}/u.test(text), { error: 'expected text without control characters' })

const mostTags = 50

const tags = z
  .unknown()
  .superRefine((written, context) => {
    // A record leaves this name out without a word.
    if (isObject(written) && Object.hasOwn(written, '__proto__'))
      context.addIssue({ code: 'custom', path: ['__proto__'], message: 'this name is reserved' })
  })
  .pipe(z.record(tagName, tagValue, { error: 'expected names with their values' }))
  .refine((all) => Object.keys(all).length <= mostTags, {
    error: `expected ${mostTags} tags at most`,
  })

const mostPerMinute = wholeNumber(1_000_000_000)
const mostPerDay = wholeNumber(1_000_000_000_000)

const rates = z.strictObject({
  requestsPerMinute: mostPerMinute.exactOptional(),
  requestsPerDay: mostPerDay.exactOptional(),
  inputTokensPerMinute: mostPerMinute.exactOptional(),
  inputTokensPerDay: mostPerDay.exactOptional(),
  outputTokensPerMinute: mostPerMinute.exactOptional(),
  outputTokensPerDay: mostPerDay.exactOptional(),
  tokensPerMinute: mostPerMinute.exactOptional(),
  tokensPerDay: mostPerDay.exactOptional(),
})

const policySchema: z.ZodType<Policy> = z.strictObject(
  {
    models: listOf(glob, 100).exactOptional(),
    endpoints: listOf(
      z.enum(endpoints, { error: `expected one of ${endpoints.join(', ')}` }),
      endpoints.length,
    ).exactOptional(),
    addresses: listOf(network, 100).exactOptional(),
    maxTokens: wholeNumber(1_000_000_000).exactOptional(),
    rates: rates.exactOptional(),
    concurrency: wholeNumber(1_000_000).exactOptional(),
    tags: tags.exactOptional(),
    contentLogging: z.boolean({ error: 'expected true or false' }).exactOptional(),
  },
  { error: (issue) => (issue.code === 'invalid_type' ? 'expected a policy' : undefined) },
)
