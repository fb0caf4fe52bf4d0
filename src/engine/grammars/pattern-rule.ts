import { characterIn } from './grammar-text.ts'

/**
 * A grammar rule for a JSON string that matches a regular expression, and how many pieces it has; undefined if the expression
 * uses what no rule can say: look-around, back references, `\b`, characters that JSON escapes.
 */
export function patternRule(
  pattern: string,
): { readonly rule: string; readonly size: number } | undefined {
  if (pattern.length > 500) return undefined
  const reading: Reading = { text: pattern, at: 0, depth: 0 }
  const opens = pattern.startsWith('^')
  const closes = /(?:^|[^\\])(?:\\\\)*\$$/.test(pattern)
  if (opens) reading.at = 1
  if (closes) reading.text = pattern.slice(0, -1)
  try {
    const { rule, size } = choice(reading)
    if (reading.at < reading.text.length) return undefined
    // Without anchors alternatives would each need text around them, which the parentheses give.
    if ((opens || closes) && rule.includes(' | ') && hasTopChoice(reading.text)) return undefined
    const whole = `"\\"" ${opens ? '' : 'char* '}( ${rule} ) ${closes ? '' : 'char* '}"\\""`
    return { rule: whole, size }
  } catch (error) {
    if (error instanceof Beyond) return undefined
    throw error
  }
}

class Beyond extends Error {}

interface Reading {
  text: string
  at: number
  depth: number
}

/** Whether an anchor would belong to one of several alternatives only. */
function hasTopChoice(text: string): boolean {
  let depth = 0
  let inClass = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '\\') at++
    else if (inClass) inClass = character !== ']'
    else if (character === '[') inClass = true
    else if (character === '(') depth++
    else if (character === ')') depth--
    else if (character === '|' && depth === 0) return true
  }
  return false
}

/** A piece of the expression. Rules that multiply, or that may be empty again and again, would stall llama.cpp. */
interface Part {
  readonly rule: string
  readonly size: number
  readonly mayBeEmpty: boolean
}

const largest = 1000

function choice(reading: Reading): Part {
  if (++reading.depth > 20) throw new Beyond()
  const options = [sequence(reading)]
  while (reading.text[reading.at] === '|') {
    reading.at++
    options.push(sequence(reading))
  }
  reading.depth--
  return {
    rule: options.map(({ rule }) => rule).join(' | '),
    size: options.reduce((sum, { size }) => sum + size, 0),
    mayBeEmpty: options.some(({ mayBeEmpty }) => mayBeEmpty),
  }
}

function sequence(reading: Reading): Part {
  const parts: Part[] = []
  while (reading.at < reading.text.length && !'|)'.includes(reading.text[reading.at] ?? ''))
    parts.push(repeated(reading, atom(reading)))
  return {
    rule: parts.length === 0 ? '""' : parts.map(({ rule }) => rule).join(' '),
    size: parts.reduce((sum, { size }) => sum + size, 0),
    mayBeEmpty: parts.every(({ mayBeEmpty }) => mayBeEmpty),
  }
}

function atom(reading: Reading): Part {
  const character = reading.text[reading.at++] ?? ''
  if (character === '(') return group(reading)
  return { rule: single(reading, character), size: 1, mayBeEmpty: false }
}

function single(reading: Reading, character: string): string {
  if (character === '[') return characterClass(reading)
  if (character === '.') return 'char'
  if (character === '\\') {
    const isClass = classes[reading.text[reading.at] ?? ''] !== undefined
    return isClass ? escapedClass(reading) : plain(escaped(reading))
  }
  if ('*+?{}^$'.includes(character)) throw new Beyond()
  return plain(character)
}

function group(reading: Reading): Part {
  if (reading.text.startsWith('?:', reading.at)) reading.at += 2
  else if (reading.text[reading.at] === '?') throw new Beyond()
  const inside = choice(reading)
  if (reading.text[reading.at++] !== ')') throw new Beyond()
  return { ...inside, rule: `( ${inside.rule} )` }
}

const classes: Readonly<Record<string, string>> = { d: '0-9', w: 'A-Za-z0-9_', s: ' ' }

function escapedClass(reading: Reading): string {
  return `[${classes[reading.text[reading.at++] ?? ''] ?? ''}]`
}

function escaped(reading: Reading): string {
  const character = reading.text[reading.at++] ?? ''
  if (/[A-Za-z0-9]/.test(character)) throw new Beyond()
  return character
}

/** Characters that a JSON text spells differently, or not at all, are beyond these rules. */
function plain(character: string): string {
  if (character === '' || character === '"' || character === '\\' || character < ' ')
    throw new Beyond()
  return `"${character}"`
}

function characterClass(reading: Reading): string {
  const isNegated = reading.text[reading.at] === '^'
  if (isNegated) reading.at++
  let inside = ''
  while (reading.text[reading.at] !== ']') {
    if (reading.at >= reading.text.length) throw new Beyond()
    inside += classPart(reading)
  }
  reading.at++
  if (inside === '') throw new Beyond()
  return isNegated ? `[^${inside}"\\\\\\x00-\\x1F]` : `[${inside}]`
}

/** A character, a class such as `\w`, or a range. A hyphen beside such a class stands for itself. */
function classPart(reading: Reading): string {
  const first = classAtom(reading)
  if (!/^-[^\]]/.test(reading.text.slice(reading.at, reading.at + 2))) return first.rule
  reading.at++
  const last = classAtom(reading)
  if (first.code === undefined || last.code === undefined) return `${first.rule}\\x2d${last.rule}`
  if (last.code < first.code || isEscapedWithin(first.code, last.code)) throw new Beyond()
  return `${first.rule}-${last.rule}`
}

/** Whether JSON escapes a character of the range: let through as it is, it would end the text. */
function isEscapedWithin(first: number, last: number): boolean {
  return ['"', '\\'].some((one) => first <= one.charCodeAt(0) && one.charCodeAt(0) <= last)
}

interface ClassAtom {
  readonly rule: string
  /** Absent: it is several characters. */
  readonly code?: number
}

function classAtom(reading: Reading): ClassAtom {
  const isEscape = reading.text[reading.at] === '\\'
  if (isEscape) reading.at++
  const code = reading.text.codePointAt(reading.at) ?? 0
  const one = String.fromCodePoint(code)
  const rule = isEscape ? classes[one] : undefined
  reading.at += one.length
  if (rule !== undefined) return { rule }
  if ((isEscape && /[A-Za-z0-9]/.test(one)) || one === '"' || one === '\\' || one < ' ')
    throw new Beyond()
  return { rule: characterIn(one), code }
}

function repeated(reading: Reading, part: Part): Part {
  const rest = reading.text.slice(reading.at)
  const said = /^(?:[*+?]|\{(\d{1,3})(,(\d{0,3}))?\})/.exec(rest)
  if (said === null) return part
  const [mark, low, comma, high] = said
  reading.at += mark.length
  // Lazy and possessive repetition say how to look, not what fits; they are rare enough to be left.
  if (/^[?+]/.test(reading.text.slice(reading.at))) throw new Beyond()
  const least = low === undefined ? Number(mark === '+') : Number(low)
  const most = mark === '?' ? 1 : Number((comma === undefined ? low : high) || least + 1)
  const size = part.size * Math.max(1, most)
  if (size > largest || (part.mayBeEmpty && mark !== '?')) throw new Beyond()
  return { rule: part.rule + mark, size, mayBeEmpty: part.mayBeEmpty || least === 0 }
}
