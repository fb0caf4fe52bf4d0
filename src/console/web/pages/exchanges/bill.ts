import { tokenPrices } from '#prices/price.ts'

/** What an exchange used, as the ledger has it. */
export interface Used {
  readonly input: number | null
  readonly cacheRead: number | null
  readonly cacheWrite: number | null
  readonly output: number | null
  readonly reasoning: number | null
}

/** One line of a bill. */
export interface BillLine {
  readonly label: string
  /** Null where nobody counted. */
  readonly tokens: number | null
  /** Micro-dollars for a million; null where there is no price. */
  readonly price: number | null
  /** Micro-dollars, not rounded; null where there is no price or no count. */
  readonly cost: number | null
}

const perMillion = 1_000_000

/** What each kind of token cost at the price that was charged. Reasoning is a part of the output, told apart from it. */
export function billOf(
  used: Used,
  price: Readonly<Record<string, unknown>> | null,
): readonly BillLine[] {
  const whole = (used.input ?? 0) + (used.cacheRead ?? 0) + (used.cacheWrite ?? 0)
  const prices = price === null ? null : tokenPrices(termsIn(price), whole)
  const reasoning =
    used.reasoning === null ? null : Math.min(used.reasoning, used.output ?? used.reasoning)
  const spoken = used.output === null ? null : used.output - (reasoning ?? 0)
  const line = (label: string, tokens: number | null, each: number | undefined): BillLine => ({
    label,
    tokens,
    price: each ?? null,
    cost: tokens === null || each === undefined ? null : (tokens * each) / perMillion,
  })
  return [
    line('Input', used.input, prices?.input),
    line('Read from a cache', used.cacheRead, prices?.cacheRead),
    line('Written to a cache', used.cacheWrite, prices?.cacheWrite),
    line('Output', spoken, prices?.output),
    line('Reasoning', reasoning, prices?.reasoning),
  ]
}

/** What is charged beside the tokens: for images, for the request itself, and by rounding up. */
export function besideTokens(lines: readonly BillLine[], cost: number): number {
  return cost - lines.reduce((sum, line) => sum + (line.cost ?? 0), 0)
}

/** The ledger keeps a price as JSON; what is no number in it is as if it were not there. */
function termsIn(price: Readonly<Record<string, unknown>>): Parameters<typeof tokenPrices>[0] {
  const above = price['above']
  const long = typeof above === 'object' && above !== null ? numbersIn({ ...above }) : undefined
  return {
    ...withBase(numbersIn(price)),
    since: '',
    source: '',
    ...(long?.['inputTokens'] !== undefined && {
      above: { inputTokens: long['inputTokens'], ...withBase(long) },
    }),
  }
}

function withBase(numbers: Readonly<Record<string, number>>) {
  return { ...numbers, input: numbers['input'] ?? 0, output: numbers['output'] ?? 0 }
}

function numbersIn(price: Readonly<Record<string, unknown>>): Readonly<Record<string, number>> {
  const entries = Object.entries(price).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number',
  )
  return Object.fromEntries(entries)
}
