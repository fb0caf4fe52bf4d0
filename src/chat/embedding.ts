import type { RawJson } from '#std/json.ts'

import type { ModelName } from './names.ts'
import type { Usage } from './usage.ts'

/** One text to embed: as text, or as the ids of its tokens. */
export type EmbeddingInput = string | readonly number[]

export interface EmbeddingRequest {
  readonly model: ModelName
  readonly inputs: readonly EmbeddingInput[]
  readonly encoding: 'float' | 'base64'
  readonly dimensions?: number
  readonly user?: string
  /** Members that we have no word for, as they were said. */
  readonly extra: ReadonlyMap<string, RawJson>
}

/** One vector for each input, in the order of the inputs, all of one width. */
export interface EmbeddingReply {
  readonly model: string
  readonly vectors: readonly (readonly number[])[]
  readonly usage: Usage
}
