import type { ProtocolName } from '#chat/names.ts'
import type { Profile } from '#chat/profile.ts'
import { fitsGlob } from '#std/glob.ts'

import type { ModelProfiles } from './vendor.ts'

/** What is assumed of an upstream of which nothing is known: the protocol as most servers speak it. */
export const defaultProfiles: Readonly<Record<ProtocolName, Profile>> = {
  'chat-completions': {
    family: 'unknown',
    defaultMaxTokens: 16_384,
    sampling: 'all',
    topK: false,
    midSystem: 'native',
    prefill: 'refuse',
    structuredOutput: 'native',
    strictTools: true,
    callIds: 'any',
    toolNameLimit: 64,
    forwardUnknown: false,
    fetchesUrls: true,
    maxTokensField: 'max_tokens',
    systemRole: 'system',
    textParts: true,
    emptyContent: 'null',
    toolResultImages: 'after',
    streamUsage: true,
    reasoningReplay: 'none',
    reasoningControl: 'effort',
    callerFields: false,
    maxStops: 4,
    schemaNeedsProperties: true,
    thinking: 'none',
    firstParty: false,
  },
  messages: {
    family: 'unknown',
    defaultMaxTokens: 16_384,
    sampling: 'all',
    topK: true,
    midSystem: 'user',
    prefill: 'native',
    structuredOutput: 'instruction',
    strictTools: false,
    callIds: 'word',
    toolNameLimit: 64,
    forwardUnknown: false,
    fetchesUrls: true,
    maxTokensField: 'max_tokens',
    systemRole: 'system',
    textParts: true,
    emptyContent: 'null',
    toolResultImages: 'inline',
    streamUsage: true,
    reasoningReplay: 'none',
    reasoningControl: 'none',
    callerFields: true,
    maxStops: 64,
    schemaNeedsProperties: false,
    thinking: 'budget',
    firstParty: false,
  },
}

/** One layer of what is known of an upstream: of all its models, and of some by the pattern of their names. */
export interface ProfileLayer {
  readonly profile?: Partial<Profile> | undefined
  readonly models?: ModelProfiles | undefined
}

/** The profile of a model: the protocol's, overridden by each layer in turn (the vendor's data, then the operator's). */
export function profileOf(
  protocol: ProtocolName,
  model: string,
  layers: readonly ProfileLayer[],
): Profile {
  const overrides = layers.flatMap(({ profile, models = {} }) => [
    profile ?? {},
    ...Object.entries(models).flatMap(([glob, own]) => (fitsGlob(model, glob) ? [own] : [])),
  ])
  return overrides.reduce<Profile>(
    (profile, override) => ({ ...profile, ...override }),
    defaultProfiles[protocol],
  )
}
