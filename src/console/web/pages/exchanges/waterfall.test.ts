import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { type Course, placeOf, stagesOf, ticksOf } from './waterfall.ts'

const course = (more: Partial<Course> = {}): Course => ({
  target: 'box/qwen',
  result: 'complete',
  attempts: 1,
  queueMs: null,
  firstByteMs: 40,
  totalMs: 100,
  tries: [],
  ...more,
})

const told = (of: Course) =>
  stagesOf(of).map(({ kind, startMs, tookMs }) => [kind, startMs, tookMs] as const)

describe('the stages of an exchange', () => {
  test('are an attempt and the rest where all went well', () => {
    expect(told(course())).toEqual([
      ['attempt', 0, 40],
      ['rest', 40, 60],
    ])
  })

  test('have a rest of nothing where the whole answer came at once, and none where nothing came', () => {
    expect(told(course({ firstByteMs: 100 }))).toEqual([
      ['attempt', 0, 100],
      ['rest', 100, 0],
    ])
    expect(told(course({ firstByteMs: null }))).toEqual([['attempt', 0, 100]])
  })

  test('show the wait for a place within the attempt', () => {
    expect(told(course({ queueMs: 25 }))).toEqual([
      ['queue', 0, 25],
      ['attempt', 25, 15],
      ['rest', 40, 60],
    ])
  })

  test('show every attempt that failed, and what was before the first', () => {
    const tries = [
      { target: 'a/x', result: 'upstream-failed', startedMs: 2, tookMs: 8 },
      { target: 'b/y', result: 'answered', startedMs: 12, tookMs: 20 },
    ]
    const stages = stagesOf(course({ target: 'b/y', tries, attempts: 2 }))
    expect(stages).toEqual([
      { kind: 'gateway', label: 'Before the first attempt', startMs: 0, tookMs: 2 },
      { kind: 'failed', label: 'a/x', startMs: 2, tookMs: 8, result: 'upstream-failed' },
      { kind: 'attempt', label: 'b/y', startMs: 12, tookMs: 28 },
      { kind: 'rest', label: 'The rest of the answer', startMs: 40, tookMs: 60 },
    ])
  })

  test('end with the last failure where nobody answered', () => {
    const tries = [
      { target: 'a/x', result: 'upstream-failed', startedMs: 0, tookMs: 8 },
      { target: 'a/x', result: 'upstream-timeout', startedMs: 9, tookMs: 90 },
    ]
    const failed = course({ result: 'upstream-timeout', tries, firstByteMs: null })
    expect(told(failed)).toEqual([
      ['failed', 0, 8],
      ['failed', 9, 90],
    ])
  })

  test('are the gateway’s alone where nobody was asked', () => {
    const refused = course({ target: null, attempts: 0, firstByteMs: null, totalMs: 3 })
    expect(told(refused)).toEqual([['gateway', 0, 3]])
  })

  test('lie within the exchange, whatever was written down', () => {
    const ms = fc.double({ min: -10, max: 1e7, noNaN: true })
    const attempt = fc.record({
      target: fc.constantFrom('a', 'b'),
      result: fc.constantFrom('answered', 'upstream-failed'),
      startedMs: ms,
      tookMs: ms,
    })
    const any = fc.record({
      target: fc.option(fc.constant('a'), { nil: null }),
      result: fc.constant('complete'),
      attempts: fc.nat(5),
      queueMs: fc.option(ms, { nil: null }),
      firstByteMs: fc.option(ms, { nil: null }),
      totalMs: fc.double({ min: 0, max: 1e7, noNaN: true }),
      tries: fc.array(attempt, { maxLength: 4 }),
    })
    fc.assert(
      fc.property(any, (one) => {
        const stages = stagesOf(one)
        expect(stages.length).toBeGreaterThan(0)
        for (const stage of stages) {
          expect(stage.startMs).toBeGreaterThanOrEqual(0)
          expect(stage.startMs + stage.tookMs).toBeLessThanOrEqual(one.totalMs + 1e-6)
          const { left, width } = placeOf(stage, one.totalMs)
          expect(left).toBeGreaterThanOrEqual(0)
          expect(left + width).toBeLessThanOrEqual(100.0001)
        }
      }),
    )
  })
})

describe('the scale', () => {
  test('has round times', () => {
    expect(ticksOf(100)).toEqual([0, 20, 40, 60, 80, 100])
    expect(ticksOf(1234)).toEqual([0, 500, 1000])
    expect(ticksOf(7)).toEqual([0, 2, 4, 6])
    expect(ticksOf(0)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1].map((tick) => expect.closeTo(tick, 6)))
  })
})
