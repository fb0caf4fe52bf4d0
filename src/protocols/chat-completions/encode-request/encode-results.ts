import type { Block, ResultBlock, Turn } from '#chat/conversation.ts'
import { sentCallId } from '#protocols/call-ids.ts'
import { listText, objectText, stringText } from '#protocols/json-text.ts'
import type { Telling } from '#protocols/telling.ts'
import { type RawJson, rawJson } from '#std/json.ts'

import { encodePart, textOf, textPart } from './encode-parts.ts'

/** What a failed tool's result begins with. It never changes: it is part of the prompt. */
export const errorMark = '[tool error]'

export interface EncodedResults {
  /** One message for each result, in the order of the blocks. */
  readonly messages: RawJson[]
  /** Parts for the user message after them: images and files, each behind its label. */
  readonly attached: RawJson[]
}

/** The results of tools in a turn. What a tool message cannot hold is attached after the last of them. */
export function encodeResults(turn: Turn, telling: Telling): EncodedResults {
  const results: EncodedResults = { messages: [], attached: [] }
  for (const block of turn.blocks)
    if (block.type === 'result')
      results.messages.push(encodeResult(turn, block, { telling, results }))
  return results
}

interface Results {
  readonly telling: Telling
  readonly results: EncodedResults
}

function encodeResult(turn: Turn, result: ResultBlock, { telling, results }: Results): RawJson {
  const { profile } = telling
  return objectText([
    ['role', stringText('tool')],
    ['tool_call_id', stringText(sentCallId(result.callId, profile.callIds))],
    ['content', resultContent(turn, result, { telling, results })],
    // The protocol has no word for a failure; servers that take unknown members may know this one.
    ['is_error', result.isError && profile.forwardUnknown ? rawJson(true) : undefined],
  ])
}

function resultContent(turn: Turn, result: ResultBlock, { telling, results }: Results): RawJson {
  const { content = '', isError } = result
  if (typeof content === 'string') return stringText(marked([content], isError).join('\n'))
  const isText = (block: Block) => textOf(turn.field, block, telling) !== undefined
  if (telling.profile.toolResultImages === 'inline' && !content.every(isText)) {
    const parts = content.map((block) => encodePart(turn.field, block, telling))
    return listText(isError ? [textPart(errorMark), ...parts] : parts)
  }
  const texts = content.map(
    (block) =>
      textOf(turn.field, block, telling) ?? attach(turn, block, { result, telling, results }),
  )
  const isList = telling.profile.textParts && content.length > 1 && content.every(isText)
  const said = marked(texts, isError)
  return isList ? listText(said.map(textPart)) : stringText(said.join('\n'))
}

function marked(texts: readonly string[], isError: boolean | undefined): readonly string[] {
  if (!isError) return texts
  return texts.length === 1 && texts[0] === '' ? [errorMark] : [errorMark, ...texts]
}

/** Puts a block behind the tool messages, and returns the text that stands in its place. */
function attach(
  turn: Turn,
  block: Block,
  { result, telling, results }: Results & { readonly result: ResultBlock },
): string {
  const { attached } = results
  const number = attached.length / 2 + 1
  const kind = block.type === 'image' ? 'image' : 'file'
  const part = encodePart(turn.field, block, telling)
  const id = sentCallId(result.callId, telling.profile.callIds)
  attached.push(textPart(`[${kind} ${number}, from the result of call ${id}]`), part)
  telling.notes.add(turn.field, `${kind} of a tool result said after the results`)
  return `[${kind} ${number} attached below]`
}
