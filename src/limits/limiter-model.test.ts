import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import type { Admission } from '#chat/admission.ts'
import { GatewayError } from '#chat/error.ts'
import type { Usage } from '#chat/usage.ts'
import type { Caller, Holder, Policy, Rates } from '#keys/policy.ts'

import { Limiter } from './limiter.ts'

// The limiter beside a model of it that remembers every event and adds them up anew at each question.

const weekMs = 7n * 86_400_000n
const windows = { Minute: 60_000n, Day: 86_400_000n } as const
const kinds = {
  requests: 'requests',
  inputTokens: 'input',
  outputTokens: 'output',
  tokens: 'tokens',
} as const

interface Limit {
  readonly most: bigint
  readonly windowMs: bigint
  readonly of: (typeof kinds)[keyof typeof kinds]
  readonly name: string
}

function limitsIn({ rates = {} }: Policy): Limit[] {
  return Object.entries(rates).map(([name, most]) => {
    const [, kind, per] = /^(.*)Per(.*)$/.exec(name) ?? []
    return {
      most: BigInt(most),
      windowMs: windows[per as keyof typeof windows],
      of: kinds[kind as keyof typeof kinds],
      name,
    }
  })
}

type Amounts = Readonly<Record<Limit['of'], bigint>>

interface Open {
  readonly limits: readonly {
    readonly holder: string
    readonly limit: Limit
    readonly cost: bigint
  }[]
  readonly counted: readonly string[]
}

class Model {
  now = 0n
  readonly open = new Map<number, Open>()
  readonly #events: {
    at: bigint
    counter: string
    most: bigint
    windowMs: bigint
    units: bigint
  }[] = []

  /** Undefined if it is refused. */
  admit(holders: readonly Holder[], input: bigint, output: bigint): Open | undefined {
    const guess = output < 1000n ? output : 1000n
    const limits = holders.flatMap(({ id, policy }) =>
      limitsIn(policy).map((limit) => ({
        holder: id,
        limit,
        cost: this.#cost(limit, input, guess),
      })),
    )
    if (limits.some((one) => !this.#fits(one))) return undefined
    const counting = holders.filter(({ policy }) => policy.concurrency !== undefined)
    if (counting.some(({ id, policy }) => this.#underWay(id) >= (policy.concurrency ?? 0)))
      return undefined
    for (const { holder, limit, cost } of limits) this.#note(holder, limit, cost)
    return { limits, counted: counting.map(({ id }) => id) }
  }

  end({ limits }: Open, used: Amounts | undefined): void {
    for (const { holder, limit, cost } of limits)
      this.#note(holder, limit, (used?.[limit.of] ?? 0n) - cost)
  }

  #cost({ of, most }: Limit, input: bigint, guess: bigint): bigint {
    if (of === 'requests') return 1n
    if (of === 'input') return input
    const whole = of === 'output' ? guess : input + guess
    const least = of === 'output' ? 0n : input
    return least > most ? least : whole < most ? whole : most
  }

  #underWay(id: string): number {
    return [...this.open.values()].filter(({ counted }) => counted.includes(id)).length
  }

  #note(holder: string, { name, most, windowMs }: Limit, units: bigint): void {
    this.#events.push({ at: this.now, counter: `${holder} ${name}`, most, windowMs, units })
  }

  /** Exact fractions: a level is in units times the window's milliseconds, and falls by `most` a millisecond. */
  #fits({ holder, limit, cost }: Open['limits'][number]): boolean {
    if (cost === 0n) return true
    let level = 0n
    let at = 0n
    const sunk = (until: bigint): bigint => {
      const rest = level - (until - at) * limit.most
      return rest > 0n ? rest : 0n
    }
    for (const event of this.#events) {
      if (event.counter !== `${holder} ${limit.name}`) continue
      level = sunk(event.at) + event.units * limit.windowMs
      if (level < 0n) level = 0n
      if (level > weekMs * limit.most) level = weekMs * limit.most
      at = event.at
    }
    return sunk(this.now) + cost * limit.windowMs <= limit.most * limit.windowMs
  }
}

/** Numbers that divide both windows evenly: no rounding stands between the limiter and the exact model. */
const even = fc.constantFrom(1, 2, 3, 5, 6, 10, 60, 100, 600, 1000, 6000)

const rateNames = [
  'requestsPerMinute',
  'requestsPerDay',
  'inputTokensPerMinute',
  'inputTokensPerDay',
  'outputTokensPerMinute',
  'outputTokensPerDay',
  'tokensPerMinute',
  'tokensPerDay',
] as const satisfies readonly (keyof Rates)[]

const policies: fc.Arbitrary<Policy> = fc.record(
  {
    rates: fc.dictionary(fc.constantFrom(...rateNames), even, { maxKeys: 4 }),
    concurrency: fc.integer({ min: 1, max: 4 }),
  },
  { requiredKeys: [] },
)

type Op =
  | { readonly type: 'wait'; readonly ms: number }
  | {
      readonly type: 'admit'
      readonly key: number
      readonly input: number
      readonly output: number
    }
  | { readonly type: 'settle' | 'cancel'; readonly which: number; readonly usage: Usage }

const tokens = fc.oneof(fc.constantFrom(0, 1, 2), fc.nat(100), fc.nat(8000))

const ops: fc.Arbitrary<Op> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('admit' as const),
      key: fc.nat(2),
      input: tokens,
      output: tokens,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constantFrom('settle' as const, 'cancel' as const),
      which: fc.nat(50),
      usage: fc.record({ input: tokens, output: tokens }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('wait' as const),
      ms: fc.oneof(fc.constantFrom(0, 1, 999), fc.nat(70_000), fc.nat(100_000_000)),
    }),
  },
)

/** Three keys: two of one project, one of another, all of one organisation. */
function callersOf([org, one, other, ...keys]: readonly Policy[]): Caller[] {
  return keys.map((policy, index) => ({
    keyId: `${index}`,
    name: `${index}`,
    projectId: index < 2 ? '1' : '2',
    holders: [
      { id: 'org', policy: org ?? {} },
      { id: index < 2 ? 'project:1' : 'project:2', policy: (index < 2 ? one : other) ?? {} },
      { id: `key:${index}`, policy },
    ],
  }))
}

function admitted(limiter: Limiter, caller: Caller, ask: { input: number; output: number }) {
  try {
    return limiter.admit(caller, ask)
  } catch (error) {
    expect(GatewayError.from(error).code).toBe('rate-exceeded')
    return undefined
  }
}

describe('the limiter and its model', () => {
  test('decide alike in every order of exchanges, waits and ends of up to three holders each', () => {
    let passed = 0
    let refused = 0
    fc.assert(
      fc.property(
        fc.array(policies, { minLength: 6, maxLength: 6 }),
        fc.array(ops, { minLength: 1, maxLength: 60, size: 'max' }),
        (chosen, steps) => {
          let now = 0
          const limiter = new Limiter({ now: () => now, leaseMs: Number.MAX_SAFE_INTEGER / 1e6 })
          const model = new Model()
          const callers = callersOf(chosen)
          const admissions: Admission[] = []
          for (const step of steps) {
            if (step.type === 'wait') {
              now += step.ms
              model.now += BigInt(step.ms)
            } else if (step.type === 'admit') {
              const caller = callers[step.key]!
              const expected = model.admit(caller.holders, BigInt(step.input), BigInt(step.output))
              const admission = admitted(limiter, caller, step)
              expect(admission !== undefined).toBe(expected !== undefined)
              if (admission !== undefined && expected !== undefined) {
                model.open.set(admissions.length, expected)
                admissions.push(admission)
                passed++
              } else refused++
            } else if (admissions.length > 0) {
              // An exchange that has ended already is ended again: the model takes no notice of it.
              const which = step.which % admissions.length
              const open = model.open.get(which)
              const { input = 0, output = 0 } = step.usage
              const used = {
                requests: 1n,
                input: BigInt(input),
                output: BigInt(output),
                tokens: BigInt(input + output),
              }
              if (step.type === 'settle') admissions[which]!.settle(step.usage)
              else admissions[which]!.cancel()
              if (open !== undefined) model.end(open, step.type === 'settle' ? used : undefined)
              model.open.delete(which)
            }
          }
        },
      ),
      { numRuns: 400 },
    )
    // Both happen often, so that agreeing is worth something.
    expect(Math.min(passed, refused)).toBeGreaterThan(300)
  })

  test('no stretch of time passes more than the limit and what comes back in it, whatever the numbers', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.array(fc.record({ ms: fc.nat(20_000), cost: fc.integer({ min: 1, max: 60 }) }), {
          minLength: 1,
          maxLength: 80,
        }),
        (most, asks) => {
          let now = 0
          const limiter = new Limiter({ now: () => now })
          const [caller] = callersOf([{}, {}, {}, { rates: { inputTokensPerMinute: most } }])
          const passed: { at: number; cost: number }[] = []
          for (const { ms, cost } of asks) {
            now += ms
            if (admitted(limiter, caller!, { input: cost, output: 0 }) !== undefined)
              passed.push({ at: now, cost })
          }
          passed.forEach((first, from) => {
            let sum = 0
            for (const { at, cost } of passed.slice(from)) {
              sum += cost
              expect(sum).toBeLessThanOrEqual(most + ((at - first.at) * most) / 60_000)
            }
          })
        },
      ),
      { numRuns: 500 },
    )
  })

  test('changing a number never fills what was used up', () => {
    fc.assert(
      fc.property(even, fc.array(even, { minLength: 1, maxLength: 10 }), (first, later) => {
        const limiter = new Limiter({ now: () => 0 })
        const [full] = callersOf([{}, {}, {}, { rates: { requestsPerMinute: first } }])
        for (let taken = 0; taken < first; taken++) limiter.admit(full!, { input: 0, output: 0 })
        for (const most of later) {
          const [caller] = callersOf([{}, {}, {}, { rates: { requestsPerMinute: most } }])
          expect(admitted(limiter, caller!, { input: 0, output: 0 })).toBeUndefined()
        }
      }),
    )
  })
})
