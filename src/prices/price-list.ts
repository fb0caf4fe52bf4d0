import type { Price, PriceAbove } from './price.ts'

/**
 * One row of a price list: a glob of the vendor's model names, the day from which the price holds (or is known of),
 * and micro-dollars for a million tokens that go in, come out, are read from a cache, and written to it. The last
 * member is the rule of a long input. A price that changes has a row for each day on which it does.
 */
export type PriceRow = readonly [
  model: string,
  since: string,
  input: number,
  output: number,
  cacheRead?: number | undefined,
  cacheWrite?: number | undefined,
  long?: LongInput | undefined,
]

/** How many times as much everything costs once the input is longer than `inputTokens`. */
export interface LongInput {
  readonly inputTokens: number
  readonly input: number
  readonly output: number
}

/** What one vendor charges. */
export interface PriceList {
  /** Whose page says so. */
  readonly source: string
  /** The day of the newest of these figures. */
  readonly asOf: string
  /** What the vendor's names may begin with and the rows leave out. */
  readonly prefix?: string
  /** The vendor whose rows these are, if it is another. */
  readonly sameAs?: string
  readonly rows: readonly PriceRow[]
}

/** The price that a row says. */
export function priceOfRow(row: PriceRow, source: string): Price {
  const [, since, input, output, cacheRead, cacheWrite, long] = row
  const kinds = {
    input,
    output,
    ...(cacheRead !== undefined && { cacheRead }),
    ...(cacheWrite !== undefined && { cacheWrite }),
  }
  return { ...kinds, ...(long !== undefined && { above: longPrice(kinds, long) }), since, source }
}

type Kinds = Pick<Price, 'input' | 'output' | 'cacheRead' | 'cacheWrite'>

function longPrice({ input, output, cacheRead, cacheWrite }: Kinds, long: LongInput): PriceAbove {
  return {
    inputTokens: long.inputTokens,
    input: input * long.input,
    output: output * long.output,
    ...(cacheRead !== undefined && { cacheRead: cacheRead * long.input }),
    ...(cacheWrite !== undefined && { cacheWrite: cacheWrite * long.input }),
  }
}
