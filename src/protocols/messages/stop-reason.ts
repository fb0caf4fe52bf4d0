import type { StopReason } from '#chat/event.ts'

/** Why a message ended, in the words that clients of this protocol know. */
export type WireStopReason =
  | 'end_turn'
  | 'stop_sequence'
  | 'max_tokens'
  | 'model_context_window_exceeded'
  | 'tool_use'
  | 'refusal'
  | 'pause_turn'

/** How our reasons are said. */
export const wireStopReasons = {
  end: 'end_turn',
  'stop-sequence': 'stop_sequence',
  length: 'max_tokens',
  'context-full': 'model_context_window_exceeded',
  'tool-use': 'tool_use',
  refusal: 'refusal',
  pause: 'pause_turn',
} as const satisfies Record<StopReason, WireStopReason>

const meanings: ReadonlyMap<string, StopReason> = new Map([
  ['end_turn', 'end'],
  ['stop_sequence', 'stop-sequence'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'context-full'],
  ['tool_use', 'tool-use'],
  ['refusal', 'refusal'],
  ['pause_turn', 'pause'],
  ['compaction', 'pause'],
])

/** What a `stop_reason` means, or undefined for a word that this version does not know. */
export function decodeStopReason(said: string): StopReason | undefined {
  return meanings.get(said)
}
