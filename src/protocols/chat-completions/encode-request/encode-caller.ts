import { createHash } from 'node:crypto'

import type { Conversation } from '#chat/conversation.ts'
import { stringText } from '#protocols/json-text.ts'
import { callersWord, type Telling } from '#protocols/telling.ts'
import type { RawJson } from '#std/json.ts'

type Entry = readonly [string, RawJson]

/** The longest name of an end user that vendors take. */
const maxIdentifier = 64

/** On whose behalf the request is made, for upstreams that want to know. */
export function encodeCaller(
  { caller }: Conversation,
  { caller: protocol, profile, notes }: Telling,
): Entry[] {
  if (caller === undefined) return []
  if (!profile.callerFields) {
    if (caller.user !== undefined) notes.add(callersWord[protocol].user, 'dropped')
    return []
  }
  const entries: Entry[] = []
  if (caller.user !== undefined)
    entries.push(['safety_identifier', stringText(identifier(caller.user))])
  if (caller.cacheKey !== undefined) entries.push(['prompt_cache_key', stringText(caller.cacheKey)])
  return entries
}

/** A name that is too long is hashed: the same user is still the same. */
function identifier(user: string): string {
  return user.length <= maxIdentifier ? user : createHash('sha256').update(user).digest('hex')
}

/** The words of the messages protocol for a tier, in those of this one. The others are the same in both. */
const tierWords: ReadonlyMap<string, string> = new Map([['standard_only', 'default']])

export function encodeTier({ tier }: Conversation, { profile, notes }: Telling): Entry[] {
  if (tier === undefined) return []
  if (profile.callerFields) return [['service_tier', stringText(tierWords.get(tier) ?? tier)]]
  if (tier !== 'auto') notes.add('service_tier', 'dropped')
  return []
}
