/** Upper bounds of buckets, ascending. What is above the last is in one more bucket. */
export type Bounds = readonly number[]

/** What a histogram has counted, for whoever writes it down. */
export interface HistogramValue {
  readonly bounds: Bounds
  /** One for each bound, and one for what is above the last: not cumulative. */
  readonly counts: readonly number[]
  readonly sum: number
  readonly count: number
}

/** As the semantic conventions for generative AI have them: seconds of an operation. */
export const operationSeconds: Bounds = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
]

/** The same conventions: seconds to the first token. */
export const firstTokenSeconds: Bounds = [
  0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
]

/** The same conventions: seconds for each token after the first. */
export const tokenSeconds: Bounds = [
  0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5,
]

/** The same conventions: tokens of one operation. */
export const tokenCounts: Bounds = [
  1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216,
  67_108_864,
]

/** What the gateway itself costs, in seconds. */
export const overheadSeconds: Bounds = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1,
]

/** Commits to disk, and delays of the event loop, in seconds. */
export const pauseSeconds: Bounds = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5,
]

/** Counts values by size. To observe one costs a few comparisons and no memory. */
export class Histogram {
  readonly #bounds: Bounds
  readonly #counts: number[]
  #sum = 0
  #count = 0

  constructor(bounds: Bounds) {
    this.#bounds = bounds
    this.#counts = Array.from({ length: bounds.length + 1 }, () => 0)
  }

  observe(value: number): void {
    const bounds = this.#bounds
    let bucket = 0
    while (bucket < bounds.length && value > (bounds[bucket] ?? Infinity)) bucket++
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1
    this.#sum += value
    this.#count += 1
  }

  get value(): HistogramValue {
    return { bounds: this.#bounds, counts: this.#counts, sum: this.#sum, count: this.#count }
  }
}

/** Two histograms of the same bounds as one. */
export function merged(one: HistogramValue, other: HistogramValue): HistogramValue {
  return {
    bounds: one.bounds,
    counts: one.counts.map((count, bucket) => count + (other.counts[bucket] ?? 0)),
    sum: one.sum + other.sum,
    count: one.count + other.count,
  }
}
