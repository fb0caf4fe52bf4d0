import { describe, expect, test } from 'bun:test'

import { createAnthropic } from '@ai-sdk/anthropic'
import Anthropic from '@anthropic-ai/sdk'
import { generateText, jsonSchema, streamText, type ToolSet } from 'ai'
import OpenAI from 'openai'

import type { GatewayError } from '#chat/error.ts'
import { emptyAnswer, foldEvent } from '#chat/folded-answer.ts'
import { decodeError } from '#protocols/chat-completions/decode-answer/decode-error.ts'
import { decodeStream } from '#protocols/chat-completions/decode-answer/decode-stream.ts'
import { passStream } from '#protocols/chat-completions/decode-answer/pass-stream.ts'
import { encodeError, statusOf } from '#protocols/messages/encode-answer/encode-error.ts'
import { encodeReply } from '#protocols/messages/encode-answer/encode-reply.ts'

import {
  c,
  type Chunk,
  DONE,
  F,
  heard,
  r,
  role,
  sse,
  stepsOf,
  t,
  tellMessages,
  told,
  USG,
} from './chat-answers.ts'

// The official clients read what messages callers are told of a chat upstream.

const answer: readonly (Chunk | string)[] = [
  role,
  r('why'),
  c('he\u2028'),
  c('llo 🙂'),
  t(0, 'c1', 'f', '{"a":'),
  t(1, 'c2', 'g', ''),
  t(0, undefined, undefined, '[1]}'),
  F('tool_calls'),
  USG(10, 2, 4),
  DONE,
]

const content = [
  { type: 'thinking', thinking: 'why', signature: 'parley.1.unknown' },
  { type: 'text', text: 'he\u2028llo 🙂' },
  { type: 'tool_use', id: 'c1', name: 'f', input: { a: [1] } },
  { type: 'tool_use', id: 'c2', name: 'g', input: {} },
]

function replyOf(frames: readonly (Chunk | string)[]): string {
  const folded = emptyAnswer()
  const { steps } = stepsOf(decodeStream(heard), sse(...frames))
  for (const { means } of steps) for (const event of means) foldEvent(folded, event)
  return encodeReply(folded, told)
}

function answering(body: string, type: string, status = 200) {
  const headers = { 'content-type': type, 'request-id': 'req_1' }
  return Object.assign(async () => new Response(body, { status, headers }), {
    preconnect: () => undefined,
  })
}

function anthropic(body: string, type: string, status = 200): Anthropic {
  const fetch = answering(body, type, status)
  return new Anthropic({ apiKey: 'k', baseURL: 'http://gateway.test', fetch, maxRetries: 0 })
}

const asked = { model: 'm', max_tokens: 9, messages: [{ role: 'user' as const, content: 'hi' }] }

describe('the official client of the messages protocol', () => {
  test('SSE-21, RES-07: adds a stream up to the very message of the reply', async () => {
    const client = anthropic(tellMessages(sse(...answer)), 'text/event-stream')
    const streamed = await client.messages.stream(asked).finalMessage()
    const replied = await anthropic(replyOf(answer), 'application/json').messages.create(asked)
    expect<unknown>(streamed.content).toEqual(content)
    expect<unknown>(replied.content).toEqual(content)
    expect([streamed.stop_reason, replied.stop_reason]).toEqual(['tool_use', 'tool_use'])
    const usage = { input_tokens: 6, cache_read_input_tokens: 4, output_tokens: 2 }
    expect(streamed.usage).toMatchObject(usage)
    expect(replied.usage).toMatchObject(usage)
  })

  test('SSE-22: reads a refusal without content', async () => {
    const text = tellMessages(sse(role, F('content_filter'), DONE))
    const message = await anthropic(text, 'text/event-stream').messages.stream(asked).finalMessage()
    expect(message.content).toEqual([])
    expect(message.stop_reason).toBe('refusal')
  })

  test('T-N32: reads a call that was cut off', async () => {
    const text = tellMessages(sse(role, t(0, 'c1', 'f', '{"a":"b'), F('length'), DONE))
    const message = await anthropic(text, 'text/event-stream').messages.stream(asked).finalMessage()
    expect(message.stop_reason).toBe('max_tokens')
  })

  test('SSE-13, L8: takes no broken stream for a whole one', async () => {
    const text = tellMessages(sse(role, c('x')))
    const reading = anthropic(text, 'text/event-stream').messages.stream(asked).finalMessage()
    const error = await reading.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(Anthropic.APIError)
    expect(String(error)).toContain('api_error')
  })

  test.each([
    [400, Anthropic.BadRequestError],
    [401, Anthropic.InternalServerError],
    [413, Anthropic.APIError],
    [429, Anthropic.RateLimitError],
    [503, Anthropic.InternalServerError],
  ])('ERR-10: knows the failure of an upstream, status %d', async (status, kind) => {
    const failed: GatewayError = decodeError(status, '{"error":{"message":"words"}}')
    const client = anthropic(encodeError(failed, 'req_1'), 'application/json', statusOf(failed))
    const error = await client.messages.create(asked).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(kind)
    expect((error as InstanceType<typeof Anthropic.APIError>).requestID).toBe('req_1')
  })
})

describe('the AI SDK as a messages client', () => {
  const anything = { inputSchema: jsonSchema({ type: 'object' }) }
  const tools: ToolSet = { f: anything, g: anything }
  const model = (body: string, type: string) =>
    createAnthropic({
      apiKey: 'k',
      baseURL: 'http://gateway.test/v1',
      fetch: answering(body, type),
    })('m')

  test('SSE-21: finds no fault in a stream', async () => {
    const faults: unknown[] = []
    const result = streamText({
      model: model(tellMessages(sse(...answer)), 'text/event-stream'),
      prompt: 'hi',
      tools,
      onError: ({ error }) => void faults.push(error),
    })
    expect(await result.text).toBe('he\u2028llo 🙂')
    expect(await result.reasoningText).toBe('why')
    const calls = await result.toolCalls
    expect(calls.map(({ toolName, input }) => [toolName, input])).toEqual([
      ['f', { a: [1] }],
      ['g', {}],
    ])
    expect(await result.finishReason).toBe('tool-calls')
    expect(faults).toEqual([])
  })

  test('RES-07: finds no fault in a reply', async () => {
    const result = await generateText({
      model: model(replyOf(answer), 'application/json'),
      prompt: 'hi',
      tools,
    })
    expect(result.text).toBe('he\u2028llo 🙂')
    expect(result.reasoningText).toBe('why')
    expect(result.toolCalls).toHaveLength(2)
  })
})

describe('the official client of the chat-completions protocol, in the upstream\u2019s own words', () => {
  function passed(frames: readonly (Chunk | string)[], wantsUsage: boolean): string {
    const request = { wantsUsage } as Parameters<typeof passStream>[0]
    const { steps } = stepsOf(passStream(request), sse(...frames))
    return Buffer.concat(steps.map(({ said }) => Buffer.from(said ?? ''))).toString()
  }

  test.each([true, false])('S06, S07: adds it up, usage asked for: %p', async (wantsUsage) => {
    const fetch = answering(passed(answer, wantsUsage), 'text/event-stream')
    const client = new OpenAI({ apiKey: 'k', baseURL: 'http://gateway.test/v1', fetch })
    const stream = client.chat.completions.stream({
      model: 'm',
      messages: [{ role: 'user', content: 'hi' }],
    })
    const reply = await stream.finalChatCompletion()
    expect(reply.choices[0]?.message.content).toBe('he\u2028llo 🙂')
    expect(reply.usage?.prompt_tokens).toBe(wantsUsage ? 10 : undefined)
  })
})
