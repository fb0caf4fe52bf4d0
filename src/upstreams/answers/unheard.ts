import type { Conversation } from '#chat/conversation.ts'
import { GatewayError } from '#chat/error.ts'
import type { ProtocolName } from '#chat/names.ts'
import type { Notes } from '#chat/note.ts'
import { callersWord } from '#protocols/telling.ts'
import { parseJson } from '#std/json.ts'

/**
 * Notes what a caller said that the engine has no use for, and refuses what would change the answer if it were left
 * out. What a model cannot do is not known here: the engine refuses it by name.
 */
export function noteUnheard(
  { choices, verbosity, caller, tier, extra }: Conversation,
  protocol: ProtocolName,
  notes: Notes,
): void {
  if (choices > 1) throw refusal('n', 'it gives one answer to a request')
  if (verbosity !== undefined && verbosity !== 'medium') notes.add('verbosity', 'dropped')
  if (caller?.user !== undefined) notes.add(callersWord[protocol].user, 'dropped')
  if (tier !== undefined && tier !== 'auto') notes.add('service_tier', 'dropped')
  for (const [field, raw] of extra) noteExtra(field, raw, notes)
}

/** Members that say what would be so anyway. */
const harmless: Readonly<Record<string, (value: unknown) => boolean>> = {
  store: (value) => value === false,
  modalities: (value) => Array.isArray(value) && value.every((kind) => kind === 'text'),
}

/** Members that ask for another kind of answer. */
const weighty: Readonly<Record<string, string>> = {
  response_format: 'it knows no format of this type',
  modalities: 'it answers in text alone',
  mcp_servers: 'it calls no servers',
  web_search_options: 'it does not search',
}

function noteExtra(field: string, raw: string, notes: Notes): void {
  const parsed = parseJson(raw)
  if (parsed.ok && harmless[field]?.(parsed.value) === true) return
  const why = weighty[field]
  if (why !== undefined) throw refusal(field, why)
  notes.add(field, 'dropped')
}

function refusal(param: string, why: string): GatewayError {
  return new GatewayError(
    'not-expressible',
    `'${param}' is nothing for the engine: ${why}. Leave it out, or ask a model of another upstream.`,
    { param, detail: 'unsupported_parameter' },
  )
}
