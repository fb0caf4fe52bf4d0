import type { TargetModel } from './target.ts'
import type { Usage } from './usage.ts'

/** One target that was asked, and how it went. Times are in milliseconds from the opening of the account. */
export interface Attempt {
  readonly model: TargetModel
  /** `answered`, or the code of the failure. */
  readonly result: string
  readonly startedMs: number
  /** Until it began to answer, or failed. */
  readonly tookMs: number
}

/** What an upstream said of its answer beside the text. */
export interface AnswerFacts {
  readonly id?: string | undefined
  readonly model?: string | undefined
  /** Why it ended, in its own words where it said so. */
  readonly reason?: string | undefined
}

/** What is told of an exchange when its account is closed. */
export interface ExchangeRecord {
  readonly id: string
  readonly keyId: string
  readonly projectId: string
  readonly endpoint: 'chat' | 'embeddings' | 'count'
  readonly protocol: string
  /** What the caller asked for: any text at all. */
  readonly model: string
  readonly stream: boolean
  readonly maxTokens?: number | undefined
  readonly choices?: number | undefined
  readonly route: string
  /** When its account was opened, on the clock of `performance.now`. */
  readonly openedAt: number
  /** `complete`, `client-left`, `budget-stop`, or the code of the error. */
  readonly result: string
  /** The one that was asked last. */
  readonly target?: TargetModel | undefined
  readonly attempts: readonly Attempt[]
  readonly usage: Usage
  readonly counted: 'exact' | 'estimated' | 'none'
  /** Micro-dollars. */
  readonly cost: number
  /** How many things were adapted. */
  readonly notes: number
  readonly queueMs?: number | undefined
  readonly firstByteMs?: number | undefined
  readonly totalMs: number
  readonly answer: AnswerFacts
}

/** How a request was answered, as far as HTTP knows. */
export interface Answered {
  readonly method: string
  /** The word that a key's policy has for the path, `health`, or `none` for a path that is not served. */
  readonly endpoint: string
  readonly protocol: string
  readonly status: number
  /** The code of the failure; undefined for an answer. */
  readonly code?: string | undefined
  /** More of the answer follows, and its account may still be open. */
  readonly isStream: boolean
}

/** What goes with a request on its way through the gateway: where its time went, and the trace that it is part of. */
export interface Passage {
  /** The caller has taken so long to send the body. */
  received(ms: number): void
  /** A target is about to be asked, the first one as attempt 1. */
  begins(attempt: number): void
  /** A request goes to an upstream now. Gives the headers that go along. */
  sends(): Readonly<Record<string, string>>
  /** An upstream has begun to answer, after so long in a queue of ours. */
  heard(queuedMs?: number): void
  /** The account of the exchange is closed. Called at most once. */
  onExchange(record: ExchangeRecord): void
  /** The value of the header `server-timing`, if there is to be one. To be asked for when the head is written. */
  timing(): string | undefined
  /** The head of the answer goes out. Called once. */
  answered(answer: Answered): void
}
