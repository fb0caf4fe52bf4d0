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

function reading(source: AsyncIterator<string>): PatientReader<string> {
  return new PatientReader<string>(source, {
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
