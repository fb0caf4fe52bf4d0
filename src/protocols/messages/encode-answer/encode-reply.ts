import type { Opaque } from '#chat/conversation.ts'
import { GatewayError } from '#chat/error.ts'
import type { AnswerEnd, BlockStart, StopReason } from '#chat/event.ts'
import type { FoldedAnswer, FoldedBlock } from '#chat/folded-answer.ts'
import { addNote } from '#chat/note.ts'
import { wireStopReasons } from '#protocols/messages/stop-reason.ts'
import { encodeUsage } from '#protocols/messages/usage.ts'
import type { WireMessage } from '#protocols/messages/wire.ts'
import type { Told } from '#protocols/protocol.ts'
import { mintedSignature } from '#protocols/signature.ts'
import { assertNever } from '#std/never.ts'

import { inputOf } from './tool-input.ts'

/**
 * Says a whole answer. What this protocol cannot say is added to the notes of the answer. Throws `upstream-lost` for
 * an answer that has no end, and `upstream-failed` for a call whose arguments are no JSON object, unless it was cut.
 */
export function encodeReply(answer: FoldedAnswer, told: Told): string {
  const { end } = answer
  if (end === undefined) throw new GatewayError('upstream-lost', 'The answer has no end.')
  const head = messageHead(told.id, answer.model ?? told.model)
  const content = answer.blocks.flatMap((block) => blockTexts(block, { ...answer, end, told }))
  const tail = JSON.stringify({ ...encodeEnd(end), usage: encodeUsage(answer.usage) })
  return `${head},"content":[${content.join(',')}],${tail.slice(1)}`
}

/** The members that a message begins with, as an object still open. Clients look for the id at its very beginning. */
export function messageHead(id: string, model: string): string {
  return JSON.stringify({ id, type: 'message', role: 'assistant', model }).slice(0, -1)
}

/** How an answer ended, in the words of this protocol. */
export function encodeEnd(
  end: AnswerEnd,
): Pick<WireMessage, 'stop_reason' | 'stop_sequence' | 'stop_details'> {
  return {
    stop_reason: wireStopReasons[end.reason],
    stop_sequence: end.stopSequence ?? null,
    stop_details:
      end.reason === 'refusal'
        ? {
            type: 'refusal',
            category: end.refusalCategory ?? null,
            explanation: end.refusal ?? null,
          }
        : null,
  }
}

/** The signature that a thought is told with: its own if clients may send it back to its maker, else one of ours. */
export function signatureOf(marks: readonly Opaque[], { family = 'unknown' }: Told): string {
  const mark = marks.find(({ kind }) => kind === 'signature')
  return mark?.family === 'anthropic' ? mark.data : mintedSignature(mark?.family ?? family)
}

/** Thoughts that are told only as data. Those of another family would be refused when they come back. */
export function withheldIn(marks: readonly Opaque[]): readonly string[] {
  return marks
    .filter(({ kind, family }) => kind === 'redacted' && family === 'anthropic')
    .map(({ data }) => data)
}

/** An answer that was cut may hold a call that was cut: its reason says that nothing of it is to be run. */
export function maySayCutCall(reason: StopReason): boolean {
  return reason === 'length' || reason === 'context-full' || reason === 'refusal'
}

export function badArguments(): GatewayError {
  return new GatewayError(
    'upstream-failed',
    'The upstream called a tool with arguments that are no JSON object, so the call cannot be passed on. Try again.',
  )
}

/** A whole answer while it is told. */
interface Telling extends FoldedAnswer {
  readonly end: AnswerEnd
  readonly told: Told
}

function blockTexts(block: FoldedBlock, telling: Telling): string[] {
  const { start } = block
  switch (start.type) {
    case 'text':
    case 'refusal':
      return textTexts(block)
    case 'reasoning':
      return thoughtTexts(block, telling.told)
    case 'call':
      return [callText(start, inputText(block, telling))]
    case 'other':
      return [start.raw]
    default:
      return assertNever(start)
  }
}

function textTexts({ text, citations }: FoldedBlock): string[] {
  if (text === '' && citations.length === 0) return []
  const cited = citations.length === 0 ? '' : `,"citations":[${citations.join(',')}]`
  return [`{"type":"text","text":${JSON.stringify(text)}${cited}}`]
}

function thoughtTexts({ text, marks }: FoldedBlock, told: Told): string[] {
  const withheld = withheldIn(marks).map((data) =>
    JSON.stringify({ type: 'redacted_thinking', data }),
  )
  if (text === '' && !marks.some(({ kind }) => kind === 'signature')) return withheld
  const signature = signatureOf(marks, told)
  return [JSON.stringify({ type: 'thinking', thinking: text, signature }), ...withheld]
}

function inputText({ text }: FoldedBlock, { notes, end }: Telling): string {
  const input = inputOf(text)
  if (input !== undefined) return input
  if (!maySayCutCall(end.reason)) throw badArguments()
  addNote(notes, { field: 'answer.tool_calls.arguments', what: 'cut off, told as {}' })
  return '{}'
}

/** A call with its arguments as the raw text that the upstream wrote: key order, number forms and all. */
export function callText(
  { id, name }: Extract<BlockStart, { type: 'call' }>,
  input: string,
): string {
  return `${JSON.stringify({ type: 'tool_use', id, name }).slice(0, -1)},"input":${input}}`
}
