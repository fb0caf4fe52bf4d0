import { GatewayError } from '#chat/error.ts'
import { longestModelName } from '#chat/names.ts'
import type { RequestBody } from '#chat/request.ts'
import { isObject } from '#std/json.ts'

import { checkMessages } from './check-messages.ts'
import { checkFunctionCall, checkFunctions, checkToolChoice, checkTools } from './check-tools.ts'
import {
  boolean,
  type Check,
  decimalWithin,
  integer,
  integerWithin,
  isAbsent,
  isList,
  list,
  missing,
  string,
  stringUpTo,
  structure,
  wrongType,
} from './check-values.ts'

/**
 * Refuses a request that no upstream could answer, in the words of the protocol: `request-invalid` with the
 * parameter at fault and the protocol's own code as detail. What only some servers refuse is let through: null
 * is absent, empty lists are absent, unknown members are the upstream's business.
 */
export function checkRequest(body: RequestBody): void {
  if (!isObject(body.value)) throw wrongType('body', 'an object', body.value)
  const { model, messages } = body.value
  if (isAbsent(model) || model === '') throw missing('model')
  if (isAbsent(messages)) throw missing('messages')
  checkMembers(body)
  checkMessages(messages)
}

function checkMembers({ members, value }: RequestBody): void {
  let seen = 0
  for (const { key } of members) {
    const bit = deciding.get(key) ?? 0
    if ((seen & bit) !== 0) throw doubled(key)
    seen |= bit
    const said = value[key]
    if (!isAbsent(said)) checks.get(key)?.(said, key)
  }
}

/** Two of these would let the gateway account for one thing and an upstream do another. */
const deciding: ReadonlyMap<string, number> = new Map(
  ['model', 'messages', 'stream', 'n', 'max_tokens', 'max_completion_tokens'].map((key, place) => [
    key,
    1 << place,
  ]),
)

const checkStop: Check = (value, param) => {
  if (typeof value === 'string') return
  if (!isList(value)) throw wrongType(param, 'a string or an array of strings', value)
  for (let at = 0; at < value.length; at++) {
    if (typeof value[at] !== 'string') throw wrongType(`${param}[${at}]`, 'a string', value[at])
  }
}

const checkStreamOptions: Check = (value, param) => {
  if (!isObject(value)) throw wrongType(param, 'an object', value)
  if (!isAbsent(value.include_usage)) boolean(value.include_usage, `${param}.include_usage`)
}

const checkResponseFormat: Check = (value, param) => {
  if (!isObject(value)) throw wrongType(param, 'an object', value)
  if (isAbsent(value.type)) throw missing(`${param}.type`)
  string(value.type, `${param}.type`)
  if (value.type !== 'json_schema') return
  if (isAbsent(value.json_schema)) throw missing(`${param}.json_schema`)
  if (!isObject(value.json_schema))
    throw wrongType(`${param}.json_schema`, 'an object', value.json_schema)
}

/** What each optional member may be. `max_tokens` of 0 or -1 is how some clients say that they set no limit. */
const checks: ReadonlyMap<string, Check> = new Map(
  Object.entries({
    model: stringUpTo(longestModelName),
    max_completion_tokens: integer,
    max_tokens: integer,
    temperature: decimalWithin(0, 2),
    top_p: decimalWithin(0, 1),
    n: integerWithin(1, 128),
    stop: checkStop,
    presence_penalty: decimalWithin(-2, 2),
    frequency_penalty: decimalWithin(-2, 2),
    logit_bias: structure,
    logprobs: boolean,
    top_logprobs: integerWithin(0, 20),
    seed: integer,
    stream: boolean,
    stream_options: checkStreamOptions,
    tools: checkTools,
    tool_choice: checkToolChoice,
    parallel_tool_calls: boolean,
    functions: checkFunctions,
    function_call: checkFunctionCall,
    response_format: checkResponseFormat,
    reasoning_effort: string,
    verbosity: string,
    modalities: list,
    metadata: structure,
    store: boolean,
    service_tier: string,
    user: string,
    safety_identifier: string,
    prompt_cache_key: string,
  }),
)

function doubled(key: string): GatewayError {
  return new GatewayError('request-invalid', `'${key}' is given twice: give it once.`, {
    param: key,
    detail: 'invalid_value',
  })
}
