import { GatewayError } from '#chat/error.ts'
import { type FileProblem, ModelFileError } from '#engine/files/model-file-error.ts'
import { StorageError } from '#storage/storage-error.ts'

/** Every way in which an administrator's request can fail. Codes are public: never rename one. */
export const problemKinds = {
  'request-invalid': 400,
  'session-missing': 401,
  'sign-in-rejected': 401,
  'setup-rejected': 401,
  'password-wrong': 403,
  'role-insufficient': 403,
  'request-forged': 403,
  'host-unknown': 403,
  'channel-unsafe': 403,
  'not-found': 404,
  'method-rejected': 405,
  conflict: 409,
  'body-too-large': 413,
  'media-unsupported': 415,
  'try-later': 429,
  internal: 500,
  'upstream-failed': 502,
  unavailable: 503,
} as const satisfies Record<string, number>

export type ProblemCode = keyof typeof problemKinds

/** What an administrator is told when something cannot be done, and what is kept from them (`cause`). */
export class AdminProblem extends Error {
  override readonly name = 'AdminProblem'
  readonly code: ProblemCode
  /** The field that is at fault. */
  readonly param: string | undefined
  /** Seconds after which to try again. */
  readonly retryAfter: number | undefined

  constructor(
    code: ProblemCode,
    message: string,
    {
      param,
      retryAfter,
      cause,
    }: { param?: string | undefined; retryAfter?: number; cause?: unknown } = {},
  ) {
    super(message, { cause })
    this.code = code
    this.param = param
    this.retryAfter = retryAfter
  }

  get status(): number {
    return problemKinds[this.code]
  }

  /** What a failure of any part of the product is to an administrator. */
  static from(error: unknown): AdminProblem {
    if (error instanceof AdminProblem) return error
    if (error instanceof StorageError)
      return new AdminProblem('unavailable', error.message, { cause: error })
    if (error instanceof ModelFileError)
      return new AdminProblem(fileProblems[error.problem], error.message, { cause: error })
    if (error instanceof GatewayError) return fromGateway(error)
    if (isOfDatabase(error)) return AdminProblem.from(StorageError.from(error, 'The database'))
    return new AdminProblem(
      'internal',
      'The gateway failed to answer. The failure is logged under the request id.',
      { cause: error },
    )
  }
}

/** There is no such thing, or it belongs to somebody else: nobody is told which. */
export function notFound(what: string): AdminProblem {
  return new AdminProblem('not-found', `There is no ${what} here.`)
}

/** The request says what cannot be done; `param` names the field. */
export function invalid(message: string, param?: string): AdminProblem {
  return new AdminProblem('request-invalid', message, { param })
}

function isOfDatabase(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE')
}

const fileProblems = {
  unusable: 'request-invalid',
  missing: 'not-found',
  denied: 'unavailable',
  unreachable: 'upstream-failed',
  damaged: 'upstream-failed',
  full: 'unavailable',
  fixed: 'conflict',
} as const satisfies Record<FileProblem, ProblemCode>

function fromGateway(error: GatewayError): AdminProblem {
  const { message, param, fault, status } = error
  const details = { param, cause: error }
  if (error.code === 'model-unknown') return new AdminProblem('not-found', message, details)
  if (error.code === 'engine-busy') return new AdminProblem('conflict', message, details)
  if (error.code === 'internal') return new AdminProblem('internal', message, details)
  if (status === 503 || fault === 'gateway')
    return new AdminProblem('unavailable', message, details)
  if (fault === 'upstream') return new AdminProblem('upstream-failed', message, details)
  return new AdminProblem('request-invalid', message, details)
}
