import type { Redaction } from '#redaction/redactor.ts'
import { isObject, type JsonObject, parseJson } from '#std/json.ts'

import { withoutMedia } from './described-media.ts'

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

/** A text as it is kept. If it is JSON in itself, what its escapes hide is found as well. */
export function keptText(text: string, redaction: Redaction): string {
  const isJson = /^\s*[{[][^]*[}\]]\s*$/.test(text)
  const parsed = isJson && text.length <= longestNested ? parseJson(text) : undefined
  if (parsed?.ok !== true) return redaction.text(text)
  const inner = kept({ redaction, place: everything() }, withoutMedia(parsed.value), '')
  const said = JSON.stringify(inner)
  // Nothing was found, so that the text may stay as it was written.
  return redaction.text(said === JSON.stringify(parsed.value) ? text : said)
}

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
  if (place.at <= place.head || start >= place.tail) return keptText(text, redaction)
  const until = start < place.head ? unitsIn(text, place.head - start) : 0
  const from = place.at > place.tail ? unitsIn(text, place.tail - start) : text.length
  const mark = `[cut: ${from - until} characters]`
  return redaction.text(text, 0, until) + mark + redaction.text(text, from)
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
