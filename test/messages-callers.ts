import { Database } from 'bun:sqlite'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import Anthropic, { type ClientOptions } from '@anthropic-ai/sdk'

import type { ProtocolName } from '#chat/names.ts'
import type { LedgerRow } from '#storage/schema.ts'

import { c, delta, DONE, F, role, sse as chatText, USG } from './chat-answers.ts'
import { ending, messageStart, textBlock } from './messages-frames.ts'
import {
  json,
  type RecordedRequest,
  type Script,
  type ScriptedUpstream,
  sse,
} from './scripted-upstream.ts'
import type { TestConfig, TestGateway } from './start-gateway.ts'

// What the suites of messages callers have in common: the official client, both kinds of upstream, the ledger.

export const hi: Anthropic.MessageParam[] = [{ role: 'user', content: 'hi' }]

/** The smallest request there is, for the model `m`. */
export const asked = { model: 'm', max_tokens: 16, messages: hi }

/** The official client, as a caller of the gateway configures it. It tries once unless a test says otherwise. */
export function anthropicOf(gateway: TestGateway, options: ClientOptions = {}): Anthropic {
  return new Anthropic({ baseURL: gateway.url, apiKey: gateway.key, maxRetries: 0, ...options })
}

/** A gateway with one upstream named `up`, which serves the model `m`. */
export function servedBy(
  protocol: ProtocolName,
  upstream: ScriptedUpstream,
  settings: object = {},
): TestConfig {
  const url = protocol === 'messages' ? upstream.origin : upstream.url
  return {
    upstreams: { up: { protocol, url, key: 'sk-of-the-upstream', serves: ['m'], ...settings } },
  }
}

/** The same answer, `Hello there`, of an upstream of either protocol, in the form that it is asked for. */
export const hello: Readonly<Record<ProtocolName, (request: RecordedRequest) => Script>> = {
  messages: (request) => (asksStream(request) ? sse([helloEvents]) : json(200, helloMessage)),
  'chat-completions': (request) =>
    asksStream(request) ? sse([helloChunks]) : json(200, helloCompletion),
}

export const bothLanes: readonly ProtocolName[] = ['messages', 'chat-completions']

export const helloEvents =
  messageStart({ input_tokens: 10, output_tokens: 1 }) + textBlock(0, 'Hello', ' there') + ending()

export const helloChunks = chatText(role, c('Hello'), c(' there'), F('stop'), USG(10, 5), DONE)

export const helloMessage = {
  id: 'msg_up',
  type: 'message',
  role: 'assistant',
  model: 'big-1',
  content: [{ type: 'text', text: 'Hello there' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 5 },
}

export const helloCompletion = completion({ content: 'Hello there' })

/** A chat-completions reply with this message. */
export function completion(message: object, finish = 'stop', choice: object = {}): object {
  const { id, created, model } = delta({})
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: null, ...message },
        finish_reason: finish,
        ...choice,
      },
    ],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  }
}

/** One call of a tool, as a chat-completions reply has it. */
export function toolCall(id: string, name: string, text: string): object {
  return { id, type: 'function', function: { name, arguments: text } }
}

export function asksStream(request: RecordedRequest): boolean {
  return bodyOf(request)['stream'] === true
}

/** The body of a request as an object. */
export function bodyOf(request: RecordedRequest): Readonly<Record<string, unknown>> {
  return request.json() as Readonly<Record<string, unknown>>
}

/** The bytes of a stream or body as a vendor sends them, by the file's name. */
export function fixture(name: string): string {
  return readFileSync(new URL(`fixtures/messages/${name}`, import.meta.url), 'utf8')
}

/** What a promise is rejected with; fails if it is not. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('Nothing was rejected.')
}

/** The error that the official client makes of a refusal. */
export async function apiError(promise: Promise<unknown>): Promise<ApiError> {
  const error = await rejection(promise)
  if (error instanceof Anthropic.APIError) return error
  throw error
}

export type ApiError = InstanceType<typeof Anthropic.APIError>

/** A database file of its own, so that a test can read what the gateway wrote into it. */
export class LedgerFile implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'parley-ledger-'))

  get path(): string {
    return join(this.#folder, 'parley.db')
  }

  get rows(): readonly LedgerRow[] {
    using database = new Database(this.path, { readonly: true })
    return database.query<LedgerRow, []>('select * from ledger order by seq').all()
  }

  /** The rows, once there are so many: for exchanges that end after their caller has gone. */
  async having(count: number): Promise<readonly LedgerRow[]> {
    for (;;) {
      const { rows } = this
      if (rows.length >= count) return rows
      await new Promise((resolve) => {
        setImmediate(resolve)
      })
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
