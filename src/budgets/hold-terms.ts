/** What an answer may cost at most, so that it can be held: whole micro-dollars. */
export interface HoldTerms {
  /** Due however short the answer is: the input at its dearest, images, the request itself. */
  readonly base: number
  /** For a million output tokens, all choices together. */
  readonly perMillionOutput: number
  /** The most output tokens that can come. */
  readonly outputCap: number
  /** The fewest that make an answer: less is refused rather than lowered to. */
  readonly leastOutput: number
}
