import { describe, expect, test } from 'bun:test'

import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import {
  APICallError,
  generateObject,
  generateText,
  isStepCount,
  type LanguageModel,
  Output,
  RetryError,
  streamText,
  tool,
} from 'ai'
import { z } from 'zod'

import { message, recorded } from './chat-callers.ts'
import { bodyOf, bothLanes, rejection, servedBy } from './messages-callers.ts'
import { calls, cutShort, structured, text, weatherAgent } from './same-answers.ts'
import { json, reset, startScriptedUpstream, waitFor } from './scripted-upstream.ts'
import { startGateway, type TestGateway } from './start-gateway.ts'

// The AI SDK with both of its providers for this protocol, in front of upstreams of both protocols.

// What it says of its own deprecations is not about us.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

const providers: Readonly<Record<string, (gateway: TestGateway) => LanguageModel>> = {
  openai: (gateway) => createOpenAI(settingsOf(gateway)).chat('m'),
  'openai-compatible': (gateway) =>
    createOpenAICompatible({
      ...settingsOf(gateway),
      name: 'parley',
      includeUsage: true,
      supportsStructuredOutputs: true,
    }).chatModel('m'),
}

function settingsOf(gateway: TestGateway) {
  return { baseURL: `${gateway.url}/v1`, apiKey: gateway.key }
}

const pairs = Object.keys(providers).flatMap((name) =>
  bothLanes.map((lane) => [name, lane] as const),
)
const said = 'Hi there! 🙂 é\n\u2028data: x'
const prompt = 'What is the weather in Paris and in Rome?'
const city = z.object({ city: z.string() })
const weather = z.object({ city: z.string(), celsius: z.number() })
const tools = {
  get_weather: tool({
    description: 'The weather of a city',
    inputSchema: city,
    execute: async ({ city: name }) => `sunny in ${name}`,
  }),
}

describe.each(pairs)('ai, with its provider %s and a %s upstream', (name, lane) => {
  const modelOf = providers[name]!

  test('generates text (X03)', async () => {
    await using upstream = await startScriptedUpstream(text[lane])
    await using gateway = await startGateway(servedBy(lane, upstream))
    const result = await generateText({ model: modelOf(gateway), prompt })
    expect([result.text, result.finishReason]).toEqual([said, 'stop'])
    expect(result.usage).toMatchObject({ inputTokens: 8, outputTokens: 377, totalTokens: 385 })
  })

  test('streams text, without one part that is an error (X03 S34)', async () => {
    await using upstream = await startScriptedUpstream(text[lane])
    await using gateway = await startGateway(servedBy(lane, upstream))
    const result = streamText({ model: modelOf(gateway), prompt })
    const parts = await Array.fromAsync(result.fullStream)
    expect(parts.filter(({ type }) => type === 'error')).toEqual([])
    expect([await result.text, await result.finishReason]).toEqual([said, 'stop'])
    expect(await result.usage).toMatchObject({ inputTokens: 8, outputTokens: 377 })
  })

  test('runs tools for several turns, whole and streamed (X03)', async () => {
    await using upstream = await startScriptedUpstream(weatherAgent[lane])
    await using gateway = await startGateway(servedBy(lane, upstream))
    const params = { model: modelOf(gateway), prompt, tools, stopWhen: isStepCount(5) }
    const last = 'sunny in Paris, sunny in Rome, sunny in Oslo'
    const whole = await generateText(params)
    expect([whole.text, whole.steps.length]).toEqual([last, 3])
    const streamed = streamText(params)
    const parts = await Array.fromAsync(streamed.fullStream)
    expect(parts.filter(({ type }) => type === 'error' || type === 'tool-error')).toEqual([])
    expect(await streamed.text).toBe(last)
    expect((await streamed.steps).map(({ finishReason }) => finishReason)).toEqual([
      'tool-calls',
      'tool-calls',
      'stop',
    ])
  })

  test('hears of calls as they grow (X03 S11)', async () => {
    await using upstream = await startScriptedUpstream(calls[lane])
    await using gateway = await startGateway(servedBy(lane, upstream))
    const result = streamText({ model: modelOf(gateway), prompt, tools })
    const parts = await Array.fromAsync(result.fullStream)
    expect(parts.filter(({ type }) => type === 'tool-input-start').length).toBe(2)
    expect(parts.filter(({ type }) => type === 'tool-input-delta').length).toBeGreaterThan(3)
    const inputs = (await result.toolCalls).map(({ input }) => input)
    expect(inputs).toEqual([{ city: 'Paris' }, { city: 'Rome' }])
  })

  test('generates an object by its schema (X03)', async () => {
    await using upstream = await startScriptedUpstream(structured[lane])
    const profile = { structuredOutput: 'native' }
    await using gateway = await startGateway(servedBy(lane, upstream, { profile }))
    const model = modelOf(gateway)
    const expected = { city: 'Paris', celsius: 21.5 }
    expect((await generateObject({ model, prompt, schema: weather })).object).toEqual(expected)
    const output = Output.object({ schema: weather })
    expect((await generateText({ model, prompt, output })).output).toEqual(expected)
    const streamed = streamText({ model, prompt, output })
    expect(await streamed.output).toEqual(expected)
    expect(JSON.stringify(bodyOf(await upstream.request(0)))).toContain('"json_schema"')
  })

  test('hears of a stream that breaks off as an error, not as an end (X03 S26)', async () => {
    const heard = Promise.withResolvers<void>()
    await using upstream = await startScriptedUpstream([
      cutShort(lane, [waitFor(heard.promise), reset]),
    ])
    await using gateway = await startGateway(servedBy(lane, upstream))
    const parts: string[] = []
    const told: unknown[] = []
    const { fullStream } = streamText({ model: modelOf(gateway), prompt, onError: () => {} })
    const reading = async () => {
      for await (const part of fullStream) {
        parts.push(part.type)
        if (part.type === 'text-delta') heard.resolve()
        if (part.type === 'error') told.push(part.error)
      }
    }
    // After the error comes the broken connection, which some providers throw as an error of its own.
    await reading().catch((error: unknown) => told.push(error))
    expect(parts).toContain('text-delta')
    expect(JSON.stringify(told[0])).toContain('broke off')
    expect(parts).not.toContain('finish')
  })

  test('reads a refusal in full, and tries again what may pass (X03 R04)', async () => {
    await using upstream = await startScriptedUpstream((request) =>
      request.index === 0
        ? json(429, { error: { message: 'Slow down.' } }, { 'retry-after-ms': '1' })
        : json(400, { error: { message: 'Too much of it.', type: 'invalid_request_error' } }),
    )
    await using gateway = await startGateway(servedBy(lane, upstream))
    const given = await rejection(generateText({ model: modelOf(gateway), prompt }))
    const failure = RetryError.isInstance(given) ? given.lastError : given
    expect(APICallError.isInstance(failure)).toBe(true)
    expect(failure).toMatchObject({ statusCode: 400, isRetryable: false })
    expect(String(failure)).toContain('Too much of it.')
    expect(upstream.requests.length).toBe(2)
  })
})

describe('ai, with its provider openai-compatible', () => {
  test('shows the thoughts of a chat upstream', async () => {
    await using upstream = await startScriptedUpstream(recorded('reasoning'))
    await using gateway = await startGateway(servedBy('chat-completions', upstream))
    const model = providers['openai-compatible']!(gateway)
    const whole = await generateText({ model, prompt })
    expect([whole.reasoningText, whole.text]).toEqual(['The user greets.', 'Hi!'])
    const streamed = streamText({ model, prompt })
    expect([await streamed.reasoningText, await streamed.text]).toEqual(['The user greets.', 'Hi!'])
  })

  test('shows the thoughts of a messages upstream', async () => {
    const thought = { type: 'thinking', thinking: 'The user greets.', signature: 'c2ln' }
    await using upstream = await startScriptedUpstream(
      message([thought, { type: 'text', text: 'Hi!' }]),
    )
    await using gateway = await startGateway(servedBy('messages', upstream))
    const model = providers['openai-compatible']!(gateway)
    const whole = await generateText({ model, prompt })
    expect([whole.reasoningText, whole.text]).toEqual(['The user greets.', 'Hi!'])
    const streamed = streamText({ model, prompt })
    expect([await streamed.reasoningText, await streamed.text]).toEqual(['The user greets.', 'Hi!'])
  })
})
