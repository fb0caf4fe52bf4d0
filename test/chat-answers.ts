import { GatewayError } from '#chat/error.ts'
import type { UpstreamModel } from '#chat/names.ts'
import type { Profile } from '#chat/profile.ts'
import type { Step } from '#chat/step.ts'
import { decodeStream } from '#protocols/chat-completions/decode-answer/decode-stream.ts'
import { encodeStreamError } from '#protocols/messages/encode-answer/encode-error.ts'
import { encodeStream } from '#protocols/messages/encode-answer/encode-stream.ts'
import type { Heard, StreamDecoder, Told } from '#protocols/protocol.ts'
import { brandAs } from '#std/brand.ts'

import { messagesFrames, readMessagesStream } from './grammars.ts'

// Answers of a chat-completions upstream in short: `c('x')` is a chunk of content, `t(0, 'c1', 'f', '{}')` one of a call.

export const profile: Profile = {
  family: 'engine',
  defaultMaxTokens: 4096,
  sampling: 'all',
  topK: true,
  midSystem: 'native',
  prefill: 'native',
  structuredOutput: 'native',
  strictTools: true,
  callIds: 'any',
  toolNameLimit: 64,
  forwardUnknown: false,
  fetchesUrls: true,
  maxTokensField: 'max_tokens',
  systemRole: 'system',
  textParts: true,
  emptyContent: 'null',
  toolResultImages: 'inline',
  streamUsage: true,
  reasoningReplay: 'reasoning_content',
  reasoningControl: 'effort',
  callerFields: true,
  maxStops: 4,
  schemaNeedsProperties: false,
  thinking: 'none',
  firstParty: false,
}

export const heard: Heard = {
  target: {
    upstream: 'up',
    model: brandAs<UpstreamModel>('model'),
    protocol: 'chat-completions',
    profile,
  },
  names: new Map(),
}

export const told: Told = {
  id: 'id_1',
  created: 1_700_000_000,
  model: 'asked',
  wantsUsage: true,
  isLegacyFunctions: false,
}

export type Chunk = { readonly [key: string]: unknown }

/** A chunk with this delta, and other members of its choice. */
export function delta(members: Chunk | null, choice: Chunk = {}): Chunk {
  const told = members === null ? {} : { delta: members }
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'served',
    choices: [{ index: 0, ...told, finish_reason: null, ...choice }],
  }
}

export const role = delta({ role: 'assistant', content: '' })

export function c(content: unknown): Chunk {
  return delta({ content })
}

export function r(reasoning: string): Chunk {
  return delta({ reasoning_content: reasoning })
}

/** A piece of a call; undefined leaves the member out. */
export function t(index?: number, id?: string, name?: string, args?: unknown): Chunk {
  return delta({ tool_calls: [piece(index, id, name, args)] })
}

export function piece(index?: number, id?: string, name?: string, args?: unknown): Chunk {
  return { index, id, type: 'function', function: { name, arguments: args } }
}

export function F(finish: string, choice: Chunk = {}): Chunk {
  return delta({}, { finish_reason: finish, ...choice })
}

export function USG(prompt: number, completion: number, cached?: number): Chunk {
  const details = cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } }
  return {
    id: 'chatcmpl-1',
    choices: [],
    usage: {
      prompt_tokens: prompt,
      completion_tokens: completion,
      total_tokens: prompt + completion,
      ...details,
    },
  }
}

export const DONE = '[DONE]'

/** The bytes of a stream; text stands for itself as data. */
export function sse(...frames: readonly (Chunk | string)[]): string {
  return frames
    .map((frame) => `data: ${typeof frame === 'string' ? frame : JSON.stringify(frame)}\n\n`)
    .join('')
}

/** Every step of a stream that comes in these reads, and the failure that ends it, if one does. */
export function stepsOf(
  decoder: StreamDecoder,
  ...reads: readonly (string | Uint8Array)[]
): { readonly steps: Step[]; readonly failure: GatewayError | undefined } {
  const steps: Step[] = []
  try {
    for (const read of reads) {
      for (const step of decoder.push(typeof read === 'string' ? Buffer.from(read) : read)) {
        steps.push(step)
      }
    }
    for (const step of decoder.end()) steps.push(step)
    return { steps, failure: undefined }
  } catch (failure) {
    if (!(failure instanceof GatewayError)) throw failure
    return { steps, failure }
  }
}

/** The stream that a messages caller is told of this one. */
export function tellMessages(text: string, from: Heard = heard): string {
  const { steps, failure } = stepsOf(decodeStream(from), text)
  const encoder = encodeStream(told)
  let said = ''
  try {
    for (const { means } of steps) said += encoder.push(means)
    if (failure !== undefined) throw failure
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error
    said += encodeStreamError(error, 'req_1')
  }
  readMessagesStream(said)
  return said
}

/**
 * A messages stream in short, after the strict reader has passed it: `+0text`, `0"delta"`, `-0`, `sig`,
 * `md(end_turn;10,2)`, `mx`, `ERR(api_error)`, `ping`.
 */
export function inShort(text: string): string {
  return messagesFrames(text)
    .map(({ name, data }) => short(name, data))
    .join(' ')
}

function short(name: string, data: { readonly [key: string]: unknown }): string {
  switch (name) {
    case 'message_start':
      return 'ms'
    case 'content_block_start':
      return `+${String(data['index'])}${shortBlock(data['content_block'])}`
    case 'content_block_delta':
      return shortDelta(String(data['index']), data['delta'])
    case 'content_block_stop':
      return `-${String(data['index'])}`
    case 'message_delta': {
      const { stop_reason: reason } = data['delta'] as { stop_reason: string }
      const usage = data['usage'] as { input_tokens: number; output_tokens: number }
      return `md(${reason};${usage.input_tokens},${usage.output_tokens})`
    }
    case 'message_stop':
      return 'mx'
    case 'error':
      return `ERR(${(data['error'] as { type: string }).type})`
    default:
      return name
  }
}

function shortBlock(block: unknown): string {
  const { type, name } = block as { type: string; name?: string }
  return name === undefined ? type : `${type}:${name}`
}

function shortDelta(index: string, change: unknown): string {
  const { type, signature: _signature, ...rest } = change as Record<string, string>
  if (type === 'signature_delta') return 'sig'
  return `${index}${JSON.stringify(Object.values(rest)[0])}`
}
