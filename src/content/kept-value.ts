import type { Redaction } from '#redaction/redactor.ts'
import { isObject, type JsonObject } from '#std/json.ts'

import { withoutMedia } from './described-media.ts'
import { type NestedJson, nestedJson } from './nested-json.ts'

export interface Keeping {
  readonly redaction: Redaction
  /** Of the texts of the value, in UTF-8. */
  readonly maxBytes: number
}

/**
 * A value of JSON as it is kept: media described, everything that a rule finds taken out, and if it is too large what
 * lies in its middle left out, since how a conversation begins and where it stands say most of it.
 */
export function keptValue(
  value: unknown,
  { redaction, maxBytes }: Keeping,
): { readonly value: unknown; readonly isCut: boolean } {
  const plain = withoutMedia(value)
  const total = sizeOf(plain)
  const isCut = total > maxBytes
  const half = Math.floor(maxBytes / 2)
  const place = isCut ? { at: 0, head: half, tail: total - half } : everything()
  const whole = kept({ redaction, place }, plain, '')
  return { value: whole === gone ? '[cut]' : whole, isCut }
}

/** A text, as much of it as is kept. */
export interface Cuttable {
  /** By this text, places are counted. */
  readonly text: string
  readonly part: (start: number, end: number) => string
}

/**
 * A text of which a part may be kept. If it is JSON in itself, or its beginning, what its escapes and the names of its
 * members hide is found as well; a part of JSON no longer shows that, so that the whole is looked at.
 */
export function cuttable(text: string, redaction: Redaction): Cuttable {
  const json = nestedJson(text)
  if (json === undefined) return { text, part: (start, end) => redaction.text(text, start, end) }
  const whole = keptJson(text, json, redaction)
  return { text: whole, part: (start, end) => whole.slice(start, end) }
}

function keptJson(text: string, { value, completion }: NestedJson, redaction: Redaction): string {
  const inner = kept({ redaction, place: everything() }, withoutMedia(value), '')
  const said = JSON.stringify(inner)
  // Nothing was found, so that the text may stay as it was written.
  if (said === JSON.stringify(value)) return redaction.text(text)
  const end = said.endsWith(completion) ? said.length - completion.length : said.length
  return redaction.again(said.slice(0, end))
}

/** Of a longer JSON text that is cut, nothing is kept: to look at all of it for the sake of a part takes too long. */
const longestNested = 1024 * 1024

/** Where in the value the walk is, and between which two places it is cut: bytes. */
interface Place {
  at: number
  readonly head: number
  readonly tail: number
}

interface Walk {
  readonly redaction: Redaction
  readonly place: Place
}

/** What is left out whole. */
const gone = Symbol('gone')

function everything(): Place {
  return { at: 0, head: Infinity, tail: Infinity }
}

function kept(walk: Walk, value: unknown, name: string): unknown {
  const { place, redaction } = walk
  const start = place.at
  if (typeof value === 'string') return keptString(walk, value, name)
  if (Array.isArray(value)) return orGone(place, start, keptList(walk, value))
  if (isObject(value)) return orGone(place, start, keptObject(walk, value))
  place.at += sizeOf(value)
  if (start >= place.head && place.at <= place.tail) return gone
  return typeof value === 'number' ? keptNumber(redaction, value) : value
}

/** What lies between the two places as a whole is not there. */
function orGone({ at, head, tail }: Place, start: number, value: unknown): unknown {
  return start >= head && at <= tail ? gone : value
}

function keptList(walk: Walk, list: readonly unknown[]): unknown[] {
  const items: unknown[] = []
  let missing = 0
  walk.place.at += brackets
  for (const item of list) {
    const one = kept(walk, item, '')
    if (one === gone) missing++
    else items.push(...cutMark(missing, 'items'), one)
    if (one !== gone) missing = 0
  }
  return [...items, ...cutMark(missing, 'items')]
}

function keptObject(walk: Walk, object: JsonObject): JsonObject {
  const members: [string, unknown][] = []
  let missing = 0
  walk.place.at += brackets
  for (const [name, value] of Object.entries(object)) {
    walk.place.at += name.length + brackets
    const one = kept(walk, value, name)
    if (one === gone) missing++
    else members.push([walk.redaction.text(name), one])
  }
  const [mark] = cutMark(missing, 'members')
  return Object.fromEntries(mark === undefined ? members : [...members, ['[cut]', mark]])
}

function cutMark(missing: number, what: string): string[] {
  return missing === 0 ? [] : [`[cut: ${missing} ${what}]`]
}

function keptString(walk: Walk, text: string, name: string): string | typeof gone {
  const { place, redaction } = walk
  const start = place.at
  place.at += sizeOf(text)
  if (start >= place.head && place.at <= place.tail) return gone
  if (text !== '' && redaction.isSecret(name)) return redaction.take('secret')
  const isWhole = place.at <= place.head || start >= place.tail
  if (!isWhole && text.length > longestNested && nestedJson(text) !== undefined)
    return cutCharacters(text.length)
  const whole = cuttable(text, redaction)
  if (isWhole) return whole.part(0, whole.text.length)
  return withoutMiddle(whole, place.head - start, place.at - place.tail)
}

/** The beginning and the end of a text that are within so many bytes. */
function withoutMiddle({ text, part }: Cuttable, head: number, tail: number): string {
  const until = unitsIn(text, head)
  const from = tail > 0 ? unitsIn(text, sizeOf(text) - tail) : text.length
  if (until >= from) return part(0, text.length)
  return part(0, until) + cutCharacters(from - until) + part(from, text.length)
}

/** What stands in the place of so many characters. */
export function cutCharacters(count: number): string {
  return `[cut: ${count} characters]`
}

/** A number may be that of a card. One with more digits than a number can hold is not what was written anyway. */
function keptNumber(redaction: Redaction, value: number): unknown {
  const written = String(value)
  const said = redaction.text(written)
  return said === written ? value : said
}

/** How many UTF-16 units of a text fit into so many bytes of UTF-8. */
export function unitsIn(text: string, bytes: number): number {
  // A unit is a byte at least.
  const most = text.slice(0, Math.max(0, bytes))
  return new TextEncoder().encodeInto(most, new Uint8Array(Math.max(0, bytes))).read
}

const brackets = 2

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value) + brackets
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + sizeOf(item), brackets)
  if (!isObject(value)) return String(value).length
  return Object.entries(value).reduce(
    (sum, [name, member]) => sum + name.length + brackets + sizeOf(member),
    brackets,
  )
}
