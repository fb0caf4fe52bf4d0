import type { Family } from '#chat/conversation.ts'
import { GatewayError } from '#chat/error.ts'
import type { ChatEvent } from '#chat/event.ts'
import type { ChatRequest } from '#chat/request.ts'
import type { Step } from '#chat/step.ts'
import type { Usage } from '#chat/usage.ts'
import { decodeUsage } from '#protocols/chat-completions/usage.ts'
import { objectIn } from '#protocols/chat-completions/wire.ts'
import type { StreamDecoder } from '#protocols/protocol.ts'
import { asBuffer, indexIn } from '#protocols/read-bytes.ts'
import { FrameCutter, frameEnd, frameStart } from '#std/frame-cutter.ts'
import { type JsonObject, parseJson, listIn } from '#std/json.ts'
import type { SseFrame } from '#std/sse.ts'

import { choicesIn, usageIn } from './decode-chunk.ts'
import { finishIn, laterFinish, passedEnding, refuseFailure } from './decode-ending.ts'
import { failureIn, failureOf, lost, nonsense, unreadable } from './decode-error.ts'
import { framesIn, frameFinder, type FramePlace } from './frame-at.ts'
import { type Cut, isNullMember, memberCut, skipBlank, without } from './frame-cuts.ts'
import { MissingUsage } from './missing-usage.ts'
import { startOf } from './pass-reply.ts'

/**
 * Passes a stream on to a caller of the same protocol: every byte as it came, cut only between frames. Frames are
 * searched for the few words that matter, and parsed only where one stands. Taken out are `"error":null`, which
 * clients mistake for a failure, and the usage, where only the gateway asked for it; added is a usage that the caller
 * asked for and the upstream left out.
 */
export function passStream(request: ChatRequest, family?: Family): StreamDecoder {
  const cutter = new FrameCutter()
  const soFar: SoFar = {
    family,
    hidesUsage: !request.wantsUsage,
    missing: request.wantsUsage ? new MissingUsage(request) : undefined,
    hasStarted: false,
    isOver: false,
    finish: undefined,
    choices: request.choices ?? 1,
    finished: new Set(),
  }
  return {
    push: (read) => (soFar.isOver ? [] : stepsOf(soFar, wholeFrames(cutter, read))),
    *end() {
      if (!soFar.isOver) yield* lastSteps(soFar, cutter.rest())
    },
  }
}

/** What is known of an answer while it passes. */
interface SoFar {
  readonly family: Family | undefined
  readonly hidesUsage: boolean
  /** Until the upstream tells a usage that the caller is to be told. */
  missing: MissingUsage | undefined
  hasStarted: boolean
  /** Set by `[DONE]`: nothing after it goes on. */
  isOver: boolean
  finish: string | undefined
  /** How many answers were asked for. */
  readonly choices: number
  /** Which of them have finished, where there are several. */
  readonly finished: Set<unknown>
}

/** What one read holds: what it tells accounting, what is taken out of it, and what stops it. */
interface Found {
  readonly means: ChatEvent[]
  readonly cuts: Cut[]
  /** Where the frame begins that ends or breaks the answer; the length if none does. */
  stop: number
  done?: Uint8Array | string
  failure?: unknown
}

const doneText = 'data: [DONE]\n\n'
const blankLine = Buffer.from('\n\n')
const doneMark = Buffer.from('[DONE]')
const errorMark = Buffer.from('error')
const finishMark = Buffer.from('"finish_reason":')
const usageMark = Buffer.from('"usage":')
const quote = 34

function wholeFrames(cutter: FrameCutter, read: Uint8Array): Uint8Array {
  try {
    return cutter.push(read)
  } catch (error) {
    throw unreadable(error)
  }
}

/** What the frames bring, in one step. */
function stepsOf(soFar: SoFar, bytes: Uint8Array): Iterable<Step> {
  if (bytes.length === 0) return []
  const found = look(soFar, bytes)
  const { means, cuts, stop, failure, done } = found
  const said = without(bytes, cuts, stop)
  soFar.missing?.add(said.length)
  const steps = said.length > 0 ? [{ means, said }] : means.length > 0 ? [{ means }] : []
  return failure === undefined && done === undefined ? steps : stopped(soFar, steps, found)
}

/** The end comes in a step of its own; a failure is thrown after what came before it. */
function* stopped(soFar: SoFar, steps: readonly Step[], found: Found): Generator<Step> {
  yield* steps
  if (found.done === undefined) throw found.failure
  if (!soFar.hasStarted) throw unanswered()
  yield lastStep(soFar, found.done)
}

/** The body is over. A last frame without its blank line counts if it is whole; a missing `[DONE]` is added. */
function* lastSteps(soFar: SoFar, rest: Buffer): Generator<Step> {
  if (rest.length > 0) {
    if (!framesIn(rest).every(isWhole)) throw lost()
    yield* stepsOf(soFar, Buffer.concat([rest, blankLine]))
  }
  if (soFar.isOver) return
  if (!hasFinished(soFar)) throw lost()
  yield lastStep(soFar, doneText)
}

function hasFinished({ finish, choices, finished }: SoFar): boolean {
  return choices > 1 ? finished.size >= choices : finish !== undefined
}

function lastStep(soFar: SoFar, done: Uint8Array | string): Step {
  soFar.isOver = true
  const said = soFar.missing === undefined ? done : soFar.missing.chunk() + doneText
  return { means: [passedEnding(soFar.finish)], said }
}

/** Each search goes only as far as the ones before it let the read go on. */
function look(soFar: SoFar, bytes: Uint8Array): Found {
  const found: Found = { means: [], cuts: [], stop: bytes.length }
  lookForDone(bytes, found)
  lookForErrors(bytes, found)
  if (!soFar.hasStarted) lookForStart(soFar, bytes, found)
  lookForFinish(soFar, bytes, found)
  lookForUsage(soFar, bytes, found)
  return found
}

function lookForDone(bytes: Uint8Array, found: Found): void {
  let at = indexIn(bytes, doneMark)
  while (at !== -1) {
    const start = frameStart(bytes, at)
    const end = frameEnd(bytes, at)
    const frame = bytes.subarray(start, end)
    if (framesIn(frame).some(({ data }) => data.trim() === '[DONE]')) {
      // Clients compare it unit for unit, so one that was said in another way is said again.
      const isExact = /^data: \[DONE\](?:\n\n|\r\n\r\n|\r\r)$/.test(
        asBuffer(frame).toString('latin1'),
      )
      found.stop = start
      found.done = isExact ? frame : doneText
      return
    }
    at = indexIn(bytes, doneMark, end)
  }
}

function lookForErrors(bytes: Uint8Array, found: Found): void {
  for (
    let at = indexIn(bytes, errorMark);
    isBefore(at, found);
    at = indexIn(bytes, errorMark, at + 1)
  ) {
    const value = nullMember(bytes, at)
    if (value !== -1 && isNullMember(bytes, at - 1, value)) {
      found.cuts.push(memberCut(bytes, at - 1, value))
      at = value
      continue
    }
    const start = frameStart(bytes, at)
    const end = frameEnd(bytes, at)
    const failure = framesIn(bytes.subarray(start, end)).map(failureOfFrame).find(isFailure)
    if (failure !== undefined) return fail(found, start, failure)
    at = end - 1
  }
}

/** Where the value begins if this is the key of `"error":null`, or -1. */
function nullMember(bytes: Uint8Array, at: number): number {
  if (bytes[at - 1] !== quote || bytes[at + 5] !== quote || bytes[at + 6] !== 58) return -1
  const value = skipBlank(bytes, at + 7)
  return isNull(bytes, value) ? value : -1
}

/** All four letters: half a word may be the end of a broken frame, and what follows is another one. */
function isNull(bytes: Uint8Array, at: number): boolean {
  return asBuffer(bytes).toString('latin1', at, at + 4) === 'null'
}

function failureOfFrame({ event, data }: SseFrame): GatewayError | undefined {
  const parsed = parseJson(data)
  if (parsed.ok) return failureIn(parsed.value, event === 'error')
  return event === 'error' ? failureOf({ error: data }) : undefined
}

function isFailure(failure: GatewayError | undefined): boolean {
  return failure !== undefined
}

/** The first chunk with a choice or a count names the answer. */
function lookForStart(soFar: SoFar, bytes: Uint8Array, found: Found): void {
  for (const { data } of framesIn(bytes.subarray(0, found.stop))) {
    if (data.trim() === '') continue
    const chunk = chunkIn(data)
    if (chunk === undefined) return fail(found, 0, nonsense(data))
    if (listIn(chunk['choices']).length === 0 && usageOf(soFar, chunk) === undefined) continue
    soFar.missing?.begin(chunk, data.length)
    return start(soFar, chunk, found)
  }
}

function start(soFar: SoFar, chunk: JsonObject, found: Found): void {
  if (soFar.hasStarted) return
  soFar.hasStarted = true
  found.means.push(startOf(chunk))
}

function lookForFinish(soFar: SoFar, bytes: Uint8Array, found: Found): void {
  let frameAt: ReturnType<typeof frameFinder> | undefined
  for (
    let at = indexIn(bytes, finishMark);
    isBefore(at, found);
    at = indexIn(bytes, finishMark, at + 1)
  ) {
    const value = skipBlank(bytes, at + finishMark.length)
    if (bytes[value] !== quote || bytes[value + 1] === quote) continue
    frameAt ??= frameFinder(bytes, finishMark)
    const { start, end, data } = frameAt(at)
    const close = indexIn(bytes, quote, value + 1)
    if (data === '' || close === -1 || close >= end) continue
    const said = asBuffer(bytes).toString('latin1', value + 1, close)
    const failure = failureOfWord(said)
    if (failure !== undefined) return fail(found, start, failure)
    soFar.finish = laterFinish(soFar.finish, said)
    if (soFar.choices > 1) noteFinished(soFar, data)
  }
}

function noteFinished({ finished }: SoFar, data: string): void {
  for (const choice of choicesIn(chunkIn(data) ?? {}))
    if (finishIn(choice) !== '') finished.add(choice['index'] ?? 0)
}

function failureOfWord(said: string): unknown {
  try {
    refuseFailure(said)
    return undefined
  } catch (error) {
    return error
  }
}

function lookForUsage(soFar: SoFar, bytes: Uint8Array, found: Found): void {
  let frameAt: ReturnType<typeof frameFinder> | undefined
  let last: { readonly frame: FramePlace; readonly isAlone: boolean } | undefined
  for (
    let at = indexIn(bytes, usageMark);
    isBefore(at, found);
    at = indexIn(bytes, usageMark, at + 1)
  ) {
    const value = skipBlank(bytes, at + usageMark.length)
    if (isNull(bytes, value)) {
      if (soFar.hidesUsage && isNullMember(bytes, at, value))
        found.cuts.push(memberCut(bytes, at, value))
      continue
    }
    frameAt ??= frameFinder(bytes, usageMark)
    const frame = frameAt(at)
    // A comment, or a field that nobody knows: clients do not read it either.
    if (frame.data === '') continue
    if (last?.frame !== frame) {
      const chunk = chunkIn(frame.data)
      if (chunk === undefined) return fail(found, frame.start, nonsense(frame.data))
      last = { frame, isAlone: takeUsage(soFar, chunk, found) }
    }
    const { isAlone } = last
    if (soFar.hidesUsage) {
      found.cuts.push(isAlone ? frame : memberCut(bytes.subarray(0, frame.end), at, value))
    }
    if (isAlone) at = frame.end - 1
  }
}

/** Reads the usage of a chunk, and says whether the chunk has nothing else. */
function takeUsage(soFar: SoFar, chunk: JsonObject, found: Found): boolean {
  const usage = usageOf(soFar, chunk)
  if (usage === undefined) return false
  soFar.missing = undefined
  start(soFar, chunk, found)
  found.means.push({ type: 'usage', usage })
  return choicesIn(chunk).length === 0
}

function usageOf({ family }: SoFar, chunk: JsonObject): Usage | undefined {
  return decodeUsage(usageIn(chunk, choicesIn(chunk)), family)
}

function isBefore(at: number, { stop }: Found): boolean {
  return at !== -1 && at < stop
}

function fail(found: Found, stop: number, failure: unknown): void {
  found.stop = stop
  found.failure = failure
  delete found.done
}

function isWhole({ data }: SseFrame): boolean {
  const text = data.trim()
  return text === '' || text === '[DONE]' || parseJson(text).ok
}

function chunkIn(data: string): JsonObject | undefined {
  const parsed = parseJson(data)
  return parsed.ok ? objectIn(parsed.value) : undefined
}

function unanswered(): GatewayError {
  return new GatewayError('upstream-failed', 'The upstream ended its stream without an answer.')
}
