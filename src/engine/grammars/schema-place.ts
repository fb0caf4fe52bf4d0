import { isObject, type JsonObject } from '#std/json.ts'

import { invalid, refuse, type SchemaRules } from './schema-scalars.ts'

/** Where in a schema the writing of its rules is. */
export interface Place extends SchemaRules {
  readonly root: unknown
  readonly prefix: string
  /** Rules of what `$ref` points to, and of schemas that have more beside theirs. */
  readonly byReference: Map<unknown, string>
  depth: number
  /** Schemas and members that have been looked at: small schemas can refer to each other for ever. */
  steps: number
}

const mostSteps = 30_000
const deepest = 64

/** Counts what is looked at. Throws `not-expressible` where that goes on for too long. */
export function spend(place: Place, steps = 1): void {
  place.steps += steps
  if (place.steps > mostSteps) refuse(place, 'refers to itself without end, or is beyond any size')
}

/** Goes a level down. Throws `not-expressible` where that is too deep. */
export function deeper<Made>(place: Place, make: () => Made): Made {
  if (++place.depth > deepest) refuse(place, `is nested deeper than ${deepest} levels`)
  const made = make()
  place.depth--
  return made
}

/** What a `$ref` points to. Throws `request-invalid` if that is nothing, or outside of the schema. */
export function resolve(place: Place, pointer: unknown): unknown {
  if (typeof pointer !== 'string' || !/^#(?:$|\/)/.test(pointer))
    throw invalid(place, '`$ref` has to point into the schema itself, such as `#/$defs/name`')
  let at: unknown = place.root
  for (const part of pointer.slice(1).split('/').slice(1)) {
    const key = decodeURIComponentLenient(part).replaceAll('~1', '/').replaceAll('~0', '~')
    at = Array.isArray(at) ? at[Number(key)] : isObject(at) ? at[key] : undefined
  }
  if (at === undefined) throw invalid(place, `\`$ref\` points to nothing: ${pointer.slice(0, 100)}`)
  return at
}

function decodeURIComponentLenient(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A stray percent sign stands for itself.
    return text
  }
}

/** A member that is an object, else an empty one. */
export function objectAt(schema: JsonObject, key: string): JsonObject {
  const value = schema[key]
  return isObject(value) ? value : {}
}

/** A member that is a list, else an empty one. */
export function listAt(schema: JsonObject, key: string): readonly unknown[] {
  const value = schema[key]
  return Array.isArray(value) ? value : []
}
