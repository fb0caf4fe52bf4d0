import { GatewayError } from './error.ts'

/** Something that the other protocol cannot say in the same way, and what was done about it. */
export interface Note {
  /** Where, as a path in the caller's request (`messages[2].name`) or a word for the answer (`answer.citations`). */
  readonly field: string
  /** What happened to it, in a few lower-case words: `dropped`, `clamped to 1`. */
  readonly what: string
}

/** Gathers what a translation adapted. In strict mode the first note is a refusal instead. */
export class Notes {
  readonly #notes: Note[] = []
  readonly #strict: boolean

  constructor(strict = false) {
    this.#strict = strict
  }

  add(field: string, what: string): void {
    if (this.#strict) {
      throw new GatewayError(
        'not-expressible',
        `${field} cannot be passed on exactly (it would be ${what}), and strict translation is on.`,
        { param: field },
      )
    }
    addNote(this.#notes, { field, what })
  }

  /** Notes what a limit of the caller's own changed. That is no translation, so no strictness refuses it. */
  tell(field: string, what: string): void {
    addNote(this.#notes, { field, what })
  }

  /** Forgets what was noted after the first `length` notes: a target that was given up adapted nothing. */
  rewind(length: number): void {
    this.#notes.length = Math.min(this.#notes.length, length)
  }

  get list(): readonly Note[] {
    return this.#notes
  }
}

/**
 * Adds a note to those of one exchange, unless it is there. After the first hundred only one more is taken, which says
 * that there were others: whoever sends a million odd members is told of some of them.
 */
export function addNote(notes: Note[], { field, what }: Note): void {
  if (notes.length > mostNotes) return
  const note = { field: shortened(field, longestField), what: shortened(what, longestWhat) }
  if (notes.some((known) => known.field === note.field && known.what === note.what)) return
  notes.push(notes.length < mostNotes ? note : manyMore)
}

const mostNotes = 100
const longestField = 128
const longestWhat = 256

const manyMore: Note = { field: '...', what: 'more was adapted' }

function shortened(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit)}...` : text
}
