import type { ErrorCode, GatewayError } from '#chat/error.ts'
import type { WireError } from '#protocols/messages/wire.ts'

import { isKnown, overflowWords } from './overflow-words.ts'

/** The status under which clients of this protocol know that they should come back later. */
const overloaded = 529

const statusByCode: ReadonlyMap<ErrorCode, number> = new Map([
  ['upstream-overloaded', overloaded],
  ['engine-busy', overloaded],
  ['gateway-overloaded', overloaded],
  ['gateway-stopping', overloaded],
  // Clients of this protocol know the code of a packed body under this status only.
  ['media-unsupported', 400],
])

const typeByStatus: ReadonlyMap<number, string> = new Map([
  [401, 'authentication_error'],
  [402, 'billing_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [408, 'timeout_error'],
  [409, 'conflict_error'],
  [413, 'request_too_large'],
  [429, 'rate_limit_error'],
  [504, 'timeout_error'],
  [overloaded, 'overloaded_error'],
])

/** The finer codes that clients of this protocol act upon. */
const knownDetails: ReadonlySet<string> = new Set([
  'thread_unsupported_request',
  'thread_not_found',
  'tool_name_conflict',
  'tool_reference_unresolved',
  'available_tools_limit_exceeded',
  'request_body_encoding_invalid',
  'request_body_encoding_unsupported',
  'request_body_too_large_after_decoding',
  'enforced_spend_limit_reached',
  'ramp_limit_exceeded',
])

/** The HTTP status that this protocol gives a failure. */
export function statusOf(error: GatewayError): number {
  return statusByCode.get(error.code) ?? error.status
}

/**
 * Words a failure as a JSON body. What an upstream of this protocol said is relayed as it came, because clients read its
 * details; only of a prompt that is too long they have to be told in words that they know.
 */
export function encodeError(error: GatewayError, requestId: string): string {
  return relayedBody(error) ?? JSON.stringify(envelope(error, requestId))
}

/** Words a failure as the last frame of a stream. */
export function encodeStreamError(error: GatewayError, requestId: string): string {
  const data = encodeError(error, requestId).replaceAll(/\r\n|\r|\n/g, '\ndata: ')
  return `event: error\ndata: ${data}\n\n`
}

function relayedBody({ code, message, upstream }: GatewayError): string | undefined {
  if (upstream?.protocol !== 'messages' || code === 'upstream-unauthorised') return undefined
  return code === 'context-exceeded' && !isKnown(message) ? undefined : upstream.body
}

function envelope(error: GatewayError, requestId: string): WireError {
  const details = detailsOf(error)
  return {
    type: 'error',
    error: {
      type: typeOf(statusOf(error)),
      message: messageOf(error),
      ...(details === undefined ? {} : { details: { error_code: details } }),
    },
    request_id: requestId,
  }
}

function typeOf(status: number): string {
  return typeByStatus.get(status) ?? (status < 500 ? 'invalid_request_error' : 'api_error')
}

function detailsOf({ code, detail }: GatewayError): string | undefined {
  if (code === 'budget-spent') return 'enforced_spend_limit_reached'
  return detail !== undefined && knownDetails.has(detail) ? detail : undefined
}

function messageOf({ code, message }: GatewayError): string {
  return code === 'context-exceeded' ? overflowWords(message) : message
}
