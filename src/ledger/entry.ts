import type { HoldTerms } from '#budgets/hold-terms.ts'
import type { Note } from '#chat/note.ts'
import type { Usage } from '#chat/usage.ts'
import type { Price } from '#prices/price.ts'

/** What an exchange may use. */
export interface Grant {
  /** As in the terms, or lowered to what the budget can still pay. */
  readonly outputCap: number
  readonly isLowered: boolean
  /** What is held: micro-dollars. */
  readonly held: number
  /** No more than what is held can be charged, so the answer has to be cut there. */
  readonly isStrict: boolean
}

/** What is written of an exchange before its first byte goes upstream. */
export interface NewEntry {
  /** The request id that the caller is told. */
  readonly id: string
  readonly keyId: string
  readonly projectId: string
  readonly endpoint: 'chat' | 'embeddings' | 'count'
  readonly protocol: string
  /** What the caller asked for. */
  readonly model: string
  readonly stream: boolean
  /** Unix milliseconds. */
  readonly startedAt: number
  readonly hold: HoldTerms
}

/** One target that was asked, and how it went. */
export interface Try {
  readonly target: string
  /** `answered`, or the code of the failure. */
  readonly result: string
  /** From the beginning of the exchange. */
  readonly startedMs: number
  readonly tookMs: number
  /** What it had said before it broke, where another target was asked after that. It is in no sum: nobody was told of it. */
  readonly lost?: Lost
}

/** Tokens of an answer that nobody got. */
export interface Lost {
  readonly input: number
  readonly output: number
  /** At the price of that target, micro-dollars. It is not charged. */
  readonly cost: number
}

/** How an exchange ended, and what it used. */
export interface Outcome {
  /** `complete`, `client-left`, `budget-stop`, or the code of the error. */
  readonly result: string
  /** `upstream/model` that answered last. */
  readonly target?: string
  readonly attempts: number
  readonly usage: Usage
  /** `exact` as the upstream counted, `estimated` from the text that was delivered, `none` if nothing was. */
  readonly counted: 'exact' | 'estimated' | 'none'
  /** What it costs at that price: micro-dollars. What may be charged of it, the grant decides. */
  readonly cost: number
  /** Absent where the model has none. */
  readonly price?: Price
  readonly queueMs?: number
  readonly firstByteMs?: number
  readonly totalMs: number
  readonly notes: readonly Note[]
  readonly tries?: readonly Try[]
  readonly route?: string
}

/** The book of who used what. */
export interface Ledger {
  /**
   * Holds what the exchange may cost, on all of its holders at once, and resolves when the entry is on disk. Rejects
   * with `budget-spent`, having written nothing, if a budget cannot pay for the least of it.
   */
  begin(entry: NewEntry): Promise<Grant>
  /** Resolves when the outcome is on disk. The first outcome of an entry stands; later ones change nothing. */
  settle(id: string, outcome: Outcome): Promise<void>
}
