import { describe, expect, test } from 'bun:test'

import { GatewayError } from '#chat/error.ts'
import type { UpstreamModel } from '#chat/names.ts'
import { brandAs } from '#std/brand.ts'

import { mayUse, mostTokens, permit, permitted } from './permit.ts'
import type { Caller, Policy } from './policy.ts'

function caller(key: Policy, project: Policy = {}, organisation: Policy = {}): Caller {
  return {
    keyId: 'k',
    name: 'ci',
    projectId: 'p',
    holders: [
      { id: 'org', policy: organisation },
      { id: 'project:p', policy: project },
      { id: 'key:k', policy: key },
    ],
  }
}

function target(name: string) {
  const [upstream = '', model = ''] = name.split('/')
  return { model: { upstream, model: brandAs<UpstreamModel>(model) } }
}

function refusal(work: () => unknown): GatewayError {
  try {
    work()
  } catch (error) {
    if (error instanceof GatewayError) return error
  }
  throw new TypeError('It was permitted.')
}

const here = { endpoint: 'messages', address: () => '10.0.0.1' } as const

describe('a request may begin', () => {
  test('where nobody above it limits anything', () => {
    permit(caller({}), here)
    permit(caller({}), { endpoint: 'models', address: () => undefined })
  })

  test.each([
    ['the key', caller({ endpoints: ['messages'] })],
    ['the project', caller({}, { endpoints: ['messages'] })],
    ['the organisation', caller({}, {}, { endpoints: ['messages'] })],
  ])('at an endpoint that %s allows, and at no other', (_who, called) => {
    permit(called, here)
    const failure = refusal(() => permit(called, { ...here, endpoint: 'embeddings' }))
    expect([failure.code, failure.status]).toEqual(['not-permitted', 403])
    expect(failure.message).toContain('may not use embeddings')
  })

  test('without a look at where it comes from, where that does not matter', () => {
    const address = (): never => {
      throw new TypeError('It was asked.')
    }
    permit(caller({ endpoints: ['messages'] }), { ...here, address })
  })

  test.each([
    ['the key', caller({ addresses: ['10.0.0.0/8', 'fd00::/8'] })],
    ['the project', caller({}, { addresses: ['10.0.0.0/8', 'fd00::/8'] })],
    ['the organisation', caller({}, {}, { addresses: ['10.0.0.0/8', 'fd00::/8'] })],
  ])('from a network that %s allows, and from no other', (_who, called) => {
    for (const address of ['10.9.9.9', '::ffff:10.9.9.9', 'fd00::7'])
      permit(called, { ...here, address: () => address })
    for (const address of ['11.0.0.1', 'fe80::1', '::ffff:11.0.0.1', undefined])
      expect(refusal(() => permit(called, { ...here, address: () => address })).code).toBe(
        'not-permitted',
      )
  })
})

describe('a model is permitted', () => {
  const targets = [target('openai/gpt-6'), target('gpu-box/qwen3-8b')]

  test('by the name that was asked for, with all of its targets', () => {
    expect(permitted(caller({ models: ['fa*'] }), 'fast', targets)).toBe(targets)
    expect(permitted(caller({}), 'fast', targets)).toBe(targets)
  })

  test('by upstream and model, with those targets alone, in their order', () => {
    expect(permitted(caller({ models: ['gpu-box/*'] }), 'fast', targets)).toEqual(targets.slice(1))
    expect(permitted(caller({ models: ['*/gpt-*'] }), 'fast', targets)).toEqual(targets.slice(0, 1))
    expect(permitted(caller({ models: ['gpu-box/*', 'openai/*'] }), 'fast', targets)).toEqual(
      targets,
    )
  })

  test('by everybody above it at once: what is left to one may be nothing to another', () => {
    const called = caller({ models: ['gpu-box/*'] }, { models: ['openai/*'] })
    expect(refusal(() => permitted(called, 'fast', targets)).code).toBe('model-forbidden')
    const both = caller({ models: ['*'] }, { models: ['openai/*'] }, { models: ['fast'] })
    expect(permitted(both, 'fast', targets)).toEqual(targets.slice(0, 1))
  })

  test('or refused with 403, the model and what this key is for, and nothing of what its parents keep to themselves (V07 AUTH-09)', () => {
    const called = caller({ models: ['gpt-*', 'mini'] }, { models: ['secret-project-*', '*'] })
    const failure = refusal(() => permitted(called, 'claude-opus-5', targets))
    expect([failure.code, failure.status, failure.param]).toEqual([
      'model-forbidden',
      403,
      undefined,
    ])
    expect(failure.message).toContain('claude-opus-5')
    expect(failure.message).toContain('gpt-*, mini')
    const byProject = caller({}, { models: ['secret-project-*'] })
    expect(refusal(() => permitted(byProject, 'x', targets)).message).not.toContain('secret')
  })

  test('also under a plain name of which the policy has only the address, and not the other way round', () => {
    const addressed = [target('openai/gpt-6')]
    expect(permitted(caller({ models: ['openai/gpt-6'] }), 'gpt-6', addressed)).toEqual(addressed)
    const plain = caller({ models: ['gpt-6'] })
    expect(refusal(() => permitted(plain, 'openai/gpt-6', addressed)).code).toBe('model-forbidden')
  })

  test('in lists exactly where it is permitted in requests', () => {
    const names = ['openai/gpt-6', 'gpu-box/qwen3-8b']
    for (const models of [['fa*'], ['gpu-box/*'], ['gpt-6'], ['*/gpt-6'], ['*']])
      for (const project of [{}, { models: ['openai/*'] }, { models: ['fast'] }]) {
        const called = caller({ models }, project)
        let isPermitted = true
        try {
          permitted(called, 'fast', targets)
        } catch {
          // That it is refused is what is compared.
          isPermitted = false
        }
        expect([models, project, mayUse(called, 'fast', names)]).toEqual([
          models,
          project,
          isPermitted,
        ])
      }
    expect(mayUse(caller({}), 'anything', [])).toBe(true)
  })
})

test('an answer may have as many tokens as the strictest of those above it allows', () => {
  expect(mostTokens(caller({}))).toBeUndefined()
  expect(mostTokens(caller({ maxTokens: 500 }, { maxTokens: 800 }))).toBe(500)
  expect(mostTokens(caller({ maxTokens: 500 }, { maxTokens: 300 }, { maxTokens: 9000 }))).toBe(300)
  expect(mostTokens(caller({}, {}, { maxTokens: 9000 }))).toBe(9000)
})
