import { GatewayError } from '#chat/error.ts'
import type { Notes } from '#chat/note.ts'
import type { ChatRequest } from '#chat/request.ts'
import type { TargetModel } from '#chat/target.ts'
import { readCount } from '#chat/usage.ts'
import type { EncodedRequest } from '#protocols/protocol.ts'
import { isObject, membersOf, parseJson } from '#std/json.ts'

import { encodeRequest } from './encode-request.ts'
import { passRequest } from './pass-request.ts'

/** What only an answer needs. Where tokens are counted, these members are refused. */
const answering: ReadonlySet<string> = new Set([
  'max_tokens',
  'metadata',
  'service_tier',
  'stop_sequences',
  'stream',
  'temperature',
  'top_k',
  'top_p',
])

/** A request, whatever protocol it came in, as an upstream of this one is asked how many tokens it has. */
export function encodeCountRequest(
  request: ChatRequest,
  target: TargetModel,
  notes: Notes,
): EncodedRequest {
  const encoded =
    request.protocol === 'messages'
      ? passRequest(request, target, notes)
      : encodeRequest(request, target, notes)
  return { ...encoded, body: withoutAnswering(encoded.body) }
}

/** Reads a count of input tokens. Throws `upstream-failed` for what is none. */
export function decodeCountReply(text: string): number {
  const parsed = parseJson(text)
  const body = parsed.ok && isObject(parsed.value) ? parsed.value : {}
  const count = readCount(body['input_tokens'])
  if (count !== undefined) return count
  throw new GatewayError(
    'upstream-failed',
    'The upstream answered with a body that is no count: expected an object with input_tokens.',
  )
}

function withoutAnswering(body: string): string {
  const kept = membersOf(body).filter(({ key }) => !answering.has(key))
  return `{${kept.map(({ keyStart, valueEnd }) => body.slice(keyStart, valueEnd)).join(',')}}`
}
