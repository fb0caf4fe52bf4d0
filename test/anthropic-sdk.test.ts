import { describe, expect, test } from 'bun:test'

import Anthropic from '@anthropic-ai/sdk'
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'
import { jsonSchemaOutputFormat } from '@anthropic-ai/sdk/helpers/json-schema'

import type { ProtocolName } from '#chat/names.ts'

import { c, DONE, F, r, role, sse as chatText, t, USG } from './chat-answers.ts'
import {
  anthropicOf,
  apiError,
  asked,
  asksStream,
  bodyOf,
  bothLanes,
  completion,
  fixture,
  hello,
  helloChunks,
  helloCompletion,
  helloEvents,
  helloMessage,
  hi,
  servedBy,
  toolCall,
} from './messages-callers.ts'
import { ending, messageStart, toolBlock } from './messages-frames.ts'
import {
  json,
  type RecordedRequest,
  type Script,
  type Scripts,
  type ScriptedUpstream,
  sse,
  startScriptedUpstream,
} from './scripted-upstream.ts'
import { startGateway, type TestGateway } from './start-gateway.ts'

// The official client of the messages protocol against the whole gateway, in both lanes.

interface Scene {
  readonly client: Anthropic
  readonly gateway: TestGateway
  readonly upstream: ScriptedUpstream
}

/** A caller, a gateway and one upstream with this script, for the time of one test. */
async function scene(
  protocol: ProtocolName,
  scripts: Scripts,
  act: (scene: Scene) => Promise<void>,
  settings: object = {},
): Promise<void> {
  await using upstream = await startScriptedUpstream(scripts)
  await using gateway = await startGateway(servedBy(protocol, upstream, settings))
  await act({ client: anthropicOf(gateway), gateway, upstream })
}

/** One script after the other, in the form that is asked for. */
function inTurn(...scripts: readonly ((request: RecordedRequest) => Script)[]): Scripts {
  return (request) => scripts[Math.min(request.index, scripts.length - 1)]?.(request) ?? []
}

const older = { headers: { 'anthropic-version': '2023-06-01' } }

const weather: Anthropic.Tool = {
  name: 'get_weather',
  description: 'Tells the weather of a place.',
  input_schema: {
    type: 'object',
    properties: { place: { type: 'string' } },
    required: ['place'],
  },
}

/** The messages that a chat upstream was sent. */
function messagesOf(request: RecordedRequest): readonly Readonly<Record<string, unknown>>[] {
  return bodyOf(request)['messages'] as readonly Readonly<Record<string, unknown>>[]
}

describe('an answer', () => {
  test.each(bothLanes)(
    'RES-01 RES-02 RES-06 RES-09 has every member, by an upstream of %s',
    async (protocol) => {
      await scene(protocol, hello[protocol], async ({ gateway }) => {
        const response = await gateway.post('/v1/messages', asked)
        expect(response.headers.get('content-type')).toStartWith('application/json')
        const text = await response.text()
        expect(text).toStartWith('{"id":"msg_')
        const message = JSON.parse(text) as Anthropic.Message
        expect(message).toMatchObject({
          type: 'message',
          role: 'assistant',
          content: [{ type: 'text', text: 'Hello there' }],
          stop_reason: 'end_turn',
          stop_sequence: null,
          usage: { input_tokens: 10, output_tokens: 5 },
        })
        expect(message.content[0]).not.toHaveProperty('citations')
      })
    },
  )

  test.each(bothLanes)(
    'is told event by event while it comes, by an upstream of %s',
    async (protocol) => {
      await scene(protocol, hello[protocol], async ({ client }) => {
        const events: string[] = []
        for await (const event of await client.messages.create({ ...asked, stream: true }))
          events.push(event.type)
        expect(events).toEqual([
          'message_start',
          'content_block_start',
          'content_block_delta',
          'content_block_delta',
          'content_block_stop',
          'message_delta',
          'message_stop',
        ])
        const texts: string[] = []
        const stream = client.messages.stream(asked).on('text', (text) => texts.push(text))
        expect(await stream.finalText()).toBe('Hello there')
        expect(texts).toEqual(['Hello', ' there'])
      })
    },
  )

  test.each(bothLanes)(
    'comes in the form that was asked for, whatever form an upstream of %s gives it',
    async (protocol) => {
      const forms = {
        messages: { reply: json(200, helloMessage), stream: sse([helloEvents]) },
        'chat-completions': { reply: json(200, helloCompletion), stream: sse([helloChunks]) },
      }
      const { reply, stream } = forms[protocol]
      await scene(protocol, [reply], async ({ client }) => {
        const streaming = client.messages.stream(asked)
        const counted: number[] = []
        streaming.on('streamEvent', (event) => {
          if (event.type === 'message_start') counted.push(event.message.usage.input_tokens)
        })
        const message = await streaming.finalMessage()
        expect(message).toMatchObject({
          content: [{ text: 'Hello there' }],
          stop_reason: 'end_turn',
        })
        expect(counted).toEqual([10])
      })
      await scene(protocol, [stream], async ({ client }) => {
        const message = await client.messages.create(asked)
        expect(message).toMatchObject({
          content: [{ text: 'Hello there' }],
          stop_reason: 'end_turn',
          usage: { input_tokens: 10, output_tokens: 5 },
        })
      })
    },
  )

  test('brings what a messages upstream says of its limits and of the exchange, and nothing else', async () => {
    const headers = {
      'anthropic-ratelimit-requests-remaining': '9',
      'anthropic-organization-id': 'org',
      'request-id': 'req_up',
      'set-cookie': 'a=b',
      server: 'cloud',
    }
    await scene('messages', [json(200, helloMessage, headers)], async ({ client }) => {
      const { response } = await client.messages.create(asked).withResponse()
      expect(response.headers.get('anthropic-ratelimit-requests-remaining')).toBe('9')
      expect(response.headers.get('anthropic-organization-id')).toBe('org')
      expect(response.headers.get('x-upstream-request-id')).toBe('req_up')
      expect(response.headers.get('request-id')).not.toBe('req_up')
      expect(response.headers.has('set-cookie')).toBe(false)
      expect(response.headers.has('server')).toBe(false)
    })
  })

  test('T-P01 RES-03 of a messages upstream is its own, byte for byte', async () => {
    await scene('messages', [json(200, fixture('message.json'))], async ({ gateway, client }) => {
      const response = await gateway.post('/v1/messages', asked)
      expect(await response.text()).toBe(fixture('message.json'))
      const message = await client.messages.create(asked)
      expect(message.content[0]).toHaveProperty('signature')
      expect(message).toHaveProperty('a_new_member', { x: [] })
    })
  })

  test.each(bothLanes)('RES-05 may be empty, by an upstream of %s', async (protocol) => {
    const empty = {
      messages: { ...helloMessage, content: [], usage: { input_tokens: 10, output_tokens: 0 } },
      'chat-completions': completion({ content: '' }),
    }
    await scene(protocol, [json(200, empty[protocol])], async ({ client }) => {
      const message = await client.messages.create(asked)
      expect(message.content).toEqual([])
      expect(message.usage.output_tokens).toBeGreaterThanOrEqual(0)
    })
  })

  test('REQ-28 that met a stop sequence says which, and does not contain it', async () => {
    const stopped: Script = json(
      200,
      completion({ content: 'one two ' }, 'stop', { stop_reason: 'END' }),
    )
    const chunks = chatText(role, c('one two '), F('stop', { stop_reason: 'END' }), USG(1, 2), DONE)
    const script = (request: RecordedRequest) => (asksStream(request) ? sse([chunks]) : stopped)
    await scene('chat-completions', script, async ({ client, upstream }) => {
      const body = { ...asked, stop_sequences: ['END'] }
      for (const message of [
        await client.messages.create(body),
        await client.messages.stream(body).finalMessage(),
      ]) {
        expect(message).toMatchObject({
          content: [{ type: 'text', text: 'one two ' }],
          stop_reason: 'stop_sequence',
          stop_sequence: 'END',
        })
      }
      expect(bodyOf(await upstream.request(0))['stop']).toEqual(['END'])
    })
  })

  test('T-Q15 REQ-17 goes on from what the caller has begun, where the upstream can', async () => {
    const messages: Anthropic.MessageParam[] = [
      ...hi,
      { role: 'assistant', content: 'The answer is (' },
    ]
    await scene('messages', hello.messages, async ({ client, upstream }) => {
      await client.messages.create({ ...asked, messages })
      expect(bodyOf(await upstream.request(0))['messages']).toEqual(messages)
    })
    await scene('chat-completions', hello['chat-completions'], async ({ client, upstream }) => {
      const error = await apiError(client.messages.create({ ...asked, messages }))
      expect(error).toBeInstanceOf(Anthropic.BadRequestError)
      expect(error.apiMessage).toContain('does not support assistant message prefill')
      expect(upstream.requests).toEqual([])
    })
  })

  test('REQ-05 T-Q51 of no tokens at all is asked of an upstream that can give it, and of no other', async () => {
    const warm = { ...asked, max_tokens: 0 }
    const empty = json(200, { ...helloMessage, content: [], stop_reason: 'max_tokens' })
    await scene('messages', [empty], async ({ client, upstream }) => {
      expect(await client.messages.create(warm)).toMatchObject({
        content: [],
        stop_reason: 'max_tokens',
      })
      expect(bodyOf(await upstream.request(0))['max_tokens']).toBe(0)
    })
    await scene('chat-completions', [empty], async ({ client, upstream }) => {
      const error = await apiError(client.messages.create(warm))
      expect(error.apiMessage).toStartWith('max_tokens: ')
      expect(upstream.requests).toEqual([])
    })
  })
})

describe('requests that clients really send', () => {
  const everything = {
    ...asked,
    max_tokens: 1024,
    cache_control: { type: 'ephemeral', ttl: '5m' },
    container: 'container',
    inference_geo: 'inference_geo',
    metadata: { user_id: '13803d75-b4b5-4c3e-b2a2-6f21399b021b' },
    output_config: { effort: 'low', format: { schema: { foo: 'bar' }, type: 'json_schema' } },
    service_tier: 'auto',
    stop_sequences: ['string'],
    stream: false,
    system: [
      {
        text: "Today's date is 2024-06-01.",
        type: 'text',
        cache_control: { type: 'ephemeral', ttl: '5m' },
        citations: [
          {
            cited_text: 'cited_text',
            document_index: 0,
            document_title: 'x',
            end_char_index: 0,
            start_char_index: 0,
            type: 'char_location',
          },
        ],
      },
    ],
    temperature: 1,
    thinking: { type: 'adaptive', display: 'summarized' },
    tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    tools: [
      {
        input_schema: {
          type: 'object',
          properties: { location: 'bar', unit: 'bar' },
          required: ['location'],
        },
        name: 'name',
        allowed_callers: ['direct'],
        cache_control: { type: 'ephemeral', ttl: '5m' },
        defer_loading: true,
        description: 'Get the current weather in a given location',
        eager_input_streaming: true,
        input_examples: [{ foo: 'bar' }],
        strict: true,
        type: 'custom',
      },
    ],
    top_k: 5,
    top_p: 0.7,
  }

  test.each(bothLanes)(
    'REQ-33 every member at once, as the suite of the official client has them, for an upstream of %s',
    async (protocol) => {
      await scene(protocol, hello[protocol], async ({ gateway, upstream }) => {
        const response = await gateway.post('/v1/messages', everything)
        expect(await response.json()).toMatchObject({ type: 'message' })
        expect(response.status).toBe(200)
        const body = bodyOf(await upstream.request(0))
        if (protocol === 'chat-completions') {
          expect(body).toMatchObject({
            max_tokens: 1024,
            temperature: 1,
            top_p: 0.7,
            stop: ['string'],
          })
          expect(body).toMatchObject({ parallel_tool_calls: false, tool_choice: 'auto' })
          expect(JSON.stringify(body)).not.toContain('cache_control')
        } else {
          const { system: _system, tools: _tools, ...untouched } = everything
          expect(body).toMatchObject(untouched)
        }
      })
    },
  )

  test('T-P05 cache marks are reduced for others than the first party, and only where the protocol has them', async () => {
    const mark = { type: 'ephemeral', ttl: '1h', scope: 'global' }
    const schema = { type: 'object', properties: { cache_control: mark } }
    const body = {
      ...asked,
      system: [{ type: 'text', text: 's', cache_control: mark }],
      tools: [{ name: 'f', input_schema: schema, cache_control: mark }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'hi', cache_control: mark }] },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'f', input: { cache_control: mark } }],
        },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'toolu_1',
              content: [{ type: 'text', text: 'r', cache_control: mark }],
              cache_control: mark,
            },
          ],
        },
      ],
    }
    const reduced = { type: 'ephemeral' }
    await scene('messages', hello.messages, async ({ gateway, upstream }) => {
      await gateway.post('/v1/messages', body)
      expect(bodyOf(await upstream.request(0))).toEqual({
        ...body,
        system: [{ type: 'text', text: 's', cache_control: reduced }],
        tools: [{ name: 'f', input_schema: schema, cache_control: reduced }],
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'hi', cache_control: reduced }] },
          body.messages[1],
          {
            role: 'user',
            content: [
              {
                type: 'tool_result',
                tool_use_id: 'toolu_1',
                content: [{ type: 'text', text: 'r', cache_control: reduced }],
                cache_control: reduced,
              },
            ],
          },
        ],
      })
    })
    const firstParty = async ({ gateway, upstream }: Scene) => {
      await gateway.post('/v1/messages', body)
      expect((await upstream.request(0)).body).toBe(JSON.stringify(body))
    }
    await scene('messages', hello.messages, firstParty, { vendor: 'anthropic' })
  })

  test('T-Q33 thoughts are asked of a compatible server as the caller asked, nothing added', async () => {
    await scene('messages', hello.messages, async ({ client, upstream }) => {
      await client.messages.create({ ...asked, thinking: { type: 'adaptive' } })
      expect(bodyOf(await upstream.request(0))['thinking']).toEqual({ type: 'adaptive' })
    })
  })
})

describe('images, documents and results', () => {
  const data =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const image: Anthropic.ImageBlockParam = {
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data },
  }
  const linked: Anthropic.ImageBlockParam = {
    type: 'image',
    source: { type: 'url', url: 'https://example.com/a.png' },
  }
  const plain: Anthropic.DocumentBlockParam = {
    type: 'document',
    title: 'Notes',
    source: { type: 'text', media_type: 'text/plain', data: 'a page' },
  }
  const pdf: Anthropic.DocumentBlockParam = {
    type: 'document',
    title: 'a.pdf',
    source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0xLjQK' },
  }

  function said(...content: Anthropic.ContentBlockParam[]): typeof asked {
    return { ...asked, messages: [{ role: 'user', content }] }
  }

  test('IMG-01 IMG-02 DOC-01 reach a chat upstream in its own form, their bytes untouched', async () => {
    await scene('chat-completions', hello['chat-completions'], async ({ client, upstream }) => {
      const request = client.messages.create(
        said(image, linked, plain, pdf, { type: 'text', text: 'see' }),
      )
      const { response } = await request.withResponse()
      expect(messagesOf(await upstream.request(0))).toEqual([
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } },
            { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
            { type: 'text', text: 'Notes\n\na page' },
            {
              type: 'file',
              file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0xLjQK' },
            },
            { type: 'text', text: 'see' },
          ],
        },
      ])
      expect(response.headers.get('x-parley-notes')).toContain('document said as text')
    })
  })

  test('IMG-04 T-Q19 what no upstream could read is refused, naming the place', async () => {
    const broken = { ...image, source: { ...image.source, data: 'not base64!' } }
    const file = { type: 'image', source: { type: 'file', file_id: 'file_1' } } as never
    await scene('chat-completions', hello['chat-completions'], async ({ client, upstream }) => {
      for (const block of [broken as Anthropic.ImageBlockParam, file]) {
        const error = await apiError(client.messages.create(said(block)))
        expect(error).toBeInstanceOf(Anthropic.BadRequestError)
        expect(error.apiMessage).toStartWith('messages')
      }
      expect(upstream.requests).toEqual([])
    })
    const noFetching = { profile: { fetchesUrls: false } }
    const refused = async ({ client }: Scene) => {
      const error = await apiError(client.messages.create(said(linked)))
      expect(error).toBeInstanceOf(Anthropic.BadRequestError)
    }
    await scene('chat-completions', hello['chat-completions'], refused, noFetching)
  })

  test('TOOL-03 TOOL-04 T-Q21 T-Q23 results with failures, images and nothing reach a chat upstream', async () => {
    const calls = ['toolu_a', 'toolu_b', 'toolu_c'].map((id) => ({
      type: 'tool_use' as const,
      id,
      name: 'get_weather',
      input: { place: id },
    }))
    const results: Anthropic.ToolResultBlockParam[] = [
      {
        type: 'tool_result',
        tool_use_id: 'toolu_a',
        content: [{ type: 'text', text: 'a map' }, image],
      },
      { type: 'tool_result', tool_use_id: 'toolu_b', content: 'no such place', is_error: true },
      { type: 'tool_result', tool_use_id: 'toolu_c' },
    ]
    const body = {
      ...asked,
      tools: [weather],
      messages: [
        ...hi,
        { role: 'assistant' as const, content: calls },
        { role: 'user' as const, content: results },
      ],
    }
    await scene('chat-completions', hello['chat-completions'], async ({ client, upstream }) => {
      await client.messages.create(body)
      const messages = messagesOf(await upstream.request(0))
      expect(messages.map(({ role: who }) => who)).toEqual([
        'user',
        'assistant',
        'tool',
        'tool',
        'tool',
        'user',
      ])
      expect(messages.slice(2, 5).map((one) => one['tool_call_id'])).toEqual([
        'toolu_a',
        'toolu_b',
        'toolu_c',
      ])
      expect(messages[2]?.['content']).toBe('a map\n[image 1 attached below]')
      expect(messages[3]?.['content']).toBe('[tool error]\nno such place')
      expect(messages[4]?.['content']).toBe('')
      expect(messages[5]?.['content']).toMatchObject([
        { type: 'text' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } },
      ])
    })
    await scene('messages', hello.messages, async ({ client, upstream }) => {
      await client.messages.create(body)
      expect(bodyOf(await upstream.request(0))['messages']).toEqual(body.messages)
    })
  })
})

describe('tools', () => {
  const calling = inTurn((request) =>
    asksStream(request)
      ? sse([
          chatText(
            role,
            t(0, 'call_1', 'get_weather', '{"place":"Bern"}'),
            F('tool_calls'),
            USG(9, 4),
            DONE,
          ),
        ])
      : json(
          200,
          completion(
            { tool_calls: [toolCall('call_1', 'get_weather', '{"place":"Bern"}')] },
            'tool_calls',
          ),
        ),
  )

  test.each([
    [
      'TOOL-01',
      { type: 'tool', name: 'get_weather' },
      { type: 'function', function: { name: 'get_weather' } },
    ],
    ['TOOL-09', { type: 'any' }, 'required'],
    ['T-Q53', { type: 'auto' }, 'auto'],
    ['T-Q53', { type: 'none' }, 'none'],
  ] as const)(
    '%s the choice %j is told to a chat upstream, and its call comes back',
    async (_, choice, told) => {
      await scene('chat-completions', calling, async ({ client, upstream }) => {
        const body = { ...asked, tools: [weather], tool_choice: choice }
        for (const message of [
          await client.messages.create(body),
          await client.messages.stream(body).finalMessage(),
        ]) {
          expect(message.stop_reason).toBe('tool_use')
          expect(message.content).toMatchObject([
            { type: 'tool_use', id: 'call_1', name: 'get_weather', input: { place: 'Bern' } },
          ])
        }
        const sent = bodyOf(await upstream.request(0))
        expect(sent['tool_choice']).toEqual(told)
        expect(sent['tools']).toEqual([
          {
            type: 'function',
            function: {
              name: weather.name,
              description: weather.description,
              parameters: weather.input_schema,
            },
          },
        ])
      })
    },
  )

  test('TOOL-13 T-I06 a name that is too long for a chat upstream comes back as the caller wrote it', async () => {
    const names = ['a'.repeat(127) + '1', 'a'.repeat(127) + '2']
    const call = (request: RecordedRequest) => {
      const sent = bodyOf(request)['tools'] as { function: { name: string } }[]
      const name = sent[1]?.function.name ?? ''
      return asksStream(request)
        ? sse([chatText(role, t(0, 'call_1', name, '{}'), F('tool_calls'), USG(9, 4), DONE)])
        : json(200, completion({ tool_calls: [toolCall('call_1', name, '{}')] }, 'tool_calls'))
    }
    await scene('chat-completions', call, async ({ client, upstream }) => {
      const body = {
        ...asked,
        tools: names.map((name) => ({ ...weather, name })),
        tool_choice: { type: 'tool' as const, name: names[1] ?? '' },
      }
      for (const message of [
        await client.messages.create(body),
        await client.messages.stream(body).finalMessage(),
      ]) {
        expect(message.content).toMatchObject([{ type: 'tool_use', name: names[1] }])
      }
      const { tools, tool_choice: choice } = bodyOf(await upstream.request(0)) as {
        tools: { function: { name: string } }[]
        tool_choice: { function: { name: string } }
      }
      const sent = tools.map((one) => one.function.name)
      expect(new Set(sent).size).toBe(2)
      for (const name of sent) expect(name).toMatch(/^[\w-]{1,64}$/)
      expect(choice.function.name).toBe(sent[1] ?? 'none')
    })
  })

  test('TOOL-11 at most one call at a time is told to a chat upstream', async () => {
    await scene('chat-completions', calling, async ({ client, upstream }) => {
      const tool_choice = { type: 'auto' as const, disable_parallel_tool_use: true }
      const message = await client.messages.create({ ...asked, tools: [weather], tool_choice })
      expect(message.content.filter(({ type }) => type === 'tool_use')).toHaveLength(1)
      expect(bodyOf(await upstream.request(0))['parallel_tool_calls']).toBe(false)
    })
  })

  test('TOOL-15 SSE-09 a call without arguments has an empty input', async () => {
    for (const args of ['', '{}']) {
      const called = inTurn((request) =>
        asksStream(request)
          ? sse([chatText(role, t(0, 'call_1', 'now', args), F('tool_calls'), DONE)])
          : json(200, completion({ tool_calls: [toolCall('call_1', 'now', args)] }, 'tool_calls')),
      )
      await scene('chat-completions', called, async ({ client }) => {
        for (const message of [
          await client.messages.create(asked),
          await client.messages.stream(asked).finalMessage(),
        ]) {
          expect(message.content).toMatchObject([{ type: 'tool_use', name: 'now' }])
          expect(message.content[0]).toHaveProperty('input', {})
        }
      })
    }
  })
})

describe('structured output', () => {
  const format = jsonSchemaOutputFormat({
    type: 'object',
    properties: { name: { type: 'string' }, age: { type: 'integer' } },
    required: ['name', 'age'],
    additionalProperties: false,
  })
  const said = '{"name":"Ada","age":36}'

  test('REQ-37 is asked of a chat upstream in its own way, and parsed by the official client', async () => {
    const script = inTurn((request) =>
      asksStream(request)
        ? sse([chatText(role, c('{"name":"Ada",'), c('"age":36}'), F('stop'), USG(9, 4), DONE)])
        : json(200, completion({ content: said })),
    )
    await scene('chat-completions', script, async ({ client, upstream }) => {
      const body = { ...asked, output_config: { format } }
      const parsed = await client.messages.parse(body)
      expect(parsed.parsed_output).toEqual({ name: 'Ada', age: 36 })
      const streamed = await client.messages.stream(body).finalMessage()
      expect(streamed.parsed_output).toEqual({ name: 'Ada', age: 36 })
      expect(bodyOf(await upstream.request(0))['response_format']).toMatchObject({
        type: 'json_schema',
        json_schema: { schema: format.schema },
      })
    })
  })

  test('REQ-37 reaches a messages upstream as it was said', async () => {
    const text = json(200, { ...helloMessage, content: [{ type: 'text', text: said }] })
    await scene('messages', [text], async ({ client, upstream }) => {
      const parsed = await client.messages.parse({ ...asked, output_config: { format } })
      expect(parsed.parsed_output).toEqual({ name: 'Ada', age: 36 })
      expect(bodyOf(await upstream.request(0))['output_config']).toEqual({
        format: { type: 'json_schema', schema: format.schema },
      })
    })
  })
})

describe('thoughts over several turns', () => {
  test('go back to the messages upstream that signed them, untouched', async () => {
    const script = inTurn(
      () => sse([fixture('thinking.sse')]),
      () => sse([fixture('text.sse')]),
    )
    await scene('messages', script, async ({ client, upstream }) => {
      const first = await client.messages.stream(asked).finalMessage()
      const messages = [...hi, { role: 'assistant' as const, content: first.content }, ...hi]
      const second = await client.messages.stream({ ...asked, messages }).finalMessage()
      expect(second.stop_reason).toBe('end_turn')
      const sent = bodyOf(await upstream.request(1))['messages'] as { content: object[] }[]
      expect(sent[1]?.content).toEqual([
        {
          type: 'thinking',
          thinking: 'First the tens:\n\n1. 19 × 312',
          signature: 'EpkCCkYIBRgCKkDx7w/J+4mQ2vLrT9sZ1nYb6cKpWf8hGdUe3aXiVoRtM5qS0j==',
        },
        {
          type: 'redacted_thinking',
          data: 'EnYKAhgBEgxQ8rVt2kWmZp4xLc6aDNb7yGfHs1uJ3dRwKiIwTq9vXe5oMzPa0hBj',
        },
        { type: 'text', text: '19 * 312 = 5,928' },
      ])
    })
  })

  const thinkingOnce = inTurn(
    () =>
      sse([
        chatText(
          role,
          r('I should '),
          r('look it up.'),
          t(0, 'call_1', 'get_weather', '{"place":"Bern"}'),
          F('tool_calls'),
          USG(9, 8),
          DONE,
        ),
      ]),
    hello['chat-completions'],
  )

  test('go back to a chat upstream that wants them, under the member that it reads', async () => {
    const profile = { reasoningReplay: 'reasoning_content' }
    const act = async ({ client, upstream }: Scene) => {
      const body = { ...asked, tools: [weather], thinking: { type: 'adaptive' as const } }
      const first = await client.messages.stream(body).finalMessage()
      expect(first.content).toMatchObject([
        { type: 'thinking', thinking: 'I should look it up.' },
        { type: 'tool_use', id: 'call_1' },
      ])
      const result = { type: 'tool_result' as const, tool_use_id: 'call_1', content: 'sunny' }
      const messages: Anthropic.MessageParam[] = [
        ...hi,
        { role: 'assistant', content: first.content },
        { role: 'user', content: [result] },
      ]
      await client.messages.stream({ ...body, messages }).finalMessage()
      expect(messagesOf(await upstream.request(1))).toEqual([
        { role: 'user', content: 'hi' },
        {
          role: 'assistant',
          content: null,
          reasoning_content: 'I should look it up.',
          tool_calls: [toolCall('call_1', 'get_weather', '{"place":"Bern"}')],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'sunny' },
      ])
    }
    await scene('chat-completions', thinkingOnce, act, { profile })
  })

  test('T-Q45 of a chat upstream are not shown to a vendor that checks signatures', async () => {
    await using local = await startScriptedUpstream(thinkingOnce)
    await using vendor = await startScriptedUpstream(hello.messages)
    await using gateway = await startGateway({
      upstreams: {
        local: { protocol: 'chat-completions', url: local.url, serves: ['small'] },
        vendor: { vendor: 'anthropic', url: vendor.origin, key: 'sk-ant', serves: ['claude-x'] },
      },
    })
    const client = anthropicOf(gateway)
    const first = await client.messages.stream({ ...asked, model: 'small' }).finalMessage()
    const genuine = { type: 'thinking' as const, thinking: 'mine', signature: 'EqQBCgIYAg==' }
    const result = { type: 'tool_result' as const, tool_use_id: 'call_1', content: 'sunny' }
    const messages: Anthropic.MessageParam[] = [
      ...hi,
      { role: 'assistant', content: [genuine, { type: 'text', text: 'Well.' }] },
      ...hi,
      { role: 'assistant', content: first.content },
      { role: 'user', content: [result] },
    ]
    await client.messages.create({ ...asked, model: 'claude-x', messages })
    expect(bodyOf(await vendor.request(0))['messages']).toEqual([
      ...messages.slice(0, 3),
      { role: 'assistant', content: first.content.slice(1) },
      messages[4],
    ])
  })
})

describe('the tool runner of the official client', () => {
  const run = (place: string) => `It is sunny in ${place}.`
  const tool = betaTool({
    name: 'get_weather',
    description: 'Tells the weather of a place.',
    inputSchema: {
      type: 'object',
      properties: { place: { type: 'string' } },
      required: ['place'],
    },
    run: ({ place }) => run(place),
  })

  const chatTurns = inTurn(
    (request) =>
      asksStream(request)
        ? sse([
            chatText(
              role,
              t(0, 'call_1', 'get_weather', '{"place":"Bern"}'),
              F('tool_calls'),
              USG(9, 4),
              DONE,
            ),
          ])
        : json(
            200,
            completion(
              { tool_calls: [toolCall('call_1', 'get_weather', '{"place":"Bern"}')] },
              'tool_calls',
            ),
          ),
    hello['chat-completions'],
  )
  const call = { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { place: 'Bern' } }
  const messagesTurns = inTurn(
    (request) =>
      asksStream(request)
        ? sse([
            messageStart() +
              toolBlock(0, { id: 'toolu_1', name: 'get_weather' }, '{"place":', '"Bern"}') +
              ending('tool_use'),
          ])
        : json(200, { ...helloMessage, content: [call], stop_reason: 'tool_use' }),
    hello.messages,
  )

  test.each(bothLanes)(
    'V1021-12 is told that there are no threads, and then completes, before an upstream of %s',
    async (protocol) => {
      const turns = protocol === 'messages' ? messagesTurns : chatTurns
      for (const stream of [false, true]) {
        await scene(protocol, turns, async ({ client, upstream }) => {
          const runner = client.beta.messages.toolRunner({ ...asked, tools: [tool], stream })
          const last = await runner.runUntilDone()
          expect(last.content).toMatchObject([{ type: 'text', text: 'Hello there' }])
          expect(upstream.requests).toHaveLength(2)
          expect(upstream.requests.some(({ body }) => body.includes('"thread"'))).toBe(false)
          const sent = messagesOf(await upstream.request(1))
          const roles =
            protocol === 'messages' ? ['user', 'assistant', 'user'] : ['user', 'assistant', 'tool']
          expect(sent.map(({ role: who }) => who)).toEqual(roles)
          expect(JSON.stringify(sent[2])).toContain(run('Bern'))
        })
      }
    },
  )

  test('V1021-12 keeps its thread where the upstream is the first party', async () => {
    const act = async ({ client, upstream }: Scene) => {
      const runner = client.beta.messages.toolRunner({ ...asked, tools: [tool], stream: false })
      const last = await runner.runUntilDone()
      expect(last.content).toMatchObject([{ type: 'text', text: 'Hello there' }])
      const [first, second] = upstream.requests.map(bodyOf)
      expect(first?.['thread']).toEqual({ type: 'create' })
      expect(second?.['thread']).toEqual({ type: 'continue', previous_message_id: 'msg_up' })
      expect(second?.['messages']).toHaveLength(1)
      expect(upstream.requests[0]?.headers.get('anthropic-beta')).toContain('message-threads')
    }
    await scene('messages', messagesTurns, act, { vendor: 'anthropic' })
  })

  test('V1021-12 the refusal has the one code that it understands', async () => {
    await scene('chat-completions', hello['chat-completions'], async ({ client, upstream }) => {
      const body = { ...asked, thread: { type: 'create' } } as typeof asked
      const error = await apiError(client.messages.create(body, older))
      expect(error).toBeInstanceOf(Anthropic.BadRequestError)
      expect(error.errorCode).toBe('thread_unsupported_request')
      expect(upstream.requests).toEqual([])
    })
  })
})
