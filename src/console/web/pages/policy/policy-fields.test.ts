import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { changedPolicy, checkPolicy } from '#keys/policy-schema.ts'
import { endpoints, type Policy } from '#keys/policy.ts'

import { policyChange } from './policy-change.ts'
import { fieldsOfPolicy, rateNames, readPolicyFields } from './policy-fields.ts'

const glob = fc.stringMatching(/^[a-z0-9/.-]{1,12}\*?$/)
const most = { min: 1, max: 1_000_000 }
const optional = { requiredKeys: [] }

/** Any policy that the gateway takes. */
const policies: fc.Arbitrary<Policy> = fc
  .record(
    {
      models: fc.array(glob, { minLength: 1, maxLength: 4 }),
      endpoints: fc.subarray([...endpoints], { minLength: 1 }),
      addresses: fc.array(fc.constantFrom('10.0.0.0/8', '192.0.2.7', 'fd00::/8'), {
        minLength: 1,
        maxLength: 3,
      }),
      maxTokens: fc.integer(most),
      concurrency: fc.integer(most),
      contentLogging: fc.boolean(),
      rates: fc.record(
        Object.fromEntries(rateNames.map((rate) => [rate, fc.integer(most)])),
        optional,
      ),
      tags: fc.dictionary(
        fc.stringMatching(/^x[a-z0-9_.-]{0,8}$/),
        fc.stringMatching(/^[a-z0-9]{1,8}( [a-z]{1,4})?$/),
        { minKeys: 1, maxKeys: 4 },
      ),
    },
    optional,
  )
  .map((policy) => {
    const { rates = {}, ...rest } = policy
    return checkPolicy(Object.keys(rates).length === 0 ? rest : policy)
  })

describe('the fields of a policy', () => {
  test('say the same policy again when they are read', () => {
    fc.assert(
      fc.property(policies, (policy) => {
        expect(readPolicyFields(fieldsOfPolicy(policy))).toEqual({ type: 'policy', policy })
      }),
    )
  })

  test('may be typed with commas, blanks and empty lines', () => {
    const read = readPolicyFields({
      ...fieldsOfPolicy({}),
      models: '  gpt-*\n\nclaude-* ',
      maxTokens: ' 200,000 ',
      tags: [
        { name: ' team ', value: ' search ' },
        { name: '', value: '' },
      ],
    })
    expect(read).toEqual({
      type: 'policy',
      policy: { models: ['gpt-*', 'claude-*'], maxTokens: 200_000, tags: { team: 'search' } },
    })
  })

  test('have every problem told at the field where it is', () => {
    const read = readPolicyFields({
      ...fieldsOfPolicy({}),
      models: 'gpt-*\ntwo words',
      addresses: '10.0.0.0/8\n10.0.0.0/99',
      maxTokens: '1.5',
      concurrency: '1,00',
      rates: { ...fieldsOfPolicy({}).rates, tokensPerDay: '0' },
      tags: [{ name: '', value: 'x' }],
    })
    expect(read).toEqual({
      type: 'problems',
      problems: {
        models: expect.stringMatching(/^“two words”: expected a glob.*\.$/),
        addresses:
          '“10.0.0.0/99”: expected an address or a network such as 10.0.0.0/8 or fd00::/8.',
        maxTokens: 'Expected a whole number from 1 to 1000000000.',
        concurrency: 'Expected a whole number from 1 to 1000000.',
        'rates.tokensPerDay': 'Expected a whole number from 1 to 1000000000000.',
        tags: expect.stringMatching(/^No name: expected a tag name/),
      },
    })
  })

  test('with a tag that is there twice are no policy', () => {
    const tags = [
      { name: 'team', value: 'a' },
      { name: ' team', value: 'b' },
    ]
    const problems = { tags: 'There is a tag team twice.' }
    expect(readPolicyFields({ ...fieldsOfPolicy({}), tags })).toEqual({
      type: 'problems',
      problems,
    })
  })
})

describe('a change of a policy', () => {
  test('makes of the one the other, in the hands of the gateway', () => {
    fc.assert(
      fc.property(policies, policies, (before, after) => {
        const change = policyChange(before, after)
        expect(changedPolicy(before, change ?? {})).toEqual(after)
      }),
    )
  })

  test('is none between a policy and itself, and names nothing that stays', () => {
    fc.assert(
      fc.property(policies, (policy) => {
        expect(policyChange(policy, policy)).toBeUndefined()
      }),
    )
    const before = { maxTokens: 5, rates: { tokensPerDay: 9, requestsPerDay: 3 } }
    expect(policyChange(before, { rates: { tokensPerDay: 9 } })).toEqual({
      maxTokens: null,
      rates: { requestsPerDay: null },
    })
  })
})
