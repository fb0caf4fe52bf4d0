import { describe, expect, test } from 'bun:test'

import { endpointsAt } from './endpoint-url.ts'

describe('the base URL of an upstream', () => {
  test.each([
    ['http://h:8000/v1', 'chat-completions', 'http://h:8000/v1/chat/completions'],
    ['http://h:8000', 'chat-completions', 'http://h:8000/v1/chat/completions'],
    ['http://h:8000/', 'chat-completions', 'http://h:8000/v1/chat/completions'],
    ['http://h/v1/', 'chat-completions', 'http://h/v1/chat/completions'],
    ['http://h/v1/chat/completions', 'chat-completions', 'http://h/v1/chat/completions'],
    ['https://h/openai/v1', 'chat-completions', 'https://h/openai/v1/chat/completions'],
    ['https://h/v1beta/openai/', 'chat-completions', 'https://h/v1beta/openai/chat/completions'],
    ['https://h', 'messages', 'https://h/v1/messages'],
    ['https://h/v1', 'messages', 'https://h/v1/messages'],
    ['https://h/v1/messages', 'messages', 'https://h/v1/messages'],
    ['https://h/anthropic', 'messages', 'https://h/anthropic/v1/messages'],
    ['https://h/v1?team=a', 'chat-completions', 'https://h/v1/chat/completions?team=a'],
  ] as const)('%s for %s means %s', (url, protocol, expected) => {
    expect(endpointsAt({ url, protocol }).urlOf('chat', 'm')).toBe(expected)
  })

  test('may have paths of its own, with the model in them, unless it has a path already', () => {
    const dialect = { paths: { chat: '/d/{model}/chat' }, query: { v: '1' } }
    const at = (url: string) => endpointsAt({ url, protocol: 'chat-completions', dialect })
    expect(at('https://h').urlOf('chat', 'a b/$&')).toBe('https://h/d/a%20b%2F%24%26/chat?v=1')
    expect(at('https://h/?v=2').urlOf('chat', 'm')).toBe('https://h/d/m/chat?v=2')
    expect(at('https://h/openai/v1').urlOf('chat', 'm')).toBe(
      'https://h/openai/v1/chat/completions',
    )
  })

  test('has no endpoint that its protocol has not', () => {
    const messages = endpointsAt({ url: 'https://h', protocol: 'messages', query: { q: 'x y' } })
    expect(messages.urlOf('embeddings', 'm')).toBeUndefined()
    expect(messages.urlOf('models', '')).toBe('https://h/v1/models?limit=1000&q=x+y')
  })

  test.each([
    'api.openai.com',
    'ftp://h/v1',
    'https://user:pass@h/v1',
    'http://169.254.169.254/v1',
    'http://[fe80::1]/v1',
    'http://metadata.google.internal/',
    'http://[::ffff:169.254.169.254]/',
  ])('%s is refused', (url) => {
    expect(() => endpointsAt({ url, protocol: 'messages' })).toThrow(TypeError)
  })
})
