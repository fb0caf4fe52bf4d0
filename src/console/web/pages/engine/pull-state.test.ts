import { describe, expect, test } from 'bun:test'

import { pullAfter, type PullState, secondsLeft } from './pull-state.ts'

const asking: PullState = { type: 'asking', source: 'hf:x/y' }
const event = (name: string, data: unknown) => ({
  event: name,
  data: typeof data === 'string' ? data : JSON.stringify(data),
})
const progress = (bytes: number, total: number | null, file = 'a.gguf') =>
  event('progress', { file, bytes, total })

describe('the fetching of a model', () => {
  test('tells how far it is, how fast, and for how long', () => {
    const first = pullAfter(asking, progress(100, 1100), 0)
    expect(first).toMatchObject({ type: 'fetching', bytes: 100, total: 1100, speed: 0 })
    const later = pullAfter(first, progress(300, 1100), 2000)
    expect(later).toMatchObject({ bytes: 300, speed: 100 })
    expect(later.type === 'fetching' && secondsLeft(later)).toBe(8)
  })

  test('measures each file by itself', () => {
    const first = pullAfter(pullAfter(asking, progress(0, 50), 0), progress(50, 50), 1000)
    const second = pullAfter(first, progress(0, 500, 'b.gguf'), 1500)
    expect(second).toMatchObject({ speed: 0 })
    expect(pullAfter(second, progress(10, 500, 'b.gguf'), 2500)).toMatchObject({ speed: 10 })
  })

  test('does not tell for how long where nobody knows', () => {
    const state = pullAfter(pullAfter(asking, progress(0, null), 0), progress(10, null), 1000)
    expect(state).toMatchObject({ total: null, speed: 10 })
    expect(state.type === 'fetching' && secondsLeft(state)).toBeUndefined()
  })

  test('ends with the model, or with why there is none', () => {
    const done = event('done', { model: 'y', files: ['y.gguf'], bytes: 5, sha256: '' })
    expect(pullAfter(asking, done, 0)).toEqual({ type: 'done', model: 'y', bytes: 5 })
    const failed = event('failed', { code: 'not-found', message: 'There is no such file.' })
    expect(pullAfter(asking, failed, 0)).toEqual({
      type: 'failed',
      source: 'hf:x/y',
      message: 'There is no such file.',
    })
  })

  test('is not confused by what it does not understand', () => {
    for (const odd of [event('progress', '{'), event('other', {}), event('progress', { file: 1 })])
      expect(pullAfter(asking, odd, 0)).toBe(asking)
    expect(pullAfter(asking, event('failed', 'null'), 0)).toMatchObject({ type: 'failed' })
  })
})
