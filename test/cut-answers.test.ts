import { describe, expect, test } from 'bun:test'

import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'

import type { ProtocolName } from '#chat/names.ts'
import type { Answer } from '#chat/step.ts'
import { tellReply, tellStream } from '#protocols/tell.ts'
import { meteredWithin } from '#usage/cut.ts'

import { c, delta, DONE, F, role, sse as chatText, USG } from './chat-answers.ts'
import { asked } from './chat-callers.ts'
import { bothLanes, servedBy } from './messages-callers.ts'
import { blockDelta, blockStart, messageStart } from './messages-frames.ts'
import { model, open, protocols, remote, requestIn } from './remote-rig.ts'
import {
  type Act,
  close,
  head,
  type ScriptedUpstream,
  startScriptedUpstream,
  write,
} from './scripted-upstream.ts'
import { startGateway } from './start-gateway.ts'

// What the official clients make of an answer that an upstream went on with beyond what was held for it.

const cap = 40

const words = Array.from({ length: 20_000 }, (_, index) => `word-${index} `)

/** The frames of an answer that does not end by itself. */
const endless: Readonly<Record<ProtocolName, { begin: string; grow: (text: string) => string }>> = {
  'chat-completions': { begin: chatText(role), grow: (text) => chatText(c(text)) },
  messages: {
    begin:
      messageStart({ input_tokens: 10, output_tokens: 1 }) +
      blockStart(0, { type: 'text', text: '' }),
    grow: (text) => blockDelta(0, { type: 'text_delta', text }),
  },
}

async function* speak(protocol: ProtocolName): AsyncGenerator<Act> {
  const { begin, grow } = endless[protocol]
  yield write(head(200, { 'content-type': 'text/event-stream', connection: 'close' }))
  yield write(begin)
  for (const text of words) yield write(grow(text))
  yield { type: 'wait', for: new Promise(() => {}) }
}

interface Cut extends AsyncDisposable {
  readonly url: string
  /** Everything that the caller was sent. */
  readonly sent: () => string
  readonly results: readonly string[]
  readonly upstream: ScriptedUpstream
}

/** A caller's endpoint whose answers may have so many tokens. */
async function cutting(caller: ProtocolName, upstreamProtocol: ProtocolName): Promise<Cut> {
  const upstream = await startScriptedUpstream(() => speak(upstreamProtocol))
  const protocol = protocols[caller]
  const results: string[] = []
  let sent = ''
  const serve = async (asked: Request): Promise<Response> => {
    const version = { 'anthropic-version': '2023-06-01' }
    const request = requestIn(caller, (await asked.json()) as object, version)
    const target = remote({
      protocol: upstreamProtocol,
      url: upstreamProtocol === 'messages' ? upstream.origin : upstream.url,
    })
    const answer = await open(target, request)
    const account = {
      hear: () => undefined,
      close: async (result: string) => void results.push(result),
      estimate: { input: 10, output: 77 },
    }
    const steps = meteredWithin(answer.steps, account, {
      cap,
      words: answer.words && protocol.cutStream?.(request),
    })
    const told: Answer = { ...answer, steps }
    const listener = { protocol, request, target: model(target) }
    if (!request.stream) return new Response((await tellReply(told, listener)).body, json)
    async function* body(): AsyncGenerator<Uint8Array> {
      for await (const chunk of tellStream(told, listener)) {
        sent += typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk)
        yield typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk
      }
    }
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: serve })
  return {
    url: server.url.origin,
    sent: () => sent,
    results,
    upstream,
    async [Symbol.asyncDispose]() {
      await server.stop(true)
      await upstream[Symbol.asyncDispose]()
    },
  }
}

const json = { headers: { 'content-type': 'application/json' } }
const hi = [{ role: 'user' as const, content: 'hi' }]

/** The answer is the beginning of what the upstream said, and at least as long as it may be. */
function expectBeginning(text: string): void {
  expect(words.join('').startsWith(text)).toBe(true)
  expect(text.split(' ').length).toBeGreaterThan(cap)
}

async function expectLetGo({ results, upstream }: Cut): Promise<void> {
  expect(results).toEqual(['budget-stop'])
  await (
    await upstream.request(0)
  ).closed
}

describe.each(bothLanes)('an endless answer of a %s upstream', (lane) => {
  test('is one that grew too long, to a chat client', async () => {
    await using cut = await cutting('chat-completions', lane)
    const client = new OpenAI({ baseURL: `${cut.url}/v1`, apiKey: 'k', maxRetries: 0 })
    const stream = client.chat.completions.stream({
      model: 'm',
      messages: hi,
      stream_options: { include_usage: true },
    })
    const { choices, usage } = await stream.finalChatCompletion()
    expect(choices).toHaveLength(1)
    expect(choices[0]?.finish_reason).toBe('length')
    expectBeginning(choices[0]?.message.content ?? '')
    expect(usage).toMatchObject({ prompt_tokens: 10, completion_tokens: 77, total_tokens: 87 })
    expect(cut.sent()).toEndWith('data: [DONE]\n\n')
    await expectLetGo(cut)
  })

  test('is one that grew too long, to a messages client', async () => {
    await using cut = await cutting('messages', lane)
    const client = new Anthropic({ baseURL: cut.url, apiKey: 'k', maxRetries: 0 })
    const stream = client.messages.stream({ model: 'm', max_tokens: 100, messages: hi })
    const message = await stream.finalMessage()
    expect(message.stop_reason).toBe('max_tokens')
    expect(message.usage).toMatchObject({ input_tokens: 10, output_tokens: 77 })
    const [block] = message.content
    expectBeginning(block?.type === 'text' ? block.text : '')
    expect(cut.sent()).toEndWith('event: message_stop\ndata: {"type":"message_stop"}\n\n')
    await expectLetGo(cut)
  })

  test('is one that grew too long, to a chat client that asked for a whole reply', async () => {
    await using cut = await cutting('chat-completions', lane)
    const client = new OpenAI({ baseURL: `${cut.url}/v1`, apiKey: 'k', maxRetries: 0 })
    const { choices, usage } = await client.chat.completions.create({ model: 'm', messages: hi })
    expect(choices[0]?.finish_reason).toBe('length')
    expectBeginning(choices[0]?.message.content ?? '')
    expect(usage).toMatchObject({ prompt_tokens: 10, completion_tokens: 77, total_tokens: 87 })
    await expectLetGo(cut)
  })

  test('goes on to a caller of the same protocol as it was said, up to the cut', async () => {
    await using cut = await cutting(lane, lane)
    const body = JSON.stringify({ stream: true, max_tokens: 100 })
    await (await fetch(cut.url, { method: 'POST', body })).text()
    const { begin, grow } = endless[lane]
    const said = framesIn(begin + words.map(grow).join(''))
    const told = framesIn(cut.sent())
    const same = told.findIndex((frame, index) => frame !== said[index])
    expect(same).toBeGreaterThan(cap)
    expect(told.slice(same).map(kindOf)).toEqual([...ends[lane]])
    await expectLetGo(cut)
  })
})

test('an answer of two choices is whole where both together have more tokens than one may have', async () => {
  const begun = Promise.withResolvers<void>()
  // More tokens than the forty of one choice, and fewer than the eighty of two.
  const { usage } = USG(10, 60)
  const begin = chatText(role, c('Hello'), delta({ content: 'Hi' }, { index: 1 }), {
    ...c(' there'),
    usage,
  })
  const end = chatText(c('!'), F('stop'), F('stop', { index: 1 }), USG(10, 61), DONE)
  await using upstream = await startScriptedUpstream([
    [
      write(head(200, { 'content-type': 'text/event-stream', connection: 'close' })),
      write(begin),
      { type: 'wait', for: begun.promise },
      write(end),
      close,
    ],
  ])
  await using gateway = await startGateway({
    ...servedBy('chat-completions', upstream),
    prices: { 'up/*': { input: 1, output: 1 } },
  })
  const { key, id } = await gateway.gateway.keys.issue({ name: 'strict' })
  const authorization = `Bearer ${key.reveal()}`
  await gateway.gateway.budgets.set(`key:${id}`, 'total', { amount: 1_000_000, isStrict: true })
  const { body } = await gateway.post(
    '/v1/chat/completions',
    { ...asked, n: 2, max_tokens: cap, stream: true, stream_options: { include_usage: true } },
    { authorization },
  )
  let told = ''
  for await (const piece of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    told += piece
    begun.resolve()
  }
  expect(told).toBe(begin + end)
})

function framesIn(text: string): string[] {
  return text.split('\n\n').slice(0, -1)
}

/** What a frame is of an end. */
function kindOf(frame: string): string {
  const kinds = ['content_block_stop', 'message_delta', 'message_stop', '"length"', '[DONE]']
  return kinds.find((kind) => frame.includes(kind)) ?? frame
}

const ends: Readonly<Record<ProtocolName, readonly string[]>> = {
  'chat-completions': ['"length"', '[DONE]'],
  messages: ['content_block_stop', 'message_delta', 'message_stop'],
}
