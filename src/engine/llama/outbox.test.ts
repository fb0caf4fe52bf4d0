import { expect, test } from 'bun:test'

import type { ChatEvent } from '#chat/event.ts'
import type { Report } from '#engine/orders.ts'

import { Outbox } from './outbox.ts'

const delta = (text: string): ChatEvent => ({ type: 'block-delta', text })
const usage = (output: number): ChatEvent => ({ type: 'usage', usage: { output } })

function outbox() {
  const sent: Report[] = []
  return { sent, box: new Outbox((report) => sent.push(report)) }
}

test('the first words leave at once, those right after them together, with one count', () => {
  const { sent, box } = outbox()
  box.tell(1, [{ type: 'answer-start' }])
  box.tell(1, [delta('a'), usage(1)])
  box.tell(1, [delta('b'), usage(2)])
  box.tell(1, [delta('c'), usage(3)])
  box.flush(1)
  expect(sent).toEqual([
    { type: 'events', id: 1, events: [{ type: 'answer-start' }] },
    { type: 'events', id: 1, events: [delta('a'), usage(1)] },
    { type: 'events', id: 1, events: [delta('bc'), usage(3)] },
  ])
})

test('nothing leaves of what is to be forgotten', () => {
  const { sent, box } = outbox()
  box.tell(1, [delta('a')])
  box.tell(1, [delta('b')])
  box.forget(1)
  box.flush(1)
  expect(sent).toHaveLength(1)
})

test('words of different blocks stay apart, and every token keeps its likelihood', () => {
  const { sent, box } = outbox()
  const scored = (text: string): ChatEvent => ({
    type: 'block-delta',
    text,
    logprobs: [{ text, logprob: -1, top: [] }],
  })
  const end: ChatEvent = { type: 'block-end' }
  box.tell(1, [delta('a')])
  box.tell(1, [scored('b'), scored('c'), end, delta('d')])
  box.flush(1)
  const logprobs = ['b', 'c'].map((text) => ({ text, logprob: -1, top: [] }))
  expect(sent.at(-1)).toEqual({
    type: 'events',
    id: 1,
    events: [{ type: 'block-delta', text: 'bc', logprobs }, end, delta('d')],
  })
})
