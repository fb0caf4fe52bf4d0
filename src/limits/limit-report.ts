import { durationText } from '#chat/duration.ts'

import { nsPerMs, unitsLeft } from './gcra.ts'
import type { Counters } from './holder-counters.ts'
import type { Counted, RateLimit } from './rate-limits.ts'

/**
 * What is left of every limit, under the header names of the chat-completions protocol: of each kind the limit that
 * has least left, whoever's and of whichever window it is. A caller that knows only of `tokens` is told the tightest
 * of all that are counted in tokens.
 */
export function limitReport(
  places: readonly { readonly counters: Counters }[],
  now: number,
): ReadonlyMap<string, string> {
  const tightest: Tightest = {}
  for (const { counters } of places)
    for (const limit of counters.limits.rates)
      tell(tightest, limit, leftOf(limit, counters.ahead(limit, now)))
  const report = new Map<string, string>()
  for (const kind of kinds) say(report, kind, tightest[kind])
  return report
}

const kinds = ['requests', 'tokens', 'input-tokens', 'output-tokens'] as const

type Kind = (typeof kinds)[number]

/** The kinds that a limit is told under. */
const kindsOf: Readonly<Record<Counted, readonly Kind[]>> = {
  requests: ['requests'],
  input: ['tokens', 'input-tokens'],
  output: ['tokens', 'output-tokens'],
  tokens: ['tokens'],
}

type Tightest = { [K in Kind]?: Left }

interface Left {
  readonly most: number
  readonly units: number
  /** Until all of it is there again. */
  readonly resetMs: number
}

function leftOf(limit: RateLimit, ahead: number): Left {
  return { most: limit.most, units: unitsLeft(limit, ahead), resetMs: ahead / nsPerMs }
}

function tell(tightest: Tightest, { of }: RateLimit, left: Left): void {
  for (const kind of kindsOf[of]) if (isTighter(left, tightest[kind])) tightest[kind] = left
}

function isTighter(one: Left, other: Left | undefined): boolean {
  if (other === undefined) return true
  return one.units < other.units || (one.units === other.units && one.resetMs > other.resetMs)
}

function say(report: Map<string, string>, kind: Kind, left: Left | undefined): void {
  if (left === undefined) return
  report.set(`x-ratelimit-limit-${kind}`, String(left.most))
  report.set(`x-ratelimit-remaining-${kind}`, String(left.units))
  report.set(`x-ratelimit-reset-${kind}`, durationText(left.resetMs))
}
