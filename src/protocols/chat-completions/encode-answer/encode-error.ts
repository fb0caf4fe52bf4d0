import type { ErrorCode, GatewayError } from '#chat/error.ts'
import type { WireError } from '#protocols/chat-completions/wire.ts'
import { isObject, parseJson } from '#std/json.ts'

/**
 * Words a failure as this protocol's error object, all four members always there. What an upstream of this
 * protocol said of the caller's own fault goes on as it said it.
 */
export function encodeError(error: GatewayError, _requestId: string): string {
  return relayable(error) ?? JSON.stringify(worded(error))
}

/** The failure as the only frame after the last chunk. No `[DONE]` follows it. */
export function encodeStreamError(error: GatewayError, requestId: string): string {
  const body = encodeError(error, requestId)
  return `data: ${/[\r\n]/.test(body) ? JSON.stringify(JSON.parse(body)) : body}\n\n`
}

/** The HTTP status of a failure. Statuses that clients of this protocol do not know are told as ones that they do. */
export function statusOf(error: GatewayError): number {
  if (error.code === 'upstream-refused' && error.status === 422) return 400
  return words[error.code].status ?? error.status
}

interface Words {
  readonly type: string
  readonly code: string | null
  readonly param?: string
  /** For codes whose status is that of the gateway, whatever the upstream's was. */
  readonly status?: number
}

const invalid = 'invalid_request_error'

const words: Readonly<Record<ErrorCode, Words>> = {
  'request-invalid': { type: invalid, code: null },
  'version-invalid': { type: invalid, code: null },
  'not-expressible': { type: invalid, code: 'unsupported_parameter' },
  'context-exceeded': {
    type: invalid,
    code: 'context_length_exceeded',
    param: 'messages',
    status: 400,
  },
  'key-missing': { type: invalid, code: null },
  'key-rejected': { type: invalid, code: 'invalid_api_key' },
  'model-forbidden': { type: invalid, code: 'model_not_found' },
  'not-permitted': { type: invalid, code: 'permission_denied' },
  'model-unknown': { type: invalid, code: 'model_not_found' },
  'path-unknown': { type: invalid, code: 'unknown_url' },
  'method-rejected': { type: invalid, code: 'method_not_supported' },
  'body-overdue': { type: 'timeout', code: null },
  'answer-overdue': { type: 'timeout', code: 'answer_overdue' },
  'body-too-large': { type: invalid, code: 'request_too_large' },
  'media-unsupported': { type: invalid, code: 'unsupported_content_type' },
  'client-gone': { type: invalid, code: null },
  'budget-spent': { type: 'insufficient_quota', code: 'insufficient_quota' },
  'rate-exceeded': { type: 'requests', code: 'rate_limit_exceeded' },
  'upstream-refused': { type: invalid, code: null },
  'upstream-busy': { type: 'requests', code: 'rate_limit_exceeded' },
  'upstream-overloaded': {
    type: 'service_unavailable_error',
    code: 'server_is_overloaded',
    status: 503,
  },
  'upstream-unauthorised': { type: 'server_error', code: 'upstream_error', status: 502 },
  'upstream-failed': { type: 'server_error', code: 'upstream_error', status: 502 },
  'upstream-unreachable': { type: 'server_error', code: 'upstream_error' },
  'upstream-lost': { type: 'server_error', code: 'upstream_error' },
  'upstream-timeout': { type: 'server_error', code: 'upstream_timeout' },
  'engine-busy': { type: 'service_unavailable_error', code: 'server_is_overloaded' },
  'gateway-overloaded': { type: 'service_unavailable_error', code: 'server_is_overloaded' },
  'gateway-stopping': { type: 'service_unavailable_error', code: 'server_is_stopping' },
  'storage-unavailable': { type: 'service_unavailable_error', code: 'storage_unavailable' },
  internal: { type: 'server_error', code: 'internal_error' },
}

/** Finer codes that say which kind of limit was hit: they are this protocol's `type`. */
const limitTypes: ReadonlySet<string> = new Set(['requests', 'tokens', 'insufficient_quota'])

function worded(error: GatewayError): WireError {
  const { type, code, param } = words[error.code]
  const { detail } = error
  const limit = detail !== undefined && limitTypes.has(detail) ? detail : undefined
  return {
    error: {
      message: messageOf(error),
      type: limit ?? type,
      param: error.param ?? param ?? null,
      code: finerCode(error, limit) ?? code,
    },
  }
}

function finerCode(error: GatewayError, limit: string | undefined): string | undefined {
  if (limit !== undefined) return limit === 'insufficient_quota' ? limit : undefined
  // The one code that agents look for stays, however the upstream put it.
  return error.code === 'context-exceeded' ? undefined : error.detail
}

/** Agents make room when they read these words, whatever the code. */
const overflowWords = 'maximum context length'

function messageOf({ code, message }: GatewayError): string {
  if (code !== 'context-exceeded' || message.includes(overflowWords)) return message
  return `This request exceeds the model's ${overflowWords}: ${message}`
}

/** The upstream's own body, where it is an error that every client of this protocol can read. */
function relayable(error: GatewayError): string | undefined {
  const { upstream } = error
  if (upstream?.protocol !== 'chat-completions' || upstream.body === undefined) return undefined
  const parsed = parseJson(upstream.body)
  const told = parsed.ok && isObject(parsed.value) ? parsed.value['error'] : undefined
  return isObject(told) && members.every((key) => isWorded(told[key], key))
    ? upstream.body
    : undefined
}

const members = ['message', 'type', 'param', 'code'] as const

function isWorded(value: unknown, key: (typeof members)[number]): boolean {
  return typeof value === 'string' || (value === null && (key === 'param' || key === 'code'))
}
