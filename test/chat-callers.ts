import { readFileSync } from 'node:fs'
import { connect } from 'node:net'

import OpenAI, { type ClientOptions } from 'openai'

import { asksStream } from './messages-callers.ts'
import {
  blockDelta,
  blockStart,
  blockStop,
  messageDelta,
  messageStart,
  messageStop,
} from './messages-frames.ts'
import { json, type RecordedRequest, type Script, sse } from './scripted-upstream.ts'
import type { TestGateway } from './start-gateway.ts'

// What the suites of chat-completions callers have in common: the official client, recordings, and what a messages
// upstream answers in their place.

export const question: OpenAI.ChatCompletionMessageParam[] = [
  { role: 'user', content: 'What is the weather in Paris and in Rome?' },
]

/** The smallest request there is, for the model `m`. */
export const asked = { model: 'm', messages: question }

/** The official client, as a caller of the gateway configures it. It tries once unless a test says otherwise. */
export function openaiOf(gateway: TestGateway, options: ClientOptions = {}): OpenAI {
  return new OpenAI({
    baseURL: `${gateway.url}/v1`,
    apiKey: gateway.key,
    maxRetries: 0,
    ...options,
  })
}

/** The bytes of a recording, by the file's name. */
export function recording(name: string): string {
  return readFileSync(new URL(`fixtures/chat-completions/${name}`, import.meta.url), 'utf8')
}

/** A chat upstream that answers as it was recorded, in the form that it is asked for. */
export function recorded(name: string): (request: RecordedRequest) => Script {
  return (request) =>
    asksStream(request) ? sse([recording(`${name}.sse`)]) : json(200, recording(`${name}.json`))
}

/** A block of a messages answer, as its reply has it. */
export interface Block {
  readonly type: string
  readonly [member: string]: unknown
}

export interface MessageEnd {
  readonly reason?: string
  readonly usage?: Readonly<Record<string, number>>
}

/** A messages upstream that gives this answer, in the form that it is asked for. */
export function message(
  content: readonly Block[],
  end: MessageEnd = {},
): (request: RecordedRequest) => Script {
  return (request) =>
    asksStream(request) ? sse([messageFrames(content, end)]) : json(200, wholeMessage(content, end))
}

/** The whole stream of a messages answer, every text of it in pieces of a few characters. */
export function messageFrames(content: readonly Block[], end: MessageEnd = {}): string {
  const { reason = 'end_turn', usage = usualUsage } = end
  const blocks = content.map((block, index) => {
    const { start, deltas } = pieces(block)
    return [
      blockStart(index, start),
      ...deltas.map((delta) => blockDelta(index, delta)),
      blockStop(index),
    ].join('')
  })
  return [
    messageStart({ ...usage, output_tokens: 1 }),
    ...blocks,
    messageDelta(reason, { output_tokens: usage['output_tokens'] }),
    messageStop,
  ].join('')
}

const usualUsage = { input_tokens: 10, output_tokens: 5 }

function wholeMessage(content: readonly Block[], { reason = 'end_turn', usage }: MessageEnd) {
  return {
    id: 'msg_up',
    type: 'message',
    role: 'assistant',
    model: 'big-1',
    content,
    stop_reason: reason,
    stop_sequence: null,
    usage: usage ?? usualUsage,
  }
}

function pieces(block: Block): { readonly start: object; readonly deltas: readonly object[] } {
  switch (block.type) {
    case 'text':
      return {
        start: { type: 'text', text: '' },
        deltas: cut(block['text']).map((text) => ({ type: 'text_delta', text })),
      }
    case 'thinking':
      return {
        start: { type: 'thinking', thinking: '', signature: '' },
        deltas: [
          ...cut(block['thinking']).map((thinking) => ({ type: 'thinking_delta', thinking })),
          { type: 'signature_delta', signature: block['signature'] },
        ],
      }
    case 'tool_use':
      return {
        start: { ...block, input: {} },
        deltas: cut(JSON.stringify(block['input'])).map((text) => ({
          type: 'input_json_delta',
          partial_json: text,
        })),
      }
    default:
      return { start: block, deltas: [] }
  }
}

function cut(text: unknown): readonly string[] {
  return String(text).match(/[^]{1,7}/gu) ?? []
}

/** Everything that comes back on a connection of its own until the other side closes it, or `isEnough` of it has come. */
export async function onSocket(
  port: number,
  said: string | Uint8Array,
  isEnough: (text: string) => boolean = () => false,
): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (data: Uint8Array) => {
    text += Buffer.from(data).toString('latin1')
    if (isEnough(text)) socket.destroy()
  })
  socket.on('close', () => resolve(text))
  // The other side may refuse to read on; what it said until then is what counts.
  socket.on('error', () => {})
  socket.write(said)
  return promise
}

/** The head of a request as it stands on the wire. */
export function wireHead(
  path: string,
  { method = 'POST', ...headers }: Readonly<Record<string, string | number>>,
): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\nhost: gateway\r\n${lines.join('')}\r\n`
}

/** Resolves when the gateway has no exchange under way any more. */
export async function idle({ gateway }: TestGateway): Promise<void> {
  while (gateway.inFlight > 0) await turn()
}

/** One turn of the event loop. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

export interface HeardBody {
  readonly text: string
  /** Whether the body came to its own end, or broke off. */
  readonly isWhole: boolean
}

/** All of a body that can be read. */
export async function heardOf(response: Response): Promise<HeardBody> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const read of response.body ?? []) text += decoder.decode(read, { stream: true })
    return { text, isWhole: true }
  } catch {
    // It broke off: whether it should have is what the tests say.
    return { text, isWhole: false }
  }
}

/** The frames of a stream, each with the blank line that ends it. */
export function framesOf(text: string): readonly string[] {
  return text.split(/(?<=\n\n)/)
}
