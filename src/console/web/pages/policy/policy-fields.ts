import type { FieldProblems } from '#console/web/parts/form-problems.ts'
import { policyProblems } from '#keys/policy-schema.ts'
import { type Endpoint, endpoints, type Policy, type Rates } from '#keys/policy.ts'

/** The names of the rates, in the order in which forms show them. */
export const rateNames = [
  'requestsPerMinute',
  'requestsPerDay',
  'tokensPerMinute',
  'tokensPerDay',
  'inputTokensPerMinute',
  'inputTokensPerDay',
  'outputTokensPerMinute',
  'outputTokensPerDay',
] as const satisfies readonly (keyof Rates)[]

export type RateName = (typeof rateNames)[number]

/** A policy as a form holds it: what somebody typed, right or wrong. Empty sets no limit of its own. */
export interface PolicyFields {
  /** One on a line. */
  readonly models: string
  /** None: all that the parent allows. */
  readonly endpoints: readonly Endpoint[]
  /** One on a line. */
  readonly addresses: string
  readonly maxTokens: string
  readonly concurrency: string
  readonly rates: Readonly<Record<RateName, string>>
  readonly tags: readonly TagFields[]
  readonly contentLogging: '' | 'on' | 'off'
}

export interface TagFields {
  readonly name: string
  readonly value: string
}

export type PolicyRead =
  | { readonly type: 'policy'; readonly policy: Policy }
  | { readonly type: 'problems'; readonly problems: FieldProblems }

/** The fields that show a policy. */
export function fieldsOfPolicy(policy: Policy): PolicyFields {
  const { models = [], addresses = [], tags = {}, contentLogging } = policy
  return {
    models: models.join('\n'),
    endpoints: policy.endpoints ?? [],
    addresses: addresses.join('\n'),
    maxTokens: textOf(policy.maxTokens),
    concurrency: textOf(policy.concurrency),
    rates: ratesWith((rate) => textOf(policy.rates?.[rate])),
    tags: Object.entries(tags).map(([name, value]) => ({ name, value })),
    contentLogging: contentLogging === undefined ? '' : contentLogging ? 'on' : 'off',
  }
}

/** The policy that was typed, or all that is wrong with it in the words of the gateway itself. */
export function readPolicyFields(fields: PolicyFields): PolicyRead {
  const written = writtenPolicy(fields)
  const problems = new Map(Object.entries(tagProblems(fields.tags)))
  for (const { path, words } of policyProblems(written)) {
    const { field, entry } = placeOf(path, fields)
    if (!problems.has(field)) problems.set(field, sentence(entry, words))
  }
  if (problems.size > 0) return { type: 'problems', problems: Object.fromEntries(problems) }
  // What has no problem passed the schema of policies.
  return { type: 'policy', policy: written as Policy }
}

function writtenPolicy(fields: PolicyFields): object {
  const models = linesOf(fields.models)
  const addresses = linesOf(fields.addresses)
  const chosen = endpoints.filter((endpoint) => fields.endpoints.includes(endpoint))
  const rates = rateNames.flatMap((rate) => {
    const value = fields.rates[rate].trim()
    return value === '' ? [] : [[rate, numberOf(value)] as const]
  })
  const tags = fields.tags.filter(isFilled).map(({ name, value }) => [name.trim(), value.trim()])
  return {
    ...(models.length > 0 && { models }),
    ...(chosen.length > 0 && { endpoints: chosen }),
    ...(addresses.length > 0 && { addresses }),
    ...(fields.maxTokens.trim() !== '' && { maxTokens: numberOf(fields.maxTokens) }),
    ...(fields.concurrency.trim() !== '' && { concurrency: numberOf(fields.concurrency) }),
    ...(rates.length > 0 && { rates: Object.fromEntries(rates) }),
    ...(tags.length > 0 && { tags: Object.fromEntries(tags) }),
    ...(fields.contentLogging !== '' && { contentLogging: fields.contentLogging === 'on' }),
  }
}

export function ratesWith<Value>(value: (rate: RateName) => Value): Record<RateName, Value> {
  const entries = rateNames.map((rate) => [rate, value(rate)] as const)
  // An object made from these names has these names.
  return Object.fromEntries(entries) as Record<RateName, Value>
}

/** The lines that say something. */
export function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

/** A whole number as people type it, `200,000` too; what is none is none, and the schema says so. */
function numberOf(text: string): number {
  const typed = text.trim()
  const isNumber = /^\d{1,16}$/.test(typed) || /^\d{1,3}(,\d{3}){1,4}$/.test(typed)
  return isNumber ? Number(typed.replaceAll(',', '')) : Number.NaN
}

function textOf(value: number | undefined): string {
  return value === undefined ? '' : String(value)
}

function isFilled({ name, value }: TagFields): boolean {
  return name.trim() !== '' || value.trim() !== ''
}

/** What a schema cannot see: it is given each name once. */
function tagProblems(tags: readonly TagFields[]): FieldProblems {
  const names = tags.filter(isFilled).map(({ name }) => name.trim())
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  return twice === undefined ? {} : { tags: `There is a tag ${twice || 'without a name'} twice.` }
}

/** Which field a path of the schema is about, and which entry of it. */
function placeOf(path: string, fields: PolicyFields): { field: string; entry?: string } {
  const [field = '', ...rest] = path.split('.')
  if (field === 'rates') return { field: path }
  if (field === 'tags') return { field, entry: rest.join('.') }
  if ((field === 'models' || field === 'addresses') && rest.length > 0)
    return { field, entry: linesOf(fields[field])[Number(rest[0])] ?? '' }
  return { field }
}

function sentence(entry: string | undefined, words: string): string {
  if (entry === undefined) return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
  return entry === '' ? `No name: ${words}.` : `“${entry}”: ${words}.`
}

/** Whether the API's name of a field is one of a policy's form. */
export function isPolicyField(name: string): boolean {
  return plainNames.has(name) || rateNames.some((rate) => name === `rates.${rate}`)
}

const plainNames = new Set([
  'models',
  'endpoints',
  'addresses',
  'maxTokens',
  'concurrency',
  'tags',
  'contentLogging',
])
