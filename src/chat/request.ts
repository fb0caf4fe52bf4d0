import type { Member } from '#std/json.ts'

import type { Conversation } from './conversation.ts'
import type { ModelName, ProtocolName } from './names.ts'

/**
 * A request for an answer: what the gateway has to know of every one, the words it was said in, and its
 * meaning, which is worked out only when it has to be said in another protocol.
 */
export interface ChatRequest {
  readonly protocol: ProtocolName
  readonly model: ModelName
  readonly stream: boolean
  /** Whether the caller is to be told the usage of a stream. Always so in the messages protocol. */
  readonly wantsUsage: boolean
  /** The most tokens that the caller will take, if it said so. */
  readonly maxTokens?: number
  /** The most tokens that may be asked for each answer, whatever the caller said: what its key and its budget allow. */
  readonly cap?: number
  /** How many answers it asks for; 1 unless it said so. */
  readonly choices?: number
  readonly body: RequestBody
  /** Headers of the caller that go on to an upstream of the same protocol (version, betas), by lower-case name. */
  readonly headers: ReadonlyMap<string, string>
  /** Decodes the whole request. Throws `request-invalid` for what cannot be understood. Called at most once a target. */
  readonly meaning: () => Conversation
}

/** The body as it came: its text, the parsed value, and where its top-level members lie in the text. */
export interface RequestBody {
  readonly text: string
  readonly value: { readonly [key: string]: unknown }
  readonly members: readonly Member[]
}
