import type { HoldTerms } from '#budgets/hold-terms.ts'
import type { SpentBudget } from '#budgets/reserve.ts'
import { costLimit, type Price } from '#prices/price.ts'

import type { Grant, NewEntry, Outcome } from './entry.ts'

/** What is written in one transaction: what begins and what ends, and the time at which it does. */
export type Batch = readonly [opened: readonly OpenRow[], closed: readonly CloseRow[], now: number]

/** What became of an exchange that was to be opened, where it is more than a grant of all that was asked for. */
export type Reply = { readonly index: number } & (
  | {
      readonly type: 'granted'
      readonly outputCap: number
      readonly held: number
      readonly isStrict: boolean
    }
  | ({ readonly type: 'spent' } & SpentBudget)
  /** The books of this holder do not add up. */
  | { readonly type: 'distrusted'; readonly holder: string }
  /** An exchange of this id is under way. */
  | { readonly type: 'taken' }
)

/** One exchange that begins, as it crosses to the thread of the ledger. */
export type OpenRow = readonly [
  id: string,
  keyId: string,
  projectId: string,
  endpoint: string,
  protocol: string,
  model: string,
  stream: number,
  startedAt: number,
  base: number,
  perMillionOutput: number,
  outputCap: number,
  leastOutput: number,
]

/** How one ended. */
export type CloseRow = readonly [
  id: string,
  result: string,
  target: string | null,
  attempts: number,
  input: number | null,
  cacheRead: number | null,
  cacheWrite: number | null,
  output: number | null,
  reasoning: number | null,
  counted: string,
  firstByteMs: number | null,
  totalMs: number,
  notes: string | null,
  queueMs: number | null,
  tries: string | null,
  route: string | null,
  cost: number,
  price: string | null,
]

export function openRow(entry: NewEntry): OpenRow {
  const { id, keyId, projectId, endpoint, protocol, model, stream, startedAt, hold } = entry
  const began = [stream ? 1 : 0, whole(startedAt)] as const
  return [id, keyId, projectId, endpoint, protocol, model, ...began, ...termsRow(hold)]
}

export function termsOf(row: OpenRow): HoldTerms {
  return { base: row[8], perMillionOutput: row[9], outputCap: row[10], leastOutput: row[11] }
}

export function closeRow(id: string, outcome: Outcome): CloseRow {
  const { usage, notes, tries, price } = outcome
  return [
    id,
    outcome.result,
    outcome.target ?? null,
    whole(outcome.attempts),
    orNull(usage.input),
    orNull(usage.cacheRead),
    orNull(usage.cacheWrite),
    orNull(usage.output),
    orNull(usage.reasoning),
    outcome.counted,
    orNull(outcome.firstByteMs),
    whole(outcome.totalMs),
    notes.length === 0 ? null : JSON.stringify(notes),
    orNull(outcome.queueMs),
    tries === undefined || tries.length === 0 ? null : JSON.stringify(tries),
    outcome.route ?? null,
    Math.min(whole(outcome.cost), costLimit),
    price === undefined ? null : priceText(price),
  ]
}

/** All that was asked for, and no budget to bind it. */
export function fullGrant(row: OpenRow, held: number): Grant {
  return { outputCap: row[10], isLowered: false, held, isStrict: false }
}

function termsRow(hold: HoldTerms): [number, number, number, number] {
  const { base, perMillionOutput, outputCap, leastOutput } = hold
  return [whole(base), whole(perMillionOutput), whole(outputCap), whole(leastOutput)]
}

const priceTexts = new WeakMap<Price, string>()

/** Prices are few and charged often. */
function priceText(price: Price): string {
  const known = priceTexts.get(price)
  if (known !== undefined) return known
  const text = JSON.stringify(price)
  priceTexts.set(price, text)
  return text
}

/**
 * The tables hold integers and refuse anything else; one odd number must not hold up a batch of others. What is too
 * large to be exact is cut.
 */
function whole(value: number): number {
  if (Number.isNaN(value)) return 0
  return Math.min(Math.max(0, Math.round(value)), Number.MAX_SAFE_INTEGER)
}

function orNull(value: number | undefined): number | null {
  return value === undefined ? null : whole(value)
}
