import type { ChatEvent } from '#chat/event.ts'
import type { Step } from '#chat/step.ts'
import { noReport, takeReport, type Told, wholeUsage } from '#protocols/messages/usage.ts'
import { objectIn, textIn, type WireEvent } from '#protocols/messages/wire.ts'
import type { Heard, StreamDecoder } from '#protocols/protocol.ts'
import { brandAs } from '#std/brand.ts'
import { isObject, type JsonObject, parseJson, type RawJson, rawAt } from '#std/json.ts'
import { type SseFrame, SseReader } from '#std/sse.ts'

import {
  closeBlock,
  type EventText,
  growBlock,
  nameOf,
  type OpenBlock,
  openBlock,
} from './decode-block.ts'
import { decodeEnding, type Ending, readEnding } from './decode-ending.ts'
import { decodeToldError, isErrorBody, lost, nonsense, unreadable } from './decode-error.ts'
import { startOf } from './decode-reply.ts'

/**
 * Reads a stream of this protocol that is told again in another. Strict about order, since a block in the wrong
 * place cannot be told at all; tolerant of events and fragments that it does not know, which are noted.
 */
export function decodeStream(heard: Heard): StreamDecoder {
  const reader = new SseReader()
  const soFar: SoFar = {
    heard,
    means: [],
    state: 'waiting',
    callIds: new Set(),
    open: undefined,
    ending: {},
    told: noReport,
  }
  return {
    push: (read) => stepsOf(soFar, () => reader.push(read)),
    *end() {
      // A last frame that was cut in two is the sign of a lost upstream, not of nonsense.
      yield* stepsOf(soFar, () => reader.end().filter(({ data }) => parseJson(data).ok))
      if (soFar.state !== 'ended') throw lost()
    },
  }
}

/** What is known of an answer while it comes. */
interface SoFar {
  readonly heard: Heard
  /** What the current read has meant so far. */
  means: ChatEvent[]
  state: 'waiting' | 'speaking' | 'ended'
  readonly callIds: Set<string>
  open: OpenBlock | undefined
  ending: Ending
  told: Told
}

/** Says what the frames before a failure meant, then fails. */
function* stepsOf(soFar: SoFar, frames: () => readonly SseFrame[]): Generator<Step> {
  let failure: unknown
  try {
    for (const frame of frames()) takeFrame(soFar, frame)
  } catch (error) {
    failure = error
  }
  yield* takeSteps(soFar)
  if (failure !== undefined) throw unreadable(failure)
}

/** The end of an answer comes in a step of its own. */
function* takeSteps(soFar: SoFar): Generator<Step> {
  const { means } = soFar
  if (means.length === 0) return
  soFar.means = []
  const last = means.at(-1)
  if (last?.type !== 'answer-end') {
    yield { means }
    return
  }
  if (means.length > 1) yield { means: means.slice(0, -1) }
  yield { means: [last] }
}

function takeFrame(soFar: SoFar, frame: SseFrame): void {
  if (soFar.state === 'ended') return
  if (frame.isComment || frame.data === '') return beIdle(soFar)
  // Some servers of the other protocol's habits end with it; the message must have ended before.
  if (frame.data === '[DONE]') return
  const value: unknown = JSON.parse(frame.data)
  if (!isObject(value)) throw nonsense('an event that is no object')
  if (frame.event === 'error' || isErrorBody(value)) throw decodeToldError(frame.data)
  takeEvent(soFar, { value, text: frame.data }, textIn(value['type']) || frame.event)
}

function takeEvent(soFar: SoFar, event: EventText, type: string): void {
  const handler = handlers.get(type)
  if (soFar.state === 'waiting' && handler !== undefined && !early.has(type)) {
    throw nonsense(`${type} before message_start`)
  }
  if (handler !== undefined) handler(soFar, event)
  // Nothing can be noted before the start.
  else if (soFar.state === 'speaking') note(soFar, `${nameOf(type)} left out`)
}

type Handler = (soFar: SoFar, event: EventText) => void

/** What each event of the protocol does to what is known of the answer. */
const handlers: ReadonlyMap<string, Handler> = new Map(
  Object.entries({
    message_start: begin,
    content_block_start: open,
    content_block_delta: grow,
    content_block_stop: stop,
    message_delta: takeDelta,
    message_stop: end,
    ping: beIdle,
    error: fail,
  } satisfies Record<WireEvent['type'], Handler>),
)

/** The events that may come before the answer has started. */
const early: ReadonlySet<string> = new Set(['message_start', 'ping', 'error'])

function begin(soFar: SoFar, { value }: EventText): void {
  if (soFar.state !== 'waiting') throw nonsense('a second message_start')
  const message = objectIn(value['message'])
  soFar.state = 'speaking'
  soFar.means.push(startOf(message))
  report(soFar, message['usage'])
}

function open(soFar: SoFar, { value, text }: EventText): void {
  close(soFar)
  const block = objectIn(value['content_block'])
  const source = {
    block,
    index: value['index'],
    text: () => rawAt(text, ['content_block']) ?? brandAs<RawJson>('{}'),
    callIds: soFar.callIds,
  }
  soFar.open = openBlock(source, soFar.heard, soFar.means)
}

function grow(soFar: SoFar, event: EventText): void {
  const block = theOpen(soFar, event.value)
  if (block === undefined) throw nonsense('a fragment of a block that is not open')
  growBlock(block, event, soFar.means)
}

function stop(soFar: SoFar, { value }: EventText): void {
  if (soFar.open === undefined) return
  if (theOpen(soFar, value) === undefined) throw nonsense('the end of a block that is not open')
  close(soFar)
}

function takeDelta(soFar: SoFar, { value }: EventText): void {
  soFar.ending = readEnding(soFar.ending, objectIn(value['delta']))
  report(soFar, value['usage'])
}

function fail(_soFar: SoFar, { text }: EventText): void {
  throw decodeToldError(text)
}

function note(soFar: SoFar, what: string): void {
  soFar.means.push({ type: 'note', field: 'answer', what })
}

function end(soFar: SoFar): void {
  close(soFar)
  soFar.means.push(...decodeEnding(soFar.ending, soFar.callIds.size > 0))
  soFar.state = 'ended'
}

/** The open block, if the event is about it. Servers that do not count their blocks mean the open one. */
function theOpen(soFar: SoFar, event: JsonObject): OpenBlock | undefined {
  const index = event['index']
  return index === undefined || index === soFar.open?.index ? soFar.open : undefined
}

function close(soFar: SoFar): void {
  if (soFar.open === undefined) return
  closeBlock(soFar.open, soFar.heard, soFar.means)
  soFar.open = undefined
}

function report(soFar: SoFar, wire: unknown): void {
  const told = takeReport(soFar.told, wire)
  if (told === undefined) return
  soFar.told = told
  soFar.means.push({ type: 'usage', usage: wholeUsage(told) })
}

// Nothing may come before the start of the answer, a sign of life included.
function beIdle(soFar: SoFar): void {
  if (soFar.state === 'speaking') soFar.means.push({ type: 'idle' })
}
