import type { ChatEvent } from '#chat/event.ts'
import { emptyAnswer, type FoldedAnswer, foldEvent } from '#chat/folded-answer.ts'
import type { UpstreamModel } from '#chat/names.ts'
import type { Profile } from '#chat/profile.ts'
import type { Step } from '#chat/step.ts'
import type { Heard, StreamDecoder } from '#protocols/protocol.ts'
import { brandAs } from '#std/brand.ts'

/** A frame of a stream of the messages protocol. */
export function frame(type: string, members: object = {}): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...members })}\n\n`
}

/** `message_start`, with the count that a server begins with. */
export function messageStart(usage: object = { input_tokens: 10, output_tokens: 1 }): string {
  return frame('message_start', {
    message: {
      id: 'msg_up',
      type: 'message',
      role: 'assistant',
      model: 'big-1',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage,
    },
  })
}

export function blockStart(index: number, block: object): string {
  return frame('content_block_start', { index, content_block: block })
}

export function blockDelta(index: number, delta: object): string {
  return frame('content_block_delta', { index, delta })
}

export function blockStop(index: number): string {
  return frame('content_block_stop', { index })
}

/** A whole text block, in the given pieces. */
export function textBlock(index: number, ...pieces: readonly string[]): string {
  const deltas = pieces.map((text) => blockDelta(index, { type: 'text_delta', text }))
  return [blockStart(index, { type: 'text', text: '' }), ...deltas, blockStop(index)].join('')
}

/** A whole thought, signed if there is a signature. */
export function thinkingBlock(index: number, thinking: string, signature?: string): string {
  return [
    blockStart(index, { type: 'thinking', thinking: '', signature: '' }),
    thinking === '' ? '' : blockDelta(index, { type: 'thinking_delta', thinking }),
    signature === undefined ? '' : blockDelta(index, { type: 'signature_delta', signature }),
    blockStop(index),
  ].join('')
}

/** A whole call, its arguments in the given pieces. */
export function toolBlock(
  index: number,
  { id, name, input = {} }: { id: string; name: string; input?: unknown },
  ...pieces: readonly string[]
): string {
  const deltas = pieces.map((json) =>
    blockDelta(index, { type: 'input_json_delta', partial_json: json }),
  )
  return [
    blockStart(index, { type: 'tool_use', id, name, input }),
    ...deltas,
    blockStop(index),
  ].join('')
}

export function messageDelta(reason: string | null, usage: object = { output_tokens: 5 }): string {
  return frame('message_delta', { delta: { stop_reason: reason, stop_sequence: null }, usage })
}

export const messageStop = frame('message_stop')

/** The last two frames of an answer. */
export function ending(reason = 'end_turn'): string {
  return messageDelta(reason) + messageStop
}

/** What a decoder has to know of the request; only the family matters to these. */
export function heard(names: ReadonlyMap<string, string> = new Map()): Heard {
  const profile = { family: 'anthropic' } as Partial<Profile> as Profile
  const model = brandAs<UpstreamModel>('big-1')
  return { target: { upstream: 'up', model, protocol: 'messages', profile }, names }
}

/** All steps of a stream that comes in the given reads; throws as the decoder does. */
export function stepsOf(
  decoder: StreamDecoder,
  ...reads: readonly (string | Uint8Array)[]
): Step[] {
  const pushed = reads.flatMap((read) => [...decoder.push(Buffer.from(read))])
  return [...pushed, ...decoder.end()]
}

/** What the steps mean. */
export function meansOf(steps: readonly Step[]): ChatEvent[] {
  return steps.flatMap((step) => step.means)
}

/** The whole answer that the steps mean. */
export function folded(steps: readonly Step[]): FoldedAnswer {
  const answer = emptyAnswer()
  for (const event of meansOf(steps)) foldEvent(answer, event)
  return answer
}

/** The bytes, cut after every `size`. */
export function cutInto(text: string | Uint8Array, size: number): Uint8Array[] {
  const bytes = Buffer.from(text)
  const count = Math.ceil(bytes.length / size)
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * size, (at + 1) * size))
}

/** What a function throws; fails if it throws nothing. */
export function thrownBy(act: () => unknown): unknown {
  try {
    act()
  } catch (error) {
    return error
  }
  throw new Error('Nothing was thrown.')
}
