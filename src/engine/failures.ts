import { GatewayError } from '#chat/error.ts'

import type { Failure } from './orders.ts'

/** A failure that the child told of, as the error that a caller is told. */
export function errorOf({ code, message, param, detail }: Failure): GatewayError {
  return new GatewayError(code, message, { param, detail })
}

/** The child has ended while somebody waited for it. */
export function lostError(how: string, hasBegun: boolean): GatewayError {
  return hasBegun
    ? new GatewayError(
        'upstream-lost',
        `The engine broke off in the middle of the answer: its process ${how}. It starts again by itself; ask again.`,
      )
    : new GatewayError(
        'upstream-failed',
        `The engine gave no answer: its process ${how}. It starts again by itself; ask again.`,
        { retryAfter: 1 },
      )
}

/** The detail of a load that was refused for want of memory. */
export const memoryDetail = 'memory'
