import type { Conversation } from '#chat/conversation.ts'
import type { Telling } from '#protocols/telling.ts'
import type { RawJson } from '#std/json.ts'

/** The members that we have no word for: passed on where the upstream may know them, else noted. */
export function* encodeExtra(
  { extra }: Conversation,
  { caller, profile, notes }: Telling,
): Iterable<readonly [string, RawJson]> {
  for (const [name, value] of extra) {
    const isForeign = caller === 'messages' && (messagesOnly.has(name) || name.includes('.'))
    if (profile.forwardUnknown && !isForeign) yield [name, value]
    else notes.add(name, 'dropped')
  }
}

/** Members of the messages protocol that no server of this one has a use for. */
const messagesOnly = new Set([
  'billing_policy',
  'cache_control',
  'container',
  'context_management',
  'diagnostics',
  'fallback_credit_token',
  'fallbacks',
  'inference_geo',
  'mcp_servers',
  'safeguards',
  'speed',
])
