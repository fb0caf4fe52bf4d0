import { describe, expect, test } from 'bun:test'

import { GatewayError } from '#chat/error.ts'
import type { UpstreamModel } from '#chat/names.ts'
import { brandAs } from '#std/brand.ts'

import { Health } from './health.ts'

function health() {
  const clock = { now: 0 }
  const all = new Health({ now: () => clock.now, random: () => 0.5 })
  return { clock, all, one: all.of({ upstream: 'up', model: brandAs<UpstreamModel>('m') }) }
}

const failure = (code: ConstructorParameters<typeof GatewayError>[0], retryAfter?: number) =>
  new GatewayError(code, 'no', { retryAfter })

describe('the health of a target', () => {
  test('counts what is its own fault, and neither callers who leave nor requests that are wrong', () => {
    const { one } = health()
    for (let at = 0; at < 10; at++) {
      one.failed(failure('client-gone'), 1)
      one.failed(failure('upstream-refused'), 1)
      one.failed(failure('upstream-busy', 0), 1)
    }
    expect(one.state.breaker).toBe('closed')
    for (let at = 0; at < 5; at++) one.failed(failure('upstream-failed'), 1)
    expect(one.state.breaker).toBe('open')
  })

  test('is left alone for as long as it asks when it is busy, within reason', () => {
    const { one, clock } = health()
    one.failed(failure('upstream-busy', 7), 1)
    expect(one.waitMs).toBe(7000)
    expect(one.admit()).toBe(false)
    one.failed(failure('upstream-busy', 2), 1)
    expect(one.waitMs).toBe(7000)
    clock.now = 7000
    expect(one.admit()).toBe(true)
    one.failed(failure('upstream-busy', 864_000), 1)
    expect(one.waitMs).toBe(600_000)
    one.failed(failure('upstream-busy', -5), 1)
    expect(one.waitMs).toBe(600_000)
  })

  test('a slow answer weighs at once, fast ones little by little', () => {
    const { one, clock } = health()
    one.answered(100)
    expect(one.load).toBe(100)
    clock.now = 10_000
    one.answered(900)
    expect(one.load).toBe(900)
    one.answered(100)
    expect(one.load).toBe(900)
    clock.now = 20_000
    one.answered(100)
    expect(one.load).toBeGreaterThan(300)
    expect(one.load).toBeLessThan(500)
  })

  test('who is under way counts once, however often it ends', () => {
    const { one, all } = health()
    one.answered(50)
    const end = one.begin()
    one.begin()
    expect(one.load).toBe(150)
    end()
    end()
    expect(one.inFlight).toBe(1)
    expect(all.states()).toEqual([
      { target: 'up/m', breaker: 'closed', waitMs: 0, inFlight: 1, latencyMs: 50 },
    ])
  })

  test('names that callers make up are forgotten again', () => {
    const { all } = health()
    for (let at = 0; at < 10_000; at++)
      all.of({ upstream: 'up', model: brandAs<UpstreamModel>(`made-up-${at}`) })
    expect(all.states().length).toBeLessThanOrEqual(4096)
  })
})
