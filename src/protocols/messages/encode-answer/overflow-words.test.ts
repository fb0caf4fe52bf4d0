import { describe, expect, test } from 'bun:test'

import { overflowWords } from './overflow-words.ts'

describe('what an agent is told of a request that is too long', () => {
  test.each([
    'prompt is too long: 9 tokens > 4 maximum',
    'input length and `max_tokens` exceed context limit: 3 + 2 > 4, decrease input length',
    'capability_rejected: prompt_too_long',
  ])('the vendor’s own words stay as they are: %s', (message) => {
    expect(overflowWords(message)).toBe(message)
  })

  test.each([
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens. Please reduce the length of the messages.",
    "This model's maximum context length is 8192 tokens. However, you requested 9500 tokens (8000 in the messages, 1000 in the functions, and 500 in the completion). Please reduce it.",
    'request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it',
    "The input (9000 tokens) is longer than the model's context length (8192 tokens).",
    'The decoder prompt (length 9000) is longer than the maximum model length of 8192.',
    "This model's maximum prompt length is 8192 but the request contains 9000 tokens.",
    'The input token count (9000) exceeds the maximum number of tokens allowed (8192).',
    'Prompt contains 9000 tokens and 0 draft tokens, too large for model with 8192 maximum context length',
  ])('T-E02 of an input that does not fit by itself it is told the counts: %s', (message) => {
    expect(overflowWords(message)).toBe(
      `prompt is too long: 9000 tokens > 8192 maximum. ${message}`,
    )
  })

  test.each([
    "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (3000 in the messages, 2000 in the completion).",
    "'max_tokens' is too large: 2000. This model's maximum context length is 4096 tokens and your request has 3000 input tokens (2000 > 4096 - 3000).",
    "Requested token count exceeds the model's maximum context length of 4096 tokens. You requested a total of 5000 tokens: 3000 tokens from the input messages and 2000 tokens for the completion. Please reduce it.",
    "This model's maximum context length is 4096 tokens. However, you requested 2000 output tokens and your prompt contains at least 3000 input tokens, for a total of at least 5000 tokens.",
    "You passed 3000 input tokens and requested 2000 output tokens. However, the model's context length is only 4096 tokens, resulting in a maximum input length of 2096 tokens.",
  ])(
    'REQ-39 of an answer that does not fit beside the input it is told just that: %s',
    (message) => {
      expect(overflowWords(message)).toBe(
        `input length and \`max_tokens\` exceed context limit: 3000 + 2000 > 4096, decrease input length or \`max_tokens\` and try again. ${message}`,
      )
    },
  )

  test('of what gives no counts it is told that the prompt is too long', () => {
    expect(overflowWords('Too much.')).toBe('prompt is too long: Too much.')
  })
})
