import { describe, expect, test } from 'bun:test'

import { GatewayError } from '#chat/error.ts'

import { changedPolicy, checkPolicy, policyReader } from './policy-schema.ts'

const whole = {
  models: ['gpt-*', 'anthropic/claude-opus-5'],
  endpoints: ['messages', 'models'],
  addresses: ['10.0.0.0/8', 'fd00::/8', '192.0.2.7'],
  maxTokens: 4096,
  rates: { requestsPerMinute: 60, tokensPerDay: 2_000_000 },
  concurrency: 4,
  tags: { team: 'search', 'cost-centre': '17 b' },
  contentLogging: false,
} as const

function refusal(written: unknown): GatewayError {
  try {
    checkPolicy(written)
  } catch (error) {
    if (error instanceof GatewayError) return error
  }
  throw new TypeError('It was taken.')
}

test('a policy is taken as it is written, and back from its JSON', () => {
  expect(checkPolicy(whole)).toEqual(whole)
  expect(checkPolicy(JSON.parse(JSON.stringify(whole)))).toEqual(whole)
  expect(checkPolicy({})).toEqual({})
})

describe('a policy is refused, with the field, for', () => {
  const cases: readonly (readonly [string, string, string])[] = [
    ['a limit below zero', '{"maxTokens":-5}', 'maxTokens'],
    ['a limit of nothing', '{"concurrency":0}', 'concurrency'],
    ['a number too large for any', '{"rates":{"tokensPerMinute":1e400}}', 'rates.tokensPerMinute'],
    ['a number too large to count', '{"rates":{"tokensPerDay":1e15}}', 'rates.tokensPerDay'],
    ['a part of a request', '{"rates":{"requestsPerMinute":0.5}}', 'rates.requestsPerMinute'],
    ['a number in quotes', '{"maxTokens":"100"}', 'maxTokens'],
    ['nothing in place of a number', '{"maxTokens":null}', 'maxTokens'],
    ['an unknown field', '{"budget":5}', 'budget'],
    ['an unknown rate', '{"rates":{"requestsPerHour":5}}', 'rates.requestsPerHour'],
    ['rates that are a list', '{"rates":[]}', 'rates'],
    ['an unknown endpoint', '{"endpoints":["chat"]}', 'endpoints.0'],
    ['a list of nothing', '{"models":[]}', 'models'],
    ['a glob of nothing', '{"models":[""]}', 'models.0'],
    ['a glob with a line end', '{"models":["a\\nb"]}', 'models.0'],
    ['a glob of stars', `{"models":["${'*a'.repeat(9)}"]}`, 'models.0'],
    ['a thousand globs', JSON.stringify({ models: Array(1000).fill('a*') }), 'models'],
    ['an address of another kind', '{"addresses":["localhost"]}', 'addresses.0'],
    ['an address that was cut', '{"addresses":["10.0.0"]}', 'addresses.0'],
    ['a prefix too long', '{"addresses":["fd00::/8","10.0.0.0/33"]}', 'addresses.1'],
    ['a prefix with a sign', '{"addresses":["10.0.0.0/-1"]}', 'addresses.0'],
    ['no prefix', '{"addresses":["10.0.0.0/"]}', 'addresses.0'],
    ['two prefixes', '{"addresses":["10.0.0.0/8/8"]}', 'addresses.0'],
    ['octal digits', '{"addresses":["010.0.0.1/8"]}', 'addresses.0'],
    ['an address of one interface', '{"addresses":["fe80::1%eth0/64"]}', 'addresses.0'],
    ['a tag of the prototype', '{"tags":{"__proto__":"x"}}', 'tags.__proto__'],
    ['a tag that every object has', '{"tags":{"constructor":"x"}}', 'tags.constructor'],
    ['a tag of many letters', `{"tags":{"${'t'.repeat(64)}":"x"}}`, `tags.${'t'.repeat(60)}`],
    ['a tag without words', '{"tags":{"team":""}}', 'tags.team'],
    ['a tag with a control character', '{"tags":{"team":"a\\u001b[31m"}}', 'tags.team'],
    [
      'more tags than anybody needs',
      JSON.stringify({
        tags: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`t${at}`, 'x'])),
      }),
      'tags',
    ],
    ['a setting that is no setting', '{"contentLogging":"yes"}', 'contentLogging'],
    ['a list', '[]', 'policy'],
    ['nothing', 'null', 'policy'],
  ]

  test.each(cases)('%s', (_name, text, field) => {
    const failure = refusal(JSON.parse(text))
    expect([failure.code, failure.param]).toEqual(['request-invalid', field])
    expect(failure.message).toContain(`${field}: `)
    expect(failure.message.length).toBeLessThan(600)
    expect(failure.message).not.toMatch(/\p{C}/u)
  })

  test('a number that is none', () => {
    expect(refusal({ maxTokens: Number.NaN }).param).toBe('maxTokens')
  })

  test('each of several things at once, and no more than can be read', () => {
    const { message } = refusal({ maxTokens: 0, concurrency: 0, models: [], endpoints: [], x: 1 })
    expect(message).toContain('maxTokens: ')
    expect(message).toContain('and 2 more')
  })
})

describe('a change', () => {
  test('sets what it names, removes what it has as null, and leaves the rest', () => {
    expect(
      changedPolicy(whole, {
        models: ['*'],
        endpoints: null,
        maxTokens: null,
        rates: { tokensPerDay: null, tokensPerMinute: 5 },
        tags: { team: 'ads' },
      }),
    ).toEqual({
      models: ['*'],
      addresses: whole.addresses,
      rates: { requestsPerMinute: 60, tokensPerMinute: 5 },
      concurrency: 4,
      tags: { team: 'ads', 'cost-centre': '17 b' },
      contentLogging: false,
    })
  })

  test('that removes the last rate or tag leaves no empty list of them', () => {
    const former = { rates: { requestsPerDay: 1 }, tags: { a: 'b' } }
    expect(changedPolicy(former, { rates: { requestsPerDay: null }, tags: null })).toEqual({})
  })

  test('of nothing changes nothing', () => {
    expect(changedPolicy(whole, {})).toEqual(whole)
  })

  test('is refused as a whole where a part of it is wrong', () => {
    expect(() => changedPolicy(whole, { maxTokens: 5, rates: { tokensPerDay: -1 } })).toThrow(
      'rates.tokensPerDay',
    )
    const hostile = JSON.parse('{"__proto__":{"maxTokens":5},"tags":{"__proto__":"x"}}')
    expect(() => changedPolicy({}, hostile)).toThrow('__proto__')
  })
})

describe('what the database holds', () => {
  test('is one object for one text, so that what is made of it is made once', () => {
    const read = policyReader()
    expect(read('{"models":["a"]}')).toBe(read('{"models":["a"]}'))
    expect(read('{"models":["a"]}')).toEqual({ models: ['a'] })
  })

  test.each(['', '{', '[]', '{"models":"a"}', '{"from":"a newer version"}'])(
    'allows nothing if it cannot be read: %s',
    (text) => {
      expect(() => policyReader()(text)).toThrow('cannot be read')
    },
  )
})
