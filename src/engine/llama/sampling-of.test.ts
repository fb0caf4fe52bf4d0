import { expect, test } from 'bun:test'

import type { Conversation } from '#chat/conversation.ts'
import { rawJson } from '#std/json.ts'

import { samplingOf } from './sampling-of.ts'

function sampled(sampling: Conversation['sampling'], recommended = {}) {
  const conversation: Conversation = {
    turns: [],
    tools: [],
    sampling,
    stop: [],
    choices: 1,
    extra: new Map(),
  }
  return samplingOf(conversation, recommended, 100)
}

test('what a request says counts, then what the model recommends, then what is usual', () => {
  expect(sampled({ temperature: 0.1 }, { temperature: 0.6, topP: 0.9 })).toMatchObject({
    temperature: 0.1,
    topP: 0.9,
    topK: 40,
    minP: 0.05,
  })
  expect(sampled({}).temperature).toBe(1)
})

test.each([
  ['0', 0],
  ['4294967295', 4294967295],
  ['4294967296', 0],
  ['-1', 4294967295],
  ['-9007199254740991', 1],
  ['9223372036854775807', 4294967295],
])('a seed of any size is folded into 32 bits: %s', (seed, folded) => {
  expect(sampled({ seed: seed as never }).seed).toBe(folded)
})

test('without a seed every answer has its own', () => {
  expect(sampled({}).seed).not.toBe(sampled({}).seed)
})

test('the bias of a token is added to its score, and the lowest bans it', () => {
  const { bias } = sampled({ logitBias: rawJson({ 5: 1.5, 7: -100 }) })
  expect([...bias]).toEqual([
    [5, 1.5],
    [7, -Infinity],
  ])
})

test.each([
  [{ temperature: -1 }, 'temperature'],
  [{ temperature: Number.NaN }, 'temperature'],
  [{ topP: 1.5 }, 'top_p'],
  [{ minP: -0.1 }, 'min_p'],
  [{ seed: '1.5' as never }, 'seed'],
  [{ logitBias: rawJson({ 100: 1 }) }, 'logit_bias'],
  [{ logitBias: rawJson({ 'no id': 1 }) }, 'logit_bias'],
  [{ logitBias: rawJson({ 1: 'high' }) }, 'logit_bias'],
  [{ logitBias: rawJson([1]) }, 'logit_bias'],
])('what has no meaning is refused: %j', (sampling, param) => {
  expect(() => sampled(sampling)).toThrow(
    expect.objectContaining({ code: 'request-invalid', param }),
  )
})
