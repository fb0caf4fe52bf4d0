import { GatewayError } from '#chat/error.ts'
import type { ChatEvent } from '#chat/event.ts'
import type { ProtocolName } from '#chat/names.ts'
import type { StreamDecoder } from '#protocols/protocol.ts'
import { FrameCutter } from '#std/frame-cutter.ts'
import { isObject, parseJson } from '#std/json.ts'
import { type SseFrame, SseReader } from '#std/sse.ts'
import { told } from '#test/chat-answers.ts'
import { type Chance } from '#test/crash/seeded.ts'
import { checkEvents, readChatStream, readMessagesStream } from '#test/grammars.ts'

import { byName, type Lane, openLanes, protocolNames } from './lanes.ts'
import { referenceFrames } from './reference-sse.ts'

/**
 * Holds a stream against everything that is promised of it, however its bytes are cut: the fast reader says what the
 * slow one does, nothing but a `GatewayError` is thrown, events follow their grammar, every encoder's words pass the
 * strict readers, and nobody is shown the end of an answer that failed. Throws an Error that names the first offence.
 */
export function checkStream(bytes: Uint8Array, chance: Chance): void {
  const expected = JSON.stringify(referenceFrames(bytes))
  const cuts = cutsOf(bytes.length, chance)
  for (const cut of cuts) {
    const reads = piecesOf(bytes, cut)
    must(JSON.stringify(framesOf(reads)) === expected, `the reader differs from the standard`, cut)
    if (cut !== cuts[1] || bytes.length < 300) checkCutter(reads, expected, cut)
  }
  // On the passed lanes frames are read one by one, and a mark at the start of any of them is skipped.
  const hasMark = Buffer.from(bytes).lastIndexOf('\uFEFF') > 0
  const [whole = [], single = [], ...some] = cuts
  const laneCuts = [whole, ...(chance.in(bytes.length < 300 ? 1 : 0.1) ? [single] : []), ...some]
  for (const lane of openLanes) if (!hasMark || !lane.isPassed) checkLane(lane, bytes, laneCuts)
}

/** One piece; single bytes; a few at random; and for short streams one cut at each of some places. */
function cutsOf(length: number, chance: Chance): number[][] {
  const single = Array.from({ length: Math.max(0, length - 1) }, (_, at) => at + 1)
  const some = Array.from({ length: 2 }, () =>
    single.filter(() => chance.in(4 / Math.max(4, length))),
  )
  const ones = single.length <= 40 ? single.map((at) => [at]) : []
  return [[], single, ...some, ...ones]
}

function piecesOf(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const edges = [0, ...cuts, bytes.length]
  return edges.slice(1).map((edge, at) => bytes.slice(edges[at], edge))
}

function framesOf(reads: readonly Uint8Array[]): SseFrame[] {
  const reader = new SseReader()
  return [...reads.flatMap((read) => reader.push(read)), ...reader.end()]
}

function checkCutter(
  reads: readonly Uint8Array[],
  expected: string,
  cuts: readonly number[],
): void {
  const cutter = new FrameCutter()
  const pieces = [...reads.map((read) => Buffer.from(cutter.push(read))), cutter.rest()]
  must(
    Buffer.concat(pieces).equals(Buffer.concat(reads)),
    'the cutter gives other bytes than it was given',
    cuts,
  )
  // A mark at the start of a later piece is no mark but a character, which a reader of the piece alone cannot know.
  const hasMark = Buffer.concat(reads).lastIndexOf('\uFEFF') > 0
  const frames = pieces.flatMap((piece) => referenceFrames(piece))
  must(hasMark || JSON.stringify(frames) === expected, 'the cutter cuts inside a frame', cuts)
}

interface Outcome {
  readonly events: readonly ChatEvent[]
  readonly said: string
  readonly failure: GatewayError | undefined
}

function checkLane(lane: Lane, bytes: Uint8Array, cuts: readonly (readonly number[])[]): void {
  let first: string | undefined
  const read = rememberingFrames()
  for (const cut of cuts) {
    const outcome = outcomeOf(lane, piecesOf(bytes, cut))
    const summary = summaryOf(outcome, read)
    first ??= summary
    must(
      summary === first,
      `${lane.name}: it depends on where the reads are cut`,
      cut,
      () => `${first}\n${summary}`,
    )
    if (cut.length === 0) checkOutcome(lane, outcome)
  }
}

/**
 * What of an outcome may not depend on cuts: events, what a client reads, and the failure. Ids that we made up are new each
 * time, and the words before an answer's beginning are nobody's if it fails: the status line is still held.
 */
function summaryOf(
  { events, said, failure }: Outcome,
  read: (said: string) => readonly SseFrame[],
): string {
  const isNobodys = failure !== undefined && events.length === 0
  const frames = isNobodys ? [] : read(said)
  const summary = JSON.stringify([events, frames, failure?.code, failure?.message], undefined)
  return summary.replaceAll(/\b(call|toolu|srvtoolu)_\w{16,}/g, '$1_new')
}

/** What a client reads. The judge is slow, and the words of a stream are nearly always the same wherever it was cut. */
function rememberingFrames(): (said: string) => readonly SseFrame[] {
  let last: { readonly said: string; readonly frames: readonly SseFrame[] } | undefined
  return (said) => {
    if (last?.said !== said)
      last = { said, frames: untilTheEnd(referenceFrames(Buffer.from(said, 'latin1'))) }
    return last.frames
  }
}

/** What comes in the same read as the end of an answer goes with it; clients have left by then. */
function untilTheEnd(frames: readonly SseFrame[]): readonly SseFrame[] {
  const end = frames.findIndex(({ data }) => isTerminator(data))
  return end === -1 ? frames : frames.slice(0, end + 1)
}

function outcomeOf(lane: Lane, reads: readonly Uint8Array[]): Outcome {
  const events: ChatEvent[] = []
  const said: string[] = []
  const decoder = lane.open()
  let ends = 0
  const take = (steps: ReturnType<StreamDecoder['end']>): void => {
    for (const { means, said: words = '' } of steps) {
      must(ends === 0, `${lane.name}: a step follows the last one`)
      events.push(...means)
      if (means.some(({ type }) => type === 'answer-end')) ends += 1
      must(ends === 0 || means.length === 1, `${lane.name}: the end is no step of its own`)
      if (words.length > 0) said.push(Buffer.from(words).toString('latin1'))
    }
  }
  try {
    for (const read of reads) take(decoder.push(read))
    take(decoder.end())
  } catch (error) {
    if (!(error instanceof GatewayError)) throw wrapped(lane, error)
    must(error.code !== 'internal', `${lane.name}: an internal failure: ${error.message}`)
    return { events, said: said.join(''), failure: error }
  }
  return { events, said: said.join(''), failure: undefined }
}

function wrapped({ name }: Lane, error: unknown): Error {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return new Error(`${name} throws what is no GatewayError: ${text}`, { cause: error })
}

function checkOutcome(lane: Lane, { events, said, failure }: Outcome): void {
  const isWhole = failure === undefined
  const hasEnd = events.at(-1)?.type === 'answer-end'
  must(
    isWhole === hasEnd || (!isWhole && !hasEnd),
    `${lane.name}: ${isWhole ? 'no end' : 'an end'} and ${failure?.code ?? 'no failure'}`,
  )
  if (lane.isPassed) {
    must(
      saysTheEnd(said, lane.protocol) === isWhole,
      `${lane.name}: the words ${isWhole ? 'lack the end' : 'end a failed answer'}`,
    )
    checkUsage(lane, events)
    return
  }
  checkEvents(events, isWhole ? 'whole' : 'prefix')
  for (const protocol of protocolNames) checkTold(lane, protocol, events, isWhole)
}

/** Whether a client that reads by the standard sees the terminator of an answer. */
function saysTheEnd(said: string, protocol: ProtocolName): boolean {
  const frames = referenceFrames(Buffer.from(said, 'latin1'))
  return frames.some(
    ({ data }) => isTerminator(data) && (data === '[DONE]') === (protocol === 'chat-completions'),
  )
}

function isTerminator(data: string): boolean {
  const parsed = parseJson(data)
  return (
    data === '[DONE]' ||
    (parsed.ok && isObject(parsed.value) && parsed.value['type'] === 'message_stop')
  )
}

function checkUsage({ name }: Lane, events: readonly ChatEvent[]): void {
  for (const event of events) {
    if (event.type !== 'usage') continue
    const counts = Object.values(event.usage)
    must(
      counts.every((count) => Number.isSafeInteger(count) && count >= 0),
      `${name}: usage ${JSON.stringify(event.usage)}`,
    )
  }
}

/** What is understood can be told in either protocol: well-formed to the last byte, or broken off. */
function checkTold(
  lane: Lane,
  protocol: ProtocolName,
  events: readonly ChatEvent[],
  isWhole: boolean,
): void {
  const encoder = byName[protocol].encodeStream(told)
  const name = `${lane.name} told in ${protocol}`
  let said = ''
  let failure: GatewayError | undefined = isWhole
    ? undefined
    : new GatewayError('upstream-lost', 'It broke off.')
  try {
    for (const event of events) said += encoder.push([event])
  } catch (error) {
    if (!(error instanceof GatewayError)) throw wrapped({ ...lane, name }, error)
    failure = error
  }
  if (failure !== undefined) said += byName[protocol].encodeStreamError(failure, 'req_1')
  const read =
    protocol === 'messages' ? readMessagesStream(said) : readChatStream(said, { wantsUsage: true })
  must((read.outcome === 'complete') === (failure === undefined), `${name}: ${read.outcome}`)
}

function must(
  holds: boolean,
  offence: string,
  cuts?: readonly number[],
  more: () => string = () => '',
): asserts holds {
  if (holds) return
  const where = cuts === undefined ? '' : ` (cut at ${cuts.slice(0, 20).join(', ') || 'nothing'})`
  throw new Error(`${offence}${where}\n${more()}`)
}
