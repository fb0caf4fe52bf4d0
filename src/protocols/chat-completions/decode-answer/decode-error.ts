import { GatewayError, type ErrorCode } from '#chat/error.ts'
import { objectIn } from '#protocols/chat-completions/wire.ts'
import { codesByStatus } from '#protocols/failed-statuses.ts'
import { given } from '#protocols/given.ts'
import { tellsOverflow } from '#protocols/tells-overflow.ts'
import { parseJson, listIn } from '#std/json.ts'
import { SseError } from '#std/sse.ts'

import {
  type Complaint,
  complaintIn,
  guessStatus,
  isOwnShape,
  maxMessage,
  shown,
  unwrapped,
} from './complaint.ts'

/** The statuses of a target that is set up wrongly. */
const operatorsStatuses: ReadonlySet<number> = new Set([404, 405, 406, 410, 415])

const overflowCodes = /context_length_exceeded|exceed_context_size|context_window_exceeded/

/**
 * Reads what an upstream answered with a status that is no success. What the caller got wrong keeps its status
 * and message; what is between the gateway and its upstream (keys, models, paths) is never told as the caller's.
 */
export function decodeError(status: number, text: string, retryAfter?: number): GatewayError {
  const parsed = parseJson(text)
  const complaint = parsed.ok ? complaintIn(parsed.value) : undefined
  return errorOf({ status, complaint, text, ...given('retryAfter', retryAfter) })
}

/** The failure that a 200 body or a chunk of a stream tells of, in whichever dialect; undefined for an answer. */
export function failureIn(value: unknown, isNamedError = false): GatewayError | undefined {
  const body = unwrapped(value)
  if (body === undefined) return undefined
  const tells =
    isNamedError ||
    isTold(body['error']) ||
    body['object'] === 'error' ||
    (body['detail'] !== undefined && body['choices'] === undefined)
  if (tells) return failureOf(body)
  const failed = listIn(body['choices'])
    .map((choice) => objectIn(choice))
    .find((choice) => isTold(choice?.['error']))
  return failed && failureOf(failed)
}

/** A failure that an upstream told of inside a 200: its words as those of the status they stand for. */
export function failureOf(value: unknown): GatewayError {
  const complaint = complaintIn(value)
  const status = complaint.status ?? guessStatus(complaint)
  return errorOf({ status, complaint, text: JSON.stringify(value) })
}

/** The upstream's body ended before its answer did. */
export function lost(): GatewayError {
  return new GatewayError(
    'upstream-lost',
    'The upstream stopped in the middle of its answer, without saying that it was over.',
  )
}

/** A chunk that is no JSON: what follows it cannot be trusted either. */
export function nonsense(data: string): GatewayError {
  return new GatewayError(
    'upstream-failed',
    'The upstream sent a chunk that is no JSON object, so its answer cannot be trusted.',
    { cause: new Error(`The chunk began: ${data.slice(0, 200)}`) },
  )
}

/** What a stream that cannot be read throws; any other error stays what it is. */
export function unreadable(error: unknown): unknown {
  if (!(error instanceof SseError)) return error
  return new GatewayError(
    'upstream-failed',
    `The upstream's stream cannot be read. ${error.message}`,
    { cause: error },
  )
}

interface Failure {
  readonly status: number
  readonly complaint: Complaint | undefined
  readonly text: string
  readonly retryAfter?: number
}

function errorOf({ status, complaint, text, retryAfter }: Failure): GatewayError {
  const code = codeOf(status, complaint, text)
  const type = complaint?.type ?? ''
  const finer = complaint?.code ?? ''
  const detail = status === 402 ? finer || 'insufficient_quota' : finer
  const isCallers = code === 'upstream-refused' || code === 'context-exceeded'
  const param = isCallers ? complaint?.param : ''
  return new GatewayError(code, messageOf(code, status, complaint), {
    cause: new Error(`The upstream answered ${status}: ${text.slice(0, maxMessage)}`),
    ...given('detail', code === 'upstream-unauthorised' ? undefined : detail || undefined),
    ...given('param', param || undefined),
    ...given('retryAfter', retryAfter),
    ...given('status', keptStatus(code, status)),
    upstream: {
      protocol: 'chat-completions',
      status,
      ...given('body', isCallers && isOwnShape(text) ? text : undefined),
      ...given('type', type || undefined),
      ...given('code', finer || undefined),
    },
  })
}

function codeOf(status: number, complaint: Complaint | undefined, text: string): ErrorCode {
  const isTheirs = status === 401 || status === 403 || status === 429 || status === 402
  if (!isTheirs && isOverflow(complaint, text)) return 'context-exceeded'
  // A limit of tokens a minute, which one vendor tells as a body too large.
  if (complaint?.code === 'rate_limit_exceeded') return 'upstream-busy'
  const code = codesByStatus.get(status)
  if (code !== undefined) return code
  return status >= 400 && status < 500 ? 'upstream-refused' : 'upstream-failed'
}

// A relayed complaint may lie inside another one's text, so the whole body is searched.
function isOverflow(complaint: Complaint | undefined, text: string): boolean {
  if (complaint === undefined) return false
  if (overflowCodes.test(complaint.code) || overflowCodes.test(complaint.type)) return true
  return tellsOverflow(text.slice(0, maxMessage * 4))
}

// Their 422 is what others call 400; a spent balance keeps its own status.
function keptStatus(code: ErrorCode, status: number): number | undefined {
  if (code === 'upstream-refused') return status === 422 ? 400 : status
  return code === 'upstream-busy' && status === 402 ? status : undefined
}

/** The codes that tell the upstream's own message, and what they say where it gave none. */
const relayed: ReadonlyMap<ErrorCode, string> = new Map([
  ['upstream-refused', 'The upstream refused the request and did not say why.'],
  ['context-exceeded', 'The request is longer than the model can take.'],
  ['upstream-busy', 'The upstream has too much to do. Try again later.'],
  ['upstream-overloaded', 'The upstream has too much to do. Try again later.'],
])

function messageOf(code: ErrorCode, status: number, complaint: Complaint | undefined): string {
  const said = shown(complaint?.message ?? '')
  const instead = relayed.get(code)
  if (instead !== undefined) return said || instead
  if (code === 'upstream-unauthorised') {
    return `The upstream refused the gateway's own credentials (status ${status}). The operator has to renew them.`
  }
  if (operatorsStatuses.has(status)) {
    return `The upstream does not serve this model or path (status ${status}). The operator has to correct the target.`
  }
  return said === ''
    ? `The upstream failed with status ${status}. Try again later.`
    : `The upstream failed: ${said}`
}

function isTold(error: unknown): boolean {
  return error !== undefined && error !== null && error !== false && error !== ''
}
