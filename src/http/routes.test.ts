import { describe, expect, test } from 'bun:test'

import { pathOf, queryOf, routeOf } from './routes.ts'

const at = (target: string) => routeOf(`http://localhost:8700${target}`)

describe('a path', () => {
  test.each([
    ['/v1/chat/completions', 'chat'],
    ['/v1/embeddings', 'embed'],
    ['/v1/messages', 'chat'],
    ['/v1/messages/count_tokens', 'count'],
    ['/v1/models', 'list-models'],
    ['/healthz', 'health'],
  ])('%s leads to %s', (path, job) => {
    expect(at(path)?.job).toBe(job as never)
  })

  test.each([
    '/chat/completions',
    '//v1//chat/completions',
    '/v1/v1/chat/completions',
    '/v1/chat/completions/',
    '/openai/v1/chat/completions',
    '/v1/chat/completions?api-version=2024-10-21',
  ])('%s is understood as what it was meant to be', (path) => {
    expect(at(path)).toMatchObject({ job: 'chat', protocol: 'chat-completions' })
  })

  test.each([
    '/',
    '/v1',
    '/v1/',
    '/v1/unknown',
    '/v2/messages',
    '/v1/messagesx',
    '/_stainless_unknown_path',
    '/admin',
  ])('%s leads nowhere', (path) => {
    expect(at(path)).toBeUndefined()
  })

  test.each([
    ['/v1/models/gpt-6', 'gpt-6'],
    ['/v1/models/meta-llama%2FLlama%203:8b', 'meta-llama/Llama 3:8b'],
    ['/v1/models/meta-llama/Llama%203:8b', 'meta-llama/Llama 3:8b'],
    ['/v1/models/ft:gpt:acme::x', 'ft:gpt:acme::x'],
    ['/v1/models/100%', '100%'],
  ])('M04 MOD-09 %s names the model %s, percent-decoded once', (path, modelId) => {
    expect(at(path)).toMatchObject({ job: 'show-model', modelId })
  })

  test('is found whether or not the host of the request was one', () => {
    expect(pathOf('http://localhost:1/v1/models?limit=5')).toBe('/v1/models')
    expect(pathOf('/v1/models?limit=5')).toBe('/v1/models')
    expect(queryOf('/v1/models?limit=5').get('limit')).toBe('5')
  })
})
