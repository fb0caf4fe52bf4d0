import { describe, expect, test } from 'bun:test'

import type { EmbeddingRequest } from '#chat/embedding.ts'
import { bodyOf, call, failureOf, model, named, remote } from '#test/remote-rig.ts'
import {
  json,
  neverAnswer,
  type RecordedRequest,
  startScriptedUpstream,
} from '#test/scripted-upstream.ts'

function asking(inputs: readonly string[]): EmbeddingRequest {
  return { model: named('asked'), inputs, encoding: 'base64', extra: new Map() }
}

/** Answers each text with its length and its number, as a vector. */
function embeds(request: RecordedRequest) {
  const { input } = bodyOf(request.json())
  const texts: unknown[] = Array.isArray(input) ? input : [input]
  const data = texts.map((text, index) => ({
    object: 'embedding',
    index,
    embedding: [String(text).length, Number(String(text).slice(1))],
  }))
  const usage = { prompt_tokens: texts.length, total_tokens: texts.length }
  return json(200, { object: 'list', data: data.toReversed(), model: 'e-1', usage })
}

describe('embeddings', () => {
  test('are asked for in one request, and read as floats and in order whatever came (E13, E15)', async () => {
    await using up = await startScriptedUpstream(embeds)
    const upstream = remote({ protocol: 'chat-completions', url: up.url })
    const reply = await upstream.embed(asking(['t1', 't22', 't333']), model(upstream), call())
    expect(reply.vectors).toEqual([
      [2, 1],
      [3, 22],
      [4, 333],
    ])
    expect(reply).toMatchObject({ model: 'e-1', usage: { input: 3 } })
    const sent = await up.request(0)
    expect(sent.path).toBe('/v1/embeddings')
    expect(sent.json()).toMatchObject({ model: 'm-1', encoding_format: 'base64' })
  })

  test('over the upstream’s limit are asked for in several, and joined in order with their usage summed', async () => {
    await using up = await startScriptedUpstream(embeds)
    const profile = { embeddingBatch: 3 }
    const upstream = remote({ protocol: 'chat-completions', url: up.url, profile })
    const texts = Array.from({ length: 20 }, (_, index) => `t${index}`)
    const reply = await upstream.embed(asking(texts), model(upstream), call())
    expect(reply.vectors.map((vector) => vector[1])).toEqual(texts.map((_, index) => index))
    expect(reply.usage).toEqual({ input: 20 })
    expect(up.requests.length).toBe(7)
    expect(up.connections).toBeLessThanOrEqual(4)
  })

  test('fail as a whole when one batch fails, and the others are given up', async () => {
    await using up = await startScriptedUpstream((request) =>
      request.index === 1 ? json(429, { error: { message: 'busy' } }) : neverAnswer,
    )
    const profile = { embeddingBatch: 1 }
    const upstream = remote({ protocol: 'chat-completions', url: up.url, profile })
    const failure = await failureOf(
      upstream.embed(asking(['a', 'b', 'c', 'd', 'e', 'f']), model(upstream), call()),
    )
    expect(failure?.code).toBe('upstream-busy')
    await Promise.all(up.requests.filter(({ index }) => index !== 1).map(({ closed }) => closed))
  })

  test('that came as base64 are exact for a caller who wants base64, and short for one who reads them', async () => {
    const embedding = Buffer.from(Float32Array.of(0.1).buffer).toString('base64')
    const data = [{ object: 'embedding', index: 0, embedding }]
    await using up = await startScriptedUpstream([json(200, { data }), json(200, { data })])
    const upstream = remote({ protocol: 'chat-completions', url: up.url })
    const exact = await upstream.embed(asking(['a']), model(upstream), call())
    expect(exact.vectors).toEqual([[Math.fround(0.1)]])
    const short = { ...asking(['a']), encoding: 'float' } as const
    expect((await upstream.embed(short, model(upstream), call())).vectors).toEqual([[0.1]])
  })

  test('of too few vectors are a failure of the upstream', async () => {
    const data = [{ object: 'embedding', index: 0, embedding: [1] }]
    await using up = await startScriptedUpstream([json(200, { data })])
    const upstream = remote({ protocol: 'chat-completions', url: up.url })
    const failure = await failureOf(upstream.embed(asking(['a', 'b']), model(upstream), call()))
    expect(failure?.code).toBe('upstream-failed')
  })

  test('are refused at an upstream whose protocol has none', async () => {
    const upstream = remote({ protocol: 'messages', url: 'http://127.0.0.1:1' })
    const failure = await failureOf(upstream.embed(asking(['a']), model(upstream), call()))
    expect([failure?.code, failure?.param]).toEqual(['not-expressible', 'model'])
  })
})
