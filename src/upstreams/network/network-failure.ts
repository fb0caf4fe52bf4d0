import { GatewayError } from '#chat/error.ts'

import { BodyTooLong } from './read-limited.ts'

export interface FailureContext {
  readonly upstream: string
  /** The signal of the call: whoever aborted it said why. */
  readonly signal: AbortSignal
  /** Whether the upstream had begun to answer. */
  readonly hasBegun: boolean
}

/**
 * What a failure while asking means: the reason of an abort, an upstream out of reach, one that broke off, or one
 * that said too much. What is none of these is a bug of ours and stays as it is.
 */
export function networkFailure(error: unknown, context: FailureContext): unknown {
  const { upstream, signal, hasBegun } = context
  if (error instanceof GatewayError) return error
  if (signal.aborted && signal.reason instanceof GatewayError) return signal.reason
  if (error instanceof BodyTooLong)
    return new GatewayError(
      'upstream-failed',
      `The upstream \`${upstream}\` said too much. ${error.message}`,
    )
  const code = codeOf(error)
  if (code === undefined) return error
  if (hasBegun) {
    return new GatewayError(
      'upstream-lost',
      `The upstream \`${upstream}\` broke off before its answer was complete.`,
      { cause: error },
    )
  }
  if (notHttp.has(code)) {
    return new GatewayError(
      'upstream-failed',
      `The upstream \`${upstream}\` answered with something that is not HTTP.`,
      { cause: error },
    )
  }
  // The request may have been read by then, and even carried out.
  if (wasConnectionClosed(error)) {
    return new GatewayError(
      'upstream-lost',
      `The upstream \`${upstream}\` closed the connection without an answer.`,
      { cause: error },
    )
  }
  return new GatewayError(
    'upstream-unreachable',
    `The upstream \`${upstream}\` cannot be reached: ${whyUnreachable(code)}.`,
    { cause: error },
  )
}

/** What answers like this is no server of HTTP, or none that can be understood. */
const notHttp: ReadonlySet<string> = new Set([
  'InvalidHTTPResponse',
  'Malformed_HTTP_Response',
  'InvalidContentLength',
  'UnsupportedTransferEncoding',
  'UnrequestedUpgrade',
])

/** Whether the connection was closed on us: on one that was kept alive, most often before anything was read. */
export function wasConnectionClosed(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'ECONNRESET' || code === 'ConnectionClosed' || code === 'EPIPE'
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ConnectionRefused: 'the connection was refused',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'its host name could not be looked up',
  ETIMEDOUT: 'connecting took too long',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
}

/** No text of the failure itself: it may hold the URL. */
function whyUnreachable(code: string): string {
  const known = reasons[code]
  if (known !== undefined) return known
  return /CERT|TLS|SSL|ISSUER|SIGN/i.test(code)
    ? `its certificate was not accepted (${code})`
    : 'the connection failed'
}

/** Every failure of the network has a code, and no bug of ours has. */
function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined
}
