import { durationText, readDuration } from '#chat/duration.ts'
import type { ProtocolName } from '#chat/names.ts'

type Entry = readonly [name: string, value: string]

/**
 * What an upstream or the gateway says of limits, in the headers of the caller's protocol: those of the other one are
 * renamed, and their times said in its way. What is no such header is left out. What comes later stands in place of
 * what came before under the same name: a caller has to keep to the limits of its key.
 */
export function limitHeaders(
  caller: ProtocolName,
  headers: Iterable<Entry>,
  now = Date.now(),
): ReadonlyMap<string, string> {
  const said = new Map<string, string>()
  for (const [name, value] of headers) {
    const limit = limitIn(name)
    if (limit === undefined) continue
    const told = limit.from === caller ? ([name, value] as const) : worded(limit, value, now)
    if (told !== undefined) said.set(...told)
  }
  return said
}

interface Limit {
  readonly from: ProtocolName
  /** `requests`, `tokens`, `input-tokens` and the like. */
  readonly of: string
  /** `limit`, `remaining` or `reset`. */
  readonly what: string
}

function limitIn(name: string): Limit | undefined {
  const chat = /^x-ratelimit-(limit|remaining|reset)-([a-z-]+)$/.exec(name)
  if (chat !== null) return { from: 'chat-completions', what: chat[1] ?? '', of: chat[2] ?? '' }
  const messages = /^anthropic-ratelimit-([a-z-]+)-(limit|remaining|reset)$/.exec(name)
  if (messages === null) return undefined
  return { from: 'messages', of: messages[1] ?? '', what: messages[2] ?? '' }
}

/** The limit in the words of the other protocol; undefined if its time cannot be read. */
function worded({ from, of, what }: Limit, value: string, now: number): Entry | undefined {
  const isForChat = from === 'messages'
  const name = isForChat ? `x-ratelimit-${what}-${of}` : `anthropic-ratelimit-${of}-${what}`
  if (what !== 'reset') return [name, value]
  const time = isForChat ? durationUntil(value, now) : timeAfter(value, now)
  return time === undefined ? undefined : [name, time]
}

/** How long it is until a time, in whole seconds. */
function durationUntil(time: string, now: number): string | undefined {
  const at = Date.parse(time)
  return Number.isNaN(at) ? undefined : durationText(Math.ceil((at - now) / 1000) * 1000)
}

/** The time after a duration, to the second. */
function timeAfter(duration: string, now: number): string | undefined {
  const ms = readDuration(duration)
  if (ms === undefined) return undefined
  const at = new Date(Math.ceil((now + ms) / 1000) * 1000)
  return Number.isNaN(at.getTime()) ? undefined : `${at.toISOString().slice(0, 19)}Z`
}
