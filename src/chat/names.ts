import type { Brand } from '#std/brand.ts'

/** A wire format that callers and upstreams speak. */
export type ProtocolName = 'chat-completions' | 'messages'

/** What a caller asked for. */
export type ModelName = Brand<'ModelName'>

/** Longer than any name, in characters. Names are remembered and written down, so that longer ones would fill what keeps them. */
export const longestModelName = 512

/** What an upstream calls it. */
export type UpstreamModel = Brand<'UpstreamModel'>
