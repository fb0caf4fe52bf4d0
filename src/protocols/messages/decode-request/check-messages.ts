import { isObject, type JsonObject, listIn } from '#std/json.ts'

import { blockChecks, type BlockPlace } from './check-blocks.ts'
import { checkPairing } from './check-pairing.ts'
import { checkArray, checkRequired, checkString, isAbsent, refuse } from './check-values.ts'

/** What the strictness of the checks depends on. */
export interface MessageRules {
  readonly isNewest: boolean
  /** The conversation goes on from one that the vendor keeps, so its beginning is not here to be checked. */
  readonly isContinued: boolean
}

/** Checks the conversation: roles, content, the blocks that the gateway knows, and that calls and results pair up. */
export function checkMessages(messages: unknown, { isNewest, isContinued }: MessageRules): void {
  checkArray(messages, 'messages')
  if (messages.length === 0) refuse('messages', 'at least one message is required')
  if (messages.length > maxMessages)
    refuse(
      'messages',
      `List should have at most ${maxMessages} items after validation, not ${messages.length}`,
    )
  const entries = messages.map(checkEntry)
  let hasPairs = false
  for (const [index, entry] of entries.entries()) {
    const isLast = index === entries.length - 1
    if (checkContent(entry, { index, isLast, isNewest })) hasPairs = true
  }
  if (!isContinued) checkFirst(entries)
  checkPrefill(entries)
  if (hasPairs && !isContinued) checkPairing(entries)
}

const maxMessages = 100_000
const roles = ['user', 'assistant', 'system']

function checkEntry(message: unknown, index: number): JsonObject {
  if (!isObject(message)) refuse(`messages.${index}`, 'Input should be an object')
  checkRequired(message.role, `messages.${index}.role`)
  if (typeof message.role !== 'string' || !roles.includes(message.role))
    refuse(`messages.${index}.role`, "Input should be 'user', 'assistant' or 'system'")
  return message
}

interface EntryPlace {
  readonly index: number
  readonly isLast: boolean
  readonly isNewest: boolean
}

/** Returns whether the content holds calls or results, which is when pairing has to be checked. */
function checkContent(entry: JsonObject, { index, isLast, isNewest }: EntryPlace): boolean {
  const { content, role } = entry
  if (isSettingOnly(entry)) return false
  checkRequired(content, `messages.${index}.content`)
  if (typeof content !== 'string' && !Array.isArray(content))
    refuse(
      `messages.${index}.content`,
      'Input should be a valid string or a list of content blocks',
    )
  if (content.length === 0) {
    if (isLast && role === 'assistant') return false
    refuse(
      `messages.${index}`,
      'all messages must have non-empty content except for the optional final assistant message',
    )
  }
  if (typeof content === 'string') {
    if (role !== 'assistant') checkText(content)
    return false
  }
  return checkBlocks(content, { message: index, role, isNewest })
}

function checkBlocks(
  content: readonly unknown[],
  { message, role, isNewest }: { message: number; role: unknown; isNewest: boolean },
): boolean {
  let hasPairs = false
  for (const [index, block] of content.entries()) {
    const place: BlockPlace = { path: `messages.${message}.content`, index, role, isNewest }
    if (!isObject(block)) refuse(`${place.path}.${index}`, 'Input should be an object')
    checkString(block.type, `${place.path}.${index}.type`)
    blockChecks.get(block.type)?.(block, place)
    if (block.type === 'text' && role !== 'assistant') checkText(String(block.text))
    if (block.type === 'tool_use' || block.type === 'tool_result') hasPairs = true
  }
  return hasPairs
}

/** Not asked of the assistant: servers answer with blank texts, before a call for instance, and take them back. */
function checkText(text: string): void {
  if (text.length === 0) refuse('messages', 'text content blocks must be non-empty')
  if (!/\S/.test(text)) refuse('messages', 'text content blocks must contain non-whitespace text')
}

/** A system entry may carry nothing but a setting, such as how hard to think from here on. */
function isSettingOnly({ role, content, output_config: config }: JsonObject): boolean {
  const isEmpty = isAbsent(content) || content === '' || (Array.isArray(content) && !content.length)
  return role === 'system' && isEmpty && isObject(config)
}

function checkFirst(entries: readonly JsonObject[]): void {
  const first = entries.find((entry) => !isSettingOnly(entry))
  if (first?.role === 'assistant' && !isCompacted(first))
    refuse('messages', 'first message must use the "user" role')
  if (first?.role === 'system') {
    refuse(
      'messages.0',
      'a `system` message may not come first. Use the top-level `system` parameter for the initial instructions.',
    )
  }
}

/** A summary stands in place of the messages that it sums up, so the answer that holds it may come first. */
function isCompacted({ content }: JsonObject): boolean {
  return listIn(content).some((block) => isObject(block) && block.type === 'compaction')
}

/** An answer that the caller began has to end in something that can be continued. */
function checkPrefill(entries: readonly JsonObject[]): void {
  const index = entries.length - 1
  const last = entries[index]
  if (last?.role !== 'assistant') return
  const block: unknown = Array.isArray(last.content) ? last.content.at(-1) : undefined
  if (isObject(block) && (block.type === 'thinking' || block.type === 'redacted_thinking')) {
    refuse(
      `messages.${index}`,
      `The final block in an assistant message cannot be \`${block.type}\`.`,
    )
  }
  const text = isObject(block) ? block.text : last.content
  if (typeof text === 'string' && /\s$/.test(text))
    refuse('messages', 'final assistant content cannot end with trailing whitespace')
}
