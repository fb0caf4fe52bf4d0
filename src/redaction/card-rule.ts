import type { Span } from './pattern.ts'
import type { Rule } from './rule.ts'

/**
 * Numbers of payment cards: 13 to 19 digits in groups, of which the first says what kind of card it is and the last
 * fits the others. One number in ten fits by chance, and is taken out as well.
 */
export function cardRule(): Rule {
  return {
    name: 'card',
    spansIn: (text) => [...text.matchAll(rows)].flatMap(({ 0: row, index }) => cardsIn(row, index)),
  }
}

const rows = /\d(?:[ -]?\d){12,}/g

/** In a row of groups a card may be any groups beside each other: other numbers may stand before and after it. */
function cardsIn(row: string, offset: number): Span[] {
  const groups = [...row.matchAll(/\d+/g)].map(({ 0: digits, index }) => ({ digits, index }))
  const cards: Span[] = []
  let first = 0
  while (first < groups.length) {
    const last = lastGroupOfCard(groups, first)
    const begin = groups[first]
    const end = last === undefined ? undefined : groups[last]
    if (last === undefined || begin === undefined || end === undefined) first++
    else {
      cards.push({ start: offset + begin.index, end: offset + end.index + end.digits.length })
      first = last + 1
    }
  }
  return cards
}

interface Group {
  readonly digits: string
  readonly index: number
}

const fewest = 13
const most = 19

/** The last group of the longest card that begins with a group, if there is one. */
function lastGroupOfCard(groups: readonly Group[], first: number): number | undefined {
  const { length = 0 } = groups[first]?.digits ?? {}
  if (length !== 4 && length < fewest) return undefined
  let digits = ''
  let form = ''
  let found: number | undefined
  for (let at = first; at < groups.length && digits.length <= most; at++) {
    const group = groups[at]?.digits ?? ''
    digits += group
    form += `${group.length} `
    if (groupings.test(form) && isCard(digits)) found = at
  }
  return found
}

/** As people write them: in one piece, in fours, or as the two kinds that are written otherwise. Dates are not. */
const groupings = /^(?:\d\d |4 4 4 (?:[1-4] |4 [1-3] )|4 6 [45] )$/

function isCard(digits: string): boolean {
  const hasLength = digits.length >= fewest && digits.length <= most
  return hasLength && /^[2-6]/.test(digits) && fitsCheckDigit(digits)
}

/** Every second digit from the end counts double, and the sum has to end with 0. */
function fitsCheckDigit(digits: string): boolean {
  let sum = 0
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at])
    const weighed = at % 2 === 0 ? digit : digit * 2
    sum += weighed > 9 ? weighed - 9 : weighed
  }
  return sum % 10 === 0
}
