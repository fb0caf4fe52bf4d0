/** So many of the variants of a row, others for every row and every turn, so that all of them have theirs. */
export function sampled<T>(variants: readonly T[], turn: number, count: number): T[] {
  const step = Math.max(1, Math.floor(variants.length / count))
  const chosen = Array.from({ length: Math.min(count, variants.length) }, (_, index) => {
    return variants[(turn * 5 + index * step) % variants.length]
  })
  return [...new Set(chosen)].filter((one) => one !== undefined)
}
