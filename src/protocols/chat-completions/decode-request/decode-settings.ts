import type { Conversation, Format, Sampling } from '#chat/conversation.ts'
import type { RequestBody } from '#chat/request.ts'
import { objectIn, textIn } from '#protocols/chat-completions/wire.ts'
import { given } from '#protocols/given.ts'
import { type JsonObject, rawAt, type RawJson, listIn } from '#std/json.ts'

import { decodeReasoning } from './decode-reasoning.ts'
import type { Source } from './decode-source.ts'

type Settings = Omit<Conversation, 'turns' | 'tools' | 'toolChoice' | 'parallelCalls' | 'maxTokens'>

/** What a checked request says of its answer, apart from the conversation, the tools and the limit. */
export function decodeSettings(body: RequestBody, source: Source): Settings {
  const { value } = body
  const format = decodeFormat(value, source)
  const reasoning = decodeReasoning(value)
  return {
    sampling: decodeSampling(value, source),
    stop: decodeStop(value['stop']),
    choices: numberIn(value['n']) ?? 1,
    extra: decodeExtra(body, { format, effort: reasoning?.effort }),
    ...given('reasoning', reasoning),
    ...given('format', format),
    ...given('logprobs', decodeLogprobs(value)),
    ...given('verbosity', stringIn(value['verbosity'])),
    ...given('caller', decodeCaller(value)),
    ...given('tier', stringIn(value['service_tier'])),
  }
}

function decodeSampling(value: JsonObject, source: Source): Sampling {
  return {
    ...given('temperature', numberIn(value['temperature'])),
    ...given('topP', numberIn(value['top_p'])),
    ...given('topK', numberIn(value['top_k'])),
    ...given('minP', numberIn(value['min_p'])),
    ...given('seed', rawIn(value, source, 'seed')),
    ...given('frequencyPenalty', numberIn(value['frequency_penalty'])),
    ...given('presencePenalty', numberIn(value['presence_penalty'])),
    ...given('logitBias', rawIn(value, source, 'logit_bias')),
  }
}

function decodeStop(stop: unknown): readonly string[] {
  return typeof stop === 'string' ? [stop] : listIn(stop).map(textIn)
}

/** `json_object` with a schema beside it is how llama.cpp says `json_schema`. */
function decodeFormat(value: JsonObject, source: Source): Format | undefined {
  const format = objectIn(value['response_format'])
  const named = objectIn(format?.['json_schema'])
  if (format?.['type'] === 'json_object') {
    const schema = objectIn(format['schema']) && source.slice(['response_format', 'schema'])
    return schema === undefined ? { type: 'json' } : { type: 'schema', schema }
  }
  if (format?.['type'] !== 'json_schema' || named === undefined) return undefined
  const schema = objectIn(named['schema'])
    ? source.slice(['response_format', 'json_schema', 'schema'])
    : undefined
  if (schema === undefined) return { type: 'json' }
  return {
    type: 'schema',
    schema,
    ...given('name', stringIn(named['name'])),
    ...given('description', stringIn(named['description'])),
    ...given('strict', booleanIn(named['strict'])),
  }
}

function decodeLogprobs(value: JsonObject): Conversation['logprobs'] {
  return value['logprobs'] === true ? given('top', numberIn(value['top_logprobs'])) : undefined
}

function decodeCaller(value: JsonObject): Conversation['caller'] {
  const user = stringIn(value['safety_identifier']) ?? stringIn(value['user'])
  const cacheKey = stringIn(value['prompt_cache_key'])
  if (user === undefined && cacheKey === undefined) return undefined
  return { ...given('user', user), ...given('cacheKey', cacheKey) }
}

/** Everything that was said and has no other place in the conversation, as it was said. */
function decodeExtra(
  { text, value, members }: RequestBody,
  understood: { readonly format: Format | undefined; readonly effort: string | undefined },
): ReadonlyMap<string, RawJson> {
  const extra = new Map<string, RawJson>()
  for (const { key, valueStart } of members) {
    if (value[key] === null || isUnderstood(key, value, understood)) continue
    const raw = rawAt(text, [], valueStart)
    if (raw !== undefined) extra.set(key, raw)
  }
  return extra
}

/** A word that we do not know inside a member that we do is as unknown as a member. */
function isUnderstood(
  key: string,
  value: JsonObject,
  { format, effort }: { readonly format: Format | undefined; readonly effort: string | undefined },
): boolean {
  switch (key) {
    case 'response_format':
      return format !== undefined || objectIn(value[key])?.['type'] === 'text'
    case 'reasoning_effort':
      return effort !== undefined
    case 'user':
      return stringIn(value['safety_identifier']) === undefined
    case 'top_k':
    case 'min_p':
      return typeof value[key] === 'number'
    default:
      return vocabulary.has(key)
  }
}

/** The members that the conversation has a place for. `thinking` is kept as it was said as well. */
const vocabulary: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'stream',
  'stream_options',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'n',
  'stop',
  'seed',
  'frequency_penalty',
  'presence_penalty',
  'logit_bias',
  'logprobs',
  'top_logprobs',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'functions',
  'function_call',
  'reasoning',
  'verbosity',
  'service_tier',
  'safety_identifier',
  'prompt_cache_key',
])

function rawIn(value: JsonObject, source: Source, key: string): RawJson | undefined {
  return value[key] === undefined || value[key] === null ? undefined : source.slice([key])
}

function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

function stringIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function booleanIn(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined
}
