import { expect, test } from 'bun:test'

import type { Conversation } from '#chat/conversation.ts'
import { chatTemplate, plainTemplate } from '#engine/templates/chat-template.ts'
import { rawJson } from '#std/json.ts'

import { adapted } from './adapted.ts'
import { samplingOf } from './sampling-of.ts'
import type { Vocabulary } from './vocabulary.ts'

const words = { bos: '', eos: '', ends: [] }
const plain = chatTemplate(plainTemplate, words)
const thinking = chatTemplate(`${plainTemplate}{{- '<think>' }}`, words)
const base: Conversation = {
  turns: [{ role: 'user', shape: 'string', blocks: [], field: 'messages[0]' }],
  tools: [],
  sampling: {},
  stop: [],
  choices: 1,
  extra: new Map(),
}

function fieldsOf(more: Partial<Conversation>, template = plain): string[] {
  const conversation = { ...base, ...more }
  const vocabulary: Pick<Vocabulary, 'isEnd'> = { isEnd: (token) => Number(token) === 2 }
  const sampling = samplingOf(conversation, {}, 10)
  return adapted(conversation, { template, vocabulary }, sampling).map(({ field }) => field)
}

test('a plain request is taken as it was said', () => {
  expect(fieldsOf({})).toEqual([])
  expect(fieldsOf({ sampling: { logitBias: rawJson({ 1: -100 }) } })).toEqual([])
})

test.each<[Partial<Conversation>, string]>([
  [{ turns: [{ ...base.turns[0]!, name: 'Ada' }] }, 'messages[0].name'],
  [{ extra: new Map([['store', rawJson(true)]]) }, 'store'],
  [{ tools: [{ name: 'f', field: 'tools[0]' }] }, 'tools'],
  [{ verbosity: 'low' }, 'verbosity'],
  [{ tier: 'flex' }, 'service_tier'],
  [{ reasoning: { mode: 'on' } }, 'reasoning'],
  [{ logprobs: {} }, 'logprobs'],
  [{ sampling: { logitBias: rawJson({ 1: 5, 2: -100 }) } }, 'logit_bias'],
])('what is left out or changed is noted: %#', (more, field) => {
  expect(fieldsOf(more)).toEqual([field])
})

test('so are thoughts that cannot be kept in or cut short', () => {
  expect(fieldsOf({ reasoning: { mode: 'off' } }, thinking)).toEqual(['reasoning'])
  expect(fieldsOf({ reasoning: { mode: 'on', budgetTokens: 10 } }, thinking)).toEqual([
    'reasoning.budget_tokens',
  ])
})

test('probabilities of greedy sampling are those of the model', () => {
  expect(fieldsOf({ logprobs: {}, sampling: { temperature: 0 } })).toEqual([])
})
