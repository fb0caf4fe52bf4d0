import { describe, expect, test } from 'bun:test'

import type { Admission } from '#chat/admission.ts'
import { GatewayError } from '#chat/error.ts'
import type { Caller, Policy } from '#keys/policy.ts'

import { Limiter } from './limiter.ts'

const small = { input: 1, output: 1 }

function callerOf(key: Policy, { project = {}, org = {}, id = 'key:1' }: Parents = {}): Caller {
  return {
    keyId: id,
    name: 'ci',
    projectId: '1',
    holders: [
      { id: 'org', policy: org },
      { id: 'project:1', policy: project },
      { id, policy: key },
    ],
  }
}

interface Parents {
  readonly project?: Policy
  readonly org?: Policy
  readonly id?: string
}

/** A limiter with a clock that stands where it is put. */
function limiterAt(now = 0) {
  const clock = { now }
  return { clock, limiter: new Limiter({ now: () => clock.now }) }
}

function refusal(limiter: Limiter, caller: Caller, ask = small): GatewayError {
  try {
    limiter.admit(caller, ask)
  } catch (error) {
    return GatewayError.from(error)
  }
  throw new Error('It was admitted.')
}

function countAdmitted(limiter: Limiter, caller: Caller, times: number, ask = small): number {
  let count = 0
  for (let i = 0; i < times; i++) {
    try {
      limiter.admit(caller, ask)
      count++
    } catch (error) {
      expect(GatewayError.from(error).code).toBe('rate-exceeded')
    }
  }
  return count
}

describe('what other gateways got wrong', () => {
  test('a thousand callers at once and room for k: exactly k come in, not all that looked before anyone was counted', async () => {
    for (const room of [0, 1, 7, 50]) {
      const { limiter } = limiterAt()
      const caller = callerOf({ rates: { requestsPerMinute: room } })
      const tries = Array.from({ length: 1000 }, async () => {
        await Promise.resolve()
        return countAdmitted(limiter, caller, 1)
      })
      const counts = await Promise.all(tries)
      expect(counts.reduce((sum, one) => sum + one, 0)).toBe(room)
    }
  })

  test('a burst of tokens cannot pass a limit of a hundred', () => {
    const { limiter } = limiterAt()
    const caller = callerOf({ rates: { tokensPerMinute: 100 } })
    expect(countAdmitted(limiter, caller, 50, { input: 20, output: 13 })).toBe(3)
  })

  test('a place is free again however the exchange ended, and never twice', () => {
    const { limiter } = limiterAt()
    const caller = callerOf({ concurrency: 2 })
    const first = limiter.admit(caller, small)
    const second = limiter.admit(caller, small)
    expect(refusal(limiter, caller).retryAfter).toBe(1)
    first.settle({})
    first.settle({})
    first.cancel()
    const third = limiter.admit(caller, small)
    refusal(limiter, caller)
    second.cancel()
    limiter.admit(caller, small)
    refusal(limiter, caller)
    third.settle({ output: 1 })
    limiter.admit(caller, small)
  })

  test('a place that was never given back is free when no exchange can be that old', () => {
    const { clock, limiter } = limiterAt()
    const caller = callerOf({ concurrency: 1 })
    limiter.admit(caller, small)
    clock.now = 40 * 60_000 - 1
    refusal(limiter, caller)
    clock.now += 1
    limiter.admit(caller, small)
    refusal(limiter, caller)
  })

  test('a place whose admission was dropped is free when the memory of it is', async () => {
    const limiter = new Limiter()
    const caller = callerOf({ concurrency: 100 })
    ;(() => countAdmitted(limiter, caller, 100))()
    refusal(limiter, caller)
    let isFree = false
    for (let tries = 0; tries < 20 && !isFree; tries++) {
      Bun.gc(true)
      await new Promise((resolve) => setImmediate(resolve))
      isFree = countAdmitted(limiter, caller, 1) === 1
    }
    expect(isFree).toBe(true)
  })

  test('a refused request uses up nothing, of this limit or another', () => {
    const { limiter } = limiterAt()
    const caller = callerOf({ rates: { requestsPerMinute: 5, inputTokensPerMinute: 10 } })
    expect(countAdmitted(limiter, caller, 20, { input: 11, output: 0 })).toBe(0)
    expect(countAdmitted(limiter, caller, 20, { input: 10, output: 0 })).toBe(1)
    expect(countAdmitted(limiter, caller, 20, { input: 0, output: 0 })).toBe(4)
  })

  test('a request refused for its key uses up nothing of its project and organisation', () => {
    const { limiter } = limiterAt()
    const org = { rates: { requestsPerMinute: 3 }, concurrency: 3 }
    const stingy = callerOf({ rates: { requestsPerMinute: 0 } }, { org, id: 'key:1' })
    const other = callerOf({}, { org, id: 'key:2' })
    expect(countAdmitted(limiter, stingy, 50)).toBe(0)
    expect(countAdmitted(limiter, other, 50)).toBe(3)
  })

  test('requests and tokens, minutes and days, keys and projects have each a window of their own', () => {
    const { clock, limiter } = limiterAt()
    const key = { rates: { requestsPerMinute: 2, requestsPerDay: 3, tokensPerMinute: 100 } }
    const caller = callerOf(key)
    expect(countAdmitted(limiter, caller, 9, { input: 30, output: 0 })).toBe(2)
    clock.now = 60_000
    expect(countAdmitted(limiter, caller, 9, { input: 100, output: 0 })).toBe(1)
    clock.now = 120_000
    expect(refusal(limiter, caller).message).toContain('3 requests a day')
    const other = callerOf(key, { id: 'key:2' })
    expect(countAdmitted(limiter, other, 9, { input: 30, output: 0 })).toBe(2)
  })

  test('the tokens of a streamed answer count, however many more there were than expected', () => {
    const { clock, limiter } = limiterAt()
    const caller = callerOf({ rates: { outputTokensPerMinute: 6000 } })
    const admission = limiter.admit(caller, { input: 5, output: Number.POSITIVE_INFINITY })
    expect(admission.limits().get('x-ratelimit-remaining-output-tokens')).toBe('5000')
    admission.settle({ output: 12_000 })
    expect(refusal(limiter, caller).retryAfter).toBe(60.01)
    clock.now = 60_010
    limiter.admit(caller, small)
  })

  test('an exchange that failed before its answer has used no tokens, but was a request', () => {
    const { limiter } = limiterAt()
    const caller = callerOf({ rates: { tokensPerMinute: 2000, requestsPerMinute: 2 } })
    const admission = limiter.admit(caller, { input: 1000, output: 1000 })
    admission.settle({})
    const limits = admission.limits()
    expect(limits.get('x-ratelimit-remaining-tokens')).toBe('2000')
    expect(limits.get('x-ratelimit-remaining-requests')).toBe('1')
  })
})

describe('an admission', () => {
  test('that is cancelled gives all of it back', () => {
    const { limiter } = limiterAt()
    const caller = callerOf({ rates: { requestsPerDay: 1, tokensPerDay: 2000 } })
    const admission = limiter.admit(caller, { input: 1000, output: 5000 })
    admission.cancel()
    admission.cancel()
    admission.settle({ output: 2000 })
    expect([...admission.limits()]).toEqual([
      ['x-ratelimit-limit-requests', '1'],
      ['x-ratelimit-remaining-requests', '1'],
      ['x-ratelimit-reset-requests', '0s'],
      ['x-ratelimit-limit-tokens', '2000'],
      ['x-ratelimit-remaining-tokens', '2000'],
      ['x-ratelimit-reset-tokens', '0s'],
    ])
  })

  test('settles cached input as input, and keeps its estimate where only the output was told', () => {
    const { limiter } = limiterAt()
    const caller = callerOf({ rates: { inputTokensPerMinute: 1000 } })
    const left = (usage: object): string | undefined => {
      const admission = limiter.admit(caller, { input: 10, output: 0 })
      admission.settle(usage)
      return admission.limits().get('x-ratelimit-remaining-input-tokens')
    }
    expect(left({ input: 1, cacheRead: 50, cacheWrite: 49, output: 3 })).toBe('900')
    expect(left({ output: 3 })).toBe('890')
  })

  test('of a caller without limits is one for all, and has nothing to tell', () => {
    const { limiter } = limiterAt()
    const caller = callerOf({ models: ['*'] })
    const admissions = new Set<Admission>([1, 2].map(() => limiter.admit(caller, small)))
    expect(admissions.size).toBe(1)
    for (const admission of admissions) expect(admission.limits().size).toBe(0)
    expect(limiter.holders).toBe(0)
  })
})

describe('a refusal', () => {
  test('names the limit, whose it is, and when the next one is possible (R01)', () => {
    const { clock, limiter } = limiterAt(5000)
    const caller = callerOf({ rates: { requestsPerMinute: 50 } })
    countAdmitted(limiter, caller, 50)
    clock.now += 1
    const error = refusal(limiter, caller)
    expect(error.message).toBe(
      'Rate limit reached. This key may use 50 requests a minute. Please try again in 2s.',
    )
    expect(error.retryAfter).toBe(1.199)
    expect(error.detail).toBe('requests')
    expect([...(error.limits ?? [])]).toEqual([
      ['x-ratelimit-limit-requests', '50'],
      ['x-ratelimit-remaining-requests', '0'],
      ['x-ratelimit-reset-requests', '1m0s'],
    ])
    clock.now += 1199
    limiter.admit(caller, small)
  })

  test('tells the limit that lasts longest, so that nobody waits in vain (R03)', () => {
    const { limiter } = limiterAt()
    const key = { rates: { requestsPerMinute: 1 }, concurrency: 1 }
    const caller = callerOf(key, { project: { rates: { tokensPerDay: 144_000 } } })
    limiter.admit(caller, { input: 143_000, output: 1000 })
    const error = refusal(limiter, caller, { input: 500, output: 500 })
    expect(error.message).toBe(
      'Rate limit reached. This project may use 144000 tokens a day, and this request takes about 1000. Please try again in 10m0s.',
    )
    expect(error.retryAfter).toBe(600)
    expect(error.detail).toBe('tokens')
  })

  test('of an input that is larger than the limit says that it can never pass', () => {
    const { limiter } = limiterAt()
    const caller = callerOf({}, { org: { rates: { inputTokensPerMinute: 1000 } } })
    const error = refusal(limiter, caller, { input: 1001, output: 1 })
    expect(error.retryAfter).toBeUndefined()
    expect(error.message).toBe(
      'Request too large. This organisation may use 1000 input tokens a minute, and this request takes about 1001. It can never pass as it is: make it shorter, or have the limit raised.',
    )
  })

  test('is not for an output that only might be larger than the limit: it passes when nothing is taken', () => {
    const { limiter } = limiterAt()
    const rates = { outputTokensPerMinute: 100, tokensPerMinute: 300 }
    const caller = callerOf({ rates })
    limiter.admit(caller, { input: 200, output: 32_000 }).cancel()
    limiter.admit(caller, { input: 200, output: 32_000 })
    expect(refusal(limiter, caller, { input: 0, output: 32_000 }).retryAfter).toBe(60)
  })

  test('for too many at once says so', () => {
    const { limiter } = limiterAt()
    const caller = callerOf({}, { project: { concurrency: 1 } })
    limiter.admit(caller, small)
    expect(refusal(limiter, caller).message).toBe(
      'Rate limit reached. This project may have 1 request under way at once, and as many are. Please try again in 1s.',
    )
  })

  test('for too many at once holds for as long as an exchange may take', () => {
    const { clock, limiter } = limiterAt()
    const caller = callerOf({ concurrency: 1 })
    limiter.follow(2 * 60 * 60_000)
    const admission = limiter.admit(caller, small)
    clock.now += 2 * 60 * 60_000
    expect(refusal(limiter, caller).code).toBe('rate-exceeded')
    clock.now += 60 * 60_000
    limiter.admit(caller, small)
    admission.cancel()
  })

  test.each<[string, Policy, string]>([
    ['no concurrency', { concurrency: 0 }, 'This key may have 0 requests under way at once.'],
    ['no output', { rates: { outputTokensPerDay: 0 } }, 'This key may use 0 output tokens a day'],
  ])('by a limit of %s does not ask to come again', (_, policy, words) => {
    const error = refusal(limiterAt().limiter, callerOf(policy))
    expect(error.message).toStartWith(words)
    expect(error.message).not.toContain('try again')
    expect(error.retryAfter).toBeUndefined()
  })
})

describe('what is left', () => {
  test('is told of the tightest limit of each kind, whoever has set it', () => {
    const { limiter } = limiterAt()
    const org = { rates: { requestsPerMinute: 1000, tokensPerDay: 5000 } }
    const key = { rates: { requestsPerDay: 10, inputTokensPerMinute: 2000 } }
    const admission = limiter.admit(callerOf(key, { org }), { input: 1500, output: 50 })
    expect([...admission.limits()]).toEqual([
      ['x-ratelimit-limit-requests', '10'],
      ['x-ratelimit-remaining-requests', '9'],
      ['x-ratelimit-reset-requests', '2h24m0s'],
      ['x-ratelimit-limit-tokens', '2000'],
      ['x-ratelimit-remaining-tokens', '500'],
      ['x-ratelimit-reset-tokens', '45s'],
      ['x-ratelimit-limit-input-tokens', '2000'],
      ['x-ratelimit-remaining-input-tokens', '500'],
      ['x-ratelimit-reset-input-tokens', '45s'],
    ])
  })
})

describe('a clock', () => {
  test('that goes back gives nothing back, and takes nothing', () => {
    const { clock, limiter } = limiterAt(100_000)
    const caller = callerOf({ rates: { requestsPerMinute: 1 } })
    limiter.admit(caller, small)
    clock.now = 0
    expect(refusal(limiter, caller).retryAfter).toBe(60)
    clock.now = 160_000
    limiter.admit(caller, small)
  })
})

describe('memory', () => {
  test('is bounded: holders with nothing to remember go first', () => {
    const clock = { now: 0 }
    const limiter = new Limiter({ now: () => clock.now, maxHolders: 10 })
    const daily = callerOf({ rates: { requestsPerDay: 1 } }, { id: 'key:daily' })
    const busy = callerOf({ concurrency: 1 }, { id: 'key:busy' })
    limiter.admit(daily, small)
    limiter.admit(busy, small)
    for (let n = 0; n < 1000; n++) {
      clock.now += 1000
      const caller = callerOf({ rates: { requestsPerMinute: 60 } }, { id: `key:${n}` })
      limiter.admit(caller, small)
      expect(limiter.holders).toBeLessThanOrEqual(10)
    }
    refusal(limiter, daily)
    refusal(limiter, busy)
  })

  test('is bounded even where every holder has something to remember, all but those under way', () => {
    const clock = { now: 0 }
    const limiter = new Limiter({ now: () => clock.now, maxHolders: 10 })
    const busy = callerOf({ concurrency: 1 }, { id: 'key:busy' })
    limiter.admit(busy, small)
    for (let n = 0; n < 1000; n++) {
      clock.now += 1
      limiter.admit(callerOf({ rates: { requestsPerDay: 1 } }, { id: `key:${n}` }), small)
      expect(limiter.holders).toBeLessThanOrEqual(10)
    }
    refusal(limiter, busy)
    refusal(limiter, callerOf({ rates: { requestsPerDay: 1 } }, { id: 'key:999' }))
  })

  test('of a holder who was forgotten meanwhile does not lose what its answer took', () => {
    const clock = { now: 0 }
    const limiter = new Limiter({ now: () => clock.now, maxHolders: 1 })
    const caller = callerOf({ rates: { outputTokensPerMinute: 10 } })
    const admission = limiter.admit(caller, { input: 0, output: 0 })
    clock.now = 1
    limiter.admit(callerOf({ rates: { requestsPerDay: 1 } }, { id: 'key:2' }), small)
    clock.now = 2
    admission.settle({ output: 20 })
    expect(refusal(limiter, caller).retryAfter).toBe(66)
  })
})
