import { describe, expect, test } from 'bun:test'

import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { embed, embedMany } from 'ai'
import OpenAI from 'openai'

import { openaiOf, recording } from './chat-callers.ts'
import { bodyOf, LedgerFile, rejection, servedBy } from './messages-callers.ts'
import {
  json,
  neverAnswer,
  type RecordedRequest,
  type Script,
  startScriptedUpstream,
} from './scripted-upstream.ts'
import { startGateway, type TestGateway } from './start-gateway.ts'

// Vectors, as callers of every kind ask for them.

const vector = [0.1, -0.2, 0.3, 0.4]
const base64 = 'zczMPc3MTL6amZk+zczMPg=='

function ask(gateway: TestGateway, members: object): Promise<Response> {
  return gateway.post('/v1/embeddings', { model: 'm', ...members })
}

/** An upstream that gives every input a vector that begins with its number, in the encoding that is asked for. */
const numbering = (request: RecordedRequest): Script => {
  const { input, encoding_format: encoding } = bodyOf(request)
  const inputs = Array.isArray(input) && typeof input[0] !== 'number' ? input : [input]
  const data = inputs.map((_, index) => item(index, [index, ...vector], encoding === 'base64'))
  return json(200, { object: 'list', data, model: 'real', usage })
}

/** One that knows numbers only, whatever is asked for, and answers in the wrong order. */
const backward = (request: RecordedRequest): Script => {
  const inputs = [bodyOf(request)['input']].flat()
  const data = inputs.map((_, index) => item(index, [index, ...vector])).toReversed()
  return json(200, { object: 'list', data, model: 'real', usage })
}

const usage = { prompt_tokens: 6, total_tokens: 6 }

function item(index: number, numbers: readonly number[], isBase64 = false): object {
  const embedding = isBase64
    ? Buffer.from(new Float32Array(numbers).buffer).toString('base64')
    : numbers
  return { object: 'embedding', index, embedding }
}

describe('over the wire', () => {
  test('a text without a wish for an encoding has numbers (E01 E08)', async () => {
    await using upstream = await startScriptedUpstream([json(200, recording('embeddings.json'))])
    await using gateway = await startGateway(servedBy('chat-completions', upstream))
    for (const input of ['a', ' ']) {
      const response = await ask(gateway, { input })
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'application/json',
      ])
      expect(await response.json()).toEqual({
        object: 'list',
        data: [{ object: 'embedding', index: 0, embedding: vector }],
        model: 'text-embedding-3-small',
        usage,
      })
    }
  })

  test.each(['embeddings.json', 'embeddings-base64.json'])(
    'base64 is little-endian and padded, whatever the upstream gave: %s (E03 E13)',
    async (given) => {
      await using upstream = await startScriptedUpstream([json(200, recording(given))])
      await using gateway = await startGateway(servedBy('chat-completions', upstream))
      const asBase64 = await (await ask(gateway, { input: 'a', encoding_format: 'base64' })).json()
      expect(asBase64).toMatchObject({ data: [{ embedding: base64 }] })
      const asNumbers = await (await ask(gateway, { input: 'a', encoding_format: 'float' })).json()
      expect(asNumbers).toMatchObject({ data: [{ embedding: vector }] })
    },
  )

  test('several texts have their vectors in their order (E04 E15)', async () => {
    await using upstream = await startScriptedUpstream(backward)
    await using gateway = await startGateway(servedBy('chat-completions', upstream))
    const { data } = (await (await ask(gateway, { input: ['a', 'b', 'c'] })).json()) as {
      data: { index: number; embedding: number[] }[]
    }
    expect(data.map(({ index, embedding }) => [index, embedding[0]])).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
    ])
  })

  test('token ids are one text, lists of them are many (E05)', async () => {
    await using upstream = await startScriptedUpstream(numbering)
    await using gateway = await startGateway(servedBy('chat-completions', upstream))
    for (const [input, count] of [
      [[1, 2, 3], 1],
      [[[1, 2], [3]], 2],
    ] as const) {
      const body = (await (await ask(gateway, { input })).json()) as { data: unknown[] }
      expect(body.data.length).toBe(count)
      expect(bodyOf(upstream.requests.at(-1)!)['input']).toEqual(input)
    }
  })

  test('members that are null or not known do no harm, and go on (E19)', async () => {
    await using upstream = await startScriptedUpstream(numbering)
    await using gateway = await startGateway(servedBy('chat-completions', upstream))
    const members = { user: 'u', encoding_format: null, input_type: 'query', dimensions: 5 }
    expect((await ask(gateway, { input: 'a', ...members })).status).toBe(200)
    const sent = bodyOf(await upstream.request(0))
    expect(sent).toMatchObject({ user: 'u', input_type: 'query', dimensions: 5 })
  })

  test.each([
    ['E07: an empty text', { input: '' }, 'input', 'invalid_value'],
    ['E07: an empty list', { input: [] }, 'input', 'empty_array'],
    ['E07: an empty text among others', { input: ['a', ''] }, 'input[1]', 'invalid_value'],
    [
      'E09: more texts than there may be',
      { input: Array(2049).fill('a') },
      'input',
      'array_above_max_length',
    ],
    [
      'E11: a negative width',
      { input: 'a', dimensions: -1 },
      'dimensions',
      'integer_below_min_value',
    ],
    ['E11: no width', { input: 'a', dimensions: 0 }, 'dimensions', 'integer_below_min_value'],
    [
      'E12: an unknown encoding',
      { input: 'a', encoding_format: 'hex' },
      'encoding_format',
      'invalid_value',
    ],
    ['E20: a list of mixed things', { input: ['a', 1] }, 'input[1]', 'invalid_type'],
  ])('%s is refused before anything is sent', async (_, members, param, code) => {
    await using upstream = await startScriptedUpstream(numbering)
    await using gateway = await startGateway(servedBy('chat-completions', upstream))
    const response = await ask(gateway, members)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error: { type: 'invalid_request_error', param, code, message: expect.any(String) },
    })
    expect(upstream.requests.length).toBe(0)
  })

  test('what is no vector for each text is a failure of the upstream', async () => {
    const data = [item(0, vector)]
    await using upstream = await startScriptedUpstream([
      json(200, { data }),
      json(200, '<html>'),
      json(200, { data: [item(0, vector), item(1, [1])] }),
    ])
    await using gateway = await startGateway(servedBy('chat-completions', upstream))
    for (let time = 0; time < 3; time++) {
      const response = await ask(gateway, { input: ['a', 'b'] })
      expect(response.status).toBe(502)
      expect(await response.json()).toMatchObject({ error: { code: 'upstream_error' } })
    }
  })

  test('a messages upstream has none, and says so', async () => {
    await using upstream = await startScriptedUpstream([neverAnswer])
    await using gateway = await startGateway(servedBy('messages', upstream))
    const response = await ask(gateway, { input: 'a' })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { param: 'model' } })
    expect(upstream.requests.length).toBe(0)
  })

  test('are written down', async () => {
    using ledger = new LedgerFile()
    await using upstream = await startScriptedUpstream([json(200, recording('embeddings.json'))])
    await using gateway = await startGateway(servedBy('chat-completions', upstream), ledger.path)
    await (await ask(gateway, { input: 'a' })).text()
    expect(ledger.rows).toMatchObject([
      { endpoint: 'embeddings', result: 'complete', target: 'up/m', input: 6, counted: 'exact' },
    ])
  })
})

describe('with official clients', () => {
  test.each([numbering, backward])(
    'openai has numbers by its default, which is base64 (E16)',
    async (script) => {
      await using upstream = await startScriptedUpstream(script)
      await using gateway = await startGateway(servedBy('chat-completions', upstream))
      const { embeddings } = openaiOf(gateway)
      const { data, usage: counted } = await embeddings.create({ model: 'm', input: ['a', 'b'] })
      expect(
        data.map(({ embedding }) => embedding.map((number) => Number(number.toFixed(6)))),
      ).toEqual([
        [0, ...vector],
        [1, ...vector],
      ])
      expect(counted).toEqual(usage)
      const asBase64 = await embeddings.create({
        model: 'm',
        input: 'a',
        encoding_format: 'base64',
      })
      expect(typeof asBase64.data[0]?.embedding).toBe('string')
    },
  )

  test('openai is told what is wrong', async () => {
    await using gateway = await startGateway({})
    const failure = await rejection(openaiOf(gateway).embeddings.create({ model: 'm', input: [] }))
    expect(failure).toBeInstanceOf(OpenAI.BadRequestError)
    expect(failure).toMatchObject({ param: 'input', code: 'empty_array' })
  })

  test.each(['openai', 'openai-compatible'])(
    'ai has numbers from its provider %s (E17 X03)',
    async (name) => {
      await using upstream = await startScriptedUpstream(numbering)
      await using gateway = await startGateway(servedBy('chat-completions', upstream))
      const settings = { baseURL: `${gateway.url}/v1`, apiKey: gateway.key }
      const model =
        name === 'openai'
          ? createOpenAI(settings).embeddingModel('m')
          : createOpenAICompatible({ ...settings, name: 'parley' }).embeddingModel('m')
      const one = await embed({ model, value: 'a' })
      expect(one.embedding).toEqual([0, ...vector])
      const many = await embedMany({ model, values: ['a', 'b', 'c'] })
      expect(many.embeddings.map(([first]) => first)).toEqual([0, 1, 2])
      expect(many.usage.tokens).toBe(6)
    },
  )
})
