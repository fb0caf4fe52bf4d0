import type { Conversation } from '#chat/conversation.ts'
import type { ModelName } from '#chat/names.ts'
import type { ChatRequest, RequestBody } from '#chat/request.ts'
import { objectIn } from '#protocols/chat-completions/wire.ts'
import { given } from '#protocols/given.ts'
import { brandAs } from '#std/brand.ts'
import { listIn } from '#std/json.ts'

import { checkRequest } from './check-request.ts'
import { decodeSettings } from './decode-settings.ts'
import { sourceOf } from './decode-source.ts'
import { decodeTools } from './decode-tools.ts'
import { decodeTurns } from './decode-turns.ts'

/**
 * Reads a request of this protocol. Nothing of the caller's headers goes on to an upstream. Throws `request-invalid`
 * for a body that breaks the protocol's rules.
 */
export function decodeRequest(
  body: RequestBody,
  _headers: ReadonlyMap<string, string>,
): ChatRequest {
  checkRequest(body)
  const { model, stream, stream_options: options } = body.value
  const maxTokens = maxTokensOf(body)
  return {
    protocol: 'chat-completions',
    model: brandAs<ModelName>(String(model)),
    stream: stream === true,
    wantsUsage: stream === true && objectIn(options)?.['include_usage'] === true,
    ...given('maxTokens', maxTokens),
    ...given('choices', limitIn(body.value['n'])),
    body,
    headers: noHeaders,
    meaning: () => decodeConversation(body, maxTokens),
  }
}

const noHeaders: ReadonlyMap<string, string> = new Map()

/** All that a checked request says. Throws `not-expressible` for what our words cannot say. */
function decodeConversation(body: RequestBody, maxTokens: number | undefined): Conversation {
  const { value } = body
  const source = sourceOf(body)
  return {
    turns: decodeTurns(listIn(value['messages']), source.each('messages')),
    ...decodeTools(value, source),
    ...decodeSettings(body, source),
    ...given('maxTokens', maxTokens),
  }
}

/** The newer member wins. Zero and less is how local clients say that they set no limit. */
function maxTokensOf({ value }: RequestBody): number | undefined {
  return limitIn(value['max_completion_tokens']) ?? limitIn(value['max_tokens'])
}

function limitIn(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 ? value : undefined
}
