import { describe, expect, test } from 'bun:test'

import { type ErrorCode, errorKinds, GatewayError } from '#chat/error.ts'
import { model, remote } from '#test/remote-rig.ts'
import type { Target } from '#upstreams/upstream.ts'

import { Health } from './health.ts'
import { Plan, type PlanOptions } from './plan.ts'

function target(name: string): Target {
  const upstream = remote({ name, protocol: 'chat-completions', url: 'http://127.0.0.1:1' })
  return { upstream, model: model(upstream) }
}

const [one, two, three, four] = [target('one'), target('two'), target('three'), target('four')]

function options(members: Partial<PlanOptions> = {}): PlanOptions {
  return {
    health: new Health(),
    signal: new AbortController().signal,
    deadlineAt: Infinity,
    repeats: 0,
    isRepeatable: true,
    random: () => 0,
    ...members,
  }
}

const failed = (code: ErrorCode): GatewayError => new GatewayError(code, 'no')

/** The names of all that are asked if every one fails so. */
async function story(targets: readonly Target[], code: ErrorCode, by = options()) {
  const plan = new Plan(targets, by)
  const asked: string[] = []
  for (let next = plan.first(); next !== undefined; next = await plan.after(failed(code)))
    asked.push(next.upstream.name)
  return asked
}

describe('after a failure', () => {
  test.each(['upstream-failed', 'upstream-overloaded'] as const)(
    'of the kind %s the others are asked, and a single target once more',
    async (code) => {
      expect(await story([one, two, three, four], code)).toEqual(['one', 'two', 'three'])
      expect(await story([one], code)).toEqual(['one', 'one'])
    },
  )

  test.each([
    'upstream-unreachable',
    'upstream-unauthorised',
    'upstream-busy',
    'engine-busy',
    'upstream-lost',
    'upstream-timeout',
  ] as const)('of the kind %s the others are asked, and nobody twice', async (code) => {
    expect(await story([one, two], code)).toEqual(['one', 'two'])
    expect(await story([one], code)).toEqual(['one'])
  })

  test('that is nobody else’s fault than the caller’s or ours nothing is tried', async () => {
    for (const [code, { fault }] of Object.entries(errorKinds)) {
      if (fault === 'upstream') continue
      expect(await story([one, two], code as ErrorCode)).toEqual(['one'])
    }
  })

  test('a caller who repeats by himself is not helped to do so twice', async () => {
    const again = options({ repeats: 1 })
    expect(await story([one], 'upstream-failed', again)).toEqual(['one'])
    expect(await story([one, two], 'upstream-failed', again)).toEqual(['one', 'two'])
  })

  test('that leaves open whether it was done, what must not be done twice is not tried again', async () => {
    const delicate = options({ isRepeatable: false })
    expect(await story([one, two], 'upstream-lost', delicate)).toEqual(['one'])
    expect(await story([one, two], 'upstream-timeout', delicate)).toEqual(['one'])
    expect(await story([one, two], 'upstream-unreachable', delicate)).toEqual(['one', 'two'])
  })

  test('nothing is tried past the deadline, nor for a caller who has gone', async () => {
    const late = options({ deadlineAt: performance.now() - 1 })
    expect(await story([one, two], 'upstream-failed', late)).toEqual(['one'])
    const gone = options({ signal: AbortSignal.abort() })
    expect(await story([one, two], 'upstream-failed', gone)).toEqual(['one'])
  })

  test('who asks for a long wait is not asked again within it', async () => {
    const plan = new Plan([one], options())
    plan.first()
    const overloaded = new GatewayError('upstream-overloaded', 'no', { retryAfter: 30 })
    expect(await plan.after(overloaded)).toBeUndefined()
    const soon = new GatewayError('upstream-overloaded', 'no', { retryAfter: 0.001 })
    expect(await plan.after(soon)).toBe(one)
  })

  test('a caller who goes during the pause ends it', async () => {
    const controller = new AbortController()
    const plan = new Plan([one], options({ signal: controller.signal, random: () => 1 }))
    plan.first()
    const next = plan.after(failed('upstream-failed'))
    controller.abort()
    expect(await next).toBeUndefined()
  })

  test('repetitions are a few, and then a tenth of the requests', async () => {
    const by = options({ health: new Health({ now: () => 0, random: () => 0 }) })
    let repeated = 0
    for (let at = 0; at < 103; at++) {
      by.health.of(one.model).begin()
      if ((await story([one], 'upstream-failed', by)).length === 2) repeated += 1
    }
    expect(repeated).toBeGreaterThanOrEqual(10)
    expect(repeated).toBeLessThanOrEqual(14)
  })
})

describe('a target that is ill', () => {
  function ill(...targets: readonly Target[]): PlanOptions {
    const by = options()
    for (const { model: name } of targets)
      for (let at = 0; at < 5; at++) by.health.of(name).failed(failed('upstream-failed'), 1)
    return by
  }

  test('is passed over while another is well', async () => {
    expect(await story([one, two], 'upstream-unreachable', ill(one))).toEqual(['two'])
  })

  test('is asked all the same if nobody is well', async () => {
    expect(await story([one, two], 'upstream-unreachable', ill(one, two))).toEqual(['one'])
  })
})
