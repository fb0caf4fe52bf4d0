import type { ProtocolName } from '#chat/names.ts'

import { c, DONE, F, role, sse as chatText, t } from './chat-answers.ts'
import { type Block, message, messageFrames, recorded, recording } from './chat-callers.ts'
import { asksStream, bodyOf, completion, toolCall } from './messages-callers.ts'
import { json, type RecordedRequest, type Script, sse } from './scripted-upstream.ts'

// The same answers of upstreams of both protocols, for tests of what a caller makes of either.

type Upstream = (request: RecordedRequest) => Script
export type ByLane = Readonly<Record<ProtocolName, Upstream>>

export const text: ByLane = {
  'chat-completions': recorded('text'),
  messages: message([{ type: 'text', text: 'Hi there! 🙂 é\n\u2028data: x' }], {
    usage: { input_tokens: 8, output_tokens: 377 },
  }),
}

export const calls: ByLane = {
  'chat-completions': recorded('parallel-calls'),
  messages: message(
    [
      { type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { city: 'Paris' } },
      { type: 'tool_use', id: 'toolu_2', name: 'get_weather', input: { city: 'Rome' } },
    ],
    { reason: 'tool_use', usage: { input_tokens: 82, output_tokens: 46 } },
  ),
}

export const structured: ByLane = {
  'chat-completions': recorded('structured'),
  messages: message([{ type: 'text', text: '{"city":"Paris","celsius":21.50}' }]),
}

export const oneCall: ByLane = {
  'chat-completions': (request) =>
    'functions' in bodyOf(request)
      ? recorded('function-call')(request)
      : recorded('tool-call')(request),
  messages: message(
    [{ type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { city: 'Paris' } }],
    { reason: 'tool_use' },
  ),
}

export const spent: ByLane = {
  'chat-completions': recorded('spent'),
  messages: message([], { reason: 'max_tokens' }),
}

/** Two frames that say something of a stream, and then not its end. */
export function cutShort(lane: ProtocolName, ending?: Script): Script {
  const whole =
    lane === 'messages' ? messageFrames([{ type: 'text', text: 'Hi' }]) : recording('text.sse')
  const frames = whole.split(/(?<=\n\n)/)
  return sse(frames.slice(0, 3), ending === undefined ? {} : { ending })
}

/** Asks for the weather of two cities at once, then of a third, then repeats what it was told. */
export const weatherAgent: ByLane = {
  'chat-completions': (request) => {
    const { messages } = request.json() as { messages: { role: string; content: string }[] }
    const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => content)
    if (results.length === 0) return recorded('parallel-calls')(request)
    if (results.length === 2) return chatCall(request)
    return saidInChat(request, results.join(', '))
  },
  messages: (request) => {
    const { messages } = request.json() as { messages: { content: string | Block[] }[] }
    const results = messages
      .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
      .filter(({ type }) => type === 'tool_result')
      .map(({ content }) => content)
    if (results.length === 0) return calls.messages(request)
    if (results.length === 2) {
      const third = {
        type: 'tool_use',
        id: 'toolu_3',
        name: 'get_weather',
        input: { city: 'Oslo' },
      }
      return message([{ type: 'text', text: 'One more.' }, third], { reason: 'tool_use' })(request)
    }
    return message([{ type: 'text', text: results.join(', ') }])(request)
  },
}

const chatCall: Upstream = (request) =>
  asksStream(request)
    ? sse([chatText(role, t(0, 'call_3', 'get_weather', '{"city":"Oslo"}'), F('tool_calls'), DONE)])
    : json(
        200,
        completion(
          { tool_calls: [toolCall('call_3', 'get_weather', '{"city":"Oslo"}')] },
          'tool_calls',
        ),
      )

function saidInChat(request: RecordedRequest, said: string): Script {
  return asksStream(request)
    ? sse([chatText(role, c(said), F('stop'), DONE)])
    : json(200, completion({ content: said }))
}
