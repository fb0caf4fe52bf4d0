import {
  type Conversation,
  type Effort,
  efforts,
  type Format,
  type Reasoning,
  type Sampling,
} from '#chat/conversation.ts'
import type { RequestBody } from '#chat/request.ts'
import { given } from '#protocols/given.ts'
import { brandAs } from '#std/brand.ts'
import { isObject, type JsonObject, membersOf, type RawJson, rawAt } from '#std/json.ts'

import { isAbsent, refuse } from './check-values.ts'

type Settings = Omit<Conversation, 'turns' | 'tools' | 'toolChoice' | 'parallelCalls'>

/** What a request says of its answer, apart from the conversation and the tools. */
export function decodeSettings(body: RequestBody): Settings {
  const { value } = body
  return {
    sampling: decodeSampling(value),
    stop: Array.isArray(value.stop_sequences) ? value.stop_sequences.map(String) : [],
    choices: 1,
    extra: decodeExtra(body),
    ...given('maxTokens', numberOf(value.max_tokens)),
    ...given('reasoning', decodeReasoning(value)),
    ...given('format', decodeFormat(body)),
    ...given('caller', decodeCaller(value.metadata)),
    ...given('tier', typeof value.service_tier === 'string' ? value.service_tier : undefined),
  }
}

function decodeSampling(value: JsonObject): Sampling {
  return {
    ...given('temperature', numberOf(value.temperature)),
    ...given('topP', numberOf(value.top_p)),
    ...given('topK', numberOf(value.top_k)),
  }
}

/** Thoughts are absent unless asked for; a wish for effort alone leaves it to the model whether to think. */
function decodeReasoning(value: JsonObject): Reasoning | undefined {
  const config = isObject(value.output_config) ? value.output_config : {}
  const effort = effortOf(lastEffort(value.messages) ?? config.effort)
  const { thinking } = value
  if (!isObject(thinking)) return effort === undefined ? undefined : { mode: 'adaptive', effort }
  if (thinking.type === 'disabled') return { mode: 'off' }
  const shown = given(
    'display',
    typeof thinking.display === 'string' ? thinking.display : undefined,
  )
  if (thinking.type !== 'enabled') return { mode: 'adaptive', ...given('effort', effort), ...shown }
  const budgetTokens = numberOf(thinking.budget_tokens)
  return {
    mode: 'on',
    ...given('effort', effort),
    ...given('budgetTokens', budgetTokens),
    ...shown,
  }
}

/** A system entry may change the effort from there on. */
function lastEffort(messages: unknown): unknown {
  if (!Array.isArray(messages)) return undefined
  const entry: unknown = messages.findLast(
    (one: unknown) =>
      isObject(one) &&
      one.role === 'system' &&
      isObject(one.output_config) &&
      one.output_config.effort,
  )
  return isObject(entry) && isObject(entry.output_config) ? entry.output_config.effort : undefined
}

function effortOf(said: unknown): Effort | undefined {
  if (isAbsent(said)) return undefined
  const effort = efforts.find((one) => one === said)
  if (effort === undefined)
    refuse('output_config.effort', "Input should be 'low', 'medium', 'high', 'xhigh' or 'max'")
  return effort
}

/** `output_format` is the earlier name of `output_config.format`. */
function decodeFormat({ text, value }: RequestBody): Format | undefined {
  const config = isObject(value.output_config) ? value.output_config.format : undefined
  const format = config ?? value.output_format
  if (isAbsent(format)) return undefined
  const path = isAbsent(config) ? ['output_format'] : ['output_config', 'format']
  const schema = rawAt(text, [...path, 'schema'])
  if (!isObject(format) || format.type !== 'json_schema' || schema === undefined)
    refuse(path.join('.'), "Input should be an object with `type` 'json_schema' and a `schema`")
  return { type: 'schema', schema }
}

function decodeCaller(metadata: unknown): Conversation['caller'] {
  if (!isObject(metadata) || typeof metadata.user_id !== 'string') return undefined
  const user = metadata.user_id
  return { user, ...given('cacheKey', sessionOf(user)) }
}

const sessionId = /session(?:_id"?\s*:\s*"|_)([\w-]{8,64})/

/** Coding agents name their session inside the user id, which is what a prompt cache can be keyed by. */
function sessionOf(user: string): string | undefined {
  return sessionId.exec(user)?.[1]
}

const understood = new Set([
  'model',
  'messages',
  'system',
  'max_tokens',
  'stream',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'tools',
  'tool_choice',
  'thinking',
  'output_format',
  'service_tier',
  'thread',
])

/** Of these members some parts are understood; the others are kept under `member.part`. */
const partlyUnderstood: { readonly [member: string]: readonly string[] } = {
  metadata: ['user_id'],
  output_config: ['effort', 'format'],
}

function decodeExtra(body: RequestBody): ReadonlyMap<string, RawJson> {
  const extra = new Map<string, RawJson>()
  const { text, value } = body
  // Of equal keys the last one counts, as it does for whoever parses the text.
  const last = new Map(body.members.map((member) => [member.key, member]))
  for (const { key, valueStart, valueEnd } of last.values()) {
    if (understood.has(key) || isAbsent(value[key])) continue
    if (!Object.hasOwn(partlyUnderstood, key))
      extra.set(key, brandAs<RawJson>(text.slice(valueStart, valueEnd)))
    else if (isObject(value[key])) decodePartExtra(text, { key, valueStart }, extra)
  }
  for (const key of toolExtras(value.tools)) extra.set(`tools.${key}`, brandAs<RawJson>('true'))
  return extra
}

function decodePartExtra(
  text: string,
  { key, valueStart }: { readonly key: string; readonly valueStart: number },
  extra: Map<string, RawJson>,
): void {
  for (const member of membersOf(text, valueStart)) {
    const raw = brandAs<RawJson>(text.slice(member.valueStart, member.valueEnd))
    if (partlyUnderstood[key]?.includes(member.key) || raw === 'null') continue
    extra.set(`${key}.${member.key}`, raw)
  }
}

const understoodOfTools = new Set([
  'type',
  'name',
  'description',
  'input_schema',
  'strict',
  'cache_control',
])

/** What tools say beyond our vocabulary, each member once: there may be a hundred tools that say it. */
function toolExtras(tools: unknown): Set<string> {
  const said = Array.isArray(tools) ? tools.filter(isObject).flatMap(Object.keys) : []
  return new Set(said.filter((key) => !understoodOfTools.has(key)))
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}
