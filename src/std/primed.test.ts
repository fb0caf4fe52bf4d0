import { describe, expect, test } from 'bun:test'

import { primed } from './primed.ts'

interface Value {
  readonly value: number
}

const isEnough = ({ value }: Value) => value >= 2
const patient = { isEnough, patienceMs: 60_000 }

describe('a primed iterable', () => {
  test('gives everything in order, what was drawn first', async () => {
    const source = new Source([1, 2, 3])
    const { values, drawn } = await primed(source, patient)
    expect(drawn).toEqual([{ value: 1 }, { value: 2 }])
    expect(await all(values)).toEqual([1, 2, 3])
  })

  test('draws no further than is enough', async () => {
    const source = new Source([1, 2, 3])
    await primed(source, patient)
    expect(source.taken).toBe(2)
  })

  test('may end before anything was enough', async () => {
    const { values } = await primed(new Source([1]), patient)
    expect(await all(values)).toEqual([1])
  })

  test('closes its source when it fails, and fails at once', async () => {
    const source = new Source([1], { failsWith: new Error('broken') })
    const failure = await primed(source, patient).catch((error: unknown) => error)
    expect(failure).toHaveProperty('message', 'broken')
    expect(source.isClosed).toBe(true)
  })

  test('closes its source when it is left before its first value', async () => {
    const source = new Source([1, 2, 3])
    const { values } = await primed(source, patient)
    await values[Symbol.asyncIterator]().return?.()
    expect(source.isClosed).toBe(true)
  })

  test('closes its source when it is left in the middle', async () => {
    const source = new Source([1, 2, 3])
    const { values } = await primed(source, patient)
    for await (const _ of values) break
    expect(source.isClosed).toBe(true)
  })

  test('runs out of patience once something was drawn, and loses nothing of what comes later', async () => {
    const source = new Source([1, 2, 3], { holdsBefore: 1 })
    const { values, drawn } = await primed(source, { isEnough, patienceMs: 1 })
    expect(drawn).toEqual([{ value: 1 }])
    source.gate.resolve()
    expect(await all(values)).toEqual([1, 2, 3])
  })

  test('tells of a failure that came after its patience to whoever takes the next value', async () => {
    const source = new Source([1], { holdsBefore: 1, failsWith: new Error('late') })
    const { values } = await primed(source, { isEnough, patienceMs: 1 })
    source.gate.resolve()
    expect(await all(values).catch((error: unknown) => error)).toHaveProperty('message', 'late')
  })
})

async function all(values: AsyncIterable<Value>): Promise<number[]> {
  const seen: number[] = []
  for await (const { value } of values) seen.push(value)
  return seen
}

/** Values that can be held back, or end in a failure; knows whether it was closed. */
class Source implements AsyncIterableIterator<Value> {
  readonly gate = Promise.withResolvers<void>()
  isClosed = false
  taken = 0
  readonly #values: readonly number[]
  readonly #options: { readonly holdsBefore?: number; readonly failsWith?: Error }

  constructor(
    values: readonly number[],
    options: { readonly holdsBefore?: number; readonly failsWith?: Error } = {},
  ) {
    this.#values = values
    this.#options = options
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Value>> {
    if (this.taken === this.#options.holdsBefore) await this.gate.promise
    const value = this.#values[this.taken++]
    if (value !== undefined) return { done: false, value: { value } }
    if (this.#options.failsWith !== undefined) throw this.#options.failsWith
    return { done: true, value: undefined }
  }

  async return(): Promise<IteratorResult<Value>> {
    this.isClosed = true
    return { done: true, value: undefined }
  }
}
