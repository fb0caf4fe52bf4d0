import type { Conversation } from '#chat/conversation.ts'
import { GatewayError } from '#chat/error.ts'
import type { ModelName } from '#chat/names.ts'
import type { ChatRequest, RequestBody } from '#chat/request.ts'
import { brandAs } from '#std/brand.ts'
import { isObject, type JsonObject } from '#std/json.ts'

import { checkRequest } from './check-request.ts'
import { isAbsent } from './check-values.ts'
import { decodeSettings } from './decode-settings.ts'
import { decodeToolChoice, decodeTools } from './decode-tools.ts'
import { decodeSystem, decodeTurns } from './decode-turns.ts'
import { orderTurns } from './order-turns.ts'
import { topMember } from './said.ts'

/** Reads a request for an answer. Throws `request-invalid` for what would corrupt the conversation. */
export function decodeRequest(
  body: RequestBody,
  headers: ReadonlyMap<string, string>,
): ChatRequest {
  checkRequest(body, { headers, isCount: false })
  const { model, max_tokens: maxTokens, stream } = body.value
  return {
    ...readRequest(body, headers, String(model)),
    stream: stream === true,
    maxTokens: Number(maxTokens),
  }
}

/** Reads a request for a count of tokens, which says nothing of the answer. */
export function decodeCountRequest(
  body: RequestBody,
  headers: ReadonlyMap<string, string>,
): ChatRequest {
  checkRequest(body, { headers, isCount: true })
  return { ...readRequest(body, headers, String(body.value.model)), stream: false }
}

/**
 * Refuses a turn that goes on from one that the vendor keeps: told without it, the conversation would be lost. Clients
 * know the code and send the whole conversation again.
 */
export function refuseThread({ thread }: JsonObject): void {
  if (isAbsent(thread) || thread === false) return
  throw new GatewayError(
    'not-expressible',
    'thread: the upstream of this model keeps no threads. Send the whole conversation without `thread`.',
    { param: 'thread', detail: 'thread_unsupported_request' },
  )
}

function readRequest(
  body: RequestBody,
  headers: ReadonlyMap<string, string>,
  model: string,
): Omit<ChatRequest, 'stream'> {
  let known: Conversation | undefined
  return {
    protocol: 'messages',
    model: brandAs<ModelName>(model),
    wantsUsage: true,
    body,
    headers,
    meaning: () => (known ??= decodeConversation(body)),
  }
}

function decodeConversation(body: RequestBody): Conversation {
  const { value } = body
  refuseBound(value)
  const tools = decodeTools(value.tools, topMember(body, 'tools'))
  const turns = decodeTurns(value.messages, topMember(body, 'messages'))
  return {
    turns: [...decodeSystem(value.system, topMember(body, 'system')), ...orderTurns(turns)],
    tools,
    ...(tools.length > 0 && decodeToolChoice(value.tool_choice)),
    ...decodeSettings(body),
  }
}

/** Refuses what only the vendor can do: without it the request would mean something else. */
function refuseBound(value: JsonObject): void {
  refuseThread(value)
  const { mcp_servers: servers, container, compaction } = value
  if (Array.isArray(servers) && servers.length > 0) throw bound('mcp_servers')
  // A bare container is only a place to run what other members ask for, and those are refused themselves.
  if (isObject(container) && !isAbsent(container.skills)) throw bound('container.skills')
  if (!isAbsent(compaction)) throw bound('compaction')
}

function bound(field: string): GatewayError {
  return new GatewayError(
    'not-expressible',
    `${field}: the upstream of this model cannot do this. Leave it out, or choose a model of an upstream that speaks the messages protocol.`,
    { param: field },
  )
}
