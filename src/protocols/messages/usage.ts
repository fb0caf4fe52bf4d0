import { readCount, type Usage } from '#chat/usage.ts'
import { given } from '#protocols/given.ts'
import { isObject, type JsonObject } from '#std/json.ts'

/** Tokens as this protocol writes them: the input leaves out what a cache read or wrote, the output includes thoughts. */
export interface WireUsage {
  readonly input_tokens: number
  readonly cache_creation_input_tokens?: number
  readonly cache_read_input_tokens?: number
  readonly output_tokens: number
  readonly output_tokens_details?: { readonly thinking_tokens: number }
}

/** The two counts that clients insist on are zero where nobody counted; the others are left out. */
export function encodeUsage(usage: Usage): WireUsage {
  const output = usage.output ?? 0
  return {
    input_tokens: usage.input ?? 0,
    ...given('cache_creation_input_tokens', usage.cacheWrite),
    ...given('cache_read_input_tokens', usage.cacheRead),
    output_tokens: output,
    ...(usage.reasoning === undefined
      ? {}
      : { output_tokens_details: { thinking_tokens: Math.min(usage.reasoning, output) } }),
  }
}

/** Reads what a server counted. Undefined if it is no usage at all; a member that is null or missing is not known. */
export function decodeUsage(wire: unknown): Usage | undefined {
  if (!isObject(wire)) return undefined
  const input = readCount(wire['input_tokens'])
  const cacheRead = readCount(wire['cache_read_input_tokens'])
  const cacheWrite = cacheWriteIn(wire)
  const output = readCount(wire['output_tokens'])
  const reasoning = reasoningIn(wire)
  return {
    ...given('input', input),
    ...given('cacheRead', cacheRead),
    ...given('cacheWrite', cacheWrite),
    ...given('output', output),
    ...given('reasoning', reasoning && Math.min(reasoning, output ?? reasoning)),
  }
}

function cacheWriteIn(wire: JsonObject): number | undefined {
  const whole = readCount(wire['cache_creation_input_tokens'])
  if (whole !== undefined) return whole
  const byLifetime = wire['cache_creation']
  if (!isObject(byLifetime)) return undefined
  const short = readCount(byLifetime['ephemeral_5m_input_tokens'])
  const long = readCount(byLifetime['ephemeral_1h_input_tokens'])
  return short === undefined && long === undefined ? undefined : (short ?? 0) + (long ?? 0)
}

function reasoningIn(wire: JsonObject): number | undefined {
  const details = wire['output_tokens_details']
  return isObject(details) ? readCount(details['thinking_tokens']) : undefined
}
