import type { ProtocolName } from './names.ts'

interface ErrorKind {
  readonly status: number
  readonly fault: 'client' | 'upstream' | 'gateway'
}

/** Every way an exchange can fail. Codes are public: never rename one, never reuse one. */
export const errorKinds = {
  'request-invalid': { status: 400, fault: 'client' },
  'version-invalid': { status: 400, fault: 'client' },
  'not-expressible': { status: 400, fault: 'client' },
  'context-exceeded': { status: 400, fault: 'client' },
  'key-missing': { status: 401, fault: 'client' },
  'key-rejected': { status: 401, fault: 'client' },
  'model-forbidden': { status: 403, fault: 'client' },
  /** The key is good, but not for this path or from this address. */
  'not-permitted': { status: 403, fault: 'client' },
  'model-unknown': { status: 404, fault: 'client' },
  'path-unknown': { status: 404, fault: 'client' },
  'method-rejected': { status: 405, fault: 'client' },
  'body-overdue': { status: 408, fault: 'client' },
  /** It took longer than the caller said that it waits. */
  'answer-overdue': { status: 504, fault: 'client' },
  'body-too-large': { status: 413, fault: 'client' },
  'media-unsupported': { status: 415, fault: 'client' },
  'client-gone': { status: 499, fault: 'client' },
  'budget-spent': { status: 429, fault: 'client' },
  'rate-exceeded': { status: 429, fault: 'client' },
  /** The upstream refused the request for what it says; another upstream would be asked for nothing. */
  'upstream-refused': { status: 400, fault: 'client' },
  'upstream-busy': { status: 429, fault: 'upstream' },
  'upstream-overloaded': { status: 503, fault: 'upstream' },
  'upstream-unauthorised': { status: 502, fault: 'upstream' },
  'upstream-failed': { status: 502, fault: 'upstream' },
  'upstream-unreachable': { status: 502, fault: 'upstream' },
  /** It began to answer and stopped without its own end. */
  'upstream-lost': { status: 502, fault: 'upstream' },
  'upstream-timeout': { status: 504, fault: 'upstream' },
  'engine-busy': { status: 503, fault: 'upstream' },
  'gateway-overloaded': { status: 503, fault: 'gateway' },
  'gateway-stopping': { status: 503, fault: 'gateway' },
  'storage-unavailable': { status: 503, fault: 'gateway' },
  internal: { status: 500, fault: 'gateway' },
} as const satisfies Record<string, ErrorKind>

export type ErrorCode = keyof typeof errorKinds

/** What an upstream itself said of a failure, as far as it may be shown. */
export interface UpstreamWords {
  readonly protocol: ProtocolName
  readonly status: number
  /** The body as received, only if it is that protocol's own error shape and holds no secret. */
  readonly body?: string
  readonly type?: string
  readonly code?: string
}

export interface ErrorDetails {
  readonly cause?: unknown
  /** The field that is at fault, in the caller's own notation. */
  readonly param?: string | undefined
  /** A finer code that clients of the protocol know, such as `array_above_max_length` or `thread_unsupported_request`. */
  readonly detail?: string | undefined
  /** Seconds after which the same request may do better. */
  readonly retryAfter?: number | undefined
  /** A status other than the code's own, where the upstream's is to be kept. */
  readonly status?: number | undefined
  readonly upstream?: UpstreamWords | undefined
  /** The headers in which the upstream told of its rate limits, by their lower-case names. */
  readonly limits?: ReadonlyMap<string, string> | undefined
}

/** The one error of the product: what a client is told, and what is kept from it (`cause`). */
export class GatewayError extends Error {
  override readonly name = 'GatewayError'
  readonly code: ErrorCode
  readonly param: string | undefined
  readonly detail: string | undefined
  readonly retryAfter: number | undefined
  readonly upstream: UpstreamWords | undefined
  readonly limits: ReadonlyMap<string, string> | undefined
  readonly status: number

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause })
    this.code = code
    this.param = details.param
    this.detail = details.detail
    this.retryAfter = details.retryAfter
    this.upstream = details.upstream
    this.limits = details.limits
    this.status = details.status ?? errorKinds[code].status
  }

  /** The same failure, together with what the upstream told of its rate limits. */
  withLimits(limits: ReadonlyMap<string, string>): GatewayError {
    const { cause, param, detail, retryAfter, upstream, status } = this
    const details = { cause, param, detail, retryAfter, upstream, status, limits }
    return new GatewayError(this.code, this.message, details)
  }

  get fault(): ErrorKind['fault'] {
    return errorKinds[this.code].fault
  }

  /** Another upstream may do better. Ours and the client's faults will not change. */
  get worthAnotherUpstream(): boolean {
    return this.fault === 'upstream'
  }

  /** What a bug or a broken dependency becomes: the cause is logged, never shown. */
  static from(error: unknown): GatewayError {
    if (error instanceof GatewayError) return error
    return new GatewayError(
      'internal',
      'The gateway failed to answer. The failure is logged under the request id.',
      { cause: error },
    )
  }
}
