/** What a model costs: whole micro-dollars for a million tokens of a kind. What is absent costs as much as `input` or `output`. */
export interface Price {
  readonly input: number
  readonly output: number
  readonly cacheRead?: number
  readonly cacheWrite?: number
  readonly reasoning?: number
  /** Micro-dollars for one image, and for one request. */
  readonly image?: number
  readonly request?: number
  /** What every token of an exchange costs instead, output too, once its whole input is longer than this. */
  readonly above?: PriceAbove
  /** Since when: `2026-01-31`. */
  readonly since: string
  /** Who says so: `vendor` with the page's name, or `config`. */
  readonly source: string
}

/** The prices of a long input. */
export interface PriceAbove {
  /** The longest input that still costs the usual, cache included. */
  readonly inputTokens: number
  readonly input: number
  readonly output: number
  readonly cacheRead?: number
  readonly cacheWrite?: number
}

/** What the kinds of tokens of one exchange cost, each one said: micro-dollars for a million. */
export interface TokenPrices {
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly output: number
  readonly reasoning: number
}

/** The prices that an input of this many tokens, cache included, brings into force. */
export function tokenPrices(price: Price, inputTokens: number): TokenPrices {
  const long =
    price.above !== undefined && inputTokens > price.above.inputTokens ? price.above : undefined
  const { input, output, cacheRead, cacheWrite } = long ?? price
  return {
    input,
    output,
    cacheRead: cacheRead ?? input,
    cacheWrite: cacheWrite ?? input,
    // No vendor prices the thoughts on a long input apart from the rest of the output.
    reasoning: long === undefined ? (price.reasoning ?? output) : output,
  }
}

/** The most that one exchange can cost or be held for, in micro-dollars: a million dollars. What an upstream counts beyond it is nonsense. */
export const costLimit = 1_000_000_000_000

const perMillion = 1_000_000

/** One line of a bill: this many of something, and micro-dollars for a million of it. */
export type BillLine = readonly [count: number, price: number]

/**
 * Micro-dollars for all lines together, rounded up once, and exact however large the counts are. Counts and prices
 * are integers from 0 to 2^53 - 1.
 */
export function billed(lines: readonly BillLine[]): number {
  const sum = lines.reduce((total, [count, price]) => total + count * price, 0)
  // Below this every product and sum on the way was exact: each is at most the total.
  if (sum < Number.MAX_SAFE_INTEGER) {
    const rest = sum % perMillion
    return Math.min((sum - rest) / perMillion + (rest > 0 ? 1 : 0), costLimit)
  }
  const exact = lines.reduce((total, [count, price]) => total + BigInt(count) * BigInt(price), 0n)
  const whole = (exact + BigInt(perMillion - 1)) / BigInt(perMillion)
  return whole > BigInt(costLimit) ? costLimit : Number(whole)
}
