import { createHash } from 'node:crypto'

import type { Conversation, Sampling } from '#chat/conversation.ts'
import { given } from '#protocols/given.ts'
import {
  listText,
  maybeText,
  type MemberText,
  objectText,
  stringText,
} from '#protocols/json-text.ts'
import { callersWord, type Telling } from '#protocols/telling.ts'
import { parseJson, rawJson, type RawJson } from '#std/json.ts'

import { unsayable } from './unsayable.ts'

/** Says the sampling parameters that the target takes. A value that is the default anyway is left out without a word. */
export function encodeSampling(
  sampling: Sampling,
  isThinking: boolean,
  telling: Telling,
): readonly MemberText[] {
  noteUnknownSampling(sampling, telling)
  const { temperature, topP } = allowedSampling(sampling, isThinking, telling)
  return [
    ['temperature', number(temperature)],
    ['top_p', number(topP)],
    ['top_k', number(allowedTopK(sampling, isThinking, telling))],
  ]
}

/** The words at which the answer stops. The protocol takes none that are blank. */
export function encodeStop(
  stop: readonly string[],
  { caller, notes }: Telling,
): RawJson | undefined {
  const said = stop.filter((word) => word.trim() !== '')
  if (said.length < stop.length) notes.add(callersWord[caller].stop, 'dropped where blank')
  return said.length === 0 ? undefined : listText(said.map(stringText))
}

/** The class of service, which only the first party has. */
export function encodeTier(
  tier: string | undefined,
  { profile, notes }: Telling,
): RawJson | undefined {
  if (tier === undefined) return undefined
  if (!profile.firstParty) {
    if (tier !== 'auto') notes.add('service_tier', 'dropped')
    return undefined
  }
  const told = tiers.get(tier)
  if (told === undefined) notes.add('service_tier', 'told as auto')
  return stringText(told ?? 'auto')
}

const longestUserId = 512

/** Who the caller's own user is. What is too long for the protocol is told as its hash. */
export function encodeUser(
  user: string | undefined,
  { caller, notes }: Telling,
): RawJson | undefined {
  if (user === undefined) return undefined
  if (user.length <= longestUserId) return objectText([['user_id', maybeText(user)]])
  notes.add(callersWord[caller].user, 'hashed')
  return rawJson({ user_id: createHash('sha256').update(user).digest('hex') })
}

/**
 * What our vocabulary has no word for. A caller of this protocol had it said for the upstream; from another protocol it
 * goes on only if the target asks for it, and never in the place of a member that has a meaning here.
 */
export function encodeExtra(
  { extra, verbosity }: Conversation,
  telling: Telling,
): readonly MemberText[] {
  const members: MemberText[] = []
  if (verbosity !== undefined && verbosity !== 'medium') telling.notes.add('verbosity', 'dropped')
  for (const [key, raw] of extra) {
    if (telling.caller === 'messages' || mayGoOn(key, raw, telling)) members.push([key, raw])
  }
  return members
}

function noteUnknownSampling(sampling: Sampling, { notes }: Telling): void {
  if (sampling.seed !== undefined) notes.add('seed', 'dropped')
  if (sampling.frequencyPenalty) notes.add('frequency_penalty', 'dropped')
  if (sampling.presencePenalty) notes.add('presence_penalty', 'dropped')
  if (sampling.minP) notes.add('min_p', 'dropped')
  if (sampling.logitBias !== undefined && !isEmptyRaw(sampling.logitBias))
    notes.add('logit_bias', 'dropped')
}

function allowedSampling(
  sampling: Sampling,
  isThinking: boolean,
  telling: Telling,
): Pick<Sampling, 'temperature' | 'topP'> {
  const { profile, notes } = telling
  if (profile.sampling === 'none') return defaultSampling(sampling, 'dropped', telling)
  if (isThinking) return defaultSampling(sampling, 'dropped: the model thinks', telling)
  const { topP } = sampling
  const temperature = clampedTemperature(sampling, telling)
  if (profile.sampling === 'all' || temperature === undefined || topP === undefined)
    return { ...given('temperature', temperature), ...given('topP', topP) }
  if (topP !== 1) notes.add('top_p', 'dropped: temperature is set')
  return { temperature }
}

/** Thinking goes only with the default temperature, and with a `top_p` that hardly matters. */
const leastThinkingTopP = 0.95

function defaultSampling(
  { temperature, topP }: Sampling,
  why: string,
  { profile, notes }: Telling,
): Pick<Sampling, 'topP'> {
  if (temperature !== undefined && temperature !== 1) notes.add('temperature', why)
  if (topP === undefined || topP === 1) return {}
  if (profile.sampling === 'all' && topP >= leastThinkingTopP) return { topP }
  notes.add('top_p', why)
  return {}
}

/** The other protocol's scale goes to 2, this one's to 1. */
function clampedTemperature({ temperature }: Sampling, { notes }: Telling): number | undefined {
  if (temperature === undefined || temperature <= 1) return temperature
  notes.add('temperature', 'clamped to 1')
  return 1
}

function allowedTopK(
  { topK }: Sampling,
  isThinking: boolean,
  { profile, notes }: Telling,
): number | undefined {
  if (topK === undefined) return undefined
  if (profile.topK && profile.sampling !== 'none' && !isThinking) return topK
  notes.add('top_k', isThinking ? 'dropped: the model thinks' : 'dropped')
  return undefined
}

const tiers: ReadonlyMap<string, string> = new Map([
  ['auto', 'auto'],
  ['default', 'standard_only'],
  ['standard_only', 'standard_only'],
])

function mayGoOn(key: string, raw: RawJson, { profile, notes }: Telling): boolean {
  if (key === 'response_format') throw unsayable(key, 'it knows no format of this type')
  if (key === 'modalities') {
    if (!isTextOnly(raw)) throw unsayable(key, 'it answers in text alone')
    return false
  }
  if (key === 'thinking' && raw.startsWith('{')) return false
  if (profile.forwardUnknown && !reserved.has(key)) return true
  if (key !== 'store' || raw !== 'false') notes.add(key, 'dropped')
  return false
}

function isTextOnly(raw: RawJson): boolean {
  const parsed = parseJson(raw)
  return parsed.ok && Array.isArray(parsed.value) && parsed.value.every((kind) => kind === 'text')
}

function isEmptyRaw(raw: RawJson): boolean {
  return /^[{[]\s*[}\]]$/.test(raw)
}

/** Members with a meaning of their own in one of the protocols: saying them here would say something else. */
const reserved: ReadonlySet<string> = new Set([
  'audio',
  'metadata',
  'min_p',
  'moderation',
  'output_config',
  'prediction',
  'prompt_cache_options',
  'prompt_cache_retention',
  'reasoning_effort',
  'stop_sequences',
  'store',
  'system',
  'thinking',
  'top_k',
  'user',
  'web_search_options',
])

function number(value: number | undefined): RawJson | undefined {
  return value === undefined ? undefined : rawJson(value)
}
