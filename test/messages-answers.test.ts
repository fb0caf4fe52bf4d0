import { describe, expect, test } from 'bun:test'

import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'

import { GatewayError } from '#chat/error.ts'
import type { Step } from '#chat/step.ts'
import { encodeEmbeddingReply } from '#protocols/chat-completions/embeddings.ts'
import { chatCompletions } from '#protocols/chat-completions/protocol.ts'
import { messages } from '#protocols/messages/protocol.ts'
import type { Protocol, Told } from '#protocols/protocol.ts'

import {
  blockDelta,
  blockStart,
  blockStop,
  ending,
  folded,
  frame,
  heard,
  messageDelta,
  messageStart,
  messageStop,
  stepsOf,
  textBlock,
  thinkingBlock,
  toolBlock,
} from './messages-frames.ts'

// Answers of messages upstreams, told to callers of chat completions, with the official clients as judges.

const told: Told = {
  id: 'chatcmpl-1',
  created: 1_755_133_833,
  model: 'smart',
  wantsUsage: true,
  isLegacyFunctions: false,
}

/** Everything that a caller is sent of a stream, the failure included. */
function toldStream(protocol: Protocol, text: string): string {
  const encoder = protocol.encodeStream(told)
  let said = ''
  try {
    for (const { means } of stepsLazily(text)) said += encoder.push(means)
  } catch (error) {
    said += protocol.encodeStreamError(GatewayError.from(error), 'req_1')
  }
  return said
}

function* stepsLazily(text: string): Generator<Step> {
  const decoder = messages.decodeStream(heard())
  yield* decoder.push(Buffer.from(text))
  yield* decoder.end()
}

function openai(body: string, type = 'text/event-stream', status = 200): OpenAI {
  return new OpenAI({
    apiKey: 'key',
    maxRetries: 0,
    fetch: async () => new Response(body, { status, headers: { 'content-type': type } }),
  })
}

function anthropic(body: string, type = 'text/event-stream', status = 200): Anthropic {
  return new Anthropic({
    apiKey: 'key',
    maxRetries: 0,
    fetch: async () =>
      new Response(body, { status, headers: { 'content-type': type, 'request-id': 'req_1' } }),
  })
}

const hi = [{ role: 'user' as const, content: 'Hi' }]

/** The completion that the official client puts together. */
async function assembled(text: string) {
  const client = openai(toldStream(chatCompletions, text))
  const stream = client.chat.completions.stream({
    model: 'smart',
    messages: hi,
    stream_options: { include_usage: true },
  })
  const { choices, usage } = await stream.finalChatCompletion()
  return { ...choices[0]!, usage }
}

describe('a stream of a messages upstream, as the official chat client reads it', () => {
  test('is the text, its end and its count', async () => {
    const text = messageStart() + textBlock(0, 'he', 'llo') + ending()
    const { message, finish_reason: finish, usage } = await assembled(text)
    expect(message.content).toBe('hello')
    expect(finish).toBe('stop')
    expect(usage).toEqual({ prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 })
  })

  test('is the calls, numbered from 0, after the text (T-R20, T-R21, T-R23)', async () => {
    const text =
      messageStart() +
      textBlock(0, 'x') +
      toolBlock(1, { id: 'toolu_1', name: 'f' }, '', '{"a"', ':1}') +
      toolBlock(2, { id: 'toolu_2', name: 'g' }) +
      ending('tool_use')
    const { message, finish_reason: finish } = await assembled(text)
    expect(message.content).toBe('x')
    expect(message.tool_calls).toMatchObject([
      { id: 'toolu_1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
      { id: 'toolu_2', type: 'function', function: { name: 'g', arguments: '{}' } },
    ])
    expect(finish).toBe('tool_calls')
  })

  test('has the signed thoughts whole, though the client overwrites what comes in pieces (T-R10, T-R11, T-R13)', async () => {
    const text =
      messageStart() +
      thinkingBlock(0, 'why', 'sig') +
      blockStart(1, { type: 'redacted_thinking', data: 'blob' }) +
      blockStop(1) +
      textBlock(2, 'x') +
      ending()
    const { message } = await assembled(text)
    expect(message).toMatchObject({
      content: 'x',
      reasoning_content: 'why',
      thinking_blocks: [
        { type: 'thinking', thinking: 'why', signature: 'sig' },
        { type: 'redacted_thinking', data: 'blob' },
      ],
    })
  })

  test('has annotations for what was cited, and no call of a server tool (T-R25)', async () => {
    const citation = { type: 'web_search_result_location', url: 'https://a.example', title: 'A' }
    const text =
      messageStart() +
      blockStart(0, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }) +
      blockStop(0) +
      blockStart(1, { type: 'web_search_tool_result', tool_use_id: 's', content: [] }) +
      blockStop(1) +
      blockStart(2, { type: 'text', text: '' }) +
      blockDelta(2, { type: 'text_delta', text: 'found' }) +
      blockDelta(2, { type: 'citations_delta', citation }) +
      blockStop(2) +
      ending()
    const { message, finish_reason: finish } = await assembled(text)
    expect(message).toMatchObject({
      content: 'found',
      annotations: [{ url_citation: { start_index: 0, end_index: 5, url: 'https://a.example' } }],
    })
    expect(message.tool_calls).toBeUndefined()
    expect(finish).toBe('stop')
  })

  test.each([
    ['model_context_window_exceeded', 'length'],
    ['pause_turn', 'stop'],
    ['refusal', 'content_filter'],
    ['novel', 'stop'],
    ['max_tokens', 'length'],
  ])('ends for %s as %s (T-R31, T-R32)', async (said, finish) => {
    const answer = await assembled(messageStart() + textBlock(0, 'x') + ending(said))
    expect(answer.finish_reason).toBe(finish as 'stop')
  })

  test('goes on over pings, comments and events that nobody knows (T-R40, T-R43)', async () => {
    const text =
      messageStart() + frame('ping') + ': hm\n\n' + frame('novel') + textBlock(0, 'x') + ending()
    expect(toldStream(chatCompletions, text)).toContain(': keep-alive\n\n')
    expect((await assembled(text)).message.content).toBe('x')
  })

  test.each([
    ['is lost (T-R42)', messageStart() + textBlock(0, 'x')],
    [
      'fails (T-E10)',
      messageStart() + frame('error', { error: { type: 'overloaded_error', message: 'Full.' } }),
    ],
    ['is no JSON (T-E15)', `${messageStart()}data: {\n\n`],
  ])('is an error if it %s, and no end of any kind (T-E13)', async (_, text) => {
    const said = toldStream(chatCompletions, text)
    expect(said.match(/"error":/g)).toHaveLength(1)
    expect(said).not.toContain('[DONE]')
    expect(said).not.toMatch(/"finish_reason":"/)
    const error = await assembled(text).then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(OpenAI.APIError)
  })
})

describe('a reply of a messages upstream, as the official chat client reads it', () => {
  const reply = (content: readonly object[], reason = 'end_turn') => {
    const usage = {
      input_tokens: 10,
      cache_read_input_tokens: 90,
      cache_creation_input_tokens: 5,
      output_tokens: 3,
    }
    const body = {
      id: 'msg_up',
      type: 'message',
      model: 'big-1',
      content,
      stop_reason: reason,
      usage,
    }
    return folded(messages.decodeReply(JSON.stringify(body), heard()))
  }
  const read = async (answer: ReturnType<typeof reply>) => {
    const client = openai(chatCompletions.encodeReply(answer, told), 'application/json')
    return client.chat.completions.create({ model: 'smart', messages: hi })
  }

  test('has texts that were cut by a citation joined, and others set apart (T-R50)', async () => {
    const cited = { type: 'text', text: 'b', citations: [{ type: 'char_location' }] }
    const call = { type: 'tool_use', id: 'c', name: 'f', input: {} }
    const joined = reply([{ type: 'text', text: 'a' }, cited])
    expect((await read(joined)).choices[0]?.message.content).toBe('ab')
    const apart = reply([{ type: 'text', text: 'a' }, call, { type: 'text', text: 'b' }])
    const { choices } = await read(apart)
    expect(choices[0]).toMatchObject({
      message: { content: 'a\n\nb', tool_calls: [{ id: 'c' }] },
      finish_reason: 'tool_calls',
    })
    expect(apart.notes).toHaveLength(1)
  })

  test('of nothing is an empty text (T-R52)', async () => {
    expect((await read(reply([]))).choices[0]).toMatchObject({
      message: { content: '' },
      finish_reason: 'stop',
    })
  })

  test('counts what the cache read and wrote into the prompt (T-U01)', async () => {
    expect((await read(reply([]))).usage).toEqual({
      prompt_tokens: 105,
      completion_tokens: 3,
      total_tokens: 108,
      prompt_tokens_details: { cached_tokens: 90, cache_write_tokens: 5 },
    } as OpenAI.CompletionUsage)
  })
})

describe('a messages stream that is passed on, as the official messages client reads it', () => {
  test('is what the upstream said', async () => {
    const text =
      messageStart() +
      thinkingBlock(0, 'why', 'sig') +
      textBlock(1, 'he', 'llo') +
      toolBlock(2, { id: 'toolu_1', name: 'f' }, '{"a"', ':1}') +
      messageDelta('tool_use', { output_tokens: 7 }) +
      messageStop
    const steps = stepsOf(messages.passStream(request), text)
    const said = Buffer.concat(steps.map((step) => Buffer.from(step.said ?? ''))).toString()
    const stream = anthropic(said).messages.stream({ model: 'm', max_tokens: 9, messages: hi })
    expect(await stream.finalMessage()).toMatchObject({
      content: [
        { type: 'thinking', thinking: 'why', signature: 'sig' },
        { type: 'text', text: 'hello' },
        { type: 'tool_use', id: 'toolu_1', input: { a: 1 } },
      ],
      stop_reason: 'tool_use',
      usage: { input_tokens: 10, output_tokens: 7 },
    })
  })

  test('raises the error that the upstream’s finer code stands for (V1021-11)', async () => {
    const body =
      '{"type":"error","error":{"type":"invalid_request_error","message":"m","details":{"error_code":"tool_name_conflict"}},"request_id":"req_u"}'
    const failure = messages.decodeError(400, body)
    const said = messages.encodeError(failure, 'req_1')
    expect(said).toBe(body)
    const status = messages.statusOf(failure)
    const client = anthropic(said, 'application/json', status)
    const call = client.messages.create({ model: 'm', max_tokens: 9, messages: hi })
    const error = await call.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(Anthropic.BadRequestError)
    expect(error).toMatchObject({
      status: 400,
      errorCode: 'tool_name_conflict',
      apiMessage: 'm',
    })
  })
})

const request = {} as Parameters<Protocol['passStream']>[0]

describe('lists and vectors, as the official clients read them', () => {
  const cards = Array.from({ length: 5 }, (_, at) => ({ id: `m/${at}`, upstream: 'up' }))

  test('the chat client lists every model (M01)', async () => {
    const body = chatCompletions.encodeModelList(cards, new URLSearchParams())
    const ids: string[] = []
    for await (const model of openai(body, 'application/json').models.list()) ids.push(model.id)
    expect(ids).toEqual(cards.map(({ id }) => id))
  })

  test('the messages client walks the pages to their end (MOD-05)', async () => {
    const client = new Anthropic({
      apiKey: 'key',
      fetch: async (url) => {
        const { searchParams } = new URL(url instanceof Request ? url.url : url)
        const body = messages.encodeModelList(cards, searchParams)
        return new Response(body, { headers: { 'content-type': 'application/json' } })
      },
    })
    const ids: string[] = []
    for await (const model of client.models.list({ limit: 2 })) ids.push(model.id)
    expect(ids).toEqual(cards.map(({ id }) => id))
  })

  test('the chat client, which asks for base64, gets numbers (E16)', async () => {
    const reply = {
      model: 'm',
      vectors: [
        [0.5, -0.25],
        [1, 2],
      ],
      usage: { input: 3 },
    }
    const client = openai(encodeEmbeddingReply(reply, 'base64'), 'application/json')
    const { data, usage } = await client.embeddings.create({ model: 'm', input: ['a', 'b'] })
    expect(data.map(({ embedding }) => embedding)).toEqual([
      [0.5, -0.25],
      [1, 2],
    ])
    expect(usage).toEqual({ prompt_tokens: 3, total_tokens: 3 })
  })
})
