import { expect, test } from 'bun:test'

import type { ChatEvent } from '#chat/event.ts'
import { emptyAnswer, foldEvent } from '#chat/folded-answer.ts'
import type { Told } from '#protocols/protocol.ts'

import { encodeReply } from './encode-reply.ts'
import { encodeStream } from './encode-stream.ts'

const told: Told = {
  id: 'chatcmpl-1',
  created: 1_755_133_833,
  model: 'mini',
  wantsUsage: false,
  isLegacyFunctions: false,
}
const yes = { text: 'é', logprob: -0.1, top: [{ text: 'é', logprob: -0.1 }] }
const half = { text: '\uFFFD', logprob: -2, top: [] }
const events: ChatEvent[] = [
  { type: 'answer-start' },
  { type: 'block-start', block: { type: 'text' } },
  { type: 'block-delta', text: 'é', logprobs: [yes] },
  { type: 'block-delta', text: '!' },
  { type: 'block-delta', text: '?', logprobs: [half] },
  { type: 'block-end' },
  { type: 'answer-end', reason: 'end' },
]
const wireYes = {
  token: 'é',
  logprob: -0.1,
  bytes: [195, 169],
  top_logprobs: [{ token: 'é', logprob: -0.1, bytes: [195, 169] }],
}
const wireHalf = { token: '\uFFFD', logprob: -2, bytes: null, top_logprobs: [] }

test('a stream tells of each piece how likely its tokens were', () => {
  const frames = encodeStream(told).push(events).split('\n\n').slice(0, -2)
  const choices = frames.map((frame) => JSON.parse(frame.slice(6)).choices[0])
  expect(choices.map(({ delta, logprobs }) => [delta.content, logprobs])).toEqual([
    ['', undefined],
    ['é', { content: [wireYes], refusal: null }],
    ['!', undefined],
    ['?', { content: [wireHalf], refusal: null }],
    [undefined, undefined],
  ])
})

test('a reply tells it of the whole text, and says nothing where nothing is known', () => {
  const answer = emptyAnswer()
  for (const event of events) foldEvent(answer, event)
  expect(JSON.parse(encodeReply(answer, told)).choices[0].logprobs).toEqual({
    content: [wireYes, wireHalf],
    refusal: null,
  })
  for (const block of answer.blocks) delete block.logprobs
  expect(JSON.parse(encodeReply(answer, told)).choices[0]).not.toHaveProperty('logprobs')
})
