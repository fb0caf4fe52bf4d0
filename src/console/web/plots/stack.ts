/** One of the colours that bands of a stack have, in their order; the last one is for the rest. */
export const bandCount = 8

/** One part of a stack. */
export interface Band {
  readonly id: string
  readonly name: string
  /** One for each time. */
  readonly values: readonly number[]
  readonly total: number
  /** Drawn in grey: what is not told apart. */
  readonly isRest?: boolean
}

/** What a stacked plot shows. */
export interface Stack {
  /** The beginnings of hours or days, in Unix milliseconds, rising evenly. */
  readonly times: readonly number[]
  readonly bands: readonly Band[]
}

/**
 * For each band the height of its upper edge: the sum of it and all bands below it. A plot that draws the highest edge
 * first and the others over it shows a stack.
 */
export function upperEdges({ times, bands }: Stack): readonly (readonly number[])[] {
  const heights = times.map(() => 0)
  return bands.map(({ values }) => {
    for (const at of heights.keys()) heights[at] = (heights[at] ?? 0) + (values[at] ?? 0)
    return [...heights]
  })
}

/** The colour of a band, as the number in the name of its class and its variable. */
export function bandColor({ isRest = false }: Band, at: number): number {
  return isRest ? bandCount : (at % (bandCount - 1)) + 1
}
