import type { Block, Turn } from '#chat/conversation.ts'
import { GatewayError } from '#chat/error.ts'
import type { Telling } from '#protocols/telling.ts'

import { thoughtMark } from './thought-mark.ts'

/**
 * Leaves out what the protocol refuses and nobody misses: blank texts, thoughts that the target cannot check, turns that
 * say nothing. Throws where leaving out would change who said what, or where the target continues no begun answer.
 */
export function sayableTurns(turns: readonly Turn[], telling: Telling): readonly Turn[] {
  const cleaned = withFirst(turns, telling).map((turn) => ({
    ...turn,
    blocks: sayableBlocks(turn, telling),
  }))
  return withPrefill(withoutEmpty(cleaned, telling), telling)
}

function sayableBlocks(turn: Turn, telling: Telling): readonly Block[] {
  const blocks = turn.blocks.filter((block) => isSayable(block, turn, telling))
  // Thoughts alone are no turn: the protocol wants something said after them.
  return blocks.every(({ type }) => type === 'reasoning') ? [] : blocks
}

function isSayable(block: Block, { field }: Turn, { profile, notes }: Telling): boolean {
  if (block.type === 'reasoning') {
    if (thoughtMark(block, profile) !== undefined) return true
    notes.add(`${field}.reasoning_content`, 'dropped: not signed by the target')
    return false
  }
  if (block.type !== 'text' && block.type !== 'refusal') return true
  if (block.text.trim() !== '') return true
  if (block.text !== '') notes.add(`${field}.content`, 'dropped where blank')
  return false
}

/** The protocol does not begin with an instruction: a request of nothing else has its last one said by the user. */
function withFirst(turns: readonly Turn[], { notes }: Telling): readonly Turn[] {
  const [first, ...others] = turns
  if (first?.role !== 'system') return turns
  notes.add(first.field, 'said in a turn of the user')
  return [{ ...first, role: 'user' }, ...others]
}

/** Leaves out empty turns, or refuses the request if the roles would not alternate without one of the user's. */
function withoutEmpty(turns: readonly Turn[], { notes }: Telling): readonly Turn[] {
  const said: Turn[] = []
  let missed: Turn | undefined
  let last: Turn['role'] | undefined
  for (const turn of turns) {
    if (isEmpty(turn)) {
      if (turn.role === 'user') missed ??= turn
      if (turn.role !== 'system') notes.add(turn.field, 'dropped: it says nothing')
      continue
    }
    said.push(turn)
    if (turn.role === 'system') continue
    if (missed !== undefined && last !== 'user' && turn.role !== 'user') throw emptyTurn(missed)
    missed = undefined
    last = turn.role
  }
  if (missed !== undefined && last !== 'user') throw emptyTurn(missed)
  return said
}

function isEmpty({ blocks }: Turn): boolean {
  return blocks.length === 0
}

function emptyTurn({ field }: Turn): GatewayError {
  return new GatewayError(
    'not-expressible',
    `${field}: text must be non-empty. Say something in it, or leave the message out.`,
    { param: `${field}.content`, detail: 'invalid_value' },
  )
}

/** An answer that the caller began. Whitespace at its end is refused by the protocol, and would be said again anyway. */
function withPrefill(turns: readonly Turn[], { profile, notes }: Telling): readonly Turn[] {
  const turn = turns.at(-1)
  const block = turn?.blocks.at(-1)
  if (turn?.role !== 'assistant' || block === undefined || block.type === 'call') return turns
  if (profile.prefill === 'refuse') throw noPrefill(turn)
  if (block.type !== 'text' || block.text === block.text.trimEnd()) return turns
  notes.add(`${turn.field}.content`, 'trailing whitespace dropped')
  const trimmed = { ...block, text: block.text.trimEnd() }
  return [...turns.slice(0, -1), { ...turn, blocks: [...turn.blocks.slice(0, -1), trimmed] }]
}

/** Clients know the vendor's own words for this. */
function noPrefill({ field }: Turn): GatewayError {
  return new GatewayError(
    'not-expressible',
    'This model does not support assistant message prefill. The conversation must end with a user message.',
    { param: field, detail: 'unsupported_value' },
  )
}
