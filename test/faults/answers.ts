import type { ProtocolName } from '#chat/names.ts'
import { c, F, role, USG } from '#test/chat-answers.ts'
import { completion } from '#test/messages-callers.ts'
import {
  blockDelta,
  blockStart,
  blockStop,
  messageDelta,
  messageStart,
  messageStop,
} from '#test/messages-frames.ts'
import { json, type Script, sse } from '#test/scripted-upstream.ts'

// One good answer, in both protocols and both forms: what every fault is made of.

const pieces = ['Alpha ', 'beta ', 'gamma 🙂 ', 'delta ', 'omega.'] as const

export const wholeText = pieces.join('')

/** What the upstream counts. */
export const counts = { input: 11, output: 7 }

const chunkFrames = [role, ...pieces.map(c), F('stop'), USG(counts.input, counts.output)].map(
  (one) => `data: ${JSON.stringify(one)}\n\n`,
)

/** The frames of the good stream, the terminator last. */
export const goodFrames: Readonly<Record<ProtocolName, readonly string[]>> = {
  'chat-completions': [...chunkFrames, 'data: [DONE]\n\n'],
  messages: [
    messageStart({ input_tokens: counts.input, output_tokens: 1 }),
    blockStart(0, { type: 'text', text: '' }),
    ...pieces.map((text) => blockDelta(0, { type: 'text_delta', text })),
    blockStop(0),
    messageDelta('end_turn', { output_tokens: counts.output }),
    messageStop,
  ],
}

/** How many frames come before the first that says something, and how many until the last that does. */
export const firstContent: Readonly<Record<ProtocolName, number>> = {
  'chat-completions': 1,
  messages: 1,
}
export const pastContent: Readonly<Record<ProtocolName, number>> = {
  'chat-completions': 6,
  messages: 7,
}

export const goodReply: Readonly<Record<ProtocolName, Readonly<Record<string, unknown>>>> = {
  'chat-completions': {
    ...completion({ content: wholeText }),
    usage: {
      prompt_tokens: counts.input,
      completion_tokens: counts.output,
      total_tokens: counts.input + counts.output,
    },
  },
  messages: {
    id: 'msg_up',
    type: 'message',
    role: 'assistant',
    model: 'big-1',
    content: [{ type: 'text', text: wholeText }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: counts.input, output_tokens: counts.output },
  },
}

/** The good answer in the form that was asked for. */
export function goodAnswer(protocol: ProtocolName, isStream: boolean): Script {
  return isStream ? sse(goodFrames[protocol]) : json(200, goodReply[protocol])
}

/** An error in the words of a protocol. */
export function errorBody(protocol: ProtocolName, type: string, message: string): object {
  return protocol === 'messages'
    ? { type: 'error', error: { type, message }, request_id: 'req_up' }
    : { error: { message, type, param: null, code: null } }
}

/** The same as a frame of a stream. */
export function errorFrame(protocol: ProtocolName, type: string, message: string): string {
  const data = JSON.stringify(errorBody(protocol, type, message))
  return protocol === 'messages' ? `event: error\ndata: ${data}\n\n` : `data: ${data}\n\n`
}
