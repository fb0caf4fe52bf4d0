import type { Policy, Rates } from '#keys/policy.ts'

import { type Rate, rateOf } from './gcra.ts'

/** What is counted of an exchange: itself, and its tokens. */
export type Counted = 'requests' | 'input' | 'output' | 'tokens'

/** How much of each one exchange takes. */
export type Amounts = Readonly<Record<Counted, number>>

interface Dimension {
  readonly rate: keyof Rates
  readonly of: Counted
  readonly per: 'minute' | 'day'
}

/** Every limit that a policy may set. The place of each in this list is the place of its counter. */
export const dimensions = [
  { rate: 'requestsPerMinute', of: 'requests', per: 'minute' },
  { rate: 'requestsPerDay', of: 'requests', per: 'day' },
  { rate: 'inputTokensPerMinute', of: 'input', per: 'minute' },
  { rate: 'inputTokensPerDay', of: 'input', per: 'day' },
  { rate: 'outputTokensPerMinute', of: 'output', per: 'minute' },
  { rate: 'outputTokensPerDay', of: 'output', per: 'day' },
  { rate: 'tokensPerMinute', of: 'tokens', per: 'minute' },
  { rate: 'tokensPerDay', of: 'tokens', per: 'day' },
] as const satisfies readonly Dimension[]

const windowMs = { minute: 60_000, day: 86_400_000 } as const

/** One limit of a policy, ready to be counted. */
export interface RateLimit extends Rate {
  readonly of: Counted
  readonly per: Dimension['per']
  /** Where its counter is among those of a holder. */
  readonly at: number
}

export interface PolicyLimits {
  readonly rates: readonly RateLimit[]
  readonly concurrency: number | undefined
}

/** The limits that a policy sets. Each window counts for itself: requests and tokens share none. */
export function limitsOf({ rates = {}, concurrency }: Policy): PolicyLimits {
  const set = dimensions.flatMap(({ rate, of, per }, at): RateLimit[] => {
    const most = rates[rate]
    return most === undefined ? [] : [{ ...rateOf(most, windowMs[per]), of, per, at }]
  })
  return { rates: set, concurrency }
}

/**
 * What an exchange takes of a limit when it is admitted. The output is only a guess at what may come, so it never
 * asks for more than there is when nothing is taken; an input that is larger than the limit can never pass.
 */
export function costOf({ of, most }: RateLimit, asked: Amounts): number {
  switch (of) {
    case 'requests':
    case 'input':
      return asked[of]
    case 'output':
      return atMost(most, asked.output)
    case 'tokens':
      return asked.input > most ? asked.input : atMost(most, asked.tokens)
  }
}

/** Of a limit of nothing, not even a guess can be had. */
function atMost(most: number, cost: number): number {
  return most === 0 ? cost : Math.min(most, cost)
}
