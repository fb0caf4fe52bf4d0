import type { Member } from '#std/json.ts'

/** A stretch of a text and what comes in its place. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** The text with all edits done; without any it is the same text. An edit that lies inside another is left out. */
export function editText(text: string, edits: readonly Edit[]): string {
  if (edits.length === 0) return text
  let edited = ''
  let at = 0
  for (const edit of edits.toSorted((one, other) => one.start - other.start)) {
    if (edit.start < at) continue
    edited += text.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return edited + text.slice(at)
}

/** Another value for a member. */
export function withValue({ valueStart, valueEnd }: Member, text: string): Edit {
  return { start: valueStart, end: valueEnd, text }
}

/** Adds a member behind all others. */
export function addedMember(members: readonly Member[], key: string, value: string): Edit {
  const end = members.at(-1)?.valueEnd ?? 0
  return { start: end, end, text: `,${JSON.stringify(key)}:${value}` }
}

/** Takes members out of an object's text, together with one comma each. All that go have to go in one call. */
export function removeMembers(
  members: readonly Member[],
  isRemoved: (member: Member) => boolean,
): Edit[] {
  const removed = members.map(isRemoved)
  if (!removed.includes(true)) return []
  const places = members.map(({ keyStart: start, valueEnd: end }) => ({ start, end }))
  return removeElements(places, (index) => removed[index] === true)
}

/** Takes elements out of an array's text, together with one comma each. All that go have to go in one call. */
export function removeElements(
  elements: readonly { readonly start: number; readonly end: number }[],
  isRemoved: (index: number) => boolean,
): Edit[] {
  const lastKept = elements.findLastIndex((_, index) => !isRemoved(index))
  return elements.flatMap(({ start, end }, index) => {
    if (!isRemoved(index)) return []
    const next = elements[index + 1]
    // The comma after it goes too; behind the last one that stays it is the comma before it.
    if (next !== undefined && index < lastKept) return { start, end: next.start, text: '' }
    return { start: elements[index - 1]?.end ?? start, end, text: '' }
  })
}
