import { describe, expect, test } from 'bun:test'

import OpenAI from 'openai'
import { zodFunction, zodResponseFormat } from 'openai/helpers/zod'
import { z } from 'zod'

import { asked, idle, message, openaiOf, question, recorded } from './chat-callers.ts'
import { bodyOf, bothLanes, LedgerFile, rejection, servedBy } from './messages-callers.ts'
import { calls, cutShort, oneCall, spent, structured, text, weatherAgent } from './same-answers.ts'
import { reset, startScriptedUpstream, waitFor } from './scripted-upstream.ts'
import { startGateway } from './start-gateway.ts'

// The official client, over real sockets, in front of upstreams of both protocols.

const city = z.object({ city: z.string() })

describe.each(bothLanes)('openai, with a %s upstream', (lane) => {
  test('creates a completion with every member that it promises (X01 N01 N02)', async () => {
    await using upstream = await startScriptedUpstream(text[lane])
    await using gateway = await startGateway(servedBy(lane, upstream))
    const completion = await openaiOf(gateway).chat.completions.create(asked)
    const [choice] = completion.choices
    expect(completion._request_id).toMatch(/^req_[0-9a-f]{32}$/)
    expect(completion.object).toBe('chat.completion')
    expect(completion.id).toMatch(/^chatcmpl-[0-9A-Za-z]{29}$/)
    expect(Number.isInteger(completion.created)).toBe(true)
    expect(completion.model).toBe(lane === 'messages' ? 'big-1' : 'gpt-5-nano-2025-08-07')
    expect(choice).toMatchObject({ index: 0, finish_reason: 'stop' })
    expect(choice?.message).toMatchObject({
      role: 'assistant',
      content: 'Hi there! 🙂 é\n\u2028data: x',
      refusal: null,
    })
    expect(choice?.message).not.toHaveProperty('tool_calls')
    expect(choice?.message).not.toHaveProperty('function_call')
    expect(completion.usage).toMatchObject({
      prompt_tokens: 8,
      completion_tokens: 377,
      total_tokens: 385,
    })
  })

  test('streams what a reply says, usage only if asked for (X01 S05 S06)', async () => {
    await using upstream = await startScriptedUpstream(text[lane])
    await using gateway = await startGateway(servedBy(lane, upstream))
    const stream = await openaiOf(gateway).chat.completions.create({ ...asked, stream: true })
    const chunks = await Array.fromAsync(stream)
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(
      'Hi there! 🙂 é\n\u2028data: x',
    )
    expect(chunks.filter((chunk) => 'usage' in chunk || chunk.choices.length === 0)).toEqual([])
    expect(chunks[0]?.choices[0]?.delta.role).toBe('assistant')
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('stop')
  })

  test('adds a stream up to the completion, with its usage (X01 S07)', async () => {
    await using upstream = await startScriptedUpstream(text[lane])
    await using gateway = await startGateway(servedBy(lane, upstream))
    const runner = openaiOf(gateway).chat.completions.stream({
      ...asked,
      stream_options: { include_usage: true },
    })
    const completion = await runner.finalChatCompletion()
    expect(completion.choices[0]?.message.content).toBe('Hi there! 🙂 é\n\u2028data: x')
    expect(completion.choices[0]?.finish_reason).toBe('stop')
    expect(completion.usage).toMatchObject({ completion_tokens: 377, total_tokens: 385 })
  })

  test('is told of two parallel calls, whole and as they come (X01 N03 N05)', async () => {
    await using upstream = await startScriptedUpstream(calls[lane])
    await using gateway = await startGateway(servedBy(lane, upstream))
    const { completions } = openaiOf(gateway).chat
    const params = { ...asked, tools: [zodFunction({ name: 'get_weather', parameters: city })] }
    const whole = await completions.create(params)
    const streamed = await completions.stream(params).finalChatCompletion()
    for (const completion of [whole, streamed]) {
      const [choice] = completion.choices
      expect(choice?.finish_reason).toBe('tool_calls')
      expect(choice?.message.content || null).toBeNull()
      const named = choice?.message.tool_calls?.map((call) =>
        call.type === 'function'
          ? [call.type, call.function.name, JSON.parse(call.function.arguments)]
          : [],
      )
      expect(named).toEqual([
        ['function', 'get_weather', { city: 'Paris' }],
        ['function', 'get_weather', { city: 'Rome' }],
      ])
      const ids = choice?.message.tool_calls?.map(({ id }) => id) ?? []
      expect(new Set(ids).size).toBe(2)
      expect(ids.join()).toMatch(/^(call_|toolu_)/)
    }
  })

  test('parses structured output with zod, whole and streamed (X01)', async () => {
    await using upstream = await startScriptedUpstream(structured[lane])
    await using gateway = await startGateway(servedBy(lane, upstream, { profile: native }))
    const { completions } = openaiOf(gateway).chat
    const params = { ...asked, response_format: zodResponseFormat(weather, 'weather') }
    const parsed = { city: 'Paris', celsius: 21.5 }
    const whole = await completions.parse(params)
    expect(whole.choices[0]?.message.parsed).toEqual(parsed)
    const streamed = await completions.stream(params).finalChatCompletion()
    expect(streamed.choices[0]?.message.parsed).toEqual(parsed)
    const sent = bodyOf(await upstream.request(0))
    const schema = { type: 'object', required: ['city', 'celsius'], additionalProperties: false }
    if (lane === 'messages')
      expect(sent).toMatchObject({ output_config: { format: { type: 'json_schema', schema } } })
    else expect(sent).toMatchObject({ response_format: { json_schema: { strict: true, schema } } })
  })

  test.each([true, false])(
    'runs tools for several turns, the calls of a turn in parallel, stream: %p (X01)',
    async (stream) => {
      await using upstream = await startScriptedUpstream(weatherAgent[lane])
      await using gateway = await startGateway(servedBy(lane, upstream))
      const asks: string[] = []
      const tools = [
        zodFunction({
          name: 'get_weather',
          parameters: city,
          function: (args) => {
            asks.push(args.city)
            return `sunny in ${args.city}`
          },
        }),
      ]
      const { completions } = openaiOf(gateway).chat
      const runner = stream
        ? completions.runTools({ ...asked, tools, stream })
        : completions.runTools({ ...asked, tools, stream })
      expect(await runner.finalContent()).toBe('sunny in Paris, sunny in Rome, sunny in Oslo')
      expect(asks).toEqual(['Paris', 'Rome', 'Oslo'])
      expect(upstream.requests.length).toBe(3)
    },
  )

  test('answers the old functions with a function_call, whole and streamed', async () => {
    await using upstream = await startScriptedUpstream(oneCall[lane])
    await using gateway = await startGateway(servedBy(lane, upstream))
    const { completions } = openaiOf(gateway).chat
    const parameters = { type: 'object', properties: { city: { type: 'string' } } }
    const params = {
      ...asked,
      functions: [{ name: 'get_weather', parameters }],
      function_call: 'auto' as const,
    }
    const whole = await completions.create(params)
    const streamed = await completions.stream(params).finalChatCompletion()
    for (const { choices } of [whole, streamed]) {
      expect(choices[0]?.finish_reason).toBe('function_call')
      expect(choices[0]?.message.function_call).toEqual({
        name: 'get_weather',
        arguments: '{"city":"Paris"}',
      })
      expect(choices[0]?.message.tool_calls).toBeUndefined()
    }
  })

  test('is told that the limit was reached (N07)', async () => {
    await using upstream = await startScriptedUpstream(spent[lane])
    await using gateway = await startGateway(servedBy(lane, upstream))
    const { completions } = openaiOf(gateway).chat
    const params = { ...asked, max_completion_tokens: 1 }
    for (const { choices } of [
      await completions.create(params),
      await completions.stream(params).finalChatCompletion(),
    ])
      expect([choices[0]?.finish_reason, choices[0]?.message.content]).toEqual(['length', ''])
  })

  test('throws when the upstream resets its connection in the middle of a stream (S26)', async () => {
    const heard = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await using upstream = await startScriptedUpstream(({ index }) =>
      cutShort(lane, [waitFor(heard[index]!.promise), reset]),
    )
    await using gateway = await startGateway(servedBy(lane, upstream))
    const { completions } = openaiOf(gateway).chat
    const seen: string[] = []
    const stream = await completions.create({ ...asked, stream: true })
    const failure = await rejection(
      (async () => {
        for await (const { choices } of stream) {
          seen.push(choices[0]?.delta.content ?? '')
          if (seen.join('') === 'Hi') heard[0]?.resolve()
        }
      })(),
    )
    expect(failure).toBeInstanceOf(OpenAI.APIError)
    expect(failure).toMatchObject({ type: 'server_error', code: 'upstream_error', param: null })
    const runner = completions.stream(asked).on('content', () => heard[1]?.resolve())
    expect(await rejection(runner.finalChatCompletion())).toBeInstanceOf(OpenAI.APIError)
  })

  test('throws when the upstream ends its stream in good order, but unfinished (S27)', async () => {
    await using upstream = await startScriptedUpstream([cutShort(lane)])
    await using gateway = await startGateway(servedBy(lane, upstream))
    const stream = await openaiOf(gateway).chat.completions.create({ ...asked, stream: true })
    const failure = await rejection(Array.fromAsync(stream))
    expect(failure).toBeInstanceOf(OpenAI.APIError)
    expect(failure).toMatchObject({ type: 'server_error', code: 'upstream_error' })
  })

  test('closes the connection of the upstream when it breaks off, and that is in the ledger (A23 T-T06)', async () => {
    using ledger = new LedgerFile()
    const never = Promise.withResolvers<void>()
    await using upstream = await startScriptedUpstream([cutShort(lane, [waitFor(never.promise)])])
    await using gateway = await startGateway(servedBy(lane, upstream), ledger.path)
    const stream = await openaiOf(gateway).chat.completions.create({ ...asked, stream: true })
    for await (const { choices } of stream) if (choices[0]?.delta.content === 'Hi') break
    stream.controller.abort()
    const request = await upstream.request(0)
    await request.closed
    const [row] = await ledger.having(1)
    expect(row).toMatchObject({ result: 'client-left', counted: 'estimated', stream: 1 })
    await idle(gateway)
  })

  test('closes it too when it gives up before the first byte (A23 T-T06)', async () => {
    using ledger = new LedgerFile()
    await using upstream = await startScriptedUpstream([[]])
    await using gateway = await startGateway(servedBy(lane, upstream), ledger.path)
    const leaving = new AbortController()
    const asking = openaiOf(gateway).chat.completions.create(asked, { signal: leaving.signal })
    const request = await upstream.request(0)
    leaving.abort()
    expect(await rejection(asking)).toBeInstanceOf(OpenAI.APIUserAbortError)
    await request.closed
    expect(await ledger.having(1)).toMatchObject([{ result: 'client-left', attempts: 1 }])
  })

  test('sends images as data and as addresses', async () => {
    await using upstream = await startScriptedUpstream(text[lane])
    await using gateway = await startGateway(servedBy(lane, upstream))
    await openaiOf(gateway).chat.completions.create({
      model: 'm',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Compare.' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}` } },
            { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'low' } },
          ],
        },
      ],
    })
    const { body } = await upstream.request(0)
    expect(body).toContain(pixel)
    expect(body).toContain('https://example.com/a.png')
    if (lane === 'messages')
      expect(JSON.parse(body)).toMatchObject({
        messages: [
          {
            content: [
              { type: 'text', text: 'Compare.' },
              { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } },
              { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
            ],
          },
        ],
      })
  })
})

describe('openai, with a chat-completions upstream alone', () => {
  test('is given two choices, the usage once (N06 S10)', async () => {
    await using upstream = await startScriptedUpstream(recorded('two-choices'))
    await using gateway = await startGateway(servedBy('chat-completions', upstream))
    const { completions } = openaiOf(gateway).chat
    const whole = await completions.create({ ...asked, n: 2 })
    const streamed = await completions
      .stream({ ...asked, n: 2, stream_options: { include_usage: true } })
      .finalChatCompletion()
    for (const { choices, usage } of [whole, streamed]) {
      const said = choices.map(({ index, message: { content } }) => [index, content])
      expect(said).toEqual([
        [0, 'Hi!'],
        [1, 'Hey you'],
      ])
      expect(usage).toMatchObject({ completion_tokens: 4, total_tokens: 13 })
    }
  })

  test('is given the probabilities of tokens', async () => {
    await using upstream = await startScriptedUpstream(recorded('logprobs'))
    await using gateway = await startGateway(servedBy('chat-completions', upstream))
    const { completions } = openaiOf(gateway).chat
    const params = { ...asked, logprobs: true, top_logprobs: 2 }
    for (const { choices } of [
      await completions.create(params),
      await completions.stream(params).finalChatCompletion(),
    ]) {
      const tokens = choices[0]?.logprobs?.content ?? []
      expect(tokens.map(({ token, logprob }) => [token, logprob])).toEqual([
        ['Hi', -0.00043458],
        ['!', -3.7697225e-6],
      ])
      expect(tokens[0]?.top_logprobs.map(({ token }) => token)).toEqual(['Hi', 'Hello'])
    }
  })

  test('is given a refusal', async () => {
    await using upstream = await startScriptedUpstream(recorded('refusal'))
    await using gateway = await startGateway(servedBy('chat-completions', upstream))
    const { completions } = openaiOf(gateway).chat
    const params = { ...asked, response_format: zodResponseFormat(weather, 'weather') }
    for (const { choices } of [
      await completions.parse(params),
      await completions.stream(params).finalChatCompletion(),
    ])
      expect(choices[0]?.message).toMatchObject({
        content: null,
        refusal: "I'm sorry, I can't help with that.",
        parsed: null,
      })
  })
})

describe('openai, with a messages upstream alone', () => {
  test.each([
    ['n', { n: 2 }],
    ['logprobs', { logprobs: true }],
  ])(
    'is refused %s, which that protocol cannot give, before anything is sent',
    async (param, members) => {
      await using upstream = await startScriptedUpstream(text.messages)
      await using gateway = await startGateway(servedBy('messages', upstream))
      const failure = await rejection(
        openaiOf(gateway).chat.completions.create({ ...asked, ...members }),
      )
      expect(failure).toBeInstanceOf(OpenAI.BadRequestError)
      expect(failure).toMatchObject({ status: 400, param, code: 'unsupported_parameter' })
      expect(upstream.requests.length).toBe(0)
    },
  )

  test.each([true, false])(
    'thinks over several turns and gives the signed thoughts back, stream: %p',
    async (stream) => {
      const thought = { type: 'thinking', thinking: 'I should ask.\n', signature: 'c2lnbmVk==' }
      const hidden = { type: 'redacted_thinking', data: 'aGlkZGVu' }
      const called = {
        type: 'tool_use',
        id: 'toolu_1',
        name: 'get_weather',
        input: { city: 'Oslo' },
      }
      await using upstream = await startScriptedUpstream((request) =>
        request.index === 0
          ? message([thought, hidden, called], { reason: 'tool_use' })(request)
          : message([{ type: 'text', text: 'Sunny.' }])(request),
      )
      const family = { profile: { family: 'anthropic', thinking: 'adaptive' } }
      await using gateway = await startGateway(servedBy('messages', upstream, family))
      const { completions } = openaiOf(gateway).chat
      const params = {
        ...asked,
        tools: [zodFunction({ name: 'get_weather', parameters: city })],
        reasoning_effort: 'high' as const,
      }
      const first = stream
        ? await completions.stream(params).finalChatCompletion()
        : await completions.create(params)
      const said = first.choices[0]?.message
      expect(said).toMatchObject({ thinking_blocks: [thought, hidden] })
      if (!stream)
        expect(said).toMatchObject({
          reasoning_content: 'I should ask.\n',
          reasoning: 'I should ask.\n',
        })
      const result = { role: 'tool' as const, tool_call_id: 'toolu_1', content: 'sunny' }
      const last = await completions.create({
        ...params,
        messages: [...question, said as OpenAI.ChatCompletionMessageParam, result],
      })
      expect(last.choices[0]?.message.content).toBe('Sunny.')
      const sent = bodyOf(await upstream.request(1))
      expect(sent).toMatchObject({
        thinking: { type: 'adaptive' },
        output_config: { effort: 'high' },
      })
      expect(sent['messages']).toEqual([
        expect.objectContaining({ role: 'user' }),
        { role: 'assistant', content: [thought, hidden, called] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'sunny' }],
        },
      ])
    },
  )

  test('counts what a cache read and wrote as part of the prompt (T-U01)', async () => {
    const usage = {
      input_tokens: 10,
      cache_read_input_tokens: 90,
      cache_creation_input_tokens: 5,
      output_tokens: 3,
    }
    await using upstream = await startScriptedUpstream(
      message([{ type: 'text', text: 'Hi' }], { usage }),
    )
    await using gateway = await startGateway(servedBy('messages', upstream))
    const { completions } = openaiOf(gateway).chat
    const params = { ...asked, stream_options: { include_usage: true } }
    for (const completion of [
      await completions.create(asked),
      await completions.stream(params).finalChatCompletion(),
    ])
      expect(completion.usage).toEqual({
        prompt_tokens: 105,
        completion_tokens: 3,
        total_tokens: 108,
        prompt_tokens_details: { cached_tokens: 90, cache_write_tokens: 5 },
      })
  })
})

const weather = z.object({ city: z.string(), celsius: z.number() })
const native = { structuredOutput: 'native' }
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
