import { isObject, type JsonObject } from '#std/json.ts'

import type { WireStopReason } from './stop-reason.ts'
import type { WireUsage } from './usage.ts'

/** A block of an answer. Blocks of other types, such as the steps of server tools, are kept as raw text. */
export type WireBlock =
  | { readonly type: 'text'; readonly text: string; readonly citations?: readonly unknown[] }
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | {
      readonly type: 'tool_use'
      readonly id: string
      readonly name: string
      readonly input: unknown
    }

/** What makes the open block grow. */
export type WireDelta =
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'input_json_delta'; readonly partial_json: string }
  | { readonly type: 'thinking_delta'; readonly thinking: string }
  | { readonly type: 'signature_delta'; readonly signature: string }
  | { readonly type: 'citations_delta'; readonly citation: unknown }

/** Why a message was refused, where the server tells. */
export interface WireStopDetails {
  readonly type: 'refusal'
  readonly category: string | null
  readonly explanation: string | null
}

/** A whole answer, or with no content and no reason the one that opens a stream. */
export interface WireMessage {
  readonly id: string
  readonly type: 'message'
  readonly role: 'assistant'
  readonly model: string
  readonly content: readonly WireBlock[]
  readonly stop_reason: WireStopReason | null
  readonly stop_sequence: string | null
  readonly stop_details: WireStopDetails | null
  readonly usage: WireUsage
}

/** The events of a stream, each also the name of its frame. */
export type WireEvent =
  | { readonly type: 'message_start'; readonly message: WireMessage }
  | { readonly type: 'ping' }
  | {
      readonly type: 'content_block_start'
      readonly index: number
      readonly content_block: WireBlock
    }
  | { readonly type: 'content_block_delta'; readonly index: number; readonly delta: WireDelta }
  | { readonly type: 'content_block_stop'; readonly index: number }
  | {
      readonly type: 'message_delta'
      readonly delta: Pick<WireMessage, 'stop_reason' | 'stop_sequence' | 'stop_details'>
      readonly usage: WireUsage
    }
  | { readonly type: 'message_stop' }
  | WireError

/** A failure: the body of a reply, and the data of an `error` event. */
export interface WireError {
  readonly type: 'error'
  readonly error: {
    readonly type: string
    readonly message: string
    readonly details?: { readonly error_code: string }
  }
  readonly request_id: string | null
}

// What upstreams send is read member by member, since every member is missing or null somewhere.

/** The string that a member holds; empty for anything else. */
export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The object that a member holds; empty for anything else. */
export function objectIn(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}
