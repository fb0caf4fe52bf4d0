import type { CallFormat } from './call-format.ts'

/** What the text of calls says. */
export type CallWord =
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'arguments'; readonly text: string }
  | { readonly type: 'end' }

/** Where in a row of calls the reader is. The text follows the format, since a grammar held the model to it. */
export interface CallReading {
  readonly format: CallFormat
  phase: 'before-name' | 'name' | 'arguments' | 'after' | 'over'
  /** What is left of the words in front of the next name. */
  before: string
  held: string
  depth: number
  inString: boolean
  isEscaped: boolean
}

/** Starts to read behind the mark of the first call. */
export function startCalls(format: CallFormat): CallReading {
  return {
    format,
    phase: 'before-name',
    before: format.first.slice(format.mark.length),
    held: '',
    depth: 0,
    inString: false,
    isEscaped: false,
  }
}

/** Takes the next piece of text. */
export function readCall(reading: CallReading, piece: string): CallWord[] {
  const words: CallWord[] = []
  let rest = piece
  for (;;) {
    const before = { phase: reading.phase, rest }
    rest = step(reading, rest, words)
    if (reading.phase === before.phase && rest === before.rest) return words
    if (rest === '' && reading.held === '' && reading.phase !== 'before-name') return words
  }
}

/** No more comes: a call whose arguments are unfinished ends as it is. */
export function endCall(reading: CallReading): CallWord[] {
  const isOpen = reading.phase === 'arguments'
  reading.phase = 'over'
  return isOpen ? [{ type: 'end' }] : []
}

/** Reads on and gives what is left. It gives all back when more has to come first. */
function step(reading: CallReading, text: string, words: CallWord[]): string {
  const { format } = reading
  switch (reading.phase) {
    case 'before-name':
      return crossWords(reading, text)
    case 'name': {
      const said = reading.held + text
      const end = said.indexOf(format.neck)
      reading.held = end === -1 ? said : ''
      if (end === -1) return ''
      words.push({ type: 'name', name: said.slice(0, end) })
      reading.phase = 'arguments'
      return said.slice(end + format.neck.length)
    }
    case 'arguments':
      return readArguments(reading, text, words)
    case 'after':
      return afterCall(reading, text)
    case 'over':
      return ''
  }
}

function crossWords(reading: CallReading, text: string): string {
  const length = Math.min(text.length, reading.before.length)
  reading.before = reading.before.slice(length)
  if (reading.before === '') reading.phase = 'name'
  return text.slice(length)
}

/** Gives the arguments on up to the brace that closes them. */
function readArguments(reading: CallReading, text: string, words: CallWord[]): string {
  for (let at = 0; at < text.length; at++) {
    if (!closesAt(reading, text.charCodeAt(at))) continue
    words.push({ type: 'arguments', text: text.slice(0, at + 1) }, { type: 'end' })
    reading.phase = 'after'
    return text.slice(at + 1)
  }
  if (text !== '') words.push({ type: 'arguments', text })
  return ''
}

function closesAt(reading: CallReading, code: number): boolean {
  if (reading.isEscaped) reading.isEscaped = false
  else if (reading.inString) {
    if (code === 92) reading.isEscaped = true
    else if (code === 34) reading.inString = false
  } else if (code === 34) reading.inString = true
  else if (code === 123 || code === 91) reading.depth++
  else if (code === 125 || code === 93) return --reading.depth === 0
  return false
}

/** Whether another call follows shows only where the words after the last one differ. */
function afterCall(reading: CallReading, text: string): string {
  const said = reading.held + text
  const { next } = reading.format
  reading.held = said
  if (next === undefined || said === '') return ''
  if (next.startsWith(said) && said.length < next.length) return ''
  reading.held = ''
  reading.phase = said.startsWith(next) ? 'name' : 'over'
  return said.slice(next.length)
}
