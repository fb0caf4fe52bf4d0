import type { RequestBody } from '#chat/request.ts'
import { brandAs } from '#std/brand.ts'
import { elementsOf, membersOf, type RawJson } from '#std/json.ts'

/** A part of a request's text that holds one JSON value, so that pieces of it can be passed on as they were said. */
export interface Said {
  readonly text: string
  readonly start: number
  readonly end: number
  /** Where the value stands, as a dotted path: `messages.3.content.1`. For refusals. */
  readonly path: string
}

/** A member of the whole request. */
export function topMember({ text, members }: RequestBody, key: string): Said | undefined {
  const member = members.findLast((one) => one.key === key)
  return member && { text, start: member.valueStart, end: member.valueEnd, path: key }
}

/** The text itself. */
export function rawOf({ text, start, end }: Said): RawJson {
  return brandAs<RawJson>(text.slice(start, end))
}

/** A member of an object, or undefined where it has none of that name. The last of two equal names wins, as in parsing. */
export function saidMember(said: Said, key: string): Said | undefined {
  const member = membersOf(said.text, said.start).findLast((one) => one.key === key)
  if (member === undefined) return undefined
  const { valueStart: start, valueEnd: end } = member
  return { text: said.text, start, end, path: `${said.path}.${key}` }
}

/** The raw text of a member. */
export function rawMember(said: Said, key: string): RawJson | undefined {
  const member = saidMember(said, key)
  return member && rawOf(member)
}

/** The elements of an array, in order. */
export function saidElements({ text, start, path }: Said): Said[] {
  return elementsOf(text, start).map((element, index) => ({
    text,
    start: element.start,
    end: element.end,
    path: `${path}.${index}`,
  }))
}
