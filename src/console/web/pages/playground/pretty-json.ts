import { jsonOf } from '#console/web/api/json-path.ts'

/** A JSON text with line breaks; any other text as it is. */
export function prettyJson(text: string): string {
  const value = jsonOf(text)
  return value === undefined ? text : JSON.stringify(value, undefined, 2)
}
