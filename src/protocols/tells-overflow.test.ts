import { expect, test } from 'bun:test'

import { tellsOverflow } from './tells-overflow.ts'

test.each([
  ['Anthropic', 'prompt is too long: 250000 tokens > 200000 maximum'],
  ['Anthropic', 'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000'],
  [
    'OpenAI',
    "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.",
  ],
  ['OpenAI', 'Your input exceeds the context window of this model.'],
  [
    'vLLM',
    "You passed 9 input tokens and requested 0 output tokens. However, the model's context length is only 8 tokens.",
  ],
  ['vLLM', 'The decoder prompt (length 9000) is longer than the maximum model length of 8192.'],
  ['SGLang', "The input (9000 tokens) is longer than the model's context length (8192 tokens)."],
  ['SGLang', "Requested token count exceeds the model's maximum context length of 8192 tokens."],
  [
    'llama.cpp',
    'request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it',
  ],
  ['Google', 'The input token count (9000) exceeds the maximum number of tokens allowed (8192).'],
  ['Mistral', 'Prompt contains 9000 tokens, too large for model with 8192 maximum context length'],
  ['xAI', "This model's maximum prompt length is 8192 but the request contains 9000 tokens"],
  ['Groq', 'Please reduce the length of the messages or completion.'],
])('T-E02 %s says that a request is too long: %s', (_vendor, message) => {
  expect(tellsOverflow(message)).toBe(true)
})

test.each([
  'messages: text content blocks must be non-empty',
  'max_tokens: Input should be greater than or equal to 1',
  'Rate limit reached: 9000 tokens per minute',
  'This model does not support the context of an assistant message prefill.',
])('another complaint is none: %s', (message) => {
  expect(tellsOverflow(message)).toBe(false)
})
