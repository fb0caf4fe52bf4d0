import { isObject } from '#std/json.ts'

import type { Filled } from './environment.ts'

/** Who said a value of a config. Of what nobody said, the default is in force. */
export interface Origin {
  /** As the operator writes it, from the section down to the value. */
  readonly path: readonly string[]
  readonly from: 'file' | 'environment' | 'command-line'
}

/** Where the values of a file come from: the file itself, or the environment where it refers to that. */
export function originsOf({ value, secretPaths }: Filled): readonly Origin[] {
  const found: Origin[] = []
  const walk = (one: unknown, path: readonly string[]): void => {
    const members = Array.isArray(one) || isObject(one) ? Object.entries(one) : []
    for (const [name, member] of members) walk(member, [...path, name])
    if (members.length > 0 || path.length === 0) return
    found.push({ path, from: secretPaths.has(path.join('\0')) ? 'environment' : 'file' })
  }
  walk(value, [])
  return found
}

/** The same where others had the last word on some values: of those that say the same, the last one counts. */
export function overridden(origins: readonly Origin[], over: readonly Origin[]): readonly Origin[] {
  const byPath = new Map([...origins, ...over].map((origin) => [origin.path.join('\0'), origin]))
  return [...byPath.values()]
}
