import { describe, expect, test } from 'bun:test'

import { GatewayError } from '#chat/error.ts'

import { passReply } from './pass-reply.ts'

const text =
  '{ "id":"chatcmpl-1","model":"served","odd":1.0,"choices":[{"index":0,"message":{"role":"assistant","content":"x"},"finish_reason":"length"}],"usage":{"prompt_tokens":10,"completion_tokens":2,"total_tokens":12,"prompt_tokens_details":{"cached_tokens":4}} }\n'

function codeOf(body: string): string {
  try {
    passReply(body)
    return 'passed'
  } catch (error) {
    return error instanceof GatewayError ? error.code : String(error)
  }
}

describe('a reply that goes on in its own words', () => {
  test('T-P01, T-P03: is said as it came, in one step with what accounting needs', () => {
    expect(passReply(text)).toEqual([
      {
        said: text,
        means: [
          { type: 'answer-start', id: 'chatcmpl-1', model: 'served' },
          { type: 'usage', usage: { input: 6, cacheRead: 4, output: 2 } },
          { type: 'answer-end', reason: 'length', said: 'length' },
        ],
      },
    ])
  })

  test('T-U08: thoughts of Google that only the total tells of are counted', () => {
    const usage = '{"prompt_tokens":20,"completion_tokens":424,"total_tokens":1016}'
    const [step] = passReply(`{"choices":[{}],"usage":${usage}}`, 'google')
    expect(step?.means).toContainEqual({
      type: 'usage',
      usage: { input: 20, output: 996, reasoning: 572 },
    })
  })

  test('may leave out what is not needed', () => {
    expect(passReply('{"choices":[{}]}')[0]?.means).toEqual([
      { type: 'answer-start' },
      { type: 'answer-end', reason: 'end' },
    ])
  })

  test.each([
    ['T-N41: an error', '{"error":{"message":"no","code":503}}', 'upstream-overloaded'],
    ['N14: no choices', '{"choices":[]}', 'upstream-failed'],
    ['N14: choices missing', '{}', 'upstream-failed'],
    ['N13: HTML', '<html>', 'upstream-failed'],
    ['N13: nothing', '', 'upstream-failed'],
    [
      'a finish that says that it failed',
      '{"choices":[{"finish_reason":"error"}]}',
      'upstream-failed',
    ],
  ])('%s does not go on', (_name, body, code) => {
    expect(codeOf(body)).toBe(code)
  })
})
