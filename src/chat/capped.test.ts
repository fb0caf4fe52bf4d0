import { expect, test } from 'bun:test'

import { capped } from './capped.ts'
import type { Conversation } from './conversation.ts'

const plain: Conversation = {
  turns: [],
  tools: [],
  sampling: {},
  stop: [],
  choices: 1,
  extra: new Map(),
}

test('an answer is capped where it could be longer, and otherwise nothing is changed', () => {
  expect(capped({ ...plain, maxTokens: 500 }, 100).maxTokens).toBe(100)
  expect(capped(plain, 100).maxTokens).toBe(100)
  const short = { ...plain, maxTokens: 100 }
  expect(capped(short, 100)).toBe(short)
  expect(capped(plain, undefined)).toBe(plain)
})

test('a cap raises nothing that is said anyway', () => {
  expect(capped(plain, 100, 80)).toBe(plain)
  expect(capped(plain, 100, 120).maxTokens).toBe(100)
})

test('thoughts keep their share of an answer', () => {
  const thinking = (maxTokens?: number): Conversation => ({
    ...plain,
    ...(maxTokens !== undefined && { maxTokens }),
    reasoning: { mode: 'on', budgetTokens: 4000 },
  })
  expect(capped(thinking(10_000), 5000).reasoning?.budgetTokens).toBe(2000)
  expect(capped(thinking(2000), 1000).reasoning?.budgetTokens).toBe(1000)
  expect(capped(thinking(), 5000).reasoning?.budgetTokens).toBe(4000)
  expect(capped(thinking(), 3000).reasoning?.budgetTokens).toBe(3000)
})
