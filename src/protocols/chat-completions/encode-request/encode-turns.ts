import type { Block, Turn } from '#chat/conversation.ts'
import { listText, maybeText, objectText, stringText } from '#protocols/json-text.ts'
import type { Telling } from '#protocols/telling.ts'
import type { RawJson } from '#std/json.ts'

import { encodeAssistant } from './encode-assistant.ts'
import { joinedText, textParts, userContent } from './encode-parts.ts'
import { encodeResults } from './encode-results.ts'
import { foldSystem } from './fold-system.ts'

/** The `messages` of a request. `mark` are members for the last of them. */
export function encodeTurns(
  turns: readonly Turn[],
  telling: Telling,
  mark: readonly (readonly [string, RawJson])[],
): RawJson {
  if (turns.some((turn) => turn.blocks.some(isMarked)))
    telling.notes.add('cache_control', 'dropped')
  const folded = telling.profile.midSystem === 'user' ? foldSystem(turns, telling.notes) : turns
  const said = joinResults(folded)
  const last = said.length - 1
  return listText(
    said.flatMap((turn, index) => encodeTurn(turn, telling, index === last ? mark : [])),
  )
}

/** Turns that only give results become one, so that what is attached to any of them comes after them all. */
function joinResults(turns: readonly Turn[]): readonly Turn[] {
  const joined: Turn[] = []
  for (const turn of turns) {
    const last = joined.at(-1)
    if (last !== undefined && givesOnlyResults(last) && givesOnlyResults(turn))
      joined[joined.length - 1] = { ...last, blocks: [...last.blocks, ...turn.blocks] }
    else joined.push(turn)
  }
  return joined
}

function givesOnlyResults({ role, blocks }: Turn): boolean {
  return role === 'user' && blocks.length > 0 && blocks.every((block) => block.type === 'result')
}

function isMarked(block: Block): boolean {
  if ('cache' in block && block.cache !== undefined) return true
  return block.type === 'result' && Array.isArray(block.content) && block.content.some(isMarked)
}

function encodeTurn(
  turn: Turn,
  telling: Telling,
  mark: readonly (readonly [string, RawJson])[],
): RawJson[] {
  switch (turn.role) {
    case 'system':
      return encodeSystem(turn, telling)
    case 'user':
      return encodeUser(turn, telling)
    case 'assistant':
      return encodeAssistant(turn, telling, mark)
  }
}

function encodeSystem(turn: Turn, telling: Telling): RawJson[] {
  const blocks = turn.blocks.filter((block) => block.type !== 'text' || block.text !== '')
  if (blocks.length === 0) return []
  const asParts = turn.shape === 'list' && telling.profile.textParts
  const content = asParts
    ? textParts(turn.field, blocks, telling)
    : stringText(joinedText(turn.field, blocks, { telling, separator: '\n\n' }))
  return [
    objectText([
      ['role', stringText(telling.profile.systemRole)],
      ['content', content],
      ['name', maybeText(turn.name)],
    ]),
  ]
}

/** The results of tools are messages of their own and stand together; then comes all else that the user says. */
function encodeUser(turn: Turn, telling: Telling): RawJson[] {
  const { messages, attached } = encodeResults(turn, telling)
  const content = userContent(turn, attached, telling)
  if (content === undefined) return messages
  const user = objectText([
    ['role', stringText('user')],
    ['content', content],
    ['name', maybeText(turn.name)],
  ])
  return [...messages, user]
}
