import { type GatewayError, errorKinds } from '#chat/error.ts'
import type { Note } from '#chat/note.ts'
import { limitHeaders } from '#protocols/limit-headers.ts'
import type { Protocol } from '#protocols/protocol.ts'

/** Longest wait, in seconds, that is worth asking an SDK for: some sleep through any number, some ignore more than 60. */
const longestWait = 60

/** The headers that every response carries: the exchange's id under the names that the SDKs of both protocols read. */
export function baseHeaders(requestId: string): Headers {
  return new Headers({ 'x-request-id': requestId, 'request-id': requestId })
}

/** A failure before the first byte, in the caller's words. */
export function errorResponse(
  error: GatewayError,
  protocol: Protocol,
  requestId: string,
): Response {
  const headers = baseHeaders(requestId)
  headers.set('content-type', 'application/json')
  for (const [name, value] of limitHeaders(protocol.name, error.limits ?? []))
    headers.set(name, value)
  for (const [name, value] of retryHeaders(error)) headers.set(name, value)
  if (error.code === 'body-too-large') headers.set('connection', 'close')
  const status = protocol.statusOf(error)
  return new Response(protocol.encodeError(error, requestId), { status, headers })
}

/** The notes of a translation as a header: `field: what`, separated by semicolons, in ASCII. */
export function notesHeader(notes: readonly Note[]): string {
  return notes
    .map((note) => `${note.field}: ${note.what}`)
    .join('; ')
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .slice(0, 4096)
}

/** What callers and operators name as they like, such as a model, as the value of a header: ASCII, the rest encoded as in a URL. */
export function headerText(value: string): string {
  if (/^[\x20-\x7e]*$/.test(value)) return value
  return value.toWellFormed().replaceAll(/[^\x20-\x7e]+/g, encodeURIComponent)
}

/**
 * Whether and when the same request is worth sending again. Both SDKs retry 408, 409, 429 and 5xx unless told not to,
 * so a refusal that will not change says so; as does one that changes only when a budget begins anew, however soon.
 */
function* retryHeaders(error: GatewayError): Generator<[string, string]> {
  const wait = error.retryAfter
  if (wait !== undefined && wait <= longestWait && error.code !== 'budget-spent') {
    // Some clients take a wait of nothing for none that was told.
    yield ['retry-after', String(Math.max(1, Math.ceil(wait)))]
    yield ['retry-after-ms', String(Math.max(1, Math.ceil(wait * 1000)))]
    yield ['x-should-retry', 'true']
    return
  }
  const isFinal = errorKinds[error.code].fault === 'client' || wait !== undefined
  if (isFinal) yield ['x-should-retry', 'false']
}
