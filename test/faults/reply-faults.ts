import type { ProtocolName } from '#chat/names.ts'
import { head, json, sse, write } from '#test/scripted-upstream.ts'

import { errorBody, goodAnswer, goodReply } from './answers.ts'
import type { Seen } from './seen.ts'
import type { Serving, Sees, UpstreamFault } from './upstream-fault.ts'

// Whole replies that are none, values of the wrong type, and usage that nobody can have counted.

/** Bodies with a status of success that are no answer. */
const nonsense: readonly UpstreamFault[] = [
  ['empty', ''],
  ['blank', '  \n\t '],
  ['null', 'null'],
  ['true', 'true'],
  ['number', '42'],
  ['string', '"hello"'],
  ['array', '[]'],
  ['object', '{}'],
  ['half', '{"id":"x","choices":[{"index":0,"message":{"role":"assistant","content":"Al'],
  ['two', '{} {}'],
  ['trailing-comma', '{"a":1,}'],
  ['deep', `{"a":${'['.repeat(200_000)}`],
  ['not-utf8-key', '{"\uFFFD":1}'],
  ['ok-true', '{"ok":true}'],
].map(([name, body]) => ({
  name: `reply-${name}`,
  kind: 'reply-nonsense',
  script: () => json(200, body ?? ''),
  sees: 'upstream-failed' as const,
}))

const errors: readonly UpstreamFault[] = [
  ['overloaded_error', 'upstream-overloaded'],
  ['rate_limit_error', 'upstream-busy'],
  ['api_error', 'upstream-failed'],
  ['authentication_error', 'upstream-unauthorised'],
  ['invalid_request_error', 'upstream-refused'],
].map(([type, sees]) => ({
  name: `error-reply-${type}`,
  kind: 'error-in-a-200',
  script: ({ protocol }) => json(200, errorBody(protocol, type ?? '', 'It cannot be done.')),
  sees: sees as Sees,
}))

/** Ways to set a member of a good reply to a value that it cannot have, by the path to it. */
const wrongTypes: readonly (readonly [
  protocol: ProtocolName,
  path: string,
  value: unknown,
  sees: Sees,
])[] = [
  ['chat-completions', 'choices', null, 'upstream-failed'],
  ['chat-completions', 'choices', 'text', 'upstream-failed'],
  ['chat-completions', 'choices', [], 'upstream-failed'],
  ['chat-completions', 'choices', {}, 'upstream-failed'],
  ['chat-completions', 'choices', [null], 'upstream-failed'],
  ['chat-completions', 'choices', [7], 'upstream-failed'],
  ['chat-completions', 'choices.0.message', null, 'upstream-failed'],
  ['chat-completions', 'choices.0.message', 'text', 'upstream-failed'],
  ['messages', 'content', 'text', 'upstream-failed'],
  ['messages', 'content', {}, 'upstream-failed'],
  ['messages', 'type', 'completion', 'upstream-failed'],
]

const mistyped: readonly UpstreamFault[] = wrongTypes.map(([protocol, path, value, sees]) => ({
  name: `wrong-type-${protocol}-${path}-${nameOf(value)}`,
  kind: 'wrong-types',
  only: { isStream: false, upstream: protocol },
  script: () => json(200, withMember(goodReply[protocol], path, value)),
  sees,
}))

/** Members whose wrong type costs nothing but themselves: the answer is there. */
const tolerated: readonly UpstreamFault[] = (
  [
    ['chat-completions', 'id', 7],
    ['chat-completions', 'id', null],
    ['chat-completions', 'created', 'yesterday'],
    ['chat-completions', 'model', null],
    ['chat-completions', 'object', 5],
    ['chat-completions', 'choices.0.index', '0'],
    ['chat-completions', 'choices.0.message.role', null],
    ['chat-completions', 'choices.0.message.tool_calls', null],
    ['chat-completions', 'choices.0.message.tool_calls', []],
    ['messages', 'id', 7],
    ['messages', 'model', null],
    ['messages', 'role', 5],
    ['messages', 'stop_sequence', 7],
  ] as const
).map(([protocol, path, value]) => ({
  name: `odd-type-${protocol}-${path}-${nameOf(value)}`,
  kind: 'wrong-types',
  only: { isStream: false, upstream: protocol },
  script: () => json(200, withMember(goodReply[protocol], path, value)),
  sees: 'whole' as const,
}))

type Count = Readonly<Record<string, unknown>> | null | string | number

/** Usage as both protocols would say it, and whether it can be believed. */
const usages: readonly (readonly [
  name: string,
  usage: (input: string, output: string) => Count | undefined,
  counted: 'exact' | 'estimated',
])[] = [
  ['missing', () => undefined, 'estimated'],
  ['null', () => null, 'estimated'],
  ['string', () => 'lots', 'estimated'],
  ['number', () => 12, 'estimated'],
  ['empty', () => ({}), 'estimated'],
  ['negative', (input, output) => ({ [input]: -5, [output]: -7 }), 'estimated'],
  ['negative-output', (input, output) => ({ [input]: 11, [output]: -7 }), 'estimated'],
  ['float', (input, output) => ({ [input]: 11.5, [output]: 7.25 }), 'exact'],
  ['texts', (input, output) => ({ [input]: '11', [output]: '7' }), 'estimated'],
  ['nulls', (input, output) => ({ [input]: null, [output]: null }), 'estimated'],
  ['objects', (input, output) => ({ [input]: {}, [output]: [] }), 'estimated'],
  ['booleans', (input, output) => ({ [input]: true, [output]: false }), 'estimated'],
  ['zeros', (input, output) => ({ [input]: 0, [output]: 0 }), 'exact'],
  ['quadrillion', (input, output) => ({ [input]: 1e15, [output]: 1e15 }), 'exact'],
  ['beyond-integers', (input, output) => ({ [input]: 1e300, [output]: 1e300 }), 'exact'],
  ['input-only', (input) => ({ [input]: 11 }), 'estimated'],
  ['output-only', (_, output) => ({ [output]: 7 }), 'estimated'],
  ['extra', (input, output) => ({ [input]: 11, [output]: 7, cost: 'free', details: [1] }), 'exact'],
  ['cached-beyond-input', (input, output) => ({ [input]: 11, [output]: 7, ...cachedFar }), 'exact'],
  [
    'cached-negative',
    (input, output) => ({ [input]: 11, [output]: 7, ...cachedNegative }),
    'exact',
  ],
]

const cachedFar = {
  prompt_tokens_details: { cached_tokens: 500 },
}
const cachedNegative = {
  prompt_tokens_details: { cached_tokens: -5 },
  cache_read_input_tokens: -5,
  cache_creation_input_tokens: -5,
}

const counting: readonly UpstreamFault[] = usages.map(([name, usage, counted]) => ({
  name: `usage-${name}`,
  kind: 'usage',
  script: (serving) => withUsage(serving, usage),
  sees: 'whole' as const,
  counted,
}))

/** Usage that comes in more than one piece. */
const pieces: readonly UpstreamFault[] = [
  {
    name: 'usage-twice',
    kind: 'usage',
    only: { isStream: true, upstream: 'chat-completions' },
    script: ({ frames }) => sse([...frames.slice(0, -1), ...frames.slice(-2)]),
    sees: 'whole',
  },
  {
    name: 'usage-growing',
    kind: 'usage',
    only: { isStream: true, upstream: 'chat-completions' },
    script: ({ frames }) =>
      sse([...frames.slice(0, -2), chatUsage(11, 3), chatUsage(11, 7), ...frames.slice(-1)]),
    sees: 'whole',
  },
  {
    name: 'usage-decreasing',
    kind: 'usage',
    only: { isStream: true, upstream: 'messages' },
    script: ({ frames }) => [
      ...sse(frames.map((frame) => frame.replace('"output_tokens":1}', '"output_tokens":7}'))),
    ],
    sees: 'whole',
  },
]

function chatUsage(prompt: number, completion: number): string {
  const usage = {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  }
  return `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'served', choices: [], usage })}\n\n`
}

function withUsage(
  { protocol, isStream, frames }: Serving,
  usage: (input: string, output: string) => Count | undefined,
) {
  const said =
    protocol === 'messages'
      ? usage('input_tokens', 'output_tokens')
      : usage('prompt_tokens', 'completion_tokens')
  const change = (value: Readonly<Record<string, unknown>>) => {
    const { usage: _, ...rest } = value
    return said === undefined ? rest : { ...rest, usage: said }
  }
  if (!isStream) return json(200, change(goodReply[protocol]))
  return sse(
    frames.map((frame) =>
      frame.replace(/(?<=data: )\{.*"usage".*\}/, (text) => {
        const value = JSON.parse(text) as Record<string, unknown>
        const inner = value['message'] as Readonly<Record<string, unknown>> | undefined
        return JSON.stringify(
          inner === undefined ? change(value) : { ...value, message: change(inner) },
        )
      }),
    ),
  )
}

/** A forged answer right behind the good one: whoever asks next must not be given it. */
const poison: readonly UpstreamFault[] = [1, 3].map((count): UpstreamFault => ({
  name: `forged-answers-behind-${count}`,
  kind: 'extra-bytes',
  script: ({ protocol, isStream }) => {
    const forged = Buffer.from('{"forged":"answer"}')
    const bytes = Buffer.concat([
      Buffer.from(
        head(200, { 'content-type': 'application/json', 'content-length': `${forged.length}` }),
      ),
      forged,
    ])
    return [...goodAnswer(protocol, isStream), ...Array.from({ length: count }, () => write(bytes))]
  },
  sees: 'whole',
  inspect: ({ response }: Seen) =>
    response?.body.includes('forged') === true ? 'was given a forged answer' : undefined,
}))

/** Bodies that never end, or announce more than anybody would read. */
const endless: readonly UpstreamFault[] = [
  {
    name: 'endless-body',
    kind: 'too-large',
    only: { isStream: false, hasNext: false },
    isSlow: true,
    script: () => pouring(),
    sees: 'upstream-failed',
  },
  {
    name: 'announces-a-terabyte',
    kind: 'too-large',
    only: { isStream: false },
    deadlines: { total: '700ms' },
    script: () => [
      write(head(200, { 'content-type': 'application/json', 'content-length': '1099511627776' })),
      write('{"a":'),
      { type: 'wait', for: new Promise(() => {}) },
    ],
    sees: 'upstream-timeout',
  },
]

async function* pouring() {
  yield write(head(200, { 'content-type': 'application/json', connection: 'close' }))
  yield write('{"a":"')
  const block = 'x'.repeat(1_000_000)
  for (;;) yield write(block)
}

function withMember(value: unknown, path: string, member: unknown): unknown {
  const [first = '', ...rest] = path.split('.')
  const inner = (value as Readonly<Record<string, unknown>>)[first]
  const changed = rest.length === 0 ? member : withMember(inner, rest.join('.'), member)
  if (!Array.isArray(value)) return { ...(value as object), [first]: changed }
  return value.map((one, index) => (String(index) === first ? changed : one))
}

function nameOf(value: unknown): string {
  const names: Readonly<Record<string, string>> = {
    '[]': 'list',
    '{}': 'object',
    '[null]': 'list-of-null',
    '[7]': 'list-of-7',
  }
  const text = JSON.stringify(value)
  return names[text] ?? text.replaceAll('"', '')
}

export const replyFaults: readonly UpstreamFault[] = [
  ...nonsense,
  ...errors,
  ...mistyped,
  ...tolerated,
  ...counting,
  ...pieces,
  ...poison,
  ...endless,
]
