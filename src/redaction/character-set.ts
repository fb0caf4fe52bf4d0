/** A set of UTF-16 code units: those of ASCII in a table, the others as ranges. */
export interface CharacterSet {
  readonly ascii: Uint8Array
  /** Pairs of first and last. */
  readonly wide: readonly (readonly [number, number])[]
  /** Whether the ranges say what is left out. */
  readonly isWideNegated: boolean
}

export type Range = readonly [first: number, last: number]

const asciiSize = 128
const lastUnit = 0xffff

/** A set of the units in some ranges, or of all others. With `ignoresCase`, of both cases of each letter. */
export function characterSet(
  ranges: readonly Range[],
  { isNegated = false, ignoresCase = false } = {},
): CharacterSet {
  const all = ignoresCase ? ranges.flatMap(inBothCases) : ranges
  const ascii = new Uint8Array(asciiSize)
  for (const [first, last] of all)
    for (let unit = first; unit <= Math.min(last, asciiSize - 1); unit++) ascii[unit] = 1
  if (isNegated) for (let unit = 0; unit < asciiSize; unit++) ascii[unit] = 1 - (ascii[unit] ?? 0)
  return { ascii, wide: all.filter(([, last]) => last >= asciiSize), isWideNegated: isNegated }
}

/** Whether a code unit is in a set. */
export function isIn({ ascii, wide, isWideNegated }: CharacterSet, unit: number): boolean {
  if (unit < asciiSize) return ascii[unit] === 1
  return wide.some(([first, last]) => unit >= first && unit <= last) !== isWideNegated
}

/** Ranges of what a set leaves out, among all code units. */
export function othersThan(ranges: readonly Range[]): Range[] {
  const others: Range[] = []
  let next = 0
  for (const [first, last] of ranges.toSorted(([one], [other]) => one - other)) {
    if (first > next) others.push([next, first - 1])
    next = Math.max(next, last + 1)
  }
  return next > lastUnit ? others : [...others, [next, lastUnit]]
}

const digits: Range = [48, 57]
const wordLetters: readonly Range[] = [digits, [65, 90], [95, 95], [97, 122]]
const blanks: readonly Range[] = [
  [9, 13],
  [32, 32],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
]

/** What `\d`, `\w`, `\s` and their opposites stand for, as in regular expressions of JavaScript. */
export const namedRanges: Readonly<Record<string, readonly Range[]>> = {
  d: [digits],
  D: othersThan([digits]),
  w: wordLetters,
  W: othersThan(wordLetters),
  s: blanks,
  S: othersThan(blanks),
}

/** Whether a unit is a letter, a digit or `_`: what `\b` stands between. */
export function isWordUnit(unit: number): boolean {
  return wordLetters.some(([first, last]) => unit >= first && unit <= last)
}

/** Beyond so many letters of a range only those of ASCII are looked at: whole alphabets have both cases anyway. */
const mostFolded = 512

function inBothCases([first, last]: Range): Range[] {
  const ranges: Range[] = [[first, last]]
  const until = last - first > mostFolded ? Math.min(last, asciiSize - 1) : last
  for (let unit = first; unit <= until; unit++) {
    const letter = String.fromCharCode(unit)
    for (const other of [letter.toLowerCase(), letter.toUpperCase()])
      if (other.length === 1 && other !== letter)
        ranges.push([other.charCodeAt(0), other.charCodeAt(0)])
  }
  return ranges
}
