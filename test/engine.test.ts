import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'

import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'

import { parseConfig } from '#config/load.ts'
import { vendorNames } from '#upstreams/vendors/vendors.ts'

import { json, startScriptedUpstream } from './scripted-upstream.ts'
import { startGateway, type TestGateway } from './start-gateway.ts'
import { until } from './until.ts'

// The official clients, over real sockets, in front of the real engine and the models in the box.

// A process of the engine that starts anew takes its time on a machine with much else to do.
setDefaultTimeout(20_000)

const model = 'parley-mini'
const embedder = 'parley-mini-embed'

let gateway: TestGateway
let openai: OpenAI
let anthropic: Anthropic
beforeAll(async () => {
  gateway = await startGateway({ engine: {} })
  openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key, maxRetries: 0 })
  anthropic = new Anthropic({
    baseURL: gateway.url,
    apiKey: gateway.key,
    maxRetries: 0,
    // The newest version takes no temperature, without which nothing can be compared.
    defaultHeaders: { 'anthropic-version': '2023-06-01' },
  })
})
afterAll(() => gateway[Symbol.asyncDispose]())

const hello = [{ role: 'user' as const, content: 'Hello!' }]
const usual = { model, messages: hello, max_tokens: 24, temperature: 0 }

/** What one says of the engine's model at the moment. */
const crowd = () => gateway.gateway.engine?.status().models.find(({ name }) => name === model)

const weather = {
  name: 'get_weather',
  description: 'The weather of a city.',
  schema: {
    type: 'object' as const,
    properties: { city: { type: 'string', maxLength: 20 }, unit: { enum: ['celsius', 'kelvin'] } },
    required: ['city', 'unit'],
    additionalProperties: false,
  },
}

describe('chat', () => {
  test('in both protocols, streamed and not, says the same', async () => {
    const completion = await openai.chat.completions.create(usual)
    const text = completion.choices[0]?.message.content ?? ''
    expect(text.length).toBeGreaterThan(0)
    expect(completion.model).toBe(model)

    const stream = await openai.chat.completions.create({ ...usual, stream: true })
    let streamed = ''
    for await (const chunk of stream) streamed += chunk.choices[0]?.delta.content ?? ''
    expect(streamed).toBe(text)

    const message = await anthropic.messages.create(usual)
    expect(message.content).toMatchObject([{ type: 'text', text }])
    expect(message.model).toBe(model)
    const final = await anthropic.messages.stream(usual).finalMessage()
    expect(final.content).toMatchObject([{ type: 'text', text }])
    expect(final.usage.output_tokens).toBe(completion.usage?.completion_tokens ?? 0)
  })

  test('ends where max_tokens says, and says so', async () => {
    const completion = await openai.chat.completions.create({ ...usual, max_tokens: 3 })
    expect(completion.choices[0]?.finish_reason).toBe('length')
    expect(completion.usage?.completion_tokens).toBe(3)
    const message = await anthropic.messages.create({ ...usual, max_tokens: 3 })
    expect(message.stop_reason).toBe('max_tokens')
  })

  test('stops at a stop sequence, and says at which', async () => {
    const { content } = await anthropic.messages.create(usual)
    const text = content[0]?.type === 'text' ? content[0].text : ''
    const stop = text.slice(2, 4)
    const message = await anthropic.messages.create({ ...usual, stop_sequences: ['\u0007', stop] })
    expect(message).toMatchObject({ stop_reason: 'stop_sequence', stop_sequence: stop })
    const before = text.slice(0, text.indexOf(stop))
    const said = message.content[0]?.type === 'text' ? message.content[0].text : ''
    expect(said).toBe(before)
    const completion = await openai.chat.completions.create({ ...usual, stop })
    expect(completion.choices[0]).toMatchObject({
      finish_reason: 'stop',
      message: { content: before },
    })
  })

  test('with the same seed says the same, with another something else', async () => {
    const ask = async (seed: number) => {
      const wild = { ...usual, temperature: 2, max_tokens: 40, seed }
      return (await openai.chat.completions.create(wild)).choices[0]?.message.content
    }
    const [one, again] = await Promise.all([ask(7), ask(7)])
    expect(again).toBe(one ?? '')
    // A greeting has few answers: one of several other seeds says another.
    const others = await Promise.all([8, 9, 10, 11, 12, 13, 14, 15].map(ask))
    expect(new Set(others.filter((other) => other !== one)).size).toBeGreaterThan(0)
  })

  test('two callers at once get their own answers', async () => {
    const words = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot']
    const ask = async (word: string) => {
      const format = {
        type: 'json_schema' as const,
        json_schema: { name: 'word', strict: true, schema: { type: 'string', const: word } },
      }
      const asked = { ...usual, response_format: format }
      return (await openai.chat.completions.create(asked)).choices[0]?.message.content
    }
    const answers = await Promise.all(words.map(ask))
    expect(answers).toEqual(words.map((word) => JSON.stringify(word)))
  })
})

describe('tools', () => {
  test('are called when they must be, and their results answered (chat completions)', async () => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'user', content: 'What is the weather in Paris, in celsius?' },
    ]
    const { name, description, schema: parameters } = weather
    const tools = [{ type: 'function' as const, function: { name, description, parameters } }]
    const asked = { ...usual, messages, tools, max_tokens: 100 }
    const completion = await openai.chat.completions.create({ ...asked, tool_choice: 'required' })
    const reply = completion.choices[0]
    const call = reply?.message.tool_calls?.[0]
    expect(reply?.finish_reason).toBe('tool_calls')
    if (call?.type !== 'function') throw new Error('It called nothing.')
    expect(call.function.name).toBe('get_weather')
    expect(Object.keys(JSON.parse(call.function.arguments)).toSorted()).toEqual(['city', 'unit'])
    messages.push(reply?.message ?? { role: 'assistant' })
    messages.push({ role: 'tool', tool_call_id: call.id, content: '21 degrees and sunny' })
    const answer = await openai.chat.completions.create({ ...asked, tool_choice: 'none' })
    expect(answer.choices[0]?.message.content?.length).toBeGreaterThan(0)
    expect(answer.choices[0]?.message.tool_calls).toBeUndefined()
  })

  test('are called when they must be, streamed, and their results answered (messages)', async () => {
    const { name, description, schema } = weather
    const tools = [{ name, description, input_schema: schema }]
    const question = { role: 'user' as const, content: 'What is the weather in Paris, in celsius?' }
    const asked = { ...usual, tools, max_tokens: 100 }
    const first = await anthropic.messages
      .stream({ ...asked, messages: [question], tool_choice: { type: 'any' } })
      .finalMessage()
    const call = first.content.find((block) => block.type === 'tool_use')
    expect(first.stop_reason).toBe('tool_use')
    if (call === undefined) throw new Error('It called nothing.')
    expect(Object.keys(call.input as object).toSorted()).toEqual(['city', 'unit'])
    const result = { type: 'tool_result' as const, tool_use_id: call.id, content: '21 degrees' }
    const second = await anthropic.messages.create({
      ...asked,
      messages: [
        question,
        { role: 'assistant', content: first.content },
        { role: 'user', content: [result] },
      ],
      tool_choice: { type: 'none' },
    })
    expect(second.content[0]?.type).toBe('text')
  })
})

test('structured output is JSON of its schema, in both protocols', async () => {
  const schema = {
    type: 'object' as const,
    properties: { name: { type: 'string', maxLength: 12 }, age: { type: 'integer', maximum: 99 } },
    required: ['name', 'age'],
    additionalProperties: false,
  }
  const asked = { ...usual, max_tokens: 80, temperature: 1, seed: 1 }
  const completion = await openai.chat.completions.create({
    ...asked,
    response_format: { type: 'json_schema', json_schema: { name: 'person', strict: true, schema } },
  })
  const person = JSON.parse(completion.choices[0]?.message.content ?? '')
  expect(Object.keys(person)).toEqual(['name', 'age'])
  expect(Number.isInteger(person.age)).toBe(true)
  const message = await anthropic.messages.create({
    ...usual,
    max_tokens: 80,
    output_config: { format: { type: 'json_schema', schema } },
  })
  const said = message.content[0]?.type === 'text' ? message.content[0].text : ''
  expect(Object.keys(JSON.parse(said))).toEqual(['name', 'age'])
})

test('tokens are counted exactly: count_tokens is the usage of the answer', async () => {
  const { name, description, schema } = weather
  const asked = {
    model,
    system: 'You are brief.',
    messages: hello,
    tools: [{ name, description, input_schema: schema }],
  }
  const counted = await anthropic.messages.countTokens(asked)
  const { usage } = await anthropic.messages.create({ ...asked, max_tokens: 1 })
  const { input_tokens: fresh, cache_read_input_tokens: read } = usage
  expect(fresh + (read ?? 0)).toBe(counted.input_tokens)
  expect(counted.input_tokens).toBeGreaterThan(20)
})

describe('embeddings', () => {
  test('are unit vectors, the same as floats and as base64', async () => {
    const input = ['How do I create a key?', 'What is the capital of France?']
    const asked = { model: embedder, input }
    // Asked for nothing, the client asks for base64 and decodes it.
    const coded = await openai.embeddings.create(asked)
    const plain = await openai.embeddings.create({ ...asked, encoding_format: 'float' })
    expect(plain.data).toHaveLength(2)
    for (const [index, { embedding }] of plain.data.entries()) {
      expect(Math.hypot(...embedding)).toBeCloseTo(1, 3)
      expect(new Float32Array(coded.data[index]?.embedding ?? [])).toEqual(
        new Float32Array(embedding),
      )
    }
    expect(plain.usage.prompt_tokens).toBeGreaterThan(5)
  })

  test('are shortened to the dimensions that were asked for', async () => {
    const { data } = await openai.embeddings.create({ model: embedder, input: 'x', dimensions: 32 })
    expect(data[0]?.embedding).toHaveLength(32)
    expect(Math.hypot(...(data[0]?.embedding ?? []))).toBeCloseTo(1, 3)
  })

  test('of a chat-only model, and chats with an embedding model, are refused by name', async () => {
    const wrong = await openai.embeddings
      .create({ model, input: 'x' })
      .catch((error: unknown) => error)
    expect(wrong).toBeInstanceOf(OpenAI.BadRequestError)
    expect(String(wrong)).toContain(model)
    const other = await anthropic.messages
      .create({ ...usual, model: embedder })
      .catch((error: unknown) => error)
    expect(other).toBeInstanceOf(Anthropic.BadRequestError)
    expect(String(other)).toContain(embedder)
  })
})

describe('a caller', () => {
  test('who leaves frees the slot at once', async () => {
    const leaving = new AbortController()
    const long = {
      ...usual,
      max_tokens: 1500,
      temperature: 2,
      stream: true as const,
      logit_bias: {},
    }
    const stream = await openai.chat.completions.create(long, { signal: leaving.signal })
    for await (const _chunk of stream) break
    leaving.abort()
    await until(() => crowd()?.working === 0)
    expect((await openai.chat.completions.create(usual)).choices).toHaveLength(1)
  })

  test('whose prompt is too long is told the numbers', async () => {
    const messages = [{ role: 'user' as const, content: 'word '.repeat(20_000) }]
    const refused = await openai.chat.completions
      .create({ ...usual, messages })
      .catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(OpenAI.BadRequestError)
    expect(refused).toMatchObject({ code: 'context_length_exceeded' })
    expect(String(refused)).toMatch(/\d{4,}/)
  })

  test('who asks for what the engine does not do is refused by its name, or told', async () => {
    const twice = await openai.chat.completions
      .create({ ...usual, n: 2 })
      .catch((error: unknown) => error)
    expect(twice).toMatchObject({ status: 400, param: 'n' })
    const { response } = await openai.chat.completions
      .create({ ...usual, store: true, user: 'somebody' })
      .withResponse()
    const notes = response.headers.get('x-parley-notes') ?? ''
    expect(notes).toContain('store')
    expect(notes).toContain('user')
  })
})

test('with nothing configured both models are on the list, and the target is told', async () => {
  const list = await openai.models.list()
  expect(list.data.map(({ id }) => id)).toEqual([model, embedder])
  const info = await anthropic.models.retrieve(model)
  expect(info).toMatchObject({ id: model, type: 'model' })
  const { response } = await openai.chat.completions.create(usual).withResponse()
  expect(response.headers.get('x-parley-target')).toBe(`engine/${model}`)
})

describe('beside other upstreams', () => {
  test('the engine serves what it lists, and a name that nobody lists is for the only other one', async () => {
    await using upstream = await startScriptedUpstream(({ path }) =>
      path.endsWith('/models') ? json(404, {}) : json(200, elsewhere),
    )
    const up = { protocol: 'chat-completions', url: `${upstream.url}/v1` }
    await using both = await startGateway({ engine: {}, upstreams: { up } })
    const targetOf = async (name: string) => {
      const response = await both.post('/v1/chat/completions', { ...usual, model: name })
      await response.text()
      return [response.status, response.headers.get('x-parley-target')]
    }
    expect(await targetOf('made-up')).toEqual([200, 'up/made-up'])
    expect(await targetOf(model)).toEqual([200, `engine/${model}`])
    expect(await targetOf(`engine/${model}`)).toEqual([200, `engine/${model}`])
    expect((await targetOf('engine/made-up'))[0]).toBe(404)
  })

  const elsewhere = {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'made-up',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }
})

test('another config of the engine is in force at once, and answers under way end as they began', async () => {
  await using own = await startGateway({ engine: { sequences: 1 } })
  const { gateway: server } = own
  const schema = { type: 'string', minLength: 400 }
  const body = {
    ...usual,
    max_tokens: 300,
    stream: true,
    response_format: { type: 'json_schema', json_schema: { name: 'x', schema } },
  }
  const long = await own.post('/v1/chat/completions', body)
  const former = server.engine
  const text = JSON.stringify({ engine: { sequences: 2 }, listen: { port: 0 } })
  server.apply(parseConfig(text, 'test', { vendors: vendorNames, environment: {} }))
  expect(server.engine).not.toBe(former)
  expect((await own.post('/v1/chat/completions', usual)).status).toBe(200)
  expect(server.engine?.status().models).toMatchObject([{ facts: { sequences: 2 } }])
  expect(await long.text()).toContain('[DONE]')
  await until(() => former?.status().pid === undefined)
})

test('whoever still sends its request while another config of the engine comes into force is answered', async () => {
  await using own = await startGateway({ engine: {} })
  const { gateway: server } = own
  const rest = Promise.withResolvers<void>()
  const text = JSON.stringify(usual)
  const body = async function* () {
    yield text.slice(0, 5)
    await rest.promise
    yield text.slice(5)
  }
  const headers = { authorization: `Bearer ${own.key}`, 'content-type': 'application/json' }
  const asked = fetch(`${own.url}/v1/chat/completions`, { method: 'POST', headers, body: body() })
  await until(() => server.inFlight === 1)
  const former = server.engine
  const config = JSON.stringify({ engine: { sequences: 2 }, listen: { port: 0 } })
  server.apply(parseConfig(config, 'test', { vendors: vendorNames, environment: {} }))
  rest.resolve()
  expect((await asked).status).toBe(200)
  expect(former?.status().pid).toBeUndefined()
  expect(server.engine?.status().pid).toBeUndefined()
})
