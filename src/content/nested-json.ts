import { JsonProgress } from '#std/json-progress.ts'
import { JsonTextError, parseJson, skipValue } from '#std/json.ts'

/** What a text means that is JSON in itself, or its beginning. */
export interface NestedJson {
  readonly value: unknown
  /** What the text lacked: nothing, if it was whole. */
  readonly completion: string
}

/** Undefined for a text that is no list and no object, and for one that nests too deep to be walked. */
export function nestedJson(text: string): NestedJson | undefined {
  const start = text.search(/\S/)
  if (text[start] !== '{' && text[start] !== '[') return undefined
  const completion = completionOf(text)
  if (completion === undefined) return undefined
  const whole = text + completion
  if (!isShallow(whole, start)) return undefined
  const parsed = parseJson(whole)
  return parsed.ok ? { value: parsed.value, completion } : undefined
}

function completionOf(text: string): string | undefined {
  const progress = new JsonProgress()
  progress.push(text)
  return progress.completion()
}

function isShallow(text: string, start: number): boolean {
  try {
    skipValue(text, start)
    return true
  } catch (error) {
    if (error instanceof JsonTextError) return false
    throw error
  }
}
