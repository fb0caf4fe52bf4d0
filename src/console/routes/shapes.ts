import { z } from 'zod'

import { periods } from '#budgets/periods.ts'
import { endpoints } from '#keys/policy.ts'

/** An id, as a list shows it. */
export const id = z.string().min(1).max(200)

/** Unix milliseconds. */
export const time = z.int().meta({ description: 'Unix milliseconds' })

/** Whole micro-dollars. */
export const money = z.int().meta({ description: 'Whole micro-dollars' })

export const count = z.int()

export const name = z.string().min(1).max(100)

export const period = z.enum(periods)

const limit = z.int().min(1)
const globs = z.array(z.string().max(200)).max(100)

const rateNames = [
  'requestsPerMinute',
  'requestsPerDay',
  'inputTokensPerMinute',
  'inputTokensPerDay',
  'outputTokensPerMinute',
  'outputTokensPerDay',
  'tokensPerMinute',
  'tokensPerDay',
] as const

type PerRate<Schema> = Record<(typeof rateNames)[number], Schema>

/** The one cast: an object made from these names has these names. */
function perRate<Schema>(schema: Schema): PerRate<Schema> {
  return Object.fromEntries(rateNames.map((rate) => [rate, schema])) as PerRate<Schema>
}

/** What may be done; the keys' own schema has the last word. */
export const policy = z
  .strictObject({
    models: globs.exactOptional(),
    endpoints: z.array(z.enum(endpoints)).exactOptional(),
    addresses: globs.exactOptional(),
    maxTokens: limit.exactOptional(),
    rates: z.strictObject(perRate(limit.exactOptional())).exactOptional(),
    concurrency: limit.exactOptional(),
    tags: z.record(z.string(), z.string()).exactOptional(),
    contentLogging: z.boolean().exactOptional(),
  })
  .meta({ id: 'Policy', description: 'What is allowed; what is absent, the parent alone limits.' })

/** A value takes the place of what is there, `null` removes it, what is absent stays. */
export const policyChange = z
  .strictObject({
    models: globs.nullable().exactOptional(),
    endpoints: z.array(z.enum(endpoints)).nullable().exactOptional(),
    addresses: globs.nullable().exactOptional(),
    maxTokens: limit.nullable().exactOptional(),
    rates: z.strictObject(perRate(limit.nullable().exactOptional())).nullable().exactOptional(),
    concurrency: limit.nullable().exactOptional(),
    tags: z.record(z.string(), z.string().nullable()).nullable().exactOptional(),
    contentLogging: z.boolean().nullable().exactOptional(),
  })
  .meta({
    id: 'PolicyChange',
    description: 'A value replaces, null removes, what is absent stays.',
  })

export const budget = z
  .strictObject({
    holder: z.string(),
    period,
    amount: money,
    isStrict: z.boolean(),
    used: money,
    held: money,
    left: money,
    startsAt: time,
    endsAt: time.exactOptional(),
  })
  .meta({ id: 'Budget' })

export const budgetTerms = z.strictObject({
  amount: money.min(0),
  isStrict: z
    .boolean()
    .default(true)
    .meta({ description: 'Whether an answer is cut where its hold ends.' }),
})

/** Who a change holds to less than it asks for. */
export const narrowed = z.array(z.strictObject({ called: z.string(), fields: z.array(z.string()) }))

export const done = z.strictObject({ ok: z.literal(true) }).meta({ id: 'Done' })

/** That it is done, where there is nothing else to say. */
export const okay = { ok: true } as const

/** A whole number in a query. */
export function queryNumber(least: number, most: number) {
  return z
    .string()
    .regex(/^-?\d{1,16}$/, { error: 'expected a whole number' })
    .transform(Number)
    .pipe(z.int().min(least).max(most))
}

/** How many rows of a page. */
export const pageSize = queryNumber(1, 500).default(50)

/** What is searched for in lists. */
export const search = z.string().min(1).max(100)

/** The longest time there is a date for. */
export const queryTime = queryNumber(0, 8_640_000_000_000_000)
