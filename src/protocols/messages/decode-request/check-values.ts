import { GatewayError } from '#chat/error.ts'
import { isObject, type JsonObject } from '#std/json.ts'

/** Refuses a request in the words that clients of this protocol know: `<dotted path>: <what is wrong>`. */
export function refuse(path: string, what: string): never {
  throw new GatewayError('request-invalid', `${path}: ${what}`, { param: path })
}

/** A check of one value at a dotted path. */
export type FieldCheck = (value: unknown, path: string) => void

/** Some clients send `null` for what they leave out. */
export function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null
}

export function checkRequired(value: unknown, path: string): void {
  if (value === undefined) refuse(path, 'Field required')
}

export function checkString(value: unknown, path: string): asserts value is string {
  checkRequired(value, path)
  if (typeof value !== 'string') refuse(path, 'Input should be a valid string')
}

export function checkFilledString(
  value: unknown,
  path: string,
  most = Infinity,
): asserts value is string {
  checkString(value, path)
  if (value.length > most) refuse(path, `String should have at most ${most} characters`)
  if (value.length === 0) refuse(path, 'String should have at least 1 character')
}

export function checkBoolean(value: unknown, path: string): void {
  if (typeof value !== 'boolean') refuse(path, 'Input should be a valid boolean')
}

export function checkObject(value: unknown, path: string): asserts value is JsonObject {
  checkRequired(value, path)
  if (!isObject(value)) refuse(path, 'Input should be a valid dictionary')
}

export function checkArray(value: unknown, path: string): asserts value is readonly unknown[] {
  checkRequired(value, path)
  if (!Array.isArray(value)) refuse(path, 'Input should be a valid list')
}

/** An integer that is not below `least`. */
export function checkInteger(value: unknown, path: string, least: number): asserts value is number {
  checkRequired(value, path)
  if (typeof value !== 'number') refuse(path, 'Input should be a valid integer')
  if (!Number.isInteger(value))
    refuse(path, 'Input should be a valid integer, got a number with a fractional part')
  if (value < least) refuse(path, `Input should be greater than or equal to ${least}`)
}

/** A number from 0 to 1, both included. */
export function checkFraction(value: unknown, path: string): void {
  if (typeof value !== 'number') refuse(path, 'Input should be a valid number')
  if (value < 0) refuse(path, 'Input should be greater than or equal to 0')
  if (value > 1) refuse(path, 'Input should be less than or equal to 1')
}

/** What a client is told of a `type` that is not known at its place. Clients look for the words `Input tag '…'`. */
export function unexpectedTag(tag: unknown, expected: readonly string[]): string {
  const tags = expected.map((one) => `'${one}'`).join(', ')
  return `Input tag '${String(tag)}' found using 'type' does not match any of the expected tags: ${tags}`
}
