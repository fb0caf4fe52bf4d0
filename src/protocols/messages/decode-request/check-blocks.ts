import { isObject, type JsonObject } from '#std/json.ts'

import {
  checkArray,
  checkBoolean,
  checkFilledString,
  checkObject,
  checkRequired,
  checkString,
  isAbsent,
  refuse,
  unexpectedTag,
} from './check-values.ts'

/** Where a block stands. Its path is put together only when it has to be told. */
export interface BlockPlace {
  readonly path: string
  readonly index: number
  readonly role: unknown
  /** The request names the version that refuses documents of the assistant and citations of the user. */
  readonly isNewest: boolean
}

export type BlockCheck = (block: JsonObject, place: BlockPlace) => void

/** What the blocks that the gateway translates must hold. A block of any other type is for the upstream to judge. */
export const blockChecks: ReadonlyMap<string, BlockCheck> = new Map<string, BlockCheck>([
  ['text', checkTextBlock],
  ['image', checkImage],
  ['document', checkDocument],
  ['search_result', checkSearchResult],
  ['thinking', checkThinking],
  ['redacted_thinking', checkRedacted],
  ['tool_use', checkToolUse],
  ['tool_result', checkToolResult],
])

function checkTextBlock(block: JsonObject, place: BlockPlace): void {
  if (typeof block.text !== 'string') checkString(block.text, `${at(place)}.text.text`)
  if (place.isNewest && place.role === 'user') checkUncited(block, `${at(place)}.text`)
}

/** The newest version takes citations on what the assistant said, never on what the user says. */
function checkUncited(block: JsonObject, path: string): void {
  if (Array.isArray(block.citations) && block.citations.length > 0)
    refuse(`${path}.citations`, 'Extra inputs are not permitted')
}

const mediaMembers: { readonly [type: string]: readonly string[] } = {
  base64: ['media_type', 'data'],
  url: ['url'],
  file: ['file_id'],
}

function checkImage(block: JsonObject, place: BlockPlace): void {
  const path = `${at(place)}.image.source`
  checkObject(block.source, path)
  checkSource(block.source, path)
}

/** Sources of other types may be known to the upstream. */
function checkSource(source: JsonObject, path: string): void {
  checkString(source.type, `${path}.type`)
  const members = Object.hasOwn(mediaMembers, source.type) ? mediaMembers[source.type] : undefined
  for (const member of members ?? [])
    checkString(source[member], `${path}.${source.type}.${member}`)
}

function checkDocument(block: JsonObject, place: BlockPlace): void {
  if (place.isNewest && place.role === 'assistant')
    refuse(at(place), '`document` blocks are not permitted directly in an `assistant` message')
  const path = `${at(place)}.document.source`
  checkObject(block.source, path)
  const { source } = block
  if (!isAbsent(block.title)) checkString(block.title, `${at(place)}.document.title`)
  if (!isAbsent(block.context)) checkString(block.context, `${at(place)}.document.context`)
  if (source.type === 'text') checkString(source.data, `${path}.text.data`)
  else if (source.type === 'content')
    checkDocumentContent(source.content, `${path}.content.content`)
  else checkSource(source, path)
}

function checkDocumentContent(content: unknown, path: string): void {
  if (typeof content === 'string') return
  checkArray(content, path)
  for (const [index, block] of content.entries()) checkObject(block, `${path}.${index}`)
}

function checkSearchResult(block: JsonObject, place: BlockPlace): void {
  if (!place.isNewest || place.role !== 'user' || !Array.isArray(block.content)) return
  for (const [index, part] of block.content.entries())
    if (isObject(part)) checkUncited(part, `${at(place)}.search_result.content.${index}`)
}

/** Servers that sign nothing leave the signature out, so it is not asked for. */
function checkThinking(block: JsonObject, place: BlockPlace): void {
  checkRole(place, 'assistant', 'thinking')
  checkString(block.thinking, `${at(place)}.thinking.thinking`)
  if (!isAbsent(block.signature)) checkString(block.signature, `${at(place)}.thinking.signature`)
}

function checkRedacted(block: JsonObject, place: BlockPlace): void {
  checkRole(place, 'assistant', 'redacted_thinking')
  checkString(block.data, `${at(place)}.redacted_thinking.data`)
}

const maxCalledName = 200

function checkToolUse(block: JsonObject, place: BlockPlace): void {
  checkRole(place, 'assistant', 'tool_use')
  const path = `${at(place)}.tool_use`
  checkFilledString(block.id, `${path}.id`)
  checkFilledString(block.name, `${path}.name`)
  if (block.name.length > maxCalledName)
    refuse(`${path}.name`, `String should have at most ${maxCalledName} characters`)
  checkObject(block.input, `${path}.input`)
}

function checkToolResult(block: JsonObject, place: BlockPlace): void {
  checkRole(place, 'user', 'tool_result')
  const path = `${at(place)}.tool_result`
  checkFilledString(block.tool_use_id, `${path}.tool_use_id`)
  if (!isAbsent(block.is_error)) checkBoolean(block.is_error, `${path}.is_error`)
  if (isAbsent(block.content) || typeof block.content === 'string') return
  checkArray(block.content, `${path}.content`)
  for (const [index, part] of block.content.entries()) {
    if (!isObject(part)) refuse(`${path}.content.${index}`, 'Input should be an object')
    checkString(part.type, `${path}.content.${index}.type`)
    // Inside a result neither the role rules nor those of the newest version apply.
    const inner = { path: `${path}.content`, index, role: undefined, isNewest: false }
    if (resultParts.has(part.type)) blockChecks.get(part.type)?.(part, inner)
  }
}

const resultParts = new Set(['text', 'image', 'document', 'search_result'])

function checkRole(place: BlockPlace, role: string, type: string): void {
  if (place.role !== role)
    refuse(at(place), `\`${type}\` blocks can only be in \`${role}\` messages`)
}

function at({ path, index }: BlockPlace): string {
  return `${path}.${index}`
}

/** The initial instructions: a string, or text blocks and nothing else. */
export function checkSystem(system: unknown): void {
  if (typeof system === 'string') return
  checkArray(system, 'system')
  for (const [index, block] of system.entries()) {
    const path = `system.${index}`
    checkObject(block, path)
    checkRequired(block.type, `${path}.type`)
    if (block.type !== 'text') refuse(path, unexpectedTag(block.type, ['text']))
    checkString(block.text, `${path}.text.text`)
  }
}
