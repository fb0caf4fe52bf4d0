import { expect, test } from 'bun:test'

import { type AttentionFacts, leastContextBytes } from './context-memory.ts'

const shape = { contextSize: 1000, sequences: 3 }
const beside = 1000 * 3 * 48

const llama: AttentionFacts = {
  block_count: 32,
  embedding_length: 4096,
  attention: { head_count: 32, head_count_kv: 8 },
}

test.each<[string, AttentionFacts, number]>([
  ['even heads', llama, 2 * 32 * 1000 * 3 * 8 * 128 * 2],
  [
    'heads of another width',
    { ...llama, attention: { head_count: 32, head_count_kv: 8, key_length: 64, value_length: 32 } },
    32 * 1000 * 3 * 8 * (64 + 32) * 2,
  ],
  [
    'layers with heads of their own, or none',
    { ...llama, block_count: 3, attention: { head_count: 32, head_count_kv: [8, 0, 4] } },
    2 * 1000 * 3 * 12 * 128 * 2,
  ],
  [
    'layers that look back on a window',
    { ...llama, attention: { head_count: 32, head_count_kv: 8, sliding_window: 100 } },
    2 * 32 * 100 * 3 * 8 * 128 * 2,
  ],
  [
    'keys and values in one',
    {
      block_count: 60,
      attention: { head_count: 128, head_count_kv: 1, key_length: 576, kv_lora_rank: 512 },
    },
    60 * 1000 * 3 * 576 * 2,
  ],
  ['a state in place of tokens', { ...llama, ssm: { state_size: 128 } }, 0],
  ['a file that says nothing', {}, 0],
])('the context of a model with %s takes at least so much', (_, model, bytes) => {
  expect(leastContextBytes(model, shape)).toBe(bytes + beside)
})
