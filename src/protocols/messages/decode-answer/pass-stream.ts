import type { AnswerEnd, ChatEvent } from '#chat/event.ts'
import type { Step } from '#chat/step.ts'
import { noReport, takeReport, type Told, wholeUsage } from '#protocols/messages/usage.ts'
import { objectIn, textIn } from '#protocols/messages/wire.ts'
import type { StreamDecoder } from '#protocols/protocol.ts'
import { indexIn } from '#protocols/read-bytes.ts'
import { FrameCutter, frameEnd, frameStart } from '#std/frame-cutter.ts'
import { isObject, type JsonObject, parseJson } from '#std/json.ts'
import { SseReader } from '#std/sse.ts'

import { type Ending, passedEnding, readEnding } from './decode-ending.ts'
import { decodeToldError, isErrorBody, lost, nonsense, unreadable } from './decode-error.ts'
import { startOf } from './decode-reply.ts'

/**
 * Passes a stream on to a caller of the same protocol: every byte as it came, cut only between frames. Frames are
 * searched for the few words that matter to accounting, and parsed only where one stands.
 */
export function passStream(): StreamDecoder {
  const cutter = new FrameCutter()
  const soFar: SoFar = { state: 'waiting', ending: {}, told: noReport, reader: new SseReader() }
  return {
    push: (read) => (hasEnded(soFar) ? [] : stepsOf(soFar, wholeFrames(cutter, read))),
    *end() {
      yield* lastStep(soFar, cutter.rest())
      if (!hasEnded(soFar)) throw lost()
    },
  }
}

/** What is known of an answer while it passes. */
interface SoFar {
  state: 'waiting' | 'speaking' | 'ended'
  ending: Ending
  told: Told
  readonly reader: SseReader
}

function hasEnded(soFar: SoFar): boolean {
  return soFar.state === 'ended'
}

/** Every event that starts, counts, ends or breaks an answer has one of these in its name. */
const marks = [Buffer.from('message_'), Buffer.from('error')] as const

const blankLine = Buffer.from('\n\n')

function wholeFrames(cutter: FrameCutter, read: Uint8Array): Uint8Array {
  try {
    return cutter.push(read)
  } catch (error) {
    throw unreadable(error)
  }
}

/** A last frame whose blank line is missing is given one: the official clients drop it otherwise. */
function* lastStep(soFar: SoFar, rest: Buffer): Generator<Step> {
  if (rest.length === 0 || hasEnded(soFar)) return
  const bytes = Buffer.concat([rest, blankLine])
  const isWhole = soFar.reader.push(bytes).every(({ data }) => parseJson(data).ok)
  if (isWhole) yield* stepsOf(soFar, bytes)
}

/** One step for the read; the frame that ends the answer, and what comes with it, in a step of its own. */
function stepsOf(soFar: SoFar, bytes: Uint8Array): Iterable<Step> {
  const found = look(soFar, bytes)
  const { means, cut, end, failure } = found
  const said = cut === bytes.length ? bytes : bytes.subarray(0, cut)
  const steps = cut > 0 ? [{ means, said }] : []
  return failure === undefined && end === undefined ? steps : stopped(steps, bytes, found)
}

function* stopped(
  steps: readonly Step[],
  bytes: Uint8Array,
  { cut, end, failure }: Found,
): Generator<Step> {
  yield* steps
  if (failure !== undefined) throw failure
  if (end !== undefined) yield { means: [end], said: bytes.subarray(cut) }
}

interface Found {
  readonly means: ChatEvent[]
  /** Where the frame begins that ends or breaks the answer; the length if none does. */
  cut: number
  end?: AnswerEnd
  failure?: unknown
}

function look(soFar: SoFar, bytes: Uint8Array): Found {
  const found: Found = { means: [], cut: bytes.length }
  if (soFar.state === 'waiting' && !beginsWell(bytes))
    return { ...found, cut: 0, failure: nonsense('frames that are no JSON') }
  let message = indexIn(bytes, marks[0])
  let error = indexIn(bytes, marks[1])
  for (let mark = first(message, error); mark !== -1; mark = first(message, error)) {
    const start = frameStart(bytes, mark)
    const end = frameEnd(bytes, mark)
    try {
      takeFrame(soFar, bytes.subarray(start, end), found.means)
    } catch (thrown) {
      return { ...found, cut: start, failure: unreadable(thrown) }
    }
    if (hasEnded(soFar)) return { ...found, cut: start, end: passedEnding(soFar.ending) }
    message = nextFrom(bytes, end, { at: message, mark: marks[0] })
    error = nextFrom(bytes, end, { at: error, mark: marks[1] })
  }
  return found
}

const decisive = /^message_(?:start|delta|stop)$/

/** Before the answer has started, a frame that nobody can read shows that none will come. */
function beginsWell(bytes: Uint8Array): boolean {
  const reader = new SseReader()
  for (const { event, data } of [...reader.push(bytes), ...reader.end()]) {
    if (event === 'error') return true
    if (data.trim() === '') continue
    const parsed = parseJson(data)
    if (!parsed.ok) return false
    if (isErrorBody(parsed.value) || decisive.test(textIn(objectIn(parsed.value)['type'])))
      return true
  }
  return true
}

/** Where the next mark is of the two, or -1. */
function first(message: number, error: number): number {
  return message === -1 || error === -1 ? Math.max(message, error) : Math.min(message, error)
}

/** Where a mark is from an offset on. One that is known to lie there, or not to be there, is not looked for again. */
function nextFrom(bytes: Uint8Array, from: number, known: { at: number; mark: Buffer }): number {
  return known.at === -1 || known.at >= from ? known.at : indexIn(bytes, known.mark, from)
}

function takeFrame(soFar: SoFar, bytes: Uint8Array, means: ChatEvent[]): void {
  for (const { event, data } of [...soFar.reader.push(bytes), ...soFar.reader.end()]) {
    const value: unknown = data === '' ? undefined : JSON.parse(data)
    if (event === 'error' || isErrorBody(value)) throw decodeToldError(data)
    if (isObject(value)) takeEvent(soFar, value, means)
  }
}

function takeEvent(soFar: SoFar, event: JsonObject, means: ChatEvent[]): void {
  const type = event['type']
  if (type === 'message_start') {
    if (soFar.state !== 'waiting') throw nonsense('a second message_start')
    soFar.state = 'speaking'
    const message = objectIn(event['message'])
    means.push(startOf(message))
    report(soFar, message['usage'], means)
  } else if (type === 'message_delta') {
    if (soFar.state === 'waiting') throw nonsense('message_delta before message_start')
    soFar.ending = readEnding(soFar.ending, objectIn(event['delta']))
    report(soFar, event['usage'], means)
  } else if (type === 'message_stop') {
    if (soFar.state === 'waiting') throw nonsense('message_stop before message_start')
    soFar.state = 'ended'
  }
}

function report(soFar: SoFar, wire: unknown, means: ChatEvent[]): void {
  const told = takeReport(soFar.told, wire)
  if (told === undefined) return
  soFar.told = told
  means.push({ type: 'usage', usage: wholeUsage(told) })
}
