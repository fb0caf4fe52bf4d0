import { type JsonObject, isObject } from '#std/json.ts'

import { refuse } from './check-values.ts'

/**
 * Checks that every tool call is answered exactly once in the turn after it, and nothing else is. Entries of one
 * role in a row are one turn; system entries between them do not count.
 */
export function checkPairing(messages: readonly JsonObject[]): void {
  let calls: OpenCalls | undefined
  let role: unknown
  for (const [index, message] of messages.entries()) {
    if (message.role === 'system') continue
    if (message.role === 'assistant') {
      if (role !== 'assistant') calls = closeCalls(calls)
      calls = takeCalls(calls, message, index)
    } else takeResults(calls, message, index)
    role = message.role
  }
  closeCalls(calls)
}

/** The calls of the latest assistant turn, and which of them have a result. */
interface OpenCalls {
  readonly message: number
  readonly ids: Set<string>
  readonly answered: Set<string>
}

function closeCalls(calls: OpenCalls | undefined): undefined {
  if (calls === undefined || calls.answered.size === calls.ids.size) return
  const missing = [...calls.ids].filter((id) => !calls.answered.has(id))
  refuse(
    `messages.${calls.message}`,
    `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}. ` +
      'Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
  )
}

function takeCalls(
  known: OpenCalls | undefined,
  message: JsonObject,
  index: number,
): OpenCalls | undefined {
  let calls = known
  for (const [block, id] of blockIds(message, 'tool_use', 'id')) {
    calls ??= { message: index, ids: new Set(), answered: new Set() }
    if (calls.ids.has(id))
      refuse(
        `messages.${index}.content.${block}`,
        `\`tool_use\` ids must be unique. Found ${id} twice.`,
      )
    calls.ids.add(id)
  }
  return calls
}

function takeResults(calls: OpenCalls | undefined, message: JsonObject, index: number): void {
  for (const [block, id] of blockIds(message, 'tool_result', 'tool_use_id')) {
    const path = `messages.${index}.content.${block}`
    if (calls === undefined || !calls.ids.has(id)) {
      refuse(
        path,
        `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. ` +
          'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
      )
    }
    if (calls.answered.has(id)) {
      refuse(
        path,
        `each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
      )
    }
    calls.answered.add(id)
  }
}

/** The ids of a message's blocks of one type, each with the block's index. */
function blockIds(message: JsonObject, type: string, member: string): [number, string][] {
  const ids: [number, string][] = []
  if (!Array.isArray(message.content)) return ids
  for (const [index, block] of message.content.entries()) {
    if (!isObject(block) || block.type !== type) continue
    const id = block[member]
    if (typeof id === 'string') ids.push([index, id])
  }
  return ids
}
