import { type Brand, brandAs } from './brand.ts'

/** The text of one JSON value exactly as it was received: key order, number forms and all. */
export type RawJson = Brand<'RawJson'>

/** A member of an object in JSON text. Offsets count UTF-16 units of the whole text. */
export interface Member {
  readonly key: string
  readonly keyStart: number
  readonly valueStart: number
  readonly valueEnd: number
}

export class JsonTextError extends Error {
  override readonly name = 'JsonTextError'
}

const quote = 34
const backslash = 92

/** Deeper than any honest request, shallow enough that parsing cannot be made slow. */
const maxDepth = 128

/** More than any honest request has: the parser would hold up everybody else for a good part of a second. */
const maxMembers = 250_000

/**
 * The members of the object that starts at `start`, found without parsing the values.
 * The scan is lenient about what `JSON.parse` will refuse anyway; it throws `JsonTextError` for
 * text that is no object, is cut short, nests deeper than 128 levels, or has members beyond all measure.
 */
export function membersOf(text: string, start = 0): Member[] {
  let at = skipBlank(text, start)
  if (text.charCodeAt(at) !== 123) throw new JsonTextError('Expected an object.')
  const members: Member[] = []
  at = skipBlank(text, at + 1)
  while (text.charCodeAt(at) !== 125) {
    const keyStart = at
    const keyEnd = skipString(text, at)
    const colon = skipBlank(text, keyEnd)
    if (text.charCodeAt(colon) !== 58) throw new JsonTextError(`Expected ':' at ${colon}.`)
    const valueStart = skipBlank(text, colon + 1)
    const valueEnd = skipValue(text, valueStart)
    members.push({ key: keyText(text, keyStart, keyEnd), keyStart, valueStart, valueEnd })
    if (members.length > maxMembers) throw tooManyMembers()
    at = skipComma(text, valueEnd, 125)
  }
  return members
}

/** The elements of the array that starts at `start`, each as its offsets. Throws as `membersOf` does. */
export function elementsOf(text: string, start = 0): { start: number; end: number }[] {
  let at = skipBlank(text, start)
  if (text.charCodeAt(at) !== 91) throw new JsonTextError('Expected an array.')
  const elements: { start: number; end: number }[] = []
  at = skipBlank(text, at + 1)
  while (text.charCodeAt(at) !== 93) {
    const end = skipValue(text, at)
    elements.push({ start: at, end })
    at = skipComma(text, end, 93)
  }
  return elements
}

/** The raw text at a path of keys and indexes, or undefined where there is nothing. The last of two equal keys wins. */
export function rawAt(
  text: string,
  path: readonly (string | number)[],
  start = 0,
): RawJson | undefined {
  let from = skipBlank(text, start)
  let to = text.length
  for (const step of path) {
    const found =
      typeof step === 'number' ? elementAt(text, from, step) : memberAt(text, from, step)
    if (found === undefined) return undefined
    from = found.start
    to = found.end
  }
  return brandAs<RawJson>(
    path.length === 0 ? text.slice(from, skipValue(text, from)) : text.slice(from, to),
  )
}

/** Makes raw text from a value of our own. What came from outside is sliced, never made. */
export function rawJson(value: unknown): RawJson {
  return brandAs<RawJson>(JSON.stringify(value))
}

/** Parses text that may not be JSON. */
export function parseJson(
  text: string,
): { readonly ok: true; readonly value: unknown } | { readonly ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    // Not JSON: the caller branches on it.
    return { ok: false }
  }
}

export type JsonObject = { readonly [key: string]: unknown }

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A list as it is, and anything else as a list of nothing. */
export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function memberAt(
  text: string,
  start: number,
  key: string,
): { start: number; end: number } | undefined {
  if (text.charCodeAt(start) !== 123) return undefined
  const member = membersOf(text, start).findLast((one) => one.key === key)
  return member && { start: member.valueStart, end: member.valueEnd }
}

function elementAt(
  text: string,
  start: number,
  index: number,
): { start: number; end: number } | undefined {
  return text.charCodeAt(start) === 91 ? elementsOf(text, start)[index] : undefined
}

/** The offset after the value that starts at `at`. */
export function skipValue(text: string, at: number): number {
  const first = text.charCodeAt(at)
  if (first === quote) return skipString(text, at)
  if (first === 123 || first === 91) return skipNested(text, at)
  let end = at
  while (end < text.length && !endsScalar(text.charCodeAt(end))) end++
  if (end === at) throw new JsonTextError(`Expected a value at ${at}.`)
  return end
}

function skipNested(text: string, start: number): number {
  let depth = 0
  let members = 0
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = skipString(text, at) - 1
    else if (code === 58) {
      if (++members > maxMembers) throw tooManyMembers()
    } else if (code === 123 || code === 91) {
      if (++depth > maxDepth) throw new JsonTextError(`Nested deeper than ${maxDepth} levels.`)
    } else if ((code === 125 || code === 93) && --depth === 0) return at + 1
  }
  throw new JsonTextError('The text ends inside a value.')
}

function tooManyMembers(): JsonTextError {
  return new JsonTextError(`It has more than ${maxMembers} members.`)
}

/** The offset after the closing quote. Long strings are crossed by the engine's own search. */
function skipString(text: string, start: number): number {
  if (text.charCodeAt(start) !== quote) throw new JsonTextError(`Expected '"' at ${start}.`)
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  if (end === -1) throw new JsonTextError('The text ends inside a string.')
  return end + 1
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0
  while (text.charCodeAt(at - 1 - slashes) === backslash) slashes++
  return slashes % 2 === 1
}

function keyText(text: string, start: number, end: number): string {
  const inner = text.slice(start + 1, end - 1)
  if (!inner.includes('\\')) return inner
  const parsed = parseJson(text.slice(start, end))
  return parsed.ok && typeof parsed.value === 'string' ? parsed.value : inner
}

function skipComma(text: string, at: number, close: number): number {
  const next = skipBlank(text, at)
  const code = text.charCodeAt(next)
  if (code === 44) return skipBlank(text, next + 1)
  if (code === close) return next
  throw new JsonTextError(
    next >= text.length ? 'The text ends inside a value.' : `Expected ',' at ${next}.`,
  )
}

function skipBlank(text: string, at: number): number {
  let code = text.charCodeAt(at)
  while (code === 32 || code === 10 || code === 13 || code === 9) code = text.charCodeAt(++at)
  return at
}

function endsScalar(code: number): boolean {
  return (
    code === 44 ||
    code === 125 ||
    code === 93 ||
    code === 32 ||
    code === 10 ||
    code === 13 ||
    code === 9
  )
}
