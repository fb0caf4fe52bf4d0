import type { Brand } from '#std/brand.ts'

/** A wire format that callers and upstreams speak. */
export type ProtocolName = 'chat-completions' | 'messages'

/** What a caller asked for. */
export type ModelName = Brand<'ModelName'>

/** What an upstream calls it. */
export type UpstreamModel = Brand<'UpstreamModel'>
