import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { GatewayError } from '#chat/error.ts'
import type { UpstreamModel } from '#chat/names.ts'
import { brandAs } from '#std/brand.ts'
import { fitsGlob } from '#std/glob.ts'

import { permit, permitted } from './permit.ts'
import { type Caller, type Endpoint, endpoints, type Policy } from './policy.ts'
import { coversGlob, excessesOf, requireWithin } from './within-parent.ts'

describe('a glob covers another', () => {
  test.each([
    ['*', 'gpt-*', true],
    ['gpt-*', 'gpt-5', true],
    ['gpt-*', 'gpt-*', true],
    ['gpt-*', 'gpt-5*-mini', true],
    ['gpt-5', 'gpt-*', false],
    ['gpt-*', '*', false],
    ['*-mini', 'gpt-*', false],
    ['*a*', 'a', true],
    ['*a*b*', '*ab*', true],
    ['a*a', 'a', false],
    ['a**', 'a*', true],
    ['openai/*', 'openai/gpt-5', true],
    ['openai/*', 'gpt-5', false],
  ])('%s covers %s: %p', (wide, narrow, covers) => {
    expect(coversGlob(wide, narrow)).toBe(covers)
  })

  const glob = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 6 })
  const filling = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c', '*'), maxLength: 3 }), {
    minLength: 6,
    maxLength: 6,
  })

  test('only if every text that fits that one fits it', () => {
    let covered = 0
    fc.assert(
      fc.property(glob, glob, filling, (wide, narrow, fillings) => {
        let next = 0
        const text = narrow.replaceAll('*', () => fillings[next++] ?? '')
        expect(fitsGlob(text, narrow)).toBe(true)
        if (!coversGlob(wide, narrow)) return
        covered += 1
        expect(fitsGlob(text, wide)).toBe(true)
      }),
      { numRuns: 5000 },
    )
    expect(covered).toBeGreaterThan(100)
  })

  test('always if it does: a letter in place of each star is a text that gives it away', () => {
    fc.assert(
      fc.property(glob, glob, (wide, narrow) => {
        if (coversGlob(wide, narrow)) return
        expect(fitsGlob(narrow.replaceAll('*', 'z'), wide)).toBe(false)
      }),
    )
  })
})

describe('a child is within its parent', () => {
  const parent: Policy = {
    models: ['gpt-*', 'fast'],
    endpoints: ['messages', 'models'],
    addresses: ['10.0.0.0/8'],
    maxTokens: 1000,
    rates: { requestsPerMinute: 60 },
    concurrency: 4,
    contentLogging: false,
  }

  test('if it says nothing, says less, or says of something else', () => {
    const children: readonly Policy[] = [
      {},
      parent,
      { models: ['gpt-5', 'fast'], maxTokens: 1000, rates: { requestsPerDay: 1e9 } },
      { addresses: ['10.9.0.0/16'], concurrency: 1, tags: { any: 'thing' } },
    ]
    for (const child of children) expect(excessesOf(child, parent)).toEqual([])
    expect(excessesOf(parent, {})).toEqual([])
  })

  test.each([
    [{ models: ['gpt-5', 'claude-*'] }, 'models', 'claude-*'],
    [{ endpoints: ['messages', 'embeddings'] }, 'endpoints', 'embeddings'],
    [{ addresses: ['10.0.0.0/7'] }, 'addresses', '10.0.0.0/7'],
    [{ maxTokens: 1001 }, 'maxTokens', '1001'],
    [{ rates: { requestsPerMinute: 61 } }, 'rates.requestsPerMinute', '61'],
    [{ concurrency: 5 }, 'concurrency', '5'],
    [{ contentLogging: true }, 'contentLogging', 'on'],
  ] as const satisfies readonly (readonly [Policy, string, string])[])(
    'and not if it asks for more: %p',
    (child, field, words) => {
      expect(excessesOf(child, parent)).toMatchObject([{ field, child: words }])
      const refused = (): void =>
        requireWithin(child, [{ called: 'the project p', policy: parent }])
      expect(refused).toThrow(GatewayError)
      expect(refused).toThrow('Ask for less, or change the project p first.')
    },
  )
})

describe('a child that was made within its parent', () => {
  const some = <Item>(...items: readonly Item[]) =>
    fc.option(fc.subarray([...items], { minLength: 1 }), { nil: undefined })
  const policy: fc.Arbitrary<Policy> = fc
    .record({
      models: some('*', 'gpt-*', 'gpt-5', '*/gpt-5', 'up/*', 'fast', 'f*t'),
      endpoints: some(...endpoints),
      addresses: some('10.0.0.0/8', '10.1.0.0/16', '10.1.2.3', '0.0.0.0/0', 'fd00::/8', '::/0'),
    })
    // What is undefined is left out, as a policy has it.
    .map((fields) => JSON.parse(JSON.stringify(fields)))
  const request = fc.record({
    endpoint: fc.constantFrom(...endpoints),
    address: fc.constantFrom(
      '10.1.2.3',
      '10.1.9.9',
      '10.9.9.9',
      '::ffff:10.1.2.3',
      '8.8.8.8',
      'fd00::1',
    ),
    model: fc.constantFrom('gpt-5', 'gpt-4', 'fast', 'faint', 'up/gpt-5', 'other/gpt-5'),
  })
  const targets = ['up/gpt-5', 'up/gpt-4', 'other/gpt-5'].map((name) => {
    const [upstream = '', model = ''] = name.split('/')
    return { model: { upstream, model: brandAs<UpstreamModel>(model) } }
  })

  const allowedBy = (
    policies: Caller['holders'],
    asked: Readonly<Record<'address' | 'model', string>> & { readonly endpoint: Endpoint },
  ) => {
    const caller = { keyId: 'k', name: 'n', projectId: 'p', holders: policies }
    try {
      permit(caller, { endpoint: asked.endpoint, address: () => asked.address })
      return permitted(caller, asked.model, targets)
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error
      return []
    }
  }

  const none = { id: 'x', policy: {} }

  test('is never permitted what the parent is not', () => {
    let allowed = 0
    fc.assert(
      fc.property(policy, policy, request, (child, parent, asked) => {
        if (excessesOf(child, parent).length > 0) return
        const above = allowedBy([none, { id: 'p', policy: parent }, none], asked)
        // What it leaves out it has from its parent; so it is within it even on its own.
        const inherited = { ...parent, ...child }
        const alone = allowedBy([none, none, { id: 'k', policy: inherited }], asked)
        const both = allowedBy(
          [none, { id: 'p', policy: parent }, { id: 'k', policy: child }],
          asked,
        )
        allowed += both.length
        expect(both).toEqual(alone)
        for (const target of alone) expect(above).toContain(target)
      }),
      { numRuns: 3000 },
    )
    expect(allowed).toBeGreaterThan(100)
  })

  test('is permitted what the two have in common, whichever of them was narrowed since', () => {
    fc.assert(
      fc.property(policy, policy, request, (child, parent, asked) => {
        const key = { id: 'k', policy: child }
        const project = { id: 'p', policy: parent }
        const one = allowedBy([none, project, key], asked)
        const other = allowedBy([project, none, key], asked)
        expect(one).toEqual(other)
        const alone = [allowedBy([none, project, none], asked), allowedBy([none, none, key], asked)]
        expect(one).toEqual(
          targets.filter((target) => alone.every((list) => list.includes(target))),
        )
      }),
      { numRuns: 2000 },
    )
  })
})
