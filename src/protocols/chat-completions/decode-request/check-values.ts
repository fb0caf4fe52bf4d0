import { GatewayError } from '#chat/error.ts'

/** Looks at one value and throws `request-invalid` if it is not what `param` may be. */
export type Check = (value: unknown, param: string) => void

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

/** Clients send null for what they leave out. */
export function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null
}

export function missing(param: string): GatewayError {
  return fault('missing_required_parameter', param, `'${param}' is required and was not given.`)
}

export function wrongType(param: string, expected: string, value: unknown): GatewayError {
  const words = `'${param}' has the wrong type: expected ${expected}, got ${kindOf(value)}.`
  return fault('invalid_type', param, words)
}

export function wrongValue(param: string, expected: string): GatewayError {
  return fault(
    'invalid_value',
    param,
    `'${param}' has a value that is not allowed: use ${expected}.`,
  )
}

export function emptyList(param: string): GatewayError {
  return fault('empty_array', param, `'${param}' is empty: give at least one element.`)
}

export function longList(param: string, most: number, length: number): GatewayError {
  const words = `'${param}' has ${length} elements: at most ${most} are allowed.`
  return fault('array_above_max_length', param, words)
}

export const string: Check = (value, param) => {
  if (typeof value !== 'string') throw wrongType(param, 'a string', value)
}

/** A text of so many characters at most. */
export function stringUpTo(most: number): Check {
  return (value, param) => {
    if (typeof value !== 'string') throw wrongType(param, 'a string', value)
    if (value.length <= most) return
    const words = `'${param}' has ${value.length} characters: at most ${most} are allowed.`
    throw fault('string_above_max_length', param, words)
  }
}

export const boolean: Check = (value, param) => {
  if (typeof value !== 'boolean') throw wrongType(param, 'a boolean', value)
}

export const list: Check = (value, param) => {
  if (!isList(value)) throw wrongType(param, 'an array', value)
}

/** An object; llama.cpp and its kin also take a list of pairs where the protocol has an object. */
export const structure: Check = (value, param) => {
  if (typeof value !== 'object') throw wrongType(param, 'an object', value)
}

export const integer: Check = (value, param) => {
  if (!Number.isInteger(value)) throw wrongType(param, 'an integer', value)
}

/** A number from `least` to `most`, both included. */
export function decimalWithin(least: number, most: number): Check {
  return (value, param) => {
    if (typeof value !== 'number') throw wrongType(param, 'a number', value)
    if (value < least || value > most) throw outside('decimal', param, { value, least, most })
  }
}

/** A whole number from `least` to `most`, both included. */
export function integerWithin(least: number, most: number): Check {
  return (value, param) => {
    if (typeof value !== 'number' || !Number.isInteger(value))
      throw wrongType(param, 'an integer', value)
    if (value < least || value > most) throw outside('integer', param, { value, least, most })
  }
}

function outside(
  kind: 'decimal' | 'integer',
  param: string,
  { value, least, most }: { value: number; least: number; most: number },
): GatewayError {
  const code = value < least ? `${kind}_below_min_value` : `${kind}_above_max_value`
  const words = `'${param}' is ${value}: expected a value from ${least} to ${most}.`
  return fault(code, param, words)
}

function fault(detail: string, param: string, message: string): GatewayError {
  return new GatewayError('request-invalid', message, { param, detail })
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (isList(value)) return 'an array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a decimal'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
