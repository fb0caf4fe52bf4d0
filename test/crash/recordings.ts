import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { ProtocolName } from '#chat/names.ts'
import { dataFrames, eventFrames } from '#test/scripted-upstream.ts'

import { wordOf } from './counting-upstream.ts'
import { seeded } from './seeded.ts'

/** A stream as an upstream said it, frame by frame, its terminator last. */
export interface Recording {
  readonly name: string
  readonly protocol: ProtocolName
  readonly frames: readonly string[]
}

/** Streams that real servers sent, and as many made ones as it takes to have so many. */
export function recordings(count: number, seed: number): Recording[] {
  const real = [...fixtures('chat-completions'), ...fixtures('messages')]
  const chance = seeded(seed)
  const made = Array.from({ length: Math.max(0, count - real.length) }, (_, at) =>
    at % 2 === 0 ? chatOf(chance.between(5, 70)) : messagesOf(chance.between(5, 70)),
  )
  return [...real, ...made].slice(0, count)
}

/** A chat-completions stream of so many tokens, one in each frame. */
export function chatOf(tokens: number): Recording {
  const shell = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'served' }
  const piece = (delta: object, finish: string | null = null) => ({
    ...shell,
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  const usage = { prompt_tokens: 7, completion_tokens: tokens, total_tokens: tokens + 7 }
  return {
    name: `chat of ${tokens} tokens`,
    protocol: 'chat-completions',
    frames: dataFrames(
      piece({ role: 'assistant', content: '' }),
      ...Array.from({ length: tokens }, (_, at) => piece({ content: wordOf(at) })),
      piece({}, 'stop'),
      { ...shell, choices: [], usage },
    ),
  }
}

/** A messages stream of so many tokens, one in each frame. */
export function messagesOf(tokens: number): Recording {
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'served', content: [] }
  const usage = { input_tokens: 7, output_tokens: 1 }
  const delta = (at: number) =>
    event('content_block_delta', {
      index: 0,
      delta: { type: 'text_delta', text: wordOf(at) },
    })
  return {
    name: `messages of ${tokens} tokens`,
    protocol: 'messages',
    frames: eventFrames(
      event('message_start', { message: { ...message, usage } }),
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      ...Array.from({ length: tokens }, (_, at) => delta(at)),
      event('content_block_stop', { index: 0 }),
      event('message_delta', {
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: tokens },
      }),
      event('message_stop', {}),
    ),
  }
}

function event(type: string, members: object): { readonly type: string } {
  return { type, ...members }
}

const folder = new URL('../fixtures', import.meta.url).pathname

function fixtures(protocol: ProtocolName): Recording[] {
  return readdirSync(join(folder, protocol))
    .filter((name) => name.endsWith('.sse') && !name.startsWith('error'))
    .toSorted()
    .map((name) => ({
      name: `${protocol}/${name}`,
      protocol,
      frames: framesOf(readFileSync(join(folder, protocol, name), 'utf8')),
    }))
}

function framesOf(text: string): string[] {
  return text.split(/(?<=\n\r?\n)/).filter((frame) => frame.trim() !== '')
}
