import type { RequestBody } from './request.ts'
import type { Step, Words } from './step.ts'
import type { TargetModel } from './target.ts'

/** What a witness has to know of an exchange. */
export interface Witnessed {
  readonly id: string
  readonly keyId: string
  readonly projectId: string
  readonly protocol: string
  readonly body: RequestBody
}

export interface WitnessedAnswer {
  readonly target: TargetModel | undefined
  readonly words: Words | undefined
  /** The caller is told nothing of it before it is whole. */
  readonly isWhole: boolean
}

/**
 * Whoever keeps what is said in an exchange, where that is allowed. It is told in passing: nobody waits for it, and it
 * never throws.
 */
export interface Witness {
  /** The exchange is on disk. */
  open(exchange: Witnessed): void
  /** An answer begins, and is what the caller is told: what was heard of another one before was told to nobody. */
  begin(answer: WitnessedAnswer): void
  hear(step: Step): void
  /** The caller is given vectors in place of text. */
  vectors(vectors: readonly (readonly number[])[]): void
  /** It is over; `error` is what the caller is told in place of the rest, if anything. */
  end(error?: unknown): void
}
