import { durationText } from '#chat/duration.ts'
import { GatewayError } from '#chat/error.ts'

import { nsPerMs } from './gcra.ts'
import type { Counted, RateLimit } from './rate-limits.ts'

/** Whose limit it is: the place of a holder among those of a caller. */
export type Whose = 0 | 1 | 2

/** The limit that stands in the way longest. */
export type Binding =
  | {
      readonly type: 'rate'
      readonly whose: Whose
      readonly limit: RateLimit
      readonly cost: number
      /** Nanoseconds; infinite if the request can never pass. */
      readonly wait: number
    }
  | {
      readonly type: 'concurrency'
      readonly whose: Whose
      readonly most: number
      readonly wait: number
    }

/** Says which limit refused, whose it is, and when the same request may pass. */
export function refusalOf(binding: Binding, limits: ReadonlyMap<string, string>): GatewayError {
  const isFinal = binding.wait === Number.POSITIVE_INFINITY
  return new GatewayError('rate-exceeded', isFinal ? finalWords(binding) : words(binding), {
    limits,
    detail: isOfTokens(binding) ? 'tokens' : 'requests',
    ...(!isFinal && { retryAfter: binding.wait / nsPerMs / 1000 }),
  })
}

const holders = ['This organisation', 'This project', 'This key'] as const

const nouns: Readonly<Record<Counted, string>> = {
  requests: 'request',
  input: 'input token',
  output: 'output token',
  tokens: 'token',
}

function isOfTokens(binding: Binding): boolean {
  return binding.type === 'rate' && binding.limit.of !== 'requests'
}

/** Clients know these first words, and read the time from the last ones. */
function words(binding: Binding): string {
  const wait = durationText(binding.wait / nsPerMs)
  return `Rate limit reached. ${allowance(binding)}${asked(binding)}. Please try again in ${wait}.`
}

function finalWords(binding: Binding): string {
  if (binding.type === 'rate' && binding.limit.most > 0)
    return `Request too large. ${allowance(binding)}${asked(binding)}. It can never pass as it is: make it shorter, or have the limit raised.`
  return `${allowance(binding)}. Have the limit raised, or use another key.`
}

function allowance(binding: Binding): string {
  const who = holders[binding.whose]
  if (binding.type === 'concurrency')
    return `${who} may have ${many(binding.most, 'request')} under way at once`
  const { most, of, per } = binding.limit
  return `${who} may use ${many(most, nouns[of])} a ${per}`
}

function asked(binding: Binding): string {
  if (binding.type === 'concurrency') return ', and as many are'
  return isOfTokens(binding) ? `, and this request takes about ${binding.cost}` : ''
}

function many(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
