import { isObject } from '#std/json.ts'
import { Secret } from '#std/secret.ts'

import type { Config } from './schema.ts'

/** The sections in which two configs differ; none if they say the same. Keys are compared by what they are. */
export function changedSections(one: Config, other: Config): readonly string[] {
  const others = new Map<string, unknown>(Object.entries(other))
  return Object.entries(one).flatMap(([section, value]) =>
    differs(value, others.get(section)) ? [section] : [],
  )
}

/** Whether two values of configs say something different. */
export function differs(one: unknown, other: unknown): boolean {
  if (one instanceof Secret && other instanceof Secret) return one.reveal() !== other.reveal()
  if (Array.isArray(one) && Array.isArray(other))
    return one.length !== other.length || one.some((item, index) => differs(item, other[index]))
  if (isObject(one) && isObject(other) && !(one instanceof Secret) && !(other instanceof Secret)) {
    const keys = new Set([...Object.keys(one), ...Object.keys(other)])
    return [...keys].some((key) => differs(one[key], other[key]))
  }
  return !Object.is(one, other)
}
