import type { Block, Conversation, Turn } from '#chat/conversation.ts'
import { listText, objectText, stringText } from '#protocols/json-text.ts'
import { callersWord, type Telling } from '#protocols/telling.ts'
import type { RawJson } from '#std/json.ts'

import { encodeText } from './encode-blocks.ts'
import { unsayable } from './unsayable.ts'

/**
 * Says the leading system turns as blocks, one for each part that the caller wrote. What the answer has to look like
 * is told last, where the target has no better way to be told.
 */
export function encodeSystem(conversation: Conversation, telling: Telling): RawJson | undefined {
  const { turns } = conversation
  const said = turns.slice(0, leadingSystem(turns)).flatMap((turn) => encodeTurn(turn, telling))
  const instruction = formatInstruction(conversation, telling)
  if (instruction !== undefined)
    said.push(objectText([textType, ['text', stringText(instruction)]]))
  return said.length === 0 ? undefined : listText(said)
}

/**
 * How many turns at the front are said outside the conversation. A request of system turns alone keeps its last one
 * for the conversation, which may not be empty.
 */
export function leadingSystem(turns: readonly Turn[]): number {
  const first = turns.findIndex((turn) => turn.role !== 'system')
  return first === -1 ? turns.length - 1 : first
}

const textType = ['type', stringText('text')] as const

function encodeTurn(turn: Turn, telling: Telling): RawJson[] {
  if (turn.name !== undefined) telling.notes.add(`${turn.field}.name`, 'dropped')
  return instructionTexts(turn).map((block) => encodeText(block, telling, turn.field))
}

/** What an instruction says, without what is blank. Throws `not-expressible` for one that is more than text. */
export function instructionTexts({ blocks, field }: Turn): Extract<Block, { type: 'text' }>[] {
  return blocks.flatMap((block) => {
    if (block.type !== 'text') throw unsayable(`${field}.content`, 'its instructions are text')
    return block.text.trim() === '' ? [] : [block]
  })
}

/** For a target that has no way to be held to a format. */
function formatInstruction(
  { format }: Conversation,
  { caller, profile, notes }: Telling,
): string | undefined {
  if (format === undefined) return undefined
  if (format.type === 'schema' && profile.structuredOutput === 'native') return undefined
  notes.add(callersWord[caller].format, 'told as an instruction')
  if (format.type === 'json') return 'Answer with one JSON object and nothing else.'
  const about = format.description === undefined ? '' : ` It is: ${format.description}`
  return `Answer with one JSON value that is valid for the JSON Schema below, and nothing else.${about}\n${format.schema}`
}
