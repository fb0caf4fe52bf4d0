/** A source of chances that is the same every time it begins with the same seed. */
export interface Chance {
  /** From 0 to below 1. */
  readonly next: () => number
  /** A whole number of these bounds, both included. */
  readonly between: (least: number, most: number) => number
  /** True in this share of the cases. */
  readonly in: (share: number) => boolean
  readonly oneOf: <Value>(values: readonly Value[]) => Value
}

export function seeded(seed: number): Chance {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number): number =>
    least + Math.floor(next() * (most - least + 1))
  return {
    next,
    between,
    in: (share) => next() < share,
    oneOf: (values) => {
      const value = values[between(0, values.length - 1)]
      if (value === undefined) throw new RangeError('There is nothing to choose from.')
      return value
    },
  }
}
