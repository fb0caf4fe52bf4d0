import type { Block, Turn } from '#chat/conversation.ts'
import type { Notes } from '#chat/note.ts'

/**
 * Says every system turn after the leading ones inside a user turn, in its place: moved to the top it would come out of
 * order and spoil the upstream's cache of the beginning. It joins the user turns beside it.
 */
export function foldSystem(turns: readonly Turn[], notes: Notes): readonly Turn[] {
  const folded: Turn[] = []
  let isLeading = true
  let isOpen = false
  for (const turn of turns) {
    if (turn.role !== 'system') isLeading = false
    const isMid = turn.role === 'system' && !isLeading
    const last = folded.at(-1)
    if (isMid) notes.add(turn.field, 'said inside a user turn')
    const said = isMid ? userTurn(turn) : turn
    const mayJoin = said.role === 'user' && last?.role === 'user' && !hasResult(said.blocks)
    if (mayJoin && (isMid || isOpen)) folded[folded.length - 1] = joined(last, said)
    else folded.push(said)
    isOpen = isMid || (isOpen && mayJoin)
  }
  return folded
}

function userTurn(turn: Turn): Turn {
  const blocks = turn.blocks.map((block) =>
    block.type === 'text' ? { ...block, text: `<system>${block.text}</system>` } : block,
  )
  return { role: 'user', shape: turn.shape, blocks, field: turn.field }
}

function joined(first: Turn, second: Turn): Turn {
  return { ...first, shape: 'list', blocks: [...first.blocks, ...second.blocks] }
}

function hasResult(blocks: readonly Block[]): boolean {
  return blocks.some((block) => block.type === 'result')
}
