import type { BlockStart, ChatEvent, TokenLogprob } from '#chat/event.ts'
import { randomText } from '#std/random-id.ts'

import type { CallFormat } from './call-format.ts'
import { type CallReading, endCall, readCall, startCalls } from './call-reader.ts'
import type { ThoughtWords } from './chat-template.ts'
import { type StopWatch, watchEnd, watchFor, watchPiece } from './stop-watch.ts'

/** What to expect in an answer. */
export interface Expected {
  /** Whether the prompt has opened a thought already, the model may open one, or neither. */
  readonly thinking: 'opened' | 'possible' | 'none'
  /** The words around a thought. */
  readonly thought: ThoughtWords
  /** How calls are written; absent if none may be made. */
  readonly calls?: CallFormat
  /** The names of the tools that may be called. */
  readonly callable: readonly string[]
  /** Whether what follows a call's mark is still to be forced into shape, so that it must not be read yet. */
  readonly holdsAtMark: boolean
  /** Whether a grammar holds the answer from its first token on: then it is all calls, or none of it is. */
  readonly isHeld: boolean
  /** The answer goes on a text that the caller began: a blank at its beginning belongs to it. */
  readonly isContinued: boolean
  /** Texts that end the answer and are not told. */
  readonly stop: readonly string[]
}

/** Where in an answer the reader is, and what it still holds back. */
export interface AnswerReading {
  readonly expected: Expected
  readonly events: ChatEvent[]
  phase: 'beginning' | 'thought' | 'text' | 'calls' | 'stopped'
  open: BlockStart['type'] | undefined
  watch: StopWatch
  /** White space that is told only if text follows. */
  blank: string
  calls: CallReading | undefined
  hasCalled: boolean
  hasThought: boolean
  stopSequence: string | undefined
  /** Of tokens whose text has not been told yet. */
  logprobs: TokenLogprob[]
}

/** What the generation has to know at once. */
export interface Heard {
  /** A call has begun, and these characters of the last piece came after its mark. */
  readonly afterMark?: string
  readonly isStopped: boolean
}

/** Starts to read the answer of a model. */
export function readAnswer(expected: Expected): AnswerReading {
  const phase = expected.thinking === 'opened' ? 'thought' : 'beginning'
  const reading: AnswerReading = {
    expected,
    events: [],
    phase,
    open: undefined,
    watch: watchFor([]),
    blank: '',
    calls: undefined,
    hasCalled: false,
    hasThought: false,
    stopSequence: undefined,
    logprobs: [],
  }
  enter(reading, phase)
  return reading
}

/** Takes the text of the next token. Events gather in `events`. */
export function readPiece(reading: AnswerReading, piece: string, logprob?: TokenLogprob): Heard {
  if (logprob !== undefined) reading.logprobs.push(logprob)
  const awaitsMark = reading.expected.holdsAtMark && !isCalling(reading)
  let rest: string | undefined = piece
  let afterMark: string | undefined
  while (rest !== undefined && rest !== '' && reading.phase !== 'stopped') {
    rest = step(reading, rest)
    if (awaitsMark && isCalling(reading)) {
      afterMark = rest ?? ''
      rest = undefined
    }
  }
  return {
    isStopped: reading.phase === 'stopped',
    ...(afterMark === undefined ? {} : { afterMark }),
  }
}

/** The model says no more: tells what was held back and closes what is open. */
export function endAnswer(reading: AnswerReading): void {
  if (reading.phase === 'calls') {
    if (reading.calls !== undefined) tellCalls(reading, endCall(reading.calls))
  } else {
    say(reading, watchEnd(reading.watch))
    if (reading.open === 'text') grow(reading, reading.blank)
  }
  closeBlock(reading)
}

function isCalling({ phase }: AnswerReading): boolean {
  return phase === 'calls'
}

/** Reads on in the phase that the answer is in, and gives what belongs to the next one. */
function step(reading: AnswerReading, text: string): string | undefined {
  if (reading.phase === 'calls') return stepCalls(reading, text)
  if (reading.phase === 'beginning') return stepBeginning(reading, text)
  const { clear, found } = watchPiece(reading.watch, text)
  say(reading, clear)
  if (found === undefined) return undefined
  if (reading.phase === 'thought') endThought(reading)
  else if (silentWords(reading.expected).includes(found.needle)) return found.rest
  else if (found.needle === reading.expected.thought.open) enter(reading, 'thought')
  else if (found.needle === reading.expected.calls?.mark) enter(reading, 'calls')
  else stop(reading, found.needle)
  return found.rest
}

/** A call without a word of its own may begin where a thought has ended. */
function endThought(reading: AnswerReading): void {
  reading.hasThought = true
  enter(reading, isCalledAtStart(reading.expected) ? 'beginning' : 'text')
}

/** Whether calls may stand only where the answer begins: a form's own texts may hold the mark of a call. Channels have marks between. */
function isCalledAtStart({ calls, isHeld, thought }: Expected): boolean {
  return calls?.isOnlyAtStart === true || (isHeld && thought.channels === undefined)
}

/** What may stand only at the beginning: a thought, or a call without a word of its own. */
function stepBeginning(reading: AnswerReading, text: string): string | undefined {
  const said = reading.watch.held + text
  const start = said.trimStart()
  const openers = openersOf(reading)
  const opener = openers.find(({ words }) => start.startsWith(words))
  if (opener !== undefined) {
    reading.watch.held = ''
    enter(reading, opener.phase)
    return start.slice(opener.length)
  }
  reading.watch.held = said
  if (openers.some(({ words }) => words.startsWith(start))) return undefined
  enter(reading, 'text')
  return said
}

interface Opener {
  readonly phase: 'thought' | 'calls'
  readonly words: string
  /** How many characters of the words are not read again in the phase. */
  readonly length: number
}

function openersOf({ expected, hasThought }: AnswerReading): readonly Opener[] {
  const { thinking, thought, calls } = expected
  const openers: Opener[] = []
  if (thinking === 'possible' && !hasThought)
    openers.push({ phase: 'thought', words: thought.open, length: thought.open.length })
  if (calls === undefined || !isCalledAtStart(expected)) return openers
  const { mark, first, neck } = calls
  // Where nothing has to be held at a brace, an object of the answer's own form may begin like a call.
  const isTold = expected.holdsAtMark || !calls.isOnlyAtStart
  const marks = isTold ? [mark] : expected.callable.map((name) => first + name + neck)
  return [
    ...openers,
    ...marks.map((words): Opener => ({ phase: 'calls', words, length: mark.length })),
  ]
}

function enter(reading: AnswerReading, phase: AnswerReading['phase']): void {
  const { expected } = reading
  reading.phase = phase
  closeBlock(reading)
  reading.blank = ''
  if (phase === 'thought') reading.watch = watchFor([expected.thought.close])
  if (phase === 'text') {
    const marks = expected.calls && !isCalledAtStart(expected) ? [expected.calls.mark] : []
    const { channels, open } = expected.thought
    const words = channels === undefined ? [] : [open, ...silentWords(expected)]
    reading.watch = watchFor([...marks, ...words, ...expected.stop])
  }
  if (phase === 'calls' && expected.calls !== undefined) {
    reading.calls = startCalls(expected.calls)
    reading.logprobs = []
  }
}

/** Words between the parts of an answer, which are no part of it. */
function silentWords({ thought: { channels } }: Expected): readonly string[] {
  return channels === undefined ? [] : [channels.text, ...channels.silent]
}

function stop(reading: AnswerReading, sequence: string): void {
  if (reading.open === 'text') grow(reading, reading.blank)
  reading.stopSequence = sequence
  reading.phase = 'stopped'
  closeBlock(reading)
}

function stepCalls(reading: AnswerReading, text: string): undefined {
  if (reading.calls !== undefined) tellCalls(reading, readCall(reading.calls, text))
  return undefined
}

function tellCalls(reading: AnswerReading, told: ReturnType<typeof readCall>): void {
  for (const one of told) {
    if (one.type === 'name') {
      const id = `call_${randomText(24)}`
      openBlock(reading, { type: 'call', id, name: one.name })
      reading.hasCalled = true
    } else if (one.type === 'arguments') {
      reading.events.push({ type: 'block-delta', text: one.text })
    } else closeBlock(reading)
  }
}

/** Tells text of a thought or of the answer; white space around either is told only between words. */
function say(reading: AnswerReading, text: string): void {
  const type = reading.phase === 'thought' ? 'reasoning' : 'text'
  const { isContinued } = reading.expected
  const trims = reading.open === undefined && !isContinued
  const said = trims ? text.trimStart() : reading.blank + text
  const words = said.trimEnd()
  if (words === '') {
    reading.blank = trims ? '' : said
    return
  }
  if (reading.open === undefined) openBlock(reading, { type })
  grow(reading, words)
  reading.blank = said.slice(words.length)
}

function grow(reading: AnswerReading, text: string): void {
  reading.blank = ''
  if (text === '') return
  const isScored = reading.open === 'text' && reading.logprobs.length > 0
  reading.events.push({
    type: 'block-delta',
    text,
    ...(isScored ? { logprobs: reading.logprobs } : {}),
  })
  reading.logprobs = []
}

function openBlock(reading: AnswerReading, block: BlockStart): void {
  closeBlock(reading)
  reading.open = block.type
  reading.events.push({ type: 'block-start', block })
}

function closeBlock(reading: AnswerReading): void {
  if (reading.open !== undefined) reading.events.push({ type: 'block-end' })
  reading.open = undefined
}
