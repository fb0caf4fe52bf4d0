import { JsonProgress } from '#std/json-progress.ts'
import { isObject, parseJson } from '#std/json.ts'

/**
 * The arguments of a call on their way to a caller who takes only a strict JSON object: clients fail on anything
 * else. What cannot become one is withheld.
 */
export class ToolInput {
  readonly #progress = new JsonProgress()
  /** Arguments that begin as no object, kept to the end because some can still be understood. */
  #odd = ''

  /** What may be told of the next fragment. */
  push(fragment: string): string {
    const before = this.#progress.state
    const text = before === 'blank' ? fragment.trimStart() : fragment
    if (text === '' || before === 'broken') return ''
    this.#progress.push(text)
    if (this.#odd !== '' || (before === 'blank' && !text.startsWith('{'))) {
      this.#odd += text
      return ''
    }
    return this.#progress.state === 'broken' ? '' : text
  }

  /** The arguments are over: what is still to be told, and whether they are a whole object. No arguments are one. */
  end(): { readonly rest: string; readonly isWhole: boolean } {
    if (this.#progress.state === 'blank') return { rest: '', isWhole: true }
    const isWhole = this.#progress.end() === 'whole'
    if (this.#odd === '' || !isWhole) return { rest: '', isWhole }
    const rest = objectMeant(this.#odd)
    return { rest: rest ?? '', isWhole: rest !== undefined }
  }
}

/** The JSON object that whole arguments are, as raw text, or undefined if they are none. */
export function inputOf(text: string): string | undefined {
  const input = new ToolInput()
  const begun = input.push(text)
  const { rest, isWhole } = input.end()
  return isWhole ? (begun + rest).trimEnd() || '{}' : undefined
}

// A call without arguments may say `null` or `""`, and some servers encode the object twice.
function objectMeant(odd: string): string | undefined {
  const outer = parseJson(odd)
  if (!outer.ok) return undefined
  if (outer.value === null) return ''
  if (typeof outer.value !== 'string') return undefined
  if (outer.value.trim() === '') return ''
  const inner = parseJson(outer.value)
  return inner.ok && isObject(inner.value) ? outer.value.trim() : undefined
}
