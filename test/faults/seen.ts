import type { ErrorCode } from '#chat/error.ts'
import type { ProtocolName } from '#chat/names.ts'
import { isObject, type JsonObject, parseJson } from '#std/json.ts'

import { type RawResponse, responseIn } from './raw-client.ts'

/**
 * What a caller can take an answer for: the whole of one, a refusal with a status, one that broke off with a reason
 * and without its end, one whose connection ended without a reason, one with a frame that no client can read, or
 * nothing at all. `truncated` is what must never be: some of a 200, and no telling that it is not all.
 */
export type Ending = 'whole' | 'refused' | 'broken' | 'cut' | 'garbled' | 'nothing' | 'truncated'

export interface Seen {
  readonly ending: Ending
  readonly status: number
  readonly requestId: string | undefined
  /** The protocol's own word for the error: its code, or where it has none its type. */
  readonly error: string | undefined
  readonly message: string
  readonly text: string
  readonly hasTerminator: boolean
  /** Whether a frame is no JSON, which every client makes an error of. */
  readonly isGarbled: boolean
  readonly response: RawResponse | undefined
}

/** Reads what came back on a connection as a careful client of the protocol does. */
export function seenIn(bytes: Buffer, protocol: ProtocolName): Seen {
  const response = responseIn(bytes)
  if (response === undefined) return { ...nothing, response }
  const { status, headers } = response
  const known = { status, requestId: headers.get('x-request-id'), response }
  const body = response.body.toString('utf8')
  if (status !== 200) return { ...known, ...refusal(body, protocol) }
  const isStream = headers.get('content-type')?.includes('text/event-stream') === true
  const heard = isStream ? streamSeen(body, protocol) : replySeen(body, protocol)
  return { ...known, ...heard, ending: endingOf(heard, response.isWhole) }
}

/** The status and word under which a failure is told in each protocol (reliability: what the client sees). */
export const told: Readonly<
  Record<ProtocolName, Partial<Record<ErrorCode, readonly [number, string]>>>
> = {
  'chat-completions': {
    'upstream-refused': [400, 'invalid_request_error'],
    'context-exceeded': [400, 'context_length_exceeded'],
    'upstream-busy': [429, 'rate_limit_exceeded'],
    'upstream-overloaded': [503, 'server_is_overloaded'],
    'upstream-unauthorised': [502, 'upstream_error'],
    'upstream-failed': [502, 'upstream_error'],
    'upstream-unreachable': [502, 'upstream_error'],
    'upstream-lost': [502, 'upstream_error'],
    'upstream-timeout': [504, 'upstream_timeout'],
  },
  messages: {
    'upstream-refused': [400, 'invalid_request_error'],
    'context-exceeded': [400, 'invalid_request_error'],
    'upstream-busy': [429, 'rate_limit_error'],
    'upstream-overloaded': [529, 'overloaded_error'],
    'upstream-unauthorised': [502, 'api_error'],
    'upstream-failed': [502, 'api_error'],
    'upstream-unreachable': [502, 'api_error'],
    'upstream-lost': [502, 'api_error'],
    'upstream-timeout': [504, 'timeout_error'],
  },
}

const nothing: Omit<Seen, 'response'> = {
  ending: 'nothing',
  status: 0,
  requestId: undefined,
  error: undefined,
  message: '',
  text: '',
  hasTerminator: false,
  isGarbled: false,
}

type Said = Pick<Seen, 'error' | 'message' | 'text' | 'hasTerminator' | 'isGarbled'>

function endingOf({ error, hasTerminator, isGarbled }: Said, isWhole: boolean): Ending {
  if (isGarbled) return 'garbled'
  if (error === undefined && isWhole) return hasTerminator ? 'whole' : 'truncated'
  if (error === undefined) return hasTerminator ? 'truncated' : 'cut'
  return hasTerminator || isWhole ? 'truncated' : 'broken'
}

function refusal(body: string, protocol: ProtocolName): Said & Pick<Seen, 'ending'> {
  const error = errorIn(parsed(body), protocol)
  return { ...(error ?? quiet), ending: error === undefined ? 'nothing' : 'refused' }
}

const quiet: Said = {
  error: undefined,
  message: '',
  text: '',
  hasTerminator: false,
  isGarbled: false,
}

/** An error object of the protocol, in all of its members. */
function errorIn(body: JsonObject, protocol: ProtocolName): Said | undefined {
  const error = body['error']
  if (!isObject(error)) return undefined
  const { type, message, code } = error
  if (typeof type !== 'string' || typeof message !== 'string') return undefined
  if (protocol === 'messages' && body['type'] !== 'error') return undefined
  if (protocol === 'chat-completions' && !('param' in error && 'code' in error)) return undefined
  return { ...quiet, error: protocol === 'messages' ? type : textOf(code) || type, message }
}

function replySeen(body: string, protocol: ProtocolName): Said {
  const value = parsed(body)
  const first = protocol === 'messages' ? value : objectAt(value['choices'], 0)
  const reason = first[protocol === 'messages' ? 'stop_reason' : 'finish_reason']
  const text =
    protocol === 'messages'
      ? listOf(value['content']).map((block) => textOf(objectOf(block)['text']))
      : [textOf(objectOf(first['message'])['content'])]
  return { ...quiet, text: text.join(''), hasTerminator: typeof reason === 'string' }
}

function streamSeen(body: string, protocol: ProtocolName): Said {
  let said: Said = quiet
  for (const frame of body.split(/\r\n\r\n|\n\n|\r\r/)) {
    const lines = frame.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)
    const data = lines
      .filter((line) => line.startsWith('data:'))
      .map((line) => line.slice(5).replace(/^ /, ''))
      .join('\n')
    if (data === '') continue
    if (data === '[DONE]') said = { ...said, hasTerminator: true }
    else if (!parseJson(data).ok) said = { ...said, isGarbled: true }
    else
      said = protocol === 'messages' ? eventSeen(said, parsed(data)) : chunkSeen(said, parsed(data))
  }
  return said
}

function eventSeen(said: Said, event: JsonObject): Said {
  if (event['type'] === 'message_stop') return { ...said, hasTerminator: true }
  const error = errorIn(event, 'messages')
  if (error !== undefined) return { ...said, error: error.error, message: error.message }
  const text = objectOf(event['delta'])['text']
  return typeof text === 'string' ? { ...said, text: said.text + text } : said
}

function chunkSeen(said: Said, chunk: JsonObject): Said {
  const error = errorIn(chunk, 'chat-completions')
  if (error !== undefined) return { ...said, error: error.error, message: error.message }
  const text = objectOf(objectAt(chunk['choices'], 0)['delta'])['content']
  return typeof text === 'string' ? { ...said, text: said.text + text } : said
}

function parsed(text: string): JsonObject {
  const value = parseJson(text)
  return value.ok ? objectOf(value.value) : {}
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function objectAt(value: unknown, index: number): JsonObject {
  return objectOf(listOf(value)[index])
}
