import type { ProtocolName } from '#chat/names.ts'
import type { Notes } from '#chat/note.ts'
import type { Profile } from '#chat/profile.ts'

/** What every part of a request that is told anew depends on. */
export interface Telling {
  /** The protocol in which the caller said it: notes and refusals are worded in its terms. */
  readonly caller: ProtocolName
  readonly profile: Profile
  readonly notes: Notes
  /** From a tool's name as the caller knows it to the one that is sent. */
  readonly names: ReadonlyMap<string, string>
}

/** What a caller calls the fields whose names differ between the protocols; `reasoning` is how it usually asks for thoughts. */
export const callersWord = {
  messages: {
    stop: 'stop_sequences',
    user: 'metadata.user_id',
    thinking: 'thinking',
    reasoning: 'thinking',
    effort: 'output_config.effort',
    format: 'output_config.format',
  },
  'chat-completions': {
    stop: 'stop',
    user: 'user',
    thinking: 'reasoning',
    reasoning: 'reasoning_effort',
    effort: 'reasoning_effort',
    format: 'response_format',
  },
} as const satisfies Record<ProtocolName, object>
