import type { StopReason } from '#chat/event.ts'

import type { FinishReason } from './wire.ts'

/** How our reasons are said. An answer that ends in a refusal with its own words is told as `stop` beside them. */
export const finishReasons = {
  end: 'stop',
  'stop-sequence': 'stop',
  length: 'length',
  'context-full': 'length',
  'tool-use': 'tool_calls',
  refusal: 'content_filter',
  pause: 'stop',
} as const satisfies Record<StopReason, FinishReason>

/** What the words of servers mean, in lower case. `failure` is no way of ending: it is told as an error. */
const meanings: ReadonlyMap<string, StopReason | 'failure'> = new Map([
  ['stop', 'end'],
  ['eos', 'end'],
  ['eos_token', 'end'],
  ['end_turn', 'end'],
  ['stop_sequence', 'end'],
  ['complete', 'end'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['model_length', 'context-full'],
  ['model_context_window_exceeded', 'context-full'],
  ['tool_calls', 'tool-use'],
  ['tool_use', 'tool-use'],
  ['function_call', 'tool-use'],
  ['content_filter', 'refusal'],
  ['safety', 'refusal'],
  ['refusal', 'refusal'],
  ['recitation', 'refusal'],
  ['prohibited_content', 'refusal'],
  ['blocklist', 'refusal'],
  ['spii', 'refusal'],
  ['pause_turn', 'pause'],
  ['error', 'failure'],
  ['abort', 'failure'],
  ['cancelled', 'failure'],
  ['insufficient_system_resource', 'failure'],
  ['malformed_function_call', 'failure'],
])

/** What else is known of an answer when its end is read. */
export interface Ending {
  readonly hasCalls: boolean
  readonly hasRefusal: boolean
  /** Which stop sequence matched, where the server tells. */
  readonly stopSequence?: string
}

export interface DecodedEnding {
  /** `failure` if the word says that the server failed. */
  readonly reason: StopReason | 'failure'
  /** What the word left out or contradicted, if anything. */
  readonly note?: string
}

/**
 * What a `finish_reason` means. Servers say `stop` beside calls, or `tool_calls` without any; what the answer holds
 * decides, but a cut or withheld answer is never one whose calls may be run.
 */
export function decodeFinish(said: string | undefined, ending: Ending): DecodedEnding {
  const known = said === undefined ? 'end' : meanings.get(said.toLowerCase())
  if (known === 'failure') return { reason: 'failure' }
  if (known === 'length' || known === 'context-full' || known === 'refusal' || known === 'pause') {
    return { reason: known }
  }
  const reason = reasonOf(ending)
  if (known === undefined) return { reason, note: `unknown word, told as ${reason}` }
  if (said === undefined) return { reason, note: `missing, told as ${reason}` }
  if (known === 'tool-use' && !ending.hasCalls) {
    return { reason, note: `said without a call, told as ${reason}` }
  }
  return { reason }
}

function reasonOf(ending: Ending): StopReason {
  if (ending.hasCalls) return 'tool-use'
  if (ending.hasRefusal) return 'refusal'
  return ending.stopSequence === undefined ? 'end' : 'stop-sequence'
}
