import { isIn, isWordUnit } from './character-set.ts'
import { type Instruction, type PatternProgram, programOf } from './pattern-program.ts'
import { type Border, parsePattern } from './pattern-syntax.ts'

/** A part of a text, in UTF-16 units: from the first up to the one after the last. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface PatternOptions {
  readonly ignoresCase?: boolean
}

/**
 * A regular expression whose search takes time in proportion to the text, whatever the text and whatever the pattern:
 * it follows all ways of the pattern at once and never goes back. What it finds is everything that lies in any match,
 * which is what one wants to take out.
 */
export class Pattern {
  readonly #program: PatternProgram
  /** For each ASCII unit, whether a match may begin with it; anything else always may. */
  readonly #firsts: Uint8Array

  /** Throws `PatternError` for a pattern that cannot be used. */
  constructor(text: string, { ignoresCase = false }: PatternOptions = {}) {
    this.#program = programOf(parsePattern(text), ignoresCase)
    this.#firsts = firstsOf(this.#program)
  }

  /** The parts of a text that lie in a match, in order; those that overlap are one. */
  spansIn(text: string): Span[] {
    const search = new Search(this.#program, text)
    const firsts = this.#firsts
    const spans: Span[] = []
    for (let at = 0; at <= text.length; at++) {
      if (search.isIdle) {
        while (at < text.length && firsts[text.charCodeAt(at)] === 0) at++
        if (at === text.length) break
      }
      const start = search.step(at)
      if (start !== -1) addSpan(spans, start, at)
    }
    return spans
  }
}

/** Matches come in the order of their ends. One that begins in or before earlier ones takes them in. */
function addSpan(spans: Span[], start: number, end: number): void {
  let first = start
  for (let last = spans.at(-1); last !== undefined && last.end > start; last = spans.at(-1)) {
    first = Math.min(first, last.start)
    spans.pop()
  }
  spans.push({ start: first, end })
}

function firstsOf({ instructions, start }: PatternProgram): Uint8Array {
  const firsts = new Uint8Array(128)
  const open = [start]
  const seen = new Set<number>()
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const instruction = instructions[at]
    if (seen.has(at) || instruction === undefined) continue
    seen.add(at)
    if (instruction.type === 'take')
      for (const [unit, isThere] of instruction.set.ascii.entries()) firsts[unit] ||= isThere
    if (instruction.type === 'fork') open.push(instruction.to, instruction.or)
    if (instruction.type === 'border') open.push(instruction.to)
  }
  return firsts
}

/**
 * One search. At each place it holds the instructions that wait for a character, each with the earliest beginning of a
 * match that has come there, the earliest first: so an instruction is looked at once a place.
 */
class Search {
  readonly #program: PatternProgram
  readonly #text: string
  #waiting: number[] = []
  #starts: number[] = []
  #next: number[] = []
  #nextStarts: number[] = []
  /** For each instruction, the last place where it was reached, plus one. */
  readonly #reached: Int32Array

  constructor(program: PatternProgram, text: string) {
    this.#program = program
    this.#text = text
    this.#reached = new Int32Array(program.instructions.length)
  }

  get isIdle(): boolean {
    return this.#waiting.length === 0
  }

  /** Goes on to a place, over the character before it; the beginning of the longest match that ends there, or -1. */
  step(at: number): number {
    const unit = at === 0 ? -1 : this.#text.charCodeAt(at - 1)
    const [waiting, starts] = [this.#waiting, this.#starts]
    this.#waiting = this.#next
    this.#starts = this.#nextStarts
    this.#waiting.length = 0
    this.#starts.length = 0
    let found = -1
    for (let index = 0; index < waiting.length; index++) {
      const instruction = this.#instruction(waiting[index] ?? 0)
      const start = starts[index] ?? 0
      if (instruction.type !== 'take' || !isIn(instruction.set, unit)) continue
      if (this.#reach(instruction.to, start, at) && found === -1) found = start
    }
    // Nothing begins at the end of a text, and what began here came before what may begin later.
    if (at < this.#text.length) this.#reach(this.#program.start, at, at)
    this.#next = waiting
    this.#nextStarts = starts
    return found
  }

  /** Follows what takes no character. Whether that leads to a match that ends here. */
  #reach(from: number, start: number, at: number): boolean {
    let isFound = false
    const open = [from]
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (this.#reached[index] === at + 1) continue
      this.#reached[index] = at + 1
      const instruction = this.#instruction(index)
      if (instruction.type === 'found') isFound = true
      else if (instruction.type === 'fork') open.push(instruction.or, instruction.to)
      else if (instruction.type === 'take') {
        this.#waiting.push(index)
        this.#starts.push(start)
      } else if (isAt(this.#text, at, instruction.where)) open.push(instruction.to)
    }
    return isFound
  }

  #instruction(index: number): Instruction {
    const instruction = this.#program.instructions[index]
    if (instruction === undefined) throw new RangeError('A pattern went beyond its program.')
    return instruction
  }
}

function isAt(text: string, at: number, where: Border): boolean {
  if (where === 'start') return at === 0
  if (where === 'end') return at === text.length
  const isBorder = isWordAt(text, at - 1) !== isWordAt(text, at)
  return isBorder === (where === 'word')
}

function isWordAt(text: string, at: number): boolean {
  return at >= 0 && at < text.length && isWordUnit(text.charCodeAt(at))
}
