import type { ProtocolName } from '#chat/names.ts'
import {
  type Act,
  chunk,
  close,
  head,
  json,
  type RecordedRequest,
  reset,
  type ScriptedUpstream,
  startScriptedUpstream,
  waitFor,
  write,
} from '#test/scripted-upstream.ts'

import { type Chance, seeded } from './seeded.ts'

/** How an upstream behaves towards one request. */
export type Manner =
  | 'well'
  /** Says no usage. */
  | 'uncounted'
  /** Takes no notice of the most that it may say. */
  | 'talkative'
  /** The connection is reset in the middle of the answer. */
  | 'lost'
  /** A 500 in place of an answer. */
  | 'failing'

/** What an upstream did for one request, by its own count. */
export interface Served {
  /** `upstream/model`, as the client asked for it: every exchange asks for one of its own, so that it can be found again. */
  readonly model: string
  readonly manner: Manner
  readonly input: number
  /** Tokens of the whole answer, and those that have been written to the socket so far. */
  readonly output: number
  said: number
  /** Whether the whole answer was written, its terminator and all. */
  isWhole: boolean
}

export interface CountingUpstream extends AsyncDisposable {
  readonly url: string
  readonly served: readonly Served[]
  /** Forgets what was served so far. */
  forget(): void
}

export interface Temper {
  readonly seed: number
  readonly manners?: readonly Manner[]
  /** The longest answer. */
  readonly mostTokens?: number
  /** The longest wait before a token, in milliseconds. */
  readonly mostWaitMs?: number
}

/** A model server that answers every request with as many tokens as its chance says, and counts what it says. */
export async function startCountingUpstream(
  { name, protocol }: { readonly name: string; readonly protocol: ProtocolName },
  temper: Temper,
): Promise<CountingUpstream> {
  const chance = seeded(temper.seed)
  let served: Served[] = []
  const upstream = await startScriptedUpstream((request) => {
    if (request.method !== 'POST') return json(404, { error: { message: 'nothing here' } })
    const asked = request.json() as Asked
    const serving = servingOf({ ...asked, model: `${name}/${asked.model}` }, temper, chance)
    served.push(serving)
    return answer(protocol, asked, { serving, waits: waitsOf(temper, chance) })
  })
  return {
    url: protocol === 'messages' ? upstream.origin : upstream.url,
    get served() {
      return served
    },
    forget() {
      served = []
      // The rig runs for many minutes, and nobody looks at the requests of earlier rounds.
      ;(upstream.requests as RecordedRequest[]).length = 0
    },
    [Symbol.asyncDispose]: () => (upstream as ScriptedUpstream)[Symbol.asyncDispose](),
  }
}

interface Asked {
  readonly model: string
  readonly stream?: boolean
  readonly max_tokens?: number
  readonly max_completion_tokens?: number
}

/** How many times as long as it should be the answer of one who takes no notice is. */
const talkativeTimes = 12

const usualManners: readonly Manner[] = ['well']

function servingOf(asked: Asked, temper: Temper, chance: Chance): Served {
  const manner = chance.oneOf(temper.manners ?? usualManners)
  const wanted = chance.between(1, temper.mostTokens ?? 40)
  const most = asked.max_tokens ?? asked.max_completion_tokens ?? Number.MAX_SAFE_INTEGER
  const output = manner === 'talkative' ? wanted * talkativeTimes : Math.min(wanted, most)
  return {
    model: asked.model,
    manner,
    input: chance.between(1, 9),
    output,
    said: 0,
    isWhole: false,
  }
}

function waitsOf({ mostWaitMs = 8 }: Temper, chance: Chance): () => Act {
  return () => waitFor(Bun.sleep(Math.floor(chance.next() * (mostWaitMs + 1))))
}

interface Answering {
  readonly serving: Served
  readonly waits: () => Act
}

async function* answer(
  protocol: ProtocolName,
  asked: Asked,
  { serving, waits }: Answering,
): AsyncGenerator<Act> {
  yield waits()
  if (serving.manner === 'failing') return yield* json(500, { error: { message: 'no' } })
  const told = wire[protocol]
  if (asked.stream !== true) {
    if (serving.manner === 'lost') return yield reset
    yield waits()
    serving.said = serving.output
    serving.isWhole = true
    return yield* json(200, told.reply(serving))
  }
  yield write(head(200, streamHead))
  yield write(chunk(told.start(serving)))
  for (let at = 0; at < serving.output; at++) {
    if (serving.manner !== 'talkative' || at % talkativeTimes === 0) yield waits()
    if (serving.manner === 'lost' && at * 2 >= serving.output) return yield reset
    serving.said++
    yield write(chunk(told.token(at)))
  }
  serving.isWhole = true
  yield write(chunk(told.end(serving)))
  yield write('0\r\n\r\n')
  yield close
}

const streamHead = { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' }

/** Every token is one word, and no two of an answer are alike. */
export const wordOf = (at: number): string => `w${at} `

interface Wire {
  readonly start: (serving: Served) => string
  readonly token: (at: number) => string
  readonly end: (serving: Served) => string
  readonly reply: (serving: Served) => object
}

const wire: Readonly<Record<ProtocolName, Wire>> = {
  'chat-completions': {
    start: () => piece({ role: 'assistant', content: '' }),
    token: (at) => piece({ content: wordOf(at) }),
    end: (serving) =>
      piece({}, 'stop') +
      (serving.manner === 'uncounted'
        ? ''
        : data({ ...shell, choices: [], ...chatUsage(serving) })) +
      'data: [DONE]\n\n',
    reply: (serving) => ({
      ...shell,
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: words(serving.output) },
          finish_reason: 'stop',
        },
      ],
      ...(serving.manner !== 'uncounted' && chatUsage(serving)),
    }),
  },
  messages: {
    start: (serving) =>
      event('message_start', { message: { ...message, content: [], ...firstUsage(serving) } }) +
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
    token: (at) =>
      event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: wordOf(at) } }),
    end: (serving) =>
      event('content_block_stop', { index: 0 }) +
      event('message_delta', {
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        ...(serving.manner !== 'uncounted' && { usage: { output_tokens: serving.output } }),
      }) +
      event('message_stop'),
    reply: (serving) => ({
      ...message,
      stop_reason: 'end_turn',
      content: [{ type: 'text', text: words(serving.output) }],
      ...(serving.manner !== 'uncounted' && {
        usage: { input_tokens: serving.input, output_tokens: serving.output },
      }),
    }),
  },
}

const shell = { id: 'chatcmpl-up', object: 'chat.completion.chunk', created: 1, model: 'served' }

function piece(delta: object, finish: string | null = null): string {
  return data({ ...shell, choices: [{ index: 0, delta, finish_reason: finish }] })
}

function data(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`
}

function chatUsage({ input, output }: Served): object {
  return {
    usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
  }
}

const message = {
  id: 'msg_up',
  type: 'message',
  role: 'assistant',
  model: 'served',
  stop_reason: null as string | null,
  stop_sequence: null,
}

/** The count that a stream begins with: its output is that of the first token, and the last count replaces it. */
function firstUsage({ input, manner }: Served): object {
  return manner === 'uncounted' ? {} : { usage: { input_tokens: input, output_tokens: 1 } }
}

function event(type: string, members: object = {}): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`
}

function words(count: number): string {
  return Array.from({ length: count }, (_, at) => wordOf(at)).join('')
}
