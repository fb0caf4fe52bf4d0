/** How many answers a model gives at once where nobody says otherwise. */
export const usualSequences = 4

const longestContext = 32_768
/** A text to embed is read in one batch, which takes memory by its length. */
const longestText = 8192
const usualTrained = 4096

/** Below this a context is of no use. */
export const shortestContext = 2048

/** Tokens of context that a model is given where nobody says otherwise and memory allows it. */
export function usualContext(trained: number | undefined, isEmbedding: boolean): number {
  return Math.min(trained ?? usualTrained, isEmbedding ? longestText : longestContext)
}
