import type { Block, Turn } from '#chat/conversation.ts'
import { isObject, type JsonObject } from '#std/json.ts'

import { decodeParts } from './decode-parts.ts'
import { type Said, saidElements, saidMember } from './said.ts'

/** The initial instructions as a turn, or none. */
export function decodeSystem(system: unknown, said: Said | undefined): Turn[] {
  if (system === undefined || system === null || said === undefined) return []
  const turn: Turn = { role: 'system', field: 'system', ...decodeContent(system, said) }
  const blocks = turn.blocks.filter((block) => !isIdle(block))
  return blocks.length === 0 ? [] : [{ ...turn, blocks }]
}

/** The entries of `messages`, in the order in which they were said. An entry that says nothing is no turn. */
export function decodeTurns(messages: unknown, said: Said | undefined): Turn[] {
  if (!Array.isArray(messages) || said === undefined) return []
  const places = saidElements(said)
  return messages.flatMap((message: unknown, index) => {
    const place = places[index]
    if (!isObject(message) || place === undefined) return []
    const turn = decodeTurn(message, place, `messages[${index}]`)
    return turn.blocks.length === 0 ? [] : [turn]
  })
}

function decodeTurn(message: JsonObject, said: Said, field: string): Turn {
  const { content } = message
  // A string needs no second look at the text, which may be long.
  const place = Array.isArray(content) ? (saidMember(said, 'content') ?? said) : said
  return { role: roleOf(message.role), field, ...decodeContent(content, place) }
}

function roleOf(role: unknown): Turn['role'] {
  return role === 'assistant' || role === 'system' ? role : 'user'
}

function decodeContent(content: unknown, said: Said): Pick<Turn, 'shape' | 'blocks'> {
  if (Array.isArray(content))
    return { shape: 'list', blocks: decodeParts(content, said).filter((one) => !isEmpty(one)) }
  const text = typeof content === 'string' ? content : ''
  return { shape: 'string', blocks: text.length > 0 ? [{ type: 'text', text }] : [] }
}

function isEmpty(block: Block): boolean {
  return block.type === 'text' && block.text.length === 0
}

/**
 * The line by which a coding agent tells the vendor whom to bill. Its value changes with every request, so anywhere
 * else it would only keep a prompt cache cold.
 */
function isIdle(block: Block): boolean {
  return block.type === 'text' && isBillingLine(block.text)
}

export function isBillingLine(text: string): boolean {
  return text.startsWith('x-anthropic-billing-header')
}
