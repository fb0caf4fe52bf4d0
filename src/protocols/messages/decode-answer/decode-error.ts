import { type ErrorCode, GatewayError, type UpstreamWords } from '#chat/error.ts'
import { codesByStatus } from '#protocols/failed-statuses.ts'
import { objectIn, textIn } from '#protocols/messages/wire.ts'
import { tellsOverflow } from '#protocols/tells-overflow.ts'
import { isObject, parseJson } from '#std/json.ts'

/**
 * Reads the refusal or failure of an upstream: its status, its body, how many seconds it asked to wait.
 * The body goes on byte for byte to callers of this protocol where it is a client's to act on; what an
 * upstream says of the gateway's own credential never does.
 */
export function decodeError(status: number, text: string, retryAfter?: number): GatewayError {
  const envelope = readEnvelope(text)
  const relay = envelope.isWellFormed && relayedStatuses.has(status)
  return failure(status, envelope, { text, relay, retryAfter })
}

/** Reads an error that was told under a good status: as the data of a stream's event, or as a reply. */
export function decodeToldError(text: string): GatewayError {
  const envelope = readEnvelope(text)
  const status = statuses.get(envelope.type) ?? 500
  return failure(status, envelope, { text, relay: envelope.isWellFormed, retryAfter: undefined })
}

/** Whether a parsed body is an error of some kind rather than an answer. */
export function isErrorBody(value: unknown): boolean {
  if (!isObject(value)) return false
  return value['type'] === 'error' || (value['type'] === undefined && Boolean(value['error']))
}

/** A stream that no client of this protocol could read. */
export function nonsense(what: string): GatewayError {
  return new GatewayError('upstream-failed', `The upstream sent ${what}, which no client can read.`)
}

/** What a failure to read a stream means: its own, if it is one already, or that the stream is none. */
export function unreadable(error: unknown): GatewayError {
  if (error instanceof GatewayError) return error
  return new GatewayError(
    'upstream-failed',
    'The upstream sent a stream that cannot be read: expected server-sent events whose data is JSON.',
    { cause: error },
  )
}

/** The stream ended without `message_stop`. */
export function lost(): GatewayError {
  return new GatewayError(
    'upstream-lost',
    'The upstream closed its stream before the answer was complete. Send the request again.',
  )
}

interface Envelope {
  readonly type: string
  readonly message: string
  readonly errorCode: string
  /** It is this protocol's own shape, and says nothing that looks like a key. */
  readonly isWellFormed: boolean
}

interface Told {
  readonly text: string
  readonly relay: boolean
  readonly retryAfter: number | undefined
}

/** Failures that the client's own request brought about, or that it is to wait out: their bodies are passed on. */
const relayedStatuses: ReadonlySet<number> = new Set([400, 402, 404, 409, 413, 422, 429, 529])

/** Which status an error has that is told without one. */
const statuses: ReadonlyMap<string, number> = new Map([
  ['invalid_request_error', 400],
  ['authentication_error', 401],
  ['billing_error', 402],
  ['permission_error', 403],
  ['not_found_error', 404],
  ['conflict_error', 409],
  ['request_too_large', 413],
  ['rate_limit_error', 429],
  ['timeout_error', 504],
  ['overloaded_error', 529],
])

const codes: ReadonlyMap<number, ErrorCode> = new Map([...codesByStatus, [413, 'body-too-large']])

/** Statuses that a client is told as they are, although the code has another. */
const keptStatuses: ReadonlySet<number> = new Set([402, 404, 409, 422])

const secretWords = /\b(?:sk|pk|key)-[\w-]{12,}|\bbearer\s+[\w.-]{12,}/i

const longestMessage = 2000

function failure(status: number, envelope: Envelope, told: Told): GatewayError {
  const code = codeOf(status, envelope)
  const detail = envelope.errorCode || (status === 402 ? 'insufficient_quota' : '')
  const words: UpstreamWords = {
    protocol: 'messages',
    status,
    ...(envelope.type === '' ? {} : { type: envelope.type }),
    ...(envelope.errorCode === '' ? {} : { code: envelope.errorCode }),
    ...(told.relay && code !== 'upstream-unauthorised' ? { body: told.text } : {}),
  }
  return new GatewayError(code, messageOf(code, status, envelope), {
    cause: new Error(`The upstream answered ${status}: ${told.text.slice(0, longestMessage)}`),
    upstream: words,
    ...(keptStatuses.has(status) ? { status } : {}),
    ...(detail === '' ? {} : { detail }),
    ...(told.retryAfter === undefined ? {} : { retryAfter: told.retryAfter }),
  })
}

function codeOf(status: number, envelope: Envelope): ErrorCode {
  if ((status === 400 || status === 422) && tellsOverflow(envelope.message)) {
    return 'context-exceeded'
  }
  const code = codes.get(status)
  if (code !== undefined) return code
  return status >= 400 && status < 500 ? 'upstream-refused' : 'upstream-failed'
}

function messageOf(code: ErrorCode, status: number, envelope: Envelope): string {
  if (code === 'upstream-unauthorised') {
    return `The upstream refused the gateway's own credential (status ${status}). Whoever runs the gateway has to check the key configured for it.`
  }
  if (envelope.message !== '') return envelope.message
  return `The upstream failed with status ${status} and gave no reason.`
}

/** The error in a body, also where a server words it as the other protocol does. HTML and the like say nothing. */
function readEnvelope(text: string): Envelope {
  const parsed = parseJson(text)
  const body = objectIn(parsed.ok ? parsed.value : undefined)
  const error = objectIn(body['error'])
  const type = textIn(error['type'])
  const message = textIn(error['message']) || textIn(body['error']) || textIn(body['message'])
  const isSecret = secretWords.test(text)
  return {
    type,
    message: isSecret ? '' : message.slice(0, longestMessage),
    errorCode: textIn(objectIn(error['details'])['error_code']),
    isWellFormed:
      body['type'] === 'error' && type !== '' && textIn(error['message']) !== '' && !isSecret,
  }
}
