import type { Block } from '#chat/conversation.ts'
import type { Telling } from '#protocols/telling.ts'
import { isObject, parseJson } from '#std/json.ts'

import { refuseField } from './refuse-field.ts'

type OtherBlock = Extract<Block, { readonly type: 'other' }>

/**
 * Says a block of the messages protocol as text where text can say it. One that cannot be is refused, in the words
 * that its clients look for. Undefined for a part of this protocol, which needs no translation.
 */
export function otherText(field: string, block: OtherBlock, telling: Telling): string | undefined {
  if (telling.caller === 'chat-completions') return undefined
  const parsed = parseJson(block.raw)
  const text = parsed.ok ? tellers.get(block.kind)?.(parsed.value) : undefined
  if (text !== undefined) {
    telling.notes.add(field, `${block.kind} said as text`)
    return text
  }
  return refuseField(
    telling,
    `${field}.content`,
    `Input tag '${block.kind}' found using 'type' means nothing to the upstream of this model. Leave the block out, or choose a model of an upstream that speaks the messages protocol.`,
  )
}

const tellers: ReadonlyMap<string, (block: unknown) => string | undefined> = new Map([
  ['search_result', searchResultText],
  ['tool_reference', toolReferenceText],
])

function searchResultText(block: unknown): string | undefined {
  if (!isObject(block) || !Array.isArray(block.content)) return undefined
  const texts = block.content.flatMap((part: unknown) =>
    isObject(part) && typeof part.text === 'string' ? [part.text] : [],
  )
  const heading = [block.title, block.source].filter((line) => typeof line === 'string')
  return [...heading, '', ...texts].join('\n')
}

/** All tools are declared from the start here, so a search for tools has nothing more to load. */
function toolReferenceText(block: unknown): string | undefined {
  if (!isObject(block) || typeof block.tool_name !== 'string') return undefined
  return `The tool ${block.tool_name} is available.`
}
