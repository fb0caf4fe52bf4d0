import type { ProtocolName } from '#chat/names.ts'
import { recordings } from '#test/crash/recordings.ts'
import { type Chance } from '#test/crash/seeded.ts'

import { mutateBytes } from './mutate-bytes.ts'

/** A stream of either protocol: made by its grammar or sent by a real server, and in most cases spoilt a little. */
export function sseStream(chance: Chance): Uint8Array {
  const frames = chance.in(0.2)
    ? [...chance.oneOf(recorded).frames].slice(0, 40)
    : madeFrames(chance.oneOf(['chat-completions', 'messages']), chance)
  const bytes = Buffer.from(inLineEnds(frames.join(''), chance))
  return chance.in(0.3) ? bytes : mutateBytes(bytes, chance, sharpPieces)
}

const recorded = recordings(15, 1)

/** What has a meaning to some part of a reader, or breaks a part that does not expect it. */
export const sharpPieces: readonly (string | Uint8Array)[] = [
  '\n',
  '\r',
  '\r\n',
  '\n\n',
  '\r\r',
  '\r\n\r\n',
  '\n\r\n',
  '\r\n\n',
  '\uFEFF',
  '\0',
  ' ',
  ':',
  'data',
  'data:',
  'data: ',
  'event',
  'event: ',
  'event: error\n',
  'id: 1\n',
  'retry: 1\n',

  'data: [DONE]\n\n',
  '[DONE]',
  'data: [DONE] \n\n',
  ': ping\n\n',
  'data: {}\n\n',
  'data: x\n\n',
  '"error":null,',
  '"error": null',
  '"error":{"message":"no"},',
  ',"error":null',
  'error',
  '"usage":null,',
  '"usage":{',
  '"usage":{"prompt_tokens":-1},',
  '"usage":[[',
  'message_',
  '"finish_reason":"stop",',
  '"finish_reason":"error"',
  '"finish_reason":"',
  'null',
  '\\u0000',
  'event: message_stop\ndata: {"type":"message_stop"}\n\n',
  '"__proto__":{"a":1},',
  '\\ud800',
  '{',
  '}',
  '[',
  ']',
  '"',
  '\\',
  ',',
  '1e999',
  '🙂',
  '\u2028',
  ...[[0xff], [0xc3], [0xe2, 0x82], [0xf0, 0x9f, 0x99], [0xed, 0xa0, 0x80], [0xc0, 0xae]].map(
    (bytes) => Uint8Array.from(bytes),
  ),
]

function madeFrames(protocol: ProtocolName, chance: Chance): string[] {
  const make = makers[protocol]
  const middle = Array.from({ length: chance.between(0, 12) }, () => make.middle(chance))
  const frames = [make.start(chance), ...middle, ...make.end(chance)]
  const odd = Array.from({ length: chance.between(0, 2) }, () => chance.oneOf(oddFrames))
  for (const frame of odd) frames.splice(chance.between(0, frames.length), 0, frame)
  return frames
}

interface Maker {
  readonly start: (chance: Chance) => string
  readonly middle: (chance: Chance) => string
  readonly end: (chance: Chance) => readonly string[]
}

const oddFrames = [
  ': alive\n\n',
  'event: ping\ndata: {"type": "ping"}\n\n',
  'id: 7\nretry: 100\n\n',
  'event: novel\ndata: {"type":"novel"}\n\n',
  'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"busy"}}\n\n',
  'data: {"error":{"message":"broken","code":500}}\n\n',
  'data\n\n',
  'event\n\n',
  'data: no json\n\n',
]

const makers: Readonly<Record<ProtocolName, Maker>> = {
  'chat-completions': {
    start: (chance) => chunk(chance, { role: 'assistant', content: chance.oneOf(['', null, 'a']) }),
    middle: (chance) => chunk(chance, chance.oneOf(chatDeltas)(chance)),
    end: (chance) => [
      chunk(chance, {}, chance.oneOf(['stop', 'tool_calls', 'length', 'content_filter', '', null])),
      ...(chance.in(0.6) ? [data({ id: 'c', choices: [], usage: chatUsage(chance) })] : []),
      ...(chance.in(0.8) ? ['data: [DONE]\n\n'] : []),
    ],
  },
  messages: {
    start: (chance) =>
      event('message_start', {
        message: { id: 'msg', model: 'm', usage: { input_tokens: chance.between(-1, 99) } },
      }),
    middle: (chance) => chance.oneOf(messagesEvents)(chance),
    end: (chance) => [
      event('message_delta', {
        delta: { stop_reason: chance.oneOf(['end_turn', 'tool_use', 'max_tokens', null]) },
        usage: { output_tokens: chance.oneOf([5, 0, null, 1e15, -3, 2.5]) },
      }),
      ...(chance.in(0.85) ? [event('message_stop', {})] : []),
    ],
  },
}

const chatDeltas: readonly ((chance: Chance) => object)[] = [
  (chance) => ({ content: words(chance) }),
  (chance) => ({ reasoning_content: words(chance) }),
  (chance) => ({ refusal: words(chance) }),
  () => ({ content: null, tool_calls: [] }),
  (chance) => ({
    tool_calls: [
      {
        ...chance.oneOf<object>([{ index: 0 }, { index: 0 }, { index: 1 }, { index: 2 }, {}]),
        id: chance.oneOf(['call_1', 'call_2', null, '']),
        function: {
          name: chance.oneOf(['f', 'g', null, '']),
          arguments: chance.oneOf(['', '{', '{}', '{"a":', '1}', '"x"}', null]),
        },
      },
    ],
  }),
  () => ({ function_call: { name: 'f', arguments: '{}' } }),
]

const messagesEvents: readonly ((chance: Chance) => string)[] = [
  (chance) =>
    event('content_block_start', { index: indexOf(chance), content_block: block(chance) }),
  (chance) => event('content_block_delta', { index: indexOf(chance), delta: blockDelta(chance) }),
  (chance) => event('content_block_delta', { index: indexOf(chance), delta: blockDelta(chance) }),
  (chance) => event('content_block_stop', { index: indexOf(chance) }),
  (chance) => textBlock(chance),
  (chance) => textBlock(chance),
]

/** A block as it should be: most streams have to be good for what is bad in them to be met. */
function textBlock(chance: Chance): string {
  const index = chance.between(0, 3)
  return [
    event('content_block_start', { index, content_block: { type: 'text', text: '' } }),
    event('content_block_delta', { index, delta: { type: 'text_delta', text: words(chance) } }),
    event('content_block_stop', { index }),
  ].join('')
}

function indexOf(chance: Chance): unknown {
  return chance.oneOf([0, 0, 0, 1, 2, -1, '0'])
}

function block(chance: Chance): object {
  return chance.oneOf<object>([
    { type: 'text', text: '' },
    { type: 'thinking', thinking: '', signature: '' },
    { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} },
    { type: 'redacted_thinking', data: 'x' },
    { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: {} },
    {},
  ])
}

function blockDelta(chance: Chance): object {
  return chance.oneOf<object>([
    { type: 'text_delta', text: words(chance) },
    { type: 'thinking_delta', thinking: words(chance) },
    { type: 'signature_delta', signature: 'c2ln' },
    { type: 'input_json_delta', partial_json: chance.oneOf(['{', '{}', '"a":1', '}']) },
    { type: 'citations_delta', citation: { type: 'char_location', cited_text: 'x' } },
    { type: 'novel_delta' },
  ])
}

function words(chance: Chance): string {
  return chance.oneOf([
    'a',
    '',
    ' ',
    'é🙂',
    '\n\n',
    'data: [DONE]',
    '"error":null',
    '\0',
    '\ud83d',
    'word ',
  ])
}

function chatUsage(chance: Chance): unknown {
  return chance.oneOf<unknown>([
    { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
    { prompt_tokens: -1, completion_tokens: 1e300 },
    { prompt_tokens: 1e15, completion_tokens: 2.5 },
    { prompt_tokens: '7', completion_tokens: null },
    { prompt_tokens: 5, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 9 } },
    null,
    [],
    'many',
  ])
}

function chunk(chance: Chance, delta: object, finish: string | null = null): string {
  const choice = { index: chance.in(0.05) ? 1 : 0, delta, finish_reason: finish }
  const extra = chance.oneOf<object>([
    {},
    {},
    {},
    { usage: null },
    { error: null },
    { usage: chatUsage(chance) },
  ])
  return data({ id: 'c', object: 'chat.completion.chunk', model: 'm', choices: [choice], ...extra })
}

function data(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

function event(type: string, members: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`
}

/** Line ends of another kind, blanks left out, a byte order mark, a last line end that is missing. */
function inLineEnds(text: string, chance: Chance): string {
  const kind = chance.between(0, 9)
  const spaced = chance.in(0.1) ? text.replaceAll('data: ', 'data:') : text
  const ended =
    kind === 0
      ? spaced.replaceAll('\n', '\r\n')
      : kind === 1
        ? spaced.replaceAll('\n', '\r')
        : kind === 2
          ? spaced.replaceAll('\n', () => chance.oneOf(['\n', '\r\n', '\r']))
          : spaced
  return `${chance.in(0.03) ? '\uFEFF' : ''}${chance.in(0.05) ? ended.trimEnd() : ended}`
}
