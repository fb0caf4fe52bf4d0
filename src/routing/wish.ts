/** What a request asks of whoever answers it, for the choice among several. */
export interface Wish {
  /** It has at least so many input tokens. */
  readonly leastInput: number
  readonly needs: () => Needs
  /** What stays the same from turn to turn of its conversation. */
  readonly prefix: () => string
  /** Whether an answer of another model is better than none. */
  readonly acceptsRescue: () => boolean
}

export interface Needs {
  readonly images: boolean
  readonly tools: boolean
}
