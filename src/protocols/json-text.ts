import { brandAs } from '#std/brand.ts'
import type { RawJson } from '#std/json.ts'

/** A member of an object that is being written. One without a value is left out. */
export type MemberText = readonly [name: string, value: RawJson | undefined]

/** An object's text from its members, in their order. What came from a caller goes in as it was said. */
export function objectText(members: Iterable<MemberText>): RawJson {
  let text = ''
  for (const [name, value] of members) {
    if (value === undefined) continue
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${value}`
  }
  return brandAs<RawJson>(`{${text}}`)
}

/** An array's text from its elements. */
export function listText(elements: readonly RawJson[]): RawJson {
  return brandAs<RawJson>(`[${elements.join(',')}]`)
}

/** A string's text. Half a surrogate pair cannot be said in UTF-8, so it becomes U+FFFD. */
export function stringText(text: string): RawJson {
  return brandAs<RawJson>(JSON.stringify(text.toWellFormed()))
}

/** The text of a string that may be absent. */
export function maybeText(text: string | undefined): RawJson | undefined {
  return text === undefined ? undefined : stringText(text)
}
