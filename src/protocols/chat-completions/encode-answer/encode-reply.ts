import { GatewayError } from '#chat/error.ts'
import type { AnswerEnd } from '#chat/event.ts'
import type { FoldedAnswer, FoldedBlock } from '#chat/folded-answer.ts'
import { addNote } from '#chat/note.ts'
import { encodeUsage } from '#protocols/chat-completions/usage.ts'
import type { WireCall, WireMessage, WireReply } from '#protocols/chat-completions/wire.ts'
import { given } from '#protocols/given.ts'
import type { Told } from '#protocols/protocol.ts'

import {
  type Annotation,
  annotationOf,
  extraOf,
  finishOf,
  joined,
  nativeFinish,
  newJoint,
  setApart,
  thinkingBlock,
} from './answer-parts.ts'
import { encodeLogprobs, type WireLogprobs } from './logprobs.ts'

/**
 * Says a whole answer as a chat completion. What this protocol cannot say is added to the notes of the answer.
 * Throws `upstream-lost` for an answer that has no end.
 */
export function encodeReply(answer: FoldedAnswer, told: Told): string {
  const { end } = answer
  if (end === undefined) throw new GatewayError('upstream-lost', 'The answer has no end.')
  const reply: WireReply = {
    id: told.id,
    object: 'chat.completion',
    created: told.created,
    model: answer.model ?? told.model,
    choices: [choiceOf(answer, end, told)],
    usage: encodeUsage(answer.usage),
  }
  return JSON.stringify(reply)
}

function choiceOf(answer: FoldedAnswer, end: AnswerEnd, told: Told): WireReply['choices'][number] {
  const hasRefusal = answer.blocks.some(({ start }) => start.type === 'refusal')
  return {
    index: 0,
    message: messageOf(answer, end, told),
    ...given('logprobs', logprobsOf(answer)),
    finish_reason: finishOf(end.reason, { ...told, hasRefusal }),
    ...nativeFinish(end),
  }
}

function logprobsOf({ blocks }: FoldedAnswer): WireLogprobs | undefined {
  const tokens = blocks.flatMap(({ logprobs }) => logprobs ?? [])
  return tokens.length === 0 ? undefined : encodeLogprobs(tokens)
}

function messageOf(answer: FoldedAnswer, end: AnswerEnd, told: Told): WireMessage {
  const { text, annotations } = textOf(answer)
  const refusal = textsOf(answer, 'refusal') || end.refusal
  const calls = callsOf(answer)
  const thoughts = thoughtsOf(answer)
  const thinking = answer.blocks.flatMap((block) => thinkingBlock(block.text, block.marks) ?? [])
  return {
    role: 'assistant',
    content: text === '' && (calls.length > 0 || refusal !== undefined) ? null : text,
    refusal: refusal ?? null,
    ...(thoughts === '' ? {} : { reasoning_content: thoughts, reasoning: thoughts }),
    ...given('annotations', annotations.length === 0 ? undefined : annotations),
    ...(told.isLegacyFunctions ? functionCall(calls, answer) : toolCalls(calls)),
    ...given('thinking_blocks', thinking.length === 0 ? undefined : thinking),
  }
}

interface Text {
  text: string
  readonly annotations: Annotation[]
}

function textOf(answer: FoldedAnswer): Text {
  const said: Text = { text: '', annotations: [] }
  const joint = newJoint()
  for (const block of answer.blocks) {
    if (block.start.type === 'text') sayText(block, said, { answer, joint })
    else setApart(joint)
  }
  return said
}

interface Saying {
  readonly answer: FoldedAnswer
  readonly joint: ReturnType<typeof newJoint>
}

function sayText(block: FoldedBlock, said: Text, { answer, joint }: Saying): void {
  if (joint.isApart && block.text !== '')
    note(answer, 'answer.content', 'texts between other blocks joined')
  if (block.text !== '') said.text += joined(joint, block.text)
  const place = { start: said.text.length - block.text.length, end: said.text.length }
  for (const raw of block.citations) {
    const annotation = annotationOf(raw, place)
    if (annotation !== undefined) said.annotations.push(annotation)
  }
}

function textsOf(answer: FoldedAnswer, type: 'refusal'): string | undefined {
  const blocks = answer.blocks.filter(({ start }) => start.type === type)
  return blocks.length === 0 ? undefined : blocks.map(({ text }) => text).join('')
}

function thoughtsOf(answer: FoldedAnswer): string {
  return answer.blocks
    .filter(({ start, text }) => start.type === 'reasoning' && text !== '')
    .map(({ text }) => text)
    .join('\n\n')
}

function callsOf(answer: FoldedAnswer): WireCall[] {
  return answer.blocks.flatMap(({ start, text, marks }) => {
    if (start.type !== 'call') return []
    const extra = extraOf(marks)
    return {
      id: start.id,
      type: 'function' as const,
      // Clients parse it: a call without arguments has none to parse otherwise.
      function: { name: start.name, arguments: text === '' ? '{}' : text },
      ...given('extra_content', extra === undefined ? undefined : JSON.parse(extra)),
    }
  })
}

function toolCalls(calls: readonly WireCall[]): Pick<WireMessage, 'tool_calls'> {
  return calls.length === 0 ? {} : { tool_calls: calls }
}

/** The old form has room for one call. */
function functionCall(
  calls: readonly WireCall[],
  answer: FoldedAnswer,
): Pick<WireMessage, 'function_call'> {
  const [first] = calls
  if (first === undefined) return {}
  if (calls.length > 1) note(answer, 'answer.tool_calls', 'all but the first left out')
  return { function_call: first.function }
}

function note(answer: FoldedAnswer, field: string, what: string): void {
  addNote(answer.notes, { field, what })
}
