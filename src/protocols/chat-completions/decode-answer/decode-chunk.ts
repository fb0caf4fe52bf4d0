import { GatewayError } from '#chat/error.ts'
import type { AnswerEnd, ChatEvent } from '#chat/event.ts'
import { BlockLine } from '#protocols/block-line.ts'
import { decodeUsage, exceedsPrompt } from '#protocols/chat-completions/usage.ts'
import { objectIn, partsIn, textIn } from '#protocols/chat-completions/wire.ts'
import { given } from '#protocols/given.ts'
import type { Heard } from '#protocols/protocol.ts'
import { listIn } from '#std/json.ts'
import type { JsonObject } from '#std/json.ts'

import {
  decodeEnding,
  finishIn,
  laterFinish,
  refuseFailure,
  stopSequenceIn,
} from './decode-ending.ts'
import { failureIn } from './decode-error.ts'
import { readThoughts, type ThoughtForm } from './decode-thoughts.ts'
import { ToolSlots } from './tool-slots.ts'

/** An answer while it is read, from the chunks of a stream or from one reply. */
export interface Reading {
  readonly heard: Heard
  /** What is understood and not yet handed on. */
  readonly events: ChatEvent[]
  readonly line: BlockLine
  readonly slots: ToolSlots
  hasStarted: boolean
  id: string
  model: string
  /** How the server tells its thoughts, settled by the first one: the same thought often comes in two forms. */
  thoughtForm: ThoughtForm | undefined
  /** Whether any chunk had a delta: then a message beside them only repeats the whole. */
  hasDeltas: boolean
  /** What messages in place of deltas have said so far. */
  messageText: string
  finish: string | undefined
  stopSequence: string | undefined
}

export function newReading(heard: Heard): Reading {
  const events: ChatEvent[] = []
  const line = new BlockLine(events)
  return {
    heard,
    events,
    line,
    slots: new ToolSlots(line),
    hasStarted: false,
    id: '',
    model: '',
    thoughtForm: undefined,
    hasDeltas: false,
    messageText: '',
    finish: undefined,
    stopSequence: undefined,
  }
}

/**
 * Takes in one chunk, or one reply. Every member is read on its own, since servers put any of them together.
 * Throws the failure that the chunk tells of, after what else it said has been taken in.
 */
export function readChunk(reading: Reading, chunk: JsonObject, isNamedError = false): void {
  const failure = failureIn(chunk, isNamedError)
  const choices = choicesIn(chunk)
  refuseSecondAnswer(reading, chunk, choices)
  identify(reading, chunk)
  const usage = usageIn(chunk, choices)
  const startsNow = !reading.hasStarted && choices.length > 0 && failure === undefined
  if (startsNow) start(reading)
  if (startsNow) readUsage(reading, usage)
  for (const choice of choices) {
    if (isFirst(reading, choice)) readChoice(reading, choice, failure === undefined)
  }
  if (!startsNow && reading.hasStarted) readUsage(reading, usage)
  if (failure !== undefined) throw failure
}

/** The choices of a chunk, in a list of its own. */
export function choicesIn(chunk: JsonObject): readonly JsonObject[] {
  const choices: JsonObject[] = []
  for (const item of listIn(chunk['choices'])) {
    const choice = objectIn(item)
    if (choice !== undefined) choices.push(choice)
  }
  return choices
}

/** The answer is over: tells what was held back, and how it ended. */
export function endReading(reading: Reading): AnswerEnd {
  const { line, events, finish, stopSequence } = reading
  line.finish()
  const { end, note: what } = decodeEnding(finish, {
    hasCalls: line.hasCalls,
    hasRefusal: line.hasRefusal,
    ...given('stopSequence', stopSequence),
  })
  if (what !== undefined) note(events, 'answer.finish_reason', what)
  return end
}

// Some servers send a first chunk without id, model or choices; the first that has them counts.
function identify(reading: Reading, chunk: JsonObject): void {
  if (reading.hasStarted) return
  if (reading.id === '') reading.id = textIn(chunk['id'])
  if (reading.model === '') reading.model = textIn(chunk['model'])
}

/** After its end an answer goes on only as itself: another id that takes up a role is another answer. */
function refuseSecondAnswer(
  { finish, id }: Reading,
  chunk: JsonObject,
  choices: readonly JsonObject[],
): void {
  const otherId = textIn(chunk['id'])
  if (finish === undefined || id === '' || otherId === '' || otherId === id) return
  const takesRole = choices.some((choice) => textIn(objectIn(choice['delta'])?.['role']) !== '')
  if (takesRole) {
    throw new GatewayError('upstream-failed', 'The upstream ran two answers into one stream.')
  }
}

function start(reading: Reading): void {
  reading.hasStarted = true
  reading.events.push({
    type: 'answer-start',
    ...given('id', reading.id || undefined),
    ...given('model', reading.model || undefined),
  })
}

/** The usage of a chunk or reply, wherever the server puts it. */
export function usageIn(chunk: JsonObject, choices: readonly JsonObject[]): unknown {
  return (
    chunk['usage'] ??
    choices.find((choice) => choice['usage'] !== undefined)?.['usage'] ??
    objectIn(chunk['x_groq'])?.['usage']
  )
}

function readUsage({ events, heard }: Reading, wire: unknown): void {
  const usage = decodeUsage(wire, heard.target.profile.family)
  if (usage === undefined) return
  if (exceedsPrompt(wire)) note(events, 'answer.usage', 'more cached than sent, input told as 0')
  events.push({ type: 'usage', usage })
}

function isFirst({ events }: Reading, { index }: JsonObject): boolean {
  if (typeof index !== 'number' || index === 0) return true
  note(events, 'answer.choices', 'only the first told')
  return false
}

function readChoice(reading: Reading, choice: JsonObject, isSound: boolean): void {
  if (!reading.hasStarted) return
  const delta = deltaIn(reading, choice)
  if (delta !== undefined) readDelta(reading, delta)
  if (isSound) readFinish(reading, choice)
}

/** What a choice adds. Some servers say `message` for `delta`, or repeat the whole message at the end. */
function deltaIn(reading: Reading, choice: JsonObject): JsonObject | undefined {
  const delta = objectIn(choice['delta'])
  const message = objectIn(choice['message'])
  if (delta !== undefined && (message === undefined || Object.keys(delta).length > 0)) {
    reading.hasDeltas = true
    return delta
  }
  if (message === undefined || reading.hasDeltas) return undefined
  const text = textIn(message['content'])
  const isRepeated = text !== '' && text === reading.messageText && finishIn(choice) !== ''
  if (isRepeated) return undefined
  reading.messageText += text
  return message
}

function readDelta(reading: Reading, delta: JsonObject): void {
  readThoughts(reading, delta)
  readContent(reading, delta['content'])
  reading.line.say('refusal', textIn(delta['refusal']))
  for (const call of listIn(delta['tool_calls'])) readCall(reading, objectIn(call))
  const legacy = objectIn(delta['function_call'])
  if (legacy !== undefined) readCall(reading, { index: 0, function: legacy })
  if (listIn(delta['annotations']).length > 0) {
    note(reading.events, 'answer.annotations', 'dropped')
  }
  if (objectIn(delta['audio'])?.['data'] !== undefined) {
    throw new GatewayError('upstream-failed', 'The upstream answered with audio, not with text.')
  }
}

function readContent(reading: Reading, content: unknown): void {
  if (typeof content === 'string') return reading.line.say('text', content)
  for (const part of partsIn(content)) reading.line.say(part.type, part.text)
}

function readCall({ heard, line, slots }: Reading, call: JsonObject | undefined): void {
  if (call === undefined) return
  const named = objectIn(call['function']) ?? objectIn(call['custom']) ?? {}
  const index = call['index']
  const sentName = textIn(named['name'])
  const piece = {
    index: typeof index === 'number' ? index : undefined,
    id: textIn(call['id']),
    name: heard.names.get(sentName) ?? sentName,
    arguments: argumentsIn(named['arguments'] ?? named['input']),
  }
  if (piece.id === '' && piece.name === '' && piece.arguments === '') return
  const block = slots.callOf(piece)
  const extra = objectIn(call['extra_content'])
  if (extra !== undefined) {
    const { family } = heard.target.profile
    line.markCall(block, { family, kind: 'extra', data: JSON.stringify(extra) })
  }
  // Arguments that come as an object come whole, and from some servers with every chunk.
  const isRepeated = objectIn(named['arguments']) !== undefined && block.progress.state === 'whole'
  line.growCall(block, isRepeated && !block.mayBePlaceholder ? '' : piece.arguments)
}

function argumentsIn(value: unknown): string {
  return objectIn(value) === undefined ? textIn(value) : JSON.stringify(value)
}

function readFinish(reading: Reading, choice: JsonObject): void {
  reading.stopSequence = stopSequenceIn(choice) ?? reading.stopSequence
  const said = finishIn(choice)
  if (said === '') return
  refuseFailure(said)
  reading.finish = laterFinish(reading.finish, said)
}

function note(events: ChatEvent[], field: string, what: string): void {
  events.push({ type: 'note', field, what })
}
