import { describe, expect, test } from 'bun:test'

import { GatewayError } from '#chat/error.ts'

import { type Clock, type Deadlines, Watch, type WatchOptions } from './deadlines.ts'

const deadlines: Deadlines = { firstByteMs: 120, silenceMs: 60, progressMs: 180, totalMs: 600 }

describe('a watch over a stream', () => {
  test('waits for the first byte longer than for any later one', () => {
    const { clock, watch } = watching()
    clock.advance(119)
    expect(watch.signal.aborted).toBe(false)
    clock.advance(1)
    expect(reasonOf(watch)).toMatchObject({ code: 'upstream-timeout', status: 504 })
  })

  test('ends a silence between reads', () => {
    const { clock, watch } = watching()
    watch.wait()
    clock.advance(100)
    watch.heard(true)
    watch.wait()
    clock.advance(59)
    expect(watch.signal.aborted).toBe(false)
    clock.advance(1)
    expect(reasonOf(watch).message).toContain('fell silent')
  })

  test('ends a silence in its time, even one that began long before the first byte was due', () => {
    const { clock, watch } = watching()
    clock.advance(5)
    watch.heard(true)
    watch.wait()
    clock.advance(59)
    expect(watch.signal.aborted).toBe(false)
    clock.advance(1)
    expect(reasonOf(watch).message).toContain('fell silent')
  })

  test('ends a silence that begins long before the first byte would have been due', () => {
    const { clock, watch } = watching()
    clock.advance(1)
    watch.heard(true)
    watch.wait()
    clock.advance(60)
    expect(reasonOf(watch).message).toContain('fell silent')
  })

  test('takes pings for life, but not for progress', () => {
    const { clock, watch } = watching()
    watch.heard(true)
    for (let ping = 0; ping < 5; ping++) {
      watch.wait()
      clock.advance(30)
      watch.heard(false)
    }
    watch.wait()
    clock.advance(29)
    expect(watch.signal.aborted).toBe(false)
    clock.advance(1)
    expect(reasonOf(watch).message).toContain('without saying anything')
  })

  test('begins anew with every progress', () => {
    const { clock, watch } = watching()
    for (let read = 0; read < 11; read++) {
      watch.wait()
      clock.advance(50)
      watch.heard(true)
    }
    expect(watch.signal.aborted).toBe(false)
  })

  test('does not blame the upstream for a caller who reads slowly, until the whole takes too long', () => {
    const { clock, watch } = watching()
    watch.heard(true)
    clock.advance(599)
    expect(watch.signal.aborted).toBe(false)
    clock.advance(1)
    expect(reasonOf(watch).message).toContain('did not finish')
  })

  test('notices a silence that began long after it looked last', () => {
    const { clock, watch } = watching()
    watch.heard(true)
    clock.advance(310)
    watch.wait()
    clock.advance(59)
    expect(watch.signal.aborted).toBe(false)
    clock.advance(1)
    expect(reasonOf(watch).message).toContain('fell silent')
  })
})

test('a watch over a whole reply has only the total', () => {
  const { clock, watch } = watching({ isStream: false })
  clock.advance(599)
  expect(watch.signal.aborted).toBe(false)
  clock.advance(1)
  expect(reasonOf(watch).message).toContain('did not finish')
})

describe('the time that a caller says it waits', () => {
  test('ends a whole reply, and is no fault of the upstream', () => {
    const { clock, watch } = watching({ isStream: false, callerMs: 100 })
    clock.advance(99)
    expect(watch.signal.aborted).toBe(false)
    clock.advance(1)
    expect(reasonOf(watch)).toMatchObject({ code: 'answer-overdue', status: 504, fault: 'client' })
  })

  test('is the time in which a stream has to begin, and no longer counts then', () => {
    const late = watching({ callerMs: 100 })
    late.clock.advance(100)
    expect(reasonOf(late.watch).code).toBe('answer-overdue')
    const { clock, watch } = watching({ callerMs: 100 })
    clock.advance(50)
    watch.heard(true)
    for (let read = 0; read < 10; read++) {
      watch.wait()
      clock.advance(50)
      watch.heard(true)
    }
    expect(watch.signal.aborted).toBe(false)
  })
})

test('a caller who leaves is the reason, and nothing is awaited any more', () => {
  const leaving = new AbortController()
  const { clock, watch } = watching({ outer: leaving.signal })
  const gone = new GatewayError('client-gone', 'The caller left.')
  leaving.abort(gone)
  expect(watch.signal.reason).toBe(gone)
  expect(clock.pending).toBe(0)
})

test('a watch that is stopped leaves no timer and no listener behind', () => {
  const leaving = new AbortController()
  const { clock, watch } = watching({ outer: leaving.signal })
  watch.stop()
  leaving.abort(new Error('left'))
  expect(clock.pending).toBe(0)
  expect(watch.signal.aborted).toBe(false)
})

function watching({
  isStream = true,
  outer = new AbortController().signal,
  callerMs,
}: Partial<Pick<WatchOptions, 'isStream' | 'outer' | 'callerMs'>> = {}) {
  const clock = new HandClock()
  const watch = new Watch({ outer, isStream, callerMs, deadlines, clock, upstream: 'up' })
  return { clock, watch }
}

function reasonOf({ signal }: Watch): GatewayError {
  if (signal.reason instanceof GatewayError) return signal.reason
  throw new TypeError('The watch has given no reason.')
}

/** A clock that is moved by hand. */
class HandClock implements Clock {
  #now = 0
  readonly #due = new Map<() => void, number>()

  get pending(): number {
    return this.#due.size
  }

  now(): number {
    return this.#now
  }

  after(ms: number, act: () => void): () => void {
    this.#due.set(act, this.#now + ms)
    return () => this.#due.delete(act)
  }

  advance(ms: number): void {
    for (let step = 0; step < ms; step++) {
      this.#now++
      for (const [act, at] of this.#due) {
        if (at > this.#now) continue
        this.#due.delete(act)
        act()
      }
    }
  }
}
