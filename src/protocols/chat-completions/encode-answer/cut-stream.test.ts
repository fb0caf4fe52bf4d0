import { describe, expect, test } from 'bun:test'

import { framesOf } from '#protocols/frames-of.ts'
import { requestIn } from '#test/remote-rig.ts'

import { cutStream } from './cut-stream.ts'

const usage = { input: 10, output: 7 }
const wireUsage = { prompt_tokens: 10, completion_tokens: 7, total_tokens: 17, estimated: true }
const head = { id: 'c1', object: 'chat.completion.chunk', created: 5, model: 'real' }

function cutOf(members: object = {}) {
  return cutStream(requestIn('chat-completions', { stream: true, ...members }))
}

function frame(choices: readonly object[], members: object = {}): string {
  return `data: ${JSON.stringify({ ...head, choices, ...members })}\n\n`
}

const says = (index: number, finish: string | null = null): object => ({
  index,
  delta: { content: 'x' },
  finish_reason: finish,
})

function dataOf(words: string | undefined): unknown[] {
  return framesOf(words ?? '').map(({ data }) => (data === '[DONE]' ? data : JSON.parse(data)))
}

const ends = (index: number) => ({ index, delta: {}, logprobs: null, finish_reason: 'length' })

describe('the end of a stream that is cut', () => {
  test('is a finish of the same answer and the mark of the end', () => {
    const last = `: ping\n\n${frame([says(0)])}${frame([says(0)], { system_fingerprint: 'f' })}`
    const words = cutOf().endAfter(new TextEncoder().encode(last))?.(usage)
    expect(dataOf(words)).toEqual([
      { ...head, system_fingerprint: 'f', choices: [ends(0)] },
      '[DONE]',
    ])
    expect(words).toEndWith('data: [DONE]\n\n')
  })

  test('tells the usage to a caller who asked for it', () => {
    const asks = { stream_options: { include_usage: true } }
    expect(dataOf(cutOf(asks).endAfter(frame([says(0)]))?.(usage))).toEqual([
      { ...head, choices: [ends(0)], usage: null },
      { ...head, choices: [], usage: wireUsage },
      '[DONE]',
    ])
  })

  test('finishes every choice that has not finished by itself', () => {
    const cut = cutOf({ n: 3 })
    cut.hear?.(frame([says(1, 'stop')]))
    const [first, second, ...rest] = dataOf(cut.endAfter(frame([says(0)]))?.(usage))
    expect([first, second]).toEqual([
      { ...head, choices: [ends(0)] },
      { ...head, choices: [ends(2)] },
    ])
    expect(rest).toEqual(['[DONE]'])
    expect(cut.endAfter(frame([says(0, 'stop'), says(2, 'stop')]))).toBeUndefined()
  })

  test.each([
    ['the finish', frame([says(0, 'stop')])],
    ['the finish among others', frame([says(0)]) + frame([says(0, 'stop')]) + frame([])],
    ['only a usage', frame([], { usage: wireUsage })],
    ['a sign of life', ': ping\n\n'],
  ])('has no place after %s', (_, last) => {
    expect(cutOf().endAfter(last)).toBeUndefined()
  })
})

test('frames with probabilities say nothing of how much text there is', () => {
  expect(cutOf().isPlain).toBe(true)
  expect(cutOf({ logprobs: true }).isPlain).toBe(false)
})
