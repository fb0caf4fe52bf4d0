import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { GatewayError } from '#chat/error.ts'
import { model, remote } from '#test/remote-rig.ts'

import { Health } from './health.ts'
import { type Candidate, type Ordering, orderOf, type Strategy, strategies } from './order.ts'

function candidate(name: string, weight = 1): Candidate {
  const upstream = remote({ name, protocol: 'chat-completions', url: 'http://127.0.0.1:1' })
  return { target: { upstream, model: model(upstream) }, weight }
}

const [one, two, three] = [candidate('one'), candidate('two'), candidate('three')]
const all = [one, two, three]

function ordering(strategy: Strategy, members: Partial<Ordering> = {}): Ordering {
  const health = new Health({ now: () => 0, random: () => 0.5 })
  return {
    strategy,
    health,
    random: Math.random,
    costAt: () => 0,
    prefix: () => 'hello',
    ...members,
  }
}

function namesOf(candidates: readonly Candidate[], by: Ordering): string[] {
  return orderOf(candidates, by).targets.map(({ upstream }) => upstream.name)
}

/** How often each is first, in many choices. */
function firsts(candidates: readonly Candidate[], by: () => Ordering, times = 3000) {
  const counts: Record<string, number> = {}
  for (let at = 0; at < times; at++) {
    const [name = ''] = namesOf(candidates, by())
    counts[name] = (counts[name] ?? 0) + 1 / times
  }
  return counts
}

const ill = new GatewayError('upstream-failed', 'no')

describe('the order of targets', () => {
  test('is the order of the config where they are to fall back', () => {
    expect(namesOf(all, ordering('fallback'))).toEqual(['one', 'two', 'three'])
  })

  test('follows the weights', () => {
    const weighted = [candidate('one', 6), candidate('two', 3), candidate('three', 1)]
    const counts = firsts(weighted, () => ordering('weighted'))
    expect(counts['one']).toBeCloseTo(0.6, 1)
    expect(counts['two']).toBeCloseTo(0.3, 1)
    expect(counts['three']).toBeCloseTo(0.1, 1)
  })

  test('begins with whoever has least to do', () => {
    const by = ordering('least-busy')
    by.health.of(one.target.model).begin()
    by.health.of(one.target.model).begin()
    by.health.of(three.target.model).begin()
    expect(namesOf(all, by)).toEqual(['two', 'three', 'one'])
    const heavy = [candidate('one', 10), two, three]
    by.health.of(two.target.model).begin()
    expect(namesOf(heavy, by)[0]).toBe('one')
  })

  test('begins with the better of two that chance picks, and never with the worst', () => {
    const health = new Health({ now: () => 0, random: () => 0.5 })
    for (const [candidate, ms] of [
      [one, 100],
      [two, 200],
      [three, 900],
    ] as const)
      health.of(candidate.target.model).answered(ms)
    const counts = firsts(all, () => ordering('lowest-latency', { health }))
    expect(counts['one']).toBeCloseTo(2 / 3, 1)
    expect(counts['two']).toBeCloseTo(1 / 3, 1)
    expect(counts['three']).toBeUndefined()
  })

  test('begins with the cheapest, and ends with those whose price nobody knows', () => {
    const costs: Record<string, number> = { one: Infinity, two: 9, three: 3 }
    const costAt = ({ upstream }: Candidate['target']) => costs[upstream.name] ?? 0
    expect(namesOf(all, ordering('cheapest', { costAt }))).toEqual(['three', 'two', 'one'])
  })

  test('a conversation stays where it is, and conversations spread by weight', () => {
    const by = (prefix: string) => ordering('sticky', { prefix: () => prefix })
    expect(namesOf(all, by('a'))).toEqual(namesOf(all, by('a')))
    let at = 0
    const counts = firsts([one, candidate('two', 3)], () => by(`conversation ${at++}`))
    expect(counts['one']).toBeCloseTo(0.25, 1)
  })

  test('a target that goes moves only the conversations that were there', () => {
    fc.assert(
      fc.property(fc.string(), (prefix) => {
        const by = ordering('sticky', { prefix: () => prefix })
        const before = namesOf(all, by)
        const after = namesOf([one, three], by)
        expect(after).toEqual(before.filter((name) => name !== 'two'))
      }),
    )
  })

  test.each(strategies)('puts the ill behind the well and leaves nobody out: %s', (strategy) => {
    fc.assert(
      fc.property(fc.subarray(all), (sick) => {
        const by = ordering(strategy)
        for (const { target } of sick)
          for (let at = 0; at < 5; at++) by.health.of(target.model).failed(ill, 1)
        const order = namesOf(all, by)
        expect(order.toSorted()).toEqual(['one', 'three', 'two'])
        const sickNames = sick.map(({ target }) => target.upstream.name).toSorted()
        expect(order.slice(3 - sick.length).toSorted()).toEqual(sickNames)
      }),
    )
  })

  test('says why, for the ledger', () => {
    const by = ordering('fallback')
    for (let at = 0; at < 5; at++) by.health.of(one.target.model).failed(ill, 1)
    by.health.of(two.target.model).failed(new GatewayError('upstream-busy', 'later'), 1)
    const name = one.target.model.model
    expect(orderOf(all, by).reason).toBe(
      `fallback; last resort: two/${name} cooling, one/${name} breaker open`,
    )
    expect(orderOf([one], by).reason).toBe('only target')
  })
})
