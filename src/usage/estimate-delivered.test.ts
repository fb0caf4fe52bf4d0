import { describe, expect, test } from 'bun:test'

import { estimateDelivered } from './estimate-delivered.ts'

/** About 4.3 letters a token, as English has them. */
const words = 'The quick brown fox jumps over the lazy dog and then some more of it follows here . '
  .repeat(40)
  .split(' ')
  .map((word) => ` ${word}`)

const chatFrame = (content: string): string =>
  `data: {"id":"chatcmpl-A1b2C3d4","object":"chat.completion.chunk","created":1760000000,"model":"gpt-6-mini","choices":[{"index":0,"delta":{"content":${JSON.stringify(content)}},"finish_reason":null}]}\n\n`
const messagesFrame = (content: string): string =>
  `event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":${JSON.stringify(content)}}}\n\n`

/** The frames as one estimate sees them: a sample of the beginning, and the length of all. */
function estimate(frames: readonly string[]): number {
  const all = frames.join('')
  const sample = all.slice(0, 4096)
  return estimateDelivered({ sample, sampleBytes: sample.length, totalBytes: all.length })
}

describe('an estimate of what was delivered unread', () => {
  const tokens = words.length

  test('of a stream with a token a frame is close to the number of frames', () => {
    expect(estimate(words.map(chatFrame)) / tokens).toBeWithin(0.8, 1.3)
    expect(estimate(words.map(messagesFrame)) / tokens).toBeWithin(0.8, 1.3)
  })

  test('of a stream with many tokens a frame is close to the number of tokens', () => {
    const chunks = Array.from({ length: tokens / 10 }, (_, at) =>
      words.slice(at * 10, at * 10 + 10),
    )
    const frames = chunks.map((chunk, at) => messagesFrame(chunk.slice(0, (at % 10) + 1).join('')))
    const sent = chunks.reduce((sum, _, at) => sum + (at % 10) + 1, 0)
    expect(estimate(frames) / sent).toBeWithin(0.6, 1.5)
  })

  test('of a body that is no stream is close to its text', () => {
    const content = words.join('')
    const body = `{"id":"chatcmpl-A1b2C3d4","object":"chat.completion","created":1760000000,"model":"gpt-6-mini","choices":[{"index":0,"message":{"role":"assistant","content":${JSON.stringify(content)}},"finish_reason":"stop"}]}`
    expect(estimate([body]) / tokens).toBeWithin(0.8, 1.5)
  })

  test('of a short body is never nothing (P6)', () => {
    const body = `{"id":"chatcmpl-1","choices":[{"message":{"content":"Yes."}}]}`
    expect(estimate([body])).toBe(1)
  })

  test('grows with the stream, and is nothing for nothing', () => {
    const frames = words.map(chatFrame)
    expect(estimate(frames)).toBeGreaterThan(estimate(frames.slice(0, 300)))
    expect(estimateDelivered({ sample: '', sampleBytes: 0, totalBytes: 0 })).toBe(0)
  })
})
