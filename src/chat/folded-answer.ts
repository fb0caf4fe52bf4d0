import type { RawJson } from '#std/json.ts'

import type { Opaque } from './conversation.ts'
import type { AnswerEnd, BlockStart, ChatEvent, TokenLogprob } from './event.ts'
import { addNote, type Note } from './note.ts'
import { foldUsage, noUsage, type Usage } from './usage.ts'

/** A block of an answer when it is whole. `text` is the text, the thought, or the raw arguments of a call. */
export interface FoldedBlock {
  readonly start: BlockStart
  text: string
  readonly marks: Opaque[]
  readonly citations: RawJson[]
  /** Of the tokens of a text, where they were asked for. */
  logprobs?: TokenLogprob[]
}

/** An answer when it is whole: the fold of its events, so that a reply and a stream cannot disagree. */
export interface FoldedAnswer {
  id?: string
  model?: string
  readonly blocks: FoldedBlock[]
  usage: Usage
  end?: AnswerEnd
  readonly notes: Note[]
}

export function emptyAnswer(): FoldedAnswer {
  return { blocks: [], usage: noUsage, notes: [] }
}

/** Takes one more event into the answer. */
export function foldEvent(answer: FoldedAnswer, event: ChatEvent): void {
  switch (event.type) {
    case 'answer-start':
      if (event.id !== undefined) answer.id = event.id
      if (event.model !== undefined) answer.model = event.model
      return
    case 'block-start':
      answer.blocks.push({ start: event.block, text: '', marks: [], citations: [] })
      return
    case 'block-delta':
      grow(openBlock(answer), event)
      return
    case 'block-mark':
      openBlock(answer).marks.push(event.opaque)
      return
    case 'block-citation':
      openBlock(answer).citations.push(event.raw)
      return
    case 'usage':
      answer.usage = foldUsage(answer.usage, event.usage)
      return
    case 'note':
      addNote(answer.notes, event)
      return
    case 'answer-end':
      answer.end = event
      return
    case 'block-end':
    case 'idle':
  }
}

function grow(
  block: FoldedBlock,
  { text, logprobs }: Extract<ChatEvent, { type: 'block-delta' }>,
): void {
  block.text += text
  if (logprobs !== undefined) (block.logprobs ??= []).push(...logprobs)
}

function openBlock(answer: FoldedAnswer): FoldedBlock {
  const block = answer.blocks.at(-1)
  if (block === undefined) throw new TypeError('An answer grew before its first block.')
  return block
}
