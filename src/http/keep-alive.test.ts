import { describe, expect, test } from 'bun:test'

import { PatientReader } from './keep-alive.ts'

describe('a patient reader', () => {
  test('gives the values in order and says when they end', async () => {
    using reader = reading(each(['a', 'b']))
    expect(await reader.next()).toEqual({ done: false, value: 'a' })
    expect(await reader.next()).toEqual({ done: false, value: 'b' })
    expect(await reader.next()).toMatchObject({ done: true })
  })

  test('S34 gives the filler as often as it was silent, and loses no value by that', async () => {
    const { promise, resolve } = Promise.withResolvers<string>()
    using reader = reading(each([promise]))
    const first = reader.next()
    reader.tick(performance.now() + 2000)
    expect(await first).toEqual(silence)
    const second = reader.next()
    reader.tick(performance.now() + 2000)
    expect(await second).toEqual(silence)
    resolve('late')
    expect(await reader.next()).toEqual({ done: false, value: 'late' })
  })

  test('S34 keeps what came while nobody was reading', async () => {
    const { promise, resolve } = Promise.withResolvers<string>()
    using reader = reading(each([promise, 'next']))
    const first = reader.next()
    reader.tick(performance.now() + 2000)
    expect(await first).toEqual(silence)
    resolve('late')
    await new Promise((turn) => {
      setImmediate(turn)
    })
    expect(await reader.next()).toEqual({ done: false, value: 'late' })
    expect(await reader.next()).toEqual({ done: false, value: 'next' })
  })

  test('is not silent before its time', async () => {
    const { promise, resolve } = Promise.withResolvers<string>()
    using reader = reading(each([promise]))
    const read = reader.next()
    reader.tick(performance.now() + 500)
    resolve('in time')
    expect(await read).toEqual({ done: false, value: 'in time' })
  })

  test('gives the last word for what its source throws', async () => {
    using reader = reading(each([Promise.reject(new Error('broken'))]))
    expect(await reader.next()).toEqual({ done: false, value: 'failed: Error: broken' })
  })

  test('gives it also for what came while it was silent', async () => {
    const { promise, reject } = Promise.withResolvers<string>()
    using reader = reading(each([promise]))
    const first = reader.next()
    reader.tick(performance.now() + 2000)
    expect(await first).toEqual(silence)
    reject(new Error('broken'))
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
    expect(await reader.next()).toEqual({ done: false, value: 'failed: Error: broken' })
  })
})

const silence = { done: false, value: '(silence)' }

describe('a reader that is not asked', () => {
  const stalls = async (looks: number) => {
    const told: boolean[] = []
    const reader = reading(each(['a', 'b']), (isStalled) => told.push(isStalled))
    await reader.next()
    for (let look = 0; look <= looks; look++) reader.tick(performance.now())
    return { reader, told }
  }

  test('for a second has come to a stand, and goes on when it is asked again', async () => {
    const { reader, told } = await stalls(4)
    expect(told).toEqual([true])
    await reader.next()
    reader.tick(performance.now())
    expect(told).toEqual([true, false])
    reader[Symbol.dispose]()
    expect(told).toEqual([true, false])
  })

  test('for less has not, nor has one that waits for its source', async () => {
    const { reader, told } = await stalls(3)
    reader[Symbol.dispose]()
    expect(told).toEqual([])
    const waited: boolean[] = []
    using waiting = reading(each([new Promise<string>(() => {})]), (isStalled) =>
      waited.push(isStalled),
    )
    void waiting.next()
    for (let look = 0; look < 20; look++) waiting.tick(performance.now())
    expect(waited).toEqual([])
  })

  test('stands still no more when it is over', async () => {
    const { reader, told } = await stalls(9)
    reader[Symbol.dispose]()
    expect(told).toEqual([true, false])
  })
})

function reading(
  source: AsyncIterator<string>,
  onStall?: (isStalled: boolean) => void,
): PatientReader<string> {
  return new PatientReader<string>(source, {
    ...(onStall !== undefined && { onStall }),
    everyMs: 1000,
    filler: silence.value,
    last: (failure) =>
      failure === undefined
        ? { done: true, value: undefined }
        : { done: false, value: `failed: ${String(failure.error)}` },
  })
}

async function* each<T>(values: readonly (T | Promise<T>)[]): AsyncGenerator<T> {
  for (const value of values) yield await value
}
