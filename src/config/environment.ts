import { isObject } from '#std/json.ts'

import type { Problem } from './problem.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface Filled {
  readonly value: unknown
  readonly problems: readonly Problem[]
  /** Where something came from the environment, as joined paths: such values are never shown. */
  readonly secretPaths: ReadonlySet<string>
}

type Path = readonly (string | number)[]

const reference = /\$(?:\$\{|\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\})/g

/**
 * Puts the environment's values in the place of `${NAME}` and `${NAME:-otherwise}` in every text of a config;
 * `$${` stands for itself. A name that is not set is a problem of its path.
 */
export function fillFromEnvironment(value: unknown, environment: Environment): Filled {
  const problems: Problem[] = []
  const secretPaths = new Set<string>()
  const fill = (one: unknown, path: Path): unknown => {
    if (Array.isArray(one)) return one.map((item, index) => fill(item, [...path, index]))
    if (isObject(one))
      return Object.fromEntries(
        Object.entries(one).map(([key, item]) => [key, fill(item, [...path, key])]),
      )
    return typeof one === 'string' && one.includes('${') ? fillText(one, path) : one
  }
  const fillText = (text: string, path: Path): string =>
    text.replaceAll(reference, (whole, name?: string, otherwise?: string) => {
      if (name === undefined) return '${'
      secretPaths.add(path.join('\0'))
      const found = environment[name] || otherwise
      if (found === undefined)
        problems.push({
          path,
          found: whole,
          expected: `the environment variable ${name} to be set`,
        })
      return found ?? ''
    })
  return { value: fill(value, []), problems, secretPaths }
}
