import { foldUsage, noUsage, readCount, type Usage } from '#chat/usage.ts'
import { given } from '#protocols/given.ts'
import { isObject, type JsonObject, listIn } from '#std/json.ts'

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
  const told = takeReport(noReport, wire)
  return told && wholeUsage(told)
}

/** What the reports of one answer have told so far. Servers count the making of summaries apart from the answer. */
export interface Told {
  readonly answer: Usage
  readonly summaries: Usage
}

export const noReport: Told = { answer: noUsage, summaries: noUsage }

/** Takes in a later report, which may leave out what an earlier one told. Undefined if it is no usage at all. */
export function takeReport(told: Told, wire: unknown): Told | undefined {
  if (!isObject(wire)) return undefined
  const summaries = listIn(wire['iterations']).filter(isSummary).map(countsIn)
  const reasoning = reasoningIn(wire)
  const counts = countsIn(wire)
  const answer = {
    ...counts,
    ...given('reasoning', reasoning && Math.min(reasoning, counts.output ?? reasoning)),
  }
  return {
    answer: foldUsage(told.answer, answer),
    summaries: foldUsage(told.summaries, summaries.reduce(plus, noUsage)),
  }
}

/** All that an answer took, the summaries that were made for it included. */
export function wholeUsage({ answer, summaries }: Told): Usage {
  return plus(answer, summaries)
}

function isSummary(iteration: unknown): iteration is JsonObject {
  return isObject(iteration) && iteration['type'] === 'compaction'
}

function countsIn(wire: JsonObject): Usage {
  return {
    ...given('input', readCount(wire['input_tokens'])),
    ...given('cacheRead', readCount(wire['cache_read_input_tokens'])),
    ...given('cacheWrite', cacheWriteIn(wire)),
    ...given('output', readCount(wire['output_tokens'])),
  }
}

function plus(one: Usage, other: Usage): Usage {
  return {
    ...one,
    ...given('input', sum(one.input, other.input)),
    ...given('cacheRead', sum(one.cacheRead, other.cacheRead)),
    ...given('cacheWrite', sum(one.cacheWrite, other.cacheWrite)),
    ...given('output', sum(one.output, other.output)),
  }
}

/** Unknown only where both are. */
function sum(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined ? other : one + (other ?? 0)
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
