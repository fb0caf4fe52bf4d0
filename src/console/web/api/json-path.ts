/** What lies at a path in a value from outside; undefined where the path leads nowhere. */
export function valueAt(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value
  for (const step of path) {
    if (typeof found !== 'object' || found === null) return undefined
    found = Object.getOwnPropertyDescriptor(found, step)?.value
  }
  return found
}

/** The text there; empty where there is none. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string {
  const found = valueAt(value, ...path)
  return typeof found === 'string' ? found : ''
}

/** The list there; empty where there is none. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = valueAt(value, ...path)
  return Array.isArray(found) ? found : []
}

/** The number there; undefined where there is none. */
export function numberAt(
  value: unknown,
  ...path: readonly (string | number)[]
): number | undefined {
  const found = valueAt(value, ...path)
  return typeof found === 'number' ? found : undefined
}

/** The value of a JSON text; undefined for what is none. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // To be no JSON is an answer too.
    return undefined
  }
}
