import type { RequestBody } from '#chat/request.ts'
import { type Edit, removeElements } from '#protocols/edit-text.ts'
import { isBillingLine } from '#protocols/messages/decode-request/decode-turns.ts'
import {
  rawMember,
  type Said,
  saidElements,
  saidMember,
  topMember,
} from '#protocols/messages/decode-request/said.ts'
import { isObject } from '#std/json.ts'

/**
 * What an upstream other than the first party must not be sent: extras of cache marks, which strict servers refuse,
 * and the line that tells the vendor whom to bill. Marks are looked for where the protocol has them and nowhere else:
 * a tool's schema and a call's arguments may use the same word.
 */
export function editsForOthers(body: RequestBody): Edit[] {
  const { text, value } = body
  const edits: Edit[] = text.includes(billingWord) ? editsOfBilling(body) : []
  if (!text.includes(cacheWord)) return edits
  for (const [member, list] of [
    ['system', value.system],
    ['tools', value.tools],
  ] as const) {
    const said = topMember(body, member)
    if (said !== undefined) edits.push(...editsOfMarks(said, list))
  }
  const said = topMember(body, 'messages')
  if (said === undefined || !Array.isArray(value.messages)) return edits
  for (const [index, place] of saidElements(said).entries())
    edits.push(...editsOfContent(place, value.messages[index]))
  return edits
}

const billingWord = 'x-anthropic-billing-header'
const cacheWord = '"cache_control"'

function editsOfBilling(body: RequestBody): Edit[] {
  const { system } = body.value
  const said = topMember(body, 'system')
  if (said === undefined) return []
  if (typeof system === 'string')
    return isBillingLine(system) ? [{ start: said.start, end: said.end, text: '[]' }] : []
  if (!Array.isArray(system)) return []
  return removeElements(saidElements(said), (index) => isBillingBlock(system[index]))
}

function isBillingBlock(block: unknown): boolean {
  return isObject(block) && typeof block.text === 'string' && isBillingLine(block.text)
}

/** The marks of a message's blocks, and of the blocks within results. */
function editsOfContent(said: Said, message: unknown): Edit[] {
  if (!isObject(message) || !Array.isArray(message.content)) return []
  const content = saidMember(said, 'content')
  if (content === undefined) return []
  const edits = editsOfMarks(content, message.content)
  for (const [index, place] of saidElements(content).entries()) {
    const block: unknown = message.content[index]
    if (!isObject(block) || block.type !== 'tool_result') continue
    const inner = saidMember(place, 'content')
    if (inner !== undefined) edits.push(...editsOfMarks(inner, block.content))
  }
  return edits
}

/** Reduces the marks of a list of blocks or tools to their type. */
function editsOfMarks(said: Said, list: unknown): Edit[] {
  if (!Array.isArray(list) || !list.some(hasExtras)) return []
  return saidElements(said).flatMap((place, index) => {
    const mark = hasExtras(list[index]) ? saidMember(place, 'cache_control') : undefined
    if (mark === undefined) return []
    const type = rawMember(mark, 'type') ?? '"ephemeral"'
    return [{ start: mark.start, end: mark.end, text: `{"type":${type}}` }]
  })
}

function hasExtras(block: unknown): boolean {
  const mark = isObject(block) ? block.cache_control : undefined
  return isObject(mark) && Object.keys(mark).some((key) => key !== 'type')
}
