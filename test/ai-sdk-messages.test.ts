import { describe, expect, test } from 'bun:test'

import { createAnthropic } from '@ai-sdk/anthropic'
import {
  generateText,
  jsonSchema,
  type LanguageModel,
  Output,
  stepCountIs,
  streamText,
  tool,
  type ToolSet,
} from 'ai'

import type { ProtocolName } from '#chat/names.ts'

import { c, DONE, F, r, role, sse as chatText, t, USG } from './chat-answers.ts'
import { idle } from './chat-callers.ts'
import {
  asksStream,
  bodyOf,
  bothLanes,
  completion,
  fixture,
  hello,
  helloMessage,
  servedBy,
  toolCall,
} from './messages-callers.ts'
import { ending, messageStart, thinkingBlock, toolBlock } from './messages-frames.ts'
import {
  json,
  type RecordedRequest,
  type Script,
  type ScriptedUpstream,
  type Scripts,
  sse,
  startScriptedUpstream,
  waitFor,
} from './scripted-upstream.ts'
import { startGateway, type TestGateway } from './start-gateway.ts'

// The AI SDK as a messages client of the whole gateway: it checks every answer against a schema of its own.

interface Scene {
  readonly model: LanguageModel
  readonly gateway: TestGateway
  readonly upstream: ScriptedUpstream
}

async function scene(
  protocol: ProtocolName,
  scripts: Scripts,
  act: (scene: Scene) => Promise<void>,
  settings: object = {},
): Promise<void> {
  await using upstream = await startScriptedUpstream(scripts)
  await using gateway = await startGateway(servedBy(protocol, upstream, settings))
  const provider = createAnthropic({ apiKey: gateway.key, baseURL: `${gateway.url}/v1` })
  await act({ model: provider('m'), gateway, upstream })
}

/** What every request here says. */
const plain = { prompt: 'hi', maxOutputTokens: 16, maxRetries: 0 } as const

/** All of a stream, and every fault that was found in it. */
async function read(options: Omit<Parameters<typeof streamText>[0], 'prompt' | 'messages'>) {
  const faults: unknown[] = []
  const result = streamText({
    ...plain,
    ...options,
    onError: ({ error }) => void faults.push(error),
  } as Parameters<typeof streamText>[0])
  await result.consumeStream()
  return { result, faults }
}

describe.each(bothLanes)('before an upstream of %s', (protocol) => {
  test('RES-07 SSE-21 a text is read as a reply and as a stream, with its usage', async () => {
    await scene(protocol, hello[protocol], async ({ model }) => {
      const replied = await generateText({ model, ...plain })
      const { result, faults } = await read({ model })
      expect(faults).toEqual([])
      for (const one of [
        { text: replied.text, reason: replied.finishReason, usage: replied.usage },
        { text: await result.text, reason: await result.finishReason, usage: await result.usage },
      ]) {
        expect(one).toMatchObject({
          text: 'Hello there',
          reason: 'stop',
          usage: { inputTokens: 10, outputTokens: 5 },
        })
      }
    })
  })

  test('tools are called and answered until the text comes, whether streamed or not', async () => {
    for (const isStream of [false, true]) {
      await scene(protocol, toolTurns[protocol], async ({ model, upstream }) => {
        const options = { model, tools: weather, stopWhen: stepCountIs(5) }
        if (isStream) {
          const { result, faults } = await read(options)
          expect(faults).toEqual([])
          expect(await result.text).toBe('Hello there')
        } else expect((await generateText({ ...plain, ...options })).text).toBe('Hello there')
        expect(upstream.requests).toHaveLength(2)
        expect(upstream.requests[1]?.body).toContain('sunny in Bern')
      })
    }
  })

  test('thoughts are read and go back with the next turn', async () => {
    await scene(
      protocol,
      toolTurns[protocol],
      async ({ model, upstream }) => {
        const providerOptions = { anthropic: { thinking: { type: 'adaptive' as const } } }
        const { result, faults } = await read({
          model,
          tools: weather,
          stopWhen: stepCountIs(5),
          providerOptions,
        })
        expect(faults).toEqual([])
        const [first] = await result.steps
        expect(first?.reasoningText).toBe('why')
        expect(upstream.requests[1]?.body).toContain('"why"')
      },
      { profile: { reasoningReplay: 'reasoning_content' } },
    )
  })

  test('REQ-37 an object of a schema is asked for and read', async () => {
    const said = '{"name":"Ada"}'
    const schema = jsonSchema<{ name: string }>({
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
      additionalProperties: false,
    })
    const reply = {
      messages: {
        ...helloMessage,
        content: [toolUse('json', { name: 'Ada' })],
        stop_reason: 'tool_use',
      },
      'chat-completions': completion(
        { tool_calls: [toolCall('call_1', 'json', said)] },
        'tool_calls',
      ),
    }
    // For a model that it does not know, this client asks for structure by a tool of its own.
    await scene(protocol, [json(200, reply[protocol])], async ({ model }) => {
      const { output } = await generateText({ model, ...plain, output: Output.object({ schema }) })
      expect(output).toEqual({ name: 'Ada' })
    })
  })

  test('T-T06 a reader who stops closes the upstream’s connection', async () => {
    const start: Record<ProtocolName, string> = {
      messages: fixture('text.sse').split('event: content_block_stop')[0] ?? '',
      'chat-completions': chatText(role, c('Hello')),
    }
    const endless = sse([start[protocol]], { ending: [waitFor(new Promise(() => undefined))] })
    await scene(protocol, [endless], async ({ model, upstream, gateway }) => {
      const leaving = new AbortController()
      const result = streamText({ ...plain, model, abortSignal: leaving.signal })
      for await (const part of result.fullStream) if (part.type === 'text-delta') leaving.abort()
      await (
        await upstream.request(0)
      ).closed
      await idle(gateway)
    })
  })
})

const weather: ToolSet = {
  get_weather: tool({
    description: 'Tells the weather of a place.',
    inputSchema: jsonSchema<{ place: string }>({
      type: 'object',
      properties: { place: { type: 'string' } },
      required: ['place'],
    }),
    execute: ({ place }) => `It is sunny in ${place}.`,
  }),
}

function toolUse(name: string, input: object) {
  return { type: 'tool_use', id: 'toolu_1', name, input }
}

/** First a thought and a call, then the answer. */
const toolTurns: Readonly<Record<ProtocolName, (request: RecordedRequest) => Script>> = {
  messages: (request) => {
    if (request.index > 0) return hello.messages(request)
    const thought = { type: 'thinking', thinking: 'why', signature: 'EqQB' }
    return asksStream(request)
      ? sse([
          messageStart(),
          thinkingBlock(0, 'why', 'EqQB'),
          toolBlock(1, { id: 'toolu_1', name: 'get_weather' }, '{"place":', '"Bern"}'),
          ending('tool_use'),
        ])
      : json(200, {
          ...helloMessage,
          content: [thought, toolUse('get_weather', { place: 'Bern' })],
          stop_reason: 'tool_use',
        })
  },
  'chat-completions': (request) => {
    if (request.index > 0) return hello['chat-completions'](request)
    const call = toolCall('call_1', 'get_weather', '{"place":"Bern"}')
    return asksStream(request)
      ? sse([
          chatText(
            role,
            r('why'),
            t(0, 'call_1', 'get_weather', '{"place":'),
            t(0, undefined, undefined, '"Bern"}'),
            F('tool_calls'),
            USG(9, 4),
            DONE,
          ),
        ])
      : json(200, completion({ reasoning_content: 'why', tool_calls: [call] }, 'tool_calls'))
  },
}

describe('what a vendor sends', () => {
  test.each(['text.sse', 'tool-use.sse', 'thinking.sse', 'refusal.sse'])(
    'SSE-21 %s has no fault',
    async (name) => {
      await scene('messages', [sse([fixture(name)])], async ({ model }) => {
        const { faults } = await read({ model })
        expect(faults).toEqual([])
      })
    },
  )

  test('RES-03 the unsigned thoughts of Ollama are signed on the way', async () => {
    const content = [{ type: 'thinking', thinking: 'why' }, ...helloMessage.content]
    const ollama = { vendor: 'ollama' }
    const act = async ({ model }: Scene) => {
      const { reasoningText, text } = await generateText({ model, ...plain })
      expect([reasoningText, text]).toEqual(['why', 'Hello there'])
    }
    await scene('messages', [json(200, { ...helloMessage, content })], act, ollama)
  })

  test('images and files reach a chat upstream', async () => {
    await scene('chat-completions', hello['chat-completions'], async ({ model, upstream }) => {
      const png = 'iVBORw0KGgo='
      await generateText({
        model,
        maxOutputTokens: 16,
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'see' },
              { type: 'file', data: png, mediaType: 'image/png' },
              {
                type: 'file',
                data: 'JVBERi0xLjQK',
                mediaType: 'application/pdf',
                filename: 'a.pdf',
              },
            ],
          },
        ],
      })
      expect(bodyOf(await upstream.request(0))['messages']).toMatchObject([
        {
          role: 'user',
          content: [
            { type: 'text', text: 'see' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
            { type: 'file', file: { file_data: 'data:application/pdf;base64,JVBERi0xLjQK' } },
          ],
        },
      ])
    })
  })
})
