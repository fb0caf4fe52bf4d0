import type { RequestBody } from '#chat/request.ts'
import { elementsOf, type Member, membersOf, rawAt, type RawJson } from '#std/json.ts'

/** The text of one object of a request, sliced on demand: most requests need no slice at all. */
export interface Source {
  /** The raw text at a path below the object. */
  slice(path: readonly string[]): RawJson | undefined
  /** The objects of one of its lists. */
  each(member: string): (index: number) => Source
}

export function sourceOf(body: RequestBody): Source {
  return sourceFrom(body.text, () => body.members)
}

/** Members are looked for only when something has to be sliced, and then once. */
function sourceFrom(text: string, find: () => readonly Member[]): Source {
  let members: readonly Member[] | undefined
  const startOf = (key: string | undefined) => {
    members ??= find()
    return members.findLast((member) => member.key === key)?.valueStart
  }
  return {
    slice: ([key, ...path]) => {
      const start = startOf(key)
      return start === undefined ? undefined : rawAt(text, path, start)
    },
    each: (member) => eachFrom(text, () => startOf(member)),
  }
}

function eachFrom(text: string, start: () => number | undefined): (index: number) => Source {
  let elements: readonly { readonly start: number }[] | undefined
  const membersAt = (index: number) => {
    const from = start()
    elements ??= from === undefined ? [] : elementsOf(text, from)
    const element = elements[index]
    return element === undefined ? [] : membersOf(text, element.start)
  }
  return (index) => sourceFrom(text, () => membersAt(index))
}
