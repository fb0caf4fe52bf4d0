import type { GatewayError } from '#chat/error.ts'
import type { ModelName, ProtocolName, UpstreamModel } from '#chat/names.ts'
import { Notes } from '#chat/note.ts'
import type { ChatRequest } from '#chat/request.ts'
import type { Answer, Step } from '#chat/step.ts'
import type { TargetModel } from '#chat/target.ts'
import { chatCompletions } from '#protocols/chat-completions/protocol.ts'
import { messages } from '#protocols/messages/protocol.ts'
import { brandAs } from '#std/brand.ts'
import { isObject, membersOf } from '#std/json.ts'
import { buildRemote, type RemoteSettings } from '#upstreams/build-remote.ts'
import type { RemoteUpstream } from '#upstreams/remote.ts'
import type { Call } from '#upstreams/upstream.ts'

export const protocols = { 'chat-completions': chatCompletions, messages }

/** A remote upstream named `up`, as an operator would configure it. */
export function remote(settings: Partial<RemoteSettings>): RemoteUpstream {
  return buildRemote({ name: 'up', ...settings }, protocols)
}

/** A caller's request in one of the protocols, decoded. */
export function requestIn(
  protocol: ProtocolName,
  body: object = {},
  headers: Readonly<Record<string, string>> = {},
): ChatRequest {
  const said = [{ role: 'user', content: 'hi' }]
  const limit = protocol === 'messages' ? { max_tokens: 100 } : {}
  const value = { model: 'asked', messages: said, ...limit, ...body }
  const text = JSON.stringify(value)
  const whole = { text, value, members: membersOf(text) }
  return protocols[protocol].decodeRequest(whole, new Map(Object.entries(headers)))
}

export function call(signal: AbortSignal = new AbortController().signal): Call {
  return { signal, notes: new Notes() }
}

export function model(upstream: RemoteUpstream, name = 'm-1'): TargetModel {
  return upstream.target(brandAs<UpstreamModel>(name))
}

export function named(name: string): ModelName {
  return brandAs<ModelName>(name)
}

/** Opens a chat with the model `m-1`. */
export function open(
  upstream: RemoteUpstream,
  request: ChatRequest,
  signal?: AbortSignal,
): Promise<Answer> {
  return upstream.open(request, model(upstream), call(signal))
}

export interface Heard {
  /** The words, joined. */
  readonly text: string
  readonly steps: readonly Step[]
  readonly failure: GatewayError | undefined
}

/** Everything that an answer says, and the failure that ended it, if one did. */
export async function hear(answer: Answer): Promise<Heard> {
  const steps: Step[] = []
  const failure = await failureOf(
    (async () => {
      for await (const step of answer.steps) steps.push(step)
    })(),
  )
  return { text: steps.map(({ said }) => textOf(said)).join(''), steps, failure }
}

export function textOf(said: Uint8Array | string | undefined): string {
  if (said === undefined) return ''
  return typeof said === 'string' ? said : new TextDecoder().decode(said)
}

/** The text of an answer that was told again. */
export function meaningOf(steps: readonly Step[]): string {
  return steps
    .flatMap(({ means }) => means)
    .map((event) => (event.type === 'block-delta' ? event.text : ''))
    .join('')
}

/** What a promise fails with; undefined if it does not. */
export async function failureOf(promise: Promise<unknown>): Promise<GatewayError | undefined> {
  try {
    await promise
    return undefined
  } catch (error) {
    // The tests say which failure they expect, and see it if it is another one.
    return error as GatewayError
  }
}

export function chunk(delta: object, finish: string | null = null): object {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'real-model',
    choices: [{ index: 0, delta, finish_reason: finish }],
  }
}

export const chunks = [
  chunk({ role: 'assistant', content: '' }),
  chunk({ content: 'Hello' }),
  chunk({ content: ' there' }),
  chunk({}, 'stop'),
]

export const reply = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'real-model',
  choices: [
    { index: 0, message: { role: 'assistant', content: 'Hello there' }, finish_reason: 'stop' },
  ],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
}

export const events = [
  {
    type: 'message_start',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'real-model',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 3, output_tokens: 1 },
    },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
  { type: 'content_block_stop', index: 0 },
  {
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: 2 },
  },
  { type: 'message_stop' },
] as const

export function bodyOf(value: unknown): { readonly [key: string]: unknown } {
  if (!isObject(value)) throw new TypeError('Expected an object.')
  return value
}
