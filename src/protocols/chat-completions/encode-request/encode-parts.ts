import type { Block, Turn } from '#chat/conversation.ts'
import { listText, objectText, stringText } from '#protocols/json-text.ts'
import type { Telling } from '#protocols/telling.ts'
import type { RawJson } from '#std/json.ts'

import { encodeMedia } from './encode-media.ts'
import { otherText } from './encode-other.ts'
import { refuseField } from './refuse-field.ts'

/** What a user says beside the results of tools, or undefined if that is nothing. Attached parts come first. */
export function userContent(
  turn: Turn,
  attached: readonly RawJson[],
  telling: Telling,
): RawJson | undefined {
  if (turn.blocks.length === 0) return stringText('')
  const blocks = turn.blocks.filter((block) => block.type !== 'result')
  if (blocks.length === 0 && attached.length === 0) return undefined
  const isText =
    attached.length === 0 &&
    blocks.every((block) => textOf(turn.field, block, telling) !== undefined)
  if (isText && (turn.shape === 'string' || !telling.profile.textParts))
    return stringText(joinedText(turn.field, blocks, { telling, separator: '\n' }))
  return listText([...attached, ...blocks.map((block) => encodePart(turn.field, block, telling))])
}

/** Blocks of text as a list of parts. */
export function textParts(field: string, blocks: readonly Block[], telling: Telling): RawJson {
  return listText(blocks.map((block) => textPart(needText(field, block, telling))))
}

/** Blocks of text as one string. */
export function joinedText(
  field: string,
  blocks: readonly Block[],
  { telling, separator }: { readonly telling: Telling; readonly separator: string },
): string {
  return blocks.map((block) => needText(field, block, telling)).join(separator)
}

export function textPart(text: string): RawJson {
  return objectText([
    ['type', stringText('text')],
    ['text', stringText(text)],
  ])
}

/** One block as one part: text, an image, a file, sound. */
export function encodePart(field: string, block: Block, telling: Telling): RawJson {
  const text = textOf(field, block, telling)
  if (text !== undefined) return textPart(text)
  const part = encodeMedia(field, block, telling)
  return part ?? refuseField(telling, field, `\`${block.type}\` cannot stand at this place.`)
}

function needText(field: string, block: Block, telling: Telling): string {
  const text = textOf(field, block, telling)
  return (
    text ??
    refuseField(telling, field, `\`${block.type}\` cannot stand at this place: only text can.`)
  )
}

/** What a block says, if text says all of it. */
export function textOf(field: string, block: Block, telling: Telling): string | undefined {
  if (block.type === 'other') return otherText(field, block, telling)
  if (block.type === 'refusal') return block.text
  if (block.type === 'text') {
    if (block.citations !== undefined) telling.notes.add(`${field}.citations`, 'dropped')
    return block.text
  }
  if (block.type !== 'document' || block.source.type !== 'text') return undefined
  if (asksCitations(block.citations)) telling.notes.add(`${field}.citations`, 'dropped')
  telling.notes.add(field, 'document said as text')
  return documentText(block.source.text, block)
}

function documentText(
  text: string,
  { title, context }: { readonly title?: string; readonly context?: string },
): string {
  const heading = [title, context].filter((line) => line !== undefined && line !== '')
  return heading.length === 0 ? text : `${heading.join('\n')}\n\n${text}`
}

export function asksCitations(citations: RawJson | undefined): boolean {
  return citations !== undefined && /"enabled"\s*:\s*true/.test(citations)
}
