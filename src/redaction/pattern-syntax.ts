import { namedRanges, type Range } from './character-set.ts'

/** What a pattern says. */
export type PatternTree =
  | { readonly type: 'set'; readonly ranges: readonly Range[]; readonly isNegated: boolean }
  | { readonly type: 'border'; readonly where: Border }
  | { readonly type: 'sequence'; readonly parts: readonly PatternTree[] }
  | { readonly type: 'choice'; readonly parts: readonly PatternTree[] }
  | {
      readonly type: 'repeat'
      readonly part: PatternTree
      readonly least: number
      /** Infinite for no end. */
      readonly most: number
    }

/** A place that is no character: the two ends of the text, and where a word begins or ends, or does not. */
export type Border = 'start' | 'end' | 'word' | 'no-word'

/** A pattern that cannot be used, and why: to be shown to whoever wrote it. */
export class PatternError extends Error {
  override readonly name = 'PatternError'
}

/** More than any honest pattern has. */
const longestPattern = 500
const mostRepeats = 1000
const deepest = 50

/**
 * Reads a pattern: regular expressions of JavaScript without what would take more than one look at each character. No
 * back-references, no looking ahead or behind, no lazy repetition. Throws `PatternError`.
 */
export function parsePattern(text: string): PatternTree {
  if (text.length > longestPattern) throw new PatternError(`is over ${longestPattern} characters`)
  const source: Source = { text, at: 0, depth: 0 }
  const tree = choiceIn(source)
  if (source.at < text.length) throw new PatternError('has a `)` that nothing opens')
  return tree
}

interface Source {
  readonly text: string
  at: number
  depth: number
}

function choiceIn(source: Source): PatternTree {
  if (++source.depth > deepest) throw new PatternError('is nested too deeply')
  const parts = [sequenceIn(source)]
  while (takes(source, '|')) parts.push(sequenceIn(source))
  source.depth--
  const [only] = parts
  return parts.length === 1 && only !== undefined ? only : { type: 'choice', parts }
}

function sequenceIn(source: Source): PatternTree {
  const parts: PatternTree[] = []
  while (source.at < source.text.length && !'|)'.includes(next(source)))
    parts.push(repeatedIn(source, partIn(source)))
  return { type: 'sequence', parts }
}

function partIn(source: Source): PatternTree {
  const letter = take(source)
  switch (letter) {
    case '(':
      return groupIn(source)
    case '[':
      return classIn(source)
    case '.':
      return { type: 'set', ranges: lineEnds, isNegated: true }
    case '^':
      return { type: 'border', where: 'start' }
    case '$':
      return { type: 'border', where: 'end' }
    case '\\':
      return escapeIn(source)
    case '*':
    case '+':
    case '?':
      throw new PatternError(`has a \`${letter}\` with nothing before it to repeat`)
    default:
      return letterOf(letter)
  }
}

const lineEnds: readonly Range[] = [
  [10, 10],
  [13, 13],
  [0x2028, 0x2029],
]

function groupIn(source: Source): PatternTree {
  if (takes(source, '?') && !takes(source, ':'))
    throw new PatternError(
      'has a group that begins with `(?`: only `(?:…)` is understood, no looking ahead or behind',
    )
  const tree = choiceIn(source)
  if (!takes(source, ')')) throw new PatternError('has a `(` that nothing closes')
  return tree
}

function escapeIn(source: Source): PatternTree {
  const letter = next(source)
  if (letter === 'b' || letter === 'B') {
    source.at++
    return { type: 'border', where: letter === 'b' ? 'word' : 'no-word' }
  }
  return { type: 'set', ranges: escapedRanges(source), isNegated: false }
}

/** What stands after a backslash, in a class or out of one. */
function escapedRanges(source: Source): readonly Range[] {
  const letter = take(source)
  const named = Object.hasOwn(namedRanges, letter) ? namedRanges[letter] : undefined
  if (named !== undefined) return named
  const control = controls.get(letter)
  if (control !== undefined) return [[control, control]]
  if (letter === 'x' || letter === 'u') return [codeIn(source, letter === 'x' ? 2 : 4)]
  if (/[1-9k]/.test(letter))
    throw new PatternError('refers back to a group, which would take unlimited time')
  if (letter === '' || /[0-9A-Za-z]/.test(letter))
    throw new PatternError(`has an escape that is not understood: \`\\${letter}\``)
  return [unitOf(letter)]
}

const controls: ReadonlyMap<string, number> = new Map([
  ['t', 9],
  ['n', 10],
  ['v', 11],
  ['f', 12],
  ['r', 13],
])

function codeIn(source: Source, digits: number): Range {
  const hex = source.text.slice(source.at, source.at + digits)
  if (hex.length < digits || !/^[0-9A-Fa-f]+$/.test(hex))
    throw new PatternError('has an escape with too few hexadecimal digits')
  source.at += digits
  const code = Number.parseInt(hex, 16)
  return [code, code]
}

function classIn(source: Source): PatternTree {
  const isNegated = takes(source, '^')
  const ranges: Range[] = []
  while (!takes(source, ']')) {
    const first = memberIn(source)
    const isRange = next(source) === '-' && ![']', ''].includes(source.text[source.at + 1] ?? '')
    if (isRange) source.at++
    ranges.push(...(isRange ? [rangeOf(first, memberIn(source))] : first))
  }
  if (ranges.length === 0) throw new PatternError('has a class with nothing in it')
  return { type: 'set', ranges, isNegated }
}

function memberIn(source: Source): readonly Range[] {
  const letter = take(source)
  if (letter === '') throw new PatternError('has a `[` that nothing closes')
  if (letter !== '\\') return [unitOf(letter)]
  if (takes(source, 'b')) return [[8, 8]]
  return escapedRanges(source)
}

function rangeOf(from: readonly Range[], to: readonly Range[]): Range {
  const [first] = from[0] ?? [1]
  const [last] = to[0] ?? [0]
  const isPlain = from.length === 1 && to.length === 1
  if (!isPlain || first > last) throw new PatternError('has a range that ends before it begins')
  return [first, last]
}

function repeatedIn(source: Source, part: PatternTree): PatternTree {
  const counts = countsIn(source)
  if (counts === undefined) return part
  if (part.type === 'border') throw new PatternError('repeats a place that is no character')
  if (next(source) === '?')
    throw new PatternError(
      'has a lazy repetition: name what may stand there instead, as in `"[^"]*"`',
    )
  if (countsIn(source) !== undefined) throw new PatternError('repeats a repetition')
  return { type: 'repeat', part, ...counts }
}

interface Counts {
  readonly least: number
  readonly most: number
}

function countsIn(source: Source): Counts | undefined {
  if (takes(source, '*')) return { least: 0, most: Infinity }
  if (takes(source, '+')) return { least: 1, most: Infinity }
  if (takes(source, '?')) return { least: 0, most: 1 }
  const found = /^\{(\d{1,4})(,(\d{0,4}))?\}/.exec(source.text.slice(source.at, source.at + 12))
  if (found === null) return undefined
  source.at += found[0].length
  const least = Number(found[1])
  const most = found[2] === undefined ? least : found[3] === '' ? Infinity : Number(found[3])
  if (least > mostRepeats || (most > mostRepeats && most !== Infinity))
    throw new PatternError(`repeats more than ${mostRepeats} times`)
  if (most < least || most === 0) throw new PatternError('has a repetition that ends too early')
  return { least, most }
}

function letterOf(letter: string): PatternTree {
  return { type: 'set', ranges: [unitOf(letter)], isNegated: false }
}

function unitOf(letter: string): Range {
  const unit = letter.charCodeAt(0)
  return [unit, unit]
}

function next({ text, at }: Source): string {
  return text[at] ?? ''
}

function take(source: Source): string {
  const letter = next(source)
  source.at++
  return letter
}

function takes(source: Source, letter: string): boolean {
  if (next(source) !== letter) return false
  source.at++
  return true
}
