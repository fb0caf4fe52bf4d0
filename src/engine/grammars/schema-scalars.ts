import { GatewayError } from '#chat/error.ts'
import type { JsonObject } from '#std/json.ts'

import { integerRange } from './integer-range.ts'
import { patternRule } from './pattern-rule.ts'

/** Where rules are gathered, and what of a schema they leave to the model's good will. */
export interface SchemaRules {
  readonly rules: Map<string, string>
  /** Keywords that no rule enforces. */
  readonly loose: Set<string>
  /** What the rules come to so far, with those of the request's other schemas. */
  readonly size: GrammarSize
  /** The caller's field that holds the schema, for refusals. */
  readonly param: string
}

/** How large a grammar is: llama.cpp parses all of it before the answer, and nobody else is served meanwhile. */
export interface GrammarSize {
  /** Repeats, each of which becomes a rule, and options, each of which is compared with all others. */
  pieces: number
  characters: number
}

const mostPieces = 20_000

/** What llama.cpp takes at most; a longer text or list is not held to its upper limit. */
const mostRepeats = 1000

const formats: Readonly<Record<string, string>> = {
  date: '"\\"" [0-9]{4} "-" ( "0" [1-9] | "1" [0-2] ) "-" ( "0" [1-9] | [12] [0-9] | "3" [01] ) "\\""',
  time: '"\\"" ( [01] [0-9] | "2" [0-3] ) ":" [0-5] [0-9] ":" [0-5] [0-9] "Z" "\\""',
  'date-time':
    '"\\"" [0-9]{4} "-" ( "0" [1-9] | "1" [0-2] ) "-" ( "0" [1-9] | [12] [0-9] | "3" [01] ) "T" ( [01] [0-9] | "2" [0-3] ) ":" [0-5] [0-9] ":" [0-5] [0-9] "Z" "\\""',
  uuid: '"\\"" [0-9a-f]{8} "-" [0-9a-f]{4} "-" [0-9a-f]{4} "-" [0-9a-f]{4} "-" [0-9a-f]{12} "\\""',
}

/** A text by its pattern, else by its format, else by its length: no rule can say two of them at once. */
export function stringRule(place: SchemaRules, schema: JsonObject): string {
  const { pattern, format } = schema
  const least = count(place, schema, 'minLength') ?? 0
  const most = upTo(place, schema, 'maxLength')
  if (most !== undefined && most < least) refuse(place, 'has a text that is longer than it may be')
  if (typeof pattern === 'string') {
    const rule = heldPattern(place, pattern)
    loosen(place, schema, rule === undefined ? ['pattern'] : ['minLength', 'maxLength', 'format'])
    if (rule !== undefined) return rule
  }
  const formatted = typeof format === 'string' ? formats[format] : undefined
  if (formatted !== undefined) return formatted
  if (format !== undefined) place.loose.add('format')
  return least === 0 && most === undefined ? 'string' : `"\\"" char${repeats(least, most)} "\\""`
}

function heldPattern(place: SchemaRules, pattern: string): string | undefined {
  const made = patternRule(pattern)
  return made !== undefined && hasRoom(place, 2 * made.size) ? made.rule : undefined
}

/** Limits of numbers with a point are left to the model: digits cannot be compared where their count is open. */
export function numberRule(place: SchemaRules, schema: JsonObject): string {
  loosen(place, schema, limits)
  return 'number'
}

/** Whole numbers, within their limits if they have some that there is room for. */
export function integerRule(place: SchemaRules, schema: JsonObject): string {
  const low = bound(schema, 'minimum')
  const high = bound(schema, 'maximum')
  if (low === undefined && high === undefined) return 'integer'
  const rule = integerRange(low, high)
  if (rule === undefined) refuse(place, 'has a whole number with no value between its limits')
  if (hasRoom(place, 2 * rule.split('|').length)) return rule
  loosen(place, schema, limits)
  return 'integer'
}

const limits = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']

/** Whether the grammar may grow by so many pieces; if so, it has. */
export function hasRoom({ size }: SchemaRules, pieces: number): boolean {
  if (size.pieces + pieces > mostPieces) return false
  size.pieces += pieces
  return true
}

/** Tells which of some keywords a schema leaves to the model. */
export function loosen({ loose }: SchemaRules, schema: JsonObject, keys: readonly string[]): void {
  for (const key of keys) if (schema[key] !== undefined) loose.add(key)
}

/** The stricter of the two ways to say where whole numbers begin or end. */
function bound(schema: JsonObject, key: 'minimum' | 'maximum'): number | undefined {
  const { step, round, stricter, exclusiveKey } = sides[key]
  const limit = schema[key]
  const exclusive = schema[exclusiveKey]
  const beside = (value: number) => (Number.isInteger(value) ? value + step : round(value))
  const ends: number[] = []
  if (typeof exclusive === 'number') ends.push(beside(exclusive))
  if (typeof limit === 'number') ends.push(exclusive === true ? beside(limit) : round(limit))
  return ends.length === 0 ? undefined : stricter(...ends)
}

const sides = {
  minimum: { step: 1, round: Math.ceil, stricter: Math.max, exclusiveKey: 'exclusiveMinimum' },
  maximum: { step: -1, round: Math.floor, stricter: Math.min, exclusiveKey: 'exclusiveMaximum' },
} as const

/** A limit as a number; undefined if there is none. Throws for what is no count, and for least counts beyond any rule. */
export function count(place: SchemaRules, schema: JsonObject, key: string): number | undefined {
  const value = schema[key]
  if (value === undefined) return undefined
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0)
    throw invalid(place, `\`${key}\` is a whole number from 0 on`)
  if (!key.startsWith('min')) return value
  if (value > mostRepeats) refuse(place, `asks for a \`${key}\` of more than ${mostRepeats}`)
  if (!hasRoom(place, value)) refuse(place, `asks for a \`${key}\` in too many places`)
  return value
}

/** An upper limit; one that is too high for a rule, or that there is no more room for, is left to the model. */
export function upTo(place: SchemaRules, schema: JsonObject, key: string): number | undefined {
  const value = count(place, schema, key)
  if (value === undefined || (value <= mostRepeats && hasRoom(place, value))) return value
  place.loose.add(key)
  return undefined
}

export function repeats(least: number, most: number | undefined): string {
  return most === undefined ? `{${least},}` : `{${least},${most}}`
}

export function refuse({ param }: SchemaRules, what: string): never {
  throw new GatewayError(
    'not-expressible',
    `The schema in ${param} ${what}; the engine cannot hold an answer to it.`,
    {
      param,
    },
  )
}

export function invalid({ param }: SchemaRules, what: string): GatewayError {
  return new GatewayError('request-invalid', `The schema in ${param} is not valid: ${what}.`, {
    param,
  })
}
