import { isObject, type JsonObject } from '#std/json.ts'
import { Secret } from '#std/secret.ts'

/**
 * A config with nothing secret in it. Besides what the config itself keeps as a secret, headers and queries are
 * hidden: keys are often put there. So is what stands before the `@` of a URL.
 */
export function shownConfig(config: unknown): JsonObject {
  const value = shown(config)
  return isObject(value) ? value : {}
}

const hidden = '[secret]'
const hidesValues = new Set(['headers', 'query'])

function shown(value: unknown): unknown {
  if (value instanceof Secret) return hidden
  if (typeof value === 'string') return withoutCredentials(value)
  if (Array.isArray(value)) return value.map(shown)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      hidesValues.has(name) && isObject(member) ? veiled(member) : shown(member),
    ]),
  )
}

function veiled(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(members).map((name) => [name, hidden]))
}

function withoutCredentials(text: string): string {
  if (!/^https?:\/\//i.test(text)) return text
  return text.replace(/^(https?:\/\/)[^/@]*@/i, `$1${hidden}@`).replace(/\?.*$/s, `?${hidden}`)
}
