/** An iterable whose first values have been drawn already, and what they were. */
export interface Primed<T> {
  readonly values: AsyncIterable<T>
  readonly drawn: readonly T[]
}

export interface PrimeOptions<T> {
  /** Whether a value is enough, so that no more need be drawn. */
  readonly isEnough: (value: T, drawn: readonly T[]) => boolean
  /** How long to draw on once something has been drawn, in milliseconds. */
  readonly patienceMs: number
}

/**
 * Draws from an iterable until a value is enough, the iterable ends, or patience does. What was drawn comes first
 * again. A failure while drawing is thrown here, after the iterable was closed. Closing the result early closes
 * the iterable, even before the first value is taken from it and while the next one is awaited.
 */
export async function primed<T extends object>(
  values: AsyncIterable<T>,
  { isEnough, patienceMs }: PrimeOptions<T>,
): Promise<Primed<T>> {
  const iterator = values[Symbol.asyncIterator]()
  const drawn: T[] = []
  let pending: Promise<IteratorResult<T>> | undefined
  let patience: Promise<'over'> | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    for (;;) {
      pending = iterator.next()
      const result = await (patience === undefined ? pending : Promise.race([pending, patience]))
      if (result === 'over') break
      pending = undefined
      if (result.done === true) break
      drawn.push(result.value)
      if (isEnough(result.value, drawn)) break
      patience ??= new Promise((resolve) => {
        timer = setTimeout(() => resolve('over'), patienceMs)
      })
    }
  } catch (error) {
    await iterator.return?.()
    throw error
  } finally {
    clearTimeout(timer)
  }
  // Whoever takes the next value is told of a failure; until then it is nobody's.
  pending?.catch(() => undefined)
  return { drawn, values: rejoined(iterator, [...drawn], pending) }
}

/** The drawn values, then what is awaited, then the rest. */
function rejoined<T extends object>(
  iterator: AsyncIterator<T>,
  drawn: T[],
  pending: Promise<IteratorResult<T>> | undefined,
): AsyncIterableIterator<T> {
  let awaited = pending
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next() {
      const value = drawn.length === 0 ? undefined : drawn.shift()
      if (value !== undefined) return Promise.resolve({ done: false, value })
      if (awaited === undefined) return iterator.next()
      const next = awaited
      awaited = undefined
      return next
    },
    async return() {
      drawn.length = 0
      return (await iterator.return?.()) ?? { done: true, value: undefined }
    },
  }
}
