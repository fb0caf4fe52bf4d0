import { expect, test } from 'bun:test'

import { loggable } from './child.ts'

test('of what the child wrote last, only what quotes nobody is fit for a log', () => {
  const schema = 'parse: error parsing grammar: root ::= "my secret schema"'
  const words = [
    schema,
    'engine: TypeError at f (a.ts:1:1)',
    '  "my secret schema"',
    '/build/llama.cpp/ggml/src/ggml.c:123: GGML_ASSERT(a == b) failed',
    'what():  my secret schema',
    'error: Cannot find module "x"',
  ].join('\n')
  const kept = loggable(words)
  expect(kept).not.toContain('secret')
  expect(kept.split('\n')).toHaveLength(3)
  expect(loggable(`engine: ${'x'.repeat(10_000)}`)).toHaveLength(200)
})
