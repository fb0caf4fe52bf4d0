import { longestModelName } from '#chat/names.ts'
import type { RequestBody } from '#chat/request.ts'
import { isObject, type JsonObject, type Member } from '#std/json.ts'

import { checkSystem } from './check-blocks.ts'
import { checkMessages } from './check-messages.ts'
import { checkTools } from './check-tools.ts'
import {
  checkArray,
  checkBoolean,
  checkFilledString,
  checkFraction,
  checkInteger,
  checkObject,
  checkRequired,
  checkString,
  type FieldCheck,
  isAbsent,
  refuse,
} from './check-values.ts'
import { newestVersion, withdrawnFields } from './versions.ts'

/** What the strictness of a check depends on. */
export interface CheckRules {
  readonly headers: ReadonlyMap<string, string>
  /** The request only asks for a count of tokens, so it needs no `max_tokens`. */
  readonly isCount: boolean
}

/**
 * Checks a request of this protocol: what would corrupt the conversation is refused with `request-invalid`, in the
 * vendor's words. Unknown members, betas and block types pass: clients gain them monthly, and an upstream may know them.
 */
export function checkRequest(body: RequestBody, { headers, isCount }: CheckRules): void {
  const { value } = body
  const isNewest = headers.get('anthropic-version') === newestVersion
  checkRepeats(body.members)
  checkFilledString(value.model, 'model', longestModelName)
  if (!isCount) checkInteger(value.max_tokens, 'max_tokens', 0)
  checkRequired(value.messages, 'messages')
  if (isNewest) checkWithdrawn(value)
  for (const [name, check] of optionalFields) if (!isAbsent(value[name])) check(value[name], name)
  if (!isCount) checkBudget(value, headers.get('anthropic-beta') ?? '')
  checkTools(value.tools, value.tool_choice)
  checkMessages(value.messages, { isNewest, isContinued: isContinued(value) })
}

function isContinued({ thread }: JsonObject): boolean {
  return isObject(thread) && thread.type === 'continue'
}

const optionalFields: readonly (readonly [string, FieldCheck])[] = [
  ['stream', checkBoolean],
  ['system', checkSystem],
  ['temperature', checkFraction],
  ['top_p', checkFraction],
  ['top_k', (value, path) => checkInteger(value, path, 0)],
  ['stop_sequences', checkStops],
  ['metadata', checkMetadata],
  ['service_tier', checkString],
  ['thinking', checkThinking],
  ['output_config', checkOutputConfig],
]

/** Two values for one of these would let the gateway and an upstream read two different requests. */
const decidingKeys = ['model', 'stream', 'max_tokens', 'messages']

function checkRepeats(members: readonly Member[]): void {
  for (const key of decidingKeys) {
    let count = 0
    for (const member of members) if (member.key === key) count++
    if (count > 1) refuse(key, 'The field is given more than once. Send it once.')
  }
}

function checkWithdrawn(value: JsonObject): void {
  for (const name of withdrawnFields)
    if (!isAbsent(value[name])) refuse(name, 'Extra inputs are not permitted')
}

function checkStops(stops: unknown, path: string): void {
  checkArray(stops, path)
  for (const [index, stop] of stops.entries()) {
    checkString(stop, `${path}.${index}`)
    if (!/\S/.test(stop)) refuse(path, 'each stop sequence must contain non-whitespace')
  }
}

const maxUserId = 512

function checkMetadata(metadata: unknown, path: string): void {
  checkObject(metadata, path)
  if (isAbsent(metadata.user_id)) return
  checkString(metadata.user_id, `${path}.user_id`)
  if (metadata.user_id.length > maxUserId)
    refuse(`${path}.user_id`, `String should have at most ${maxUserId} characters`)
}

const minBudget = 1024

function checkThinking(thinking: unknown, path: string): void {
  checkObject(thinking, path)
  checkString(thinking.type, `${path}.type`)
  if (thinking.type === 'enabled')
    checkInteger(thinking.budget_tokens, `${path}.enabled.budget_tokens`, minBudget)
}

function checkOutputConfig(config: unknown, path: string): void {
  checkObject(config, path)
  if (!isAbsent(config.effort)) checkString(config.effort, `${path}.effort`)
  if (isAbsent(config.format)) return
  checkObject(config.format, `${path}.format`)
  checkString(config.format.type, `${path}.format.type`)
  if (config.format.type === 'json_schema')
    checkObject(config.format.schema, `${path}.format.schema`)
}

/** With interleaved thinking the budget spans several answers, so it may exceed one of them. */
function checkBudget({ thinking, max_tokens: most }: JsonObject, betas: string): void {
  if (!isObject(thinking) || thinking.type !== 'enabled') return
  if (Number(most) > Number(thinking.budget_tokens) || betas.includes('interleaved-thinking'))
    return
  refuse(
    'thinking.enabled.budget_tokens',
    '`max_tokens` must be greater than `thinking.budget_tokens`.',
  )
}
