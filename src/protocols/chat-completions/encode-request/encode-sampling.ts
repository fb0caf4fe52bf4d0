import type { Sampling } from '#chat/conversation.ts'
import type { Telling } from '#protocols/telling.ts'
import { type RawJson, rawJson } from '#std/json.ts'

/** How the upstream picks its words, as far as it may be told. Zero is a value like any other. */
export function* encodeSampling(
  sampling: Sampling,
  telling: Telling,
): Iterable<readonly [string, RawJson]> {
  for (const { from, to, isTaken, ordinary } of members) {
    const value = sampling[from]
    if (value === undefined) continue
    if (isTaken(telling, sampling)) yield [to, typeof value === 'number' ? rawJson(value) : value]
    // What everybody does anyway need not be said.
    else if (value !== ordinary) telling.notes.add(to, 'dropped')
  }
}

interface SamplingMember {
  readonly from: keyof Sampling
  readonly to: string
  readonly isTaken: (telling: Telling, sampling: Sampling) => boolean
  readonly ordinary?: number
}

const members: readonly SamplingMember[] = [
  { from: 'temperature', to: 'temperature', isTaken: takesAny, ordinary: 1 },
  { from: 'topP', to: 'top_p', isTaken: takesTopP, ordinary: 1 },
  { from: 'topK', to: 'top_k', isTaken: takesTopK },
  { from: 'minP', to: 'min_p', isTaken: takesTopK, ordinary: 0 },
  { from: 'frequencyPenalty', to: 'frequency_penalty', isTaken: takesAny, ordinary: 0 },
  { from: 'presencePenalty', to: 'presence_penalty', isTaken: takesAny, ordinary: 0 },
  { from: 'logitBias', to: 'logit_bias', isTaken: takesAny },
  { from: 'seed', to: 'seed', isTaken: () => true },
]

function takesAny({ profile }: Telling): boolean {
  return profile.sampling !== 'none'
}

function takesTopP({ profile }: Telling, { temperature }: Sampling): boolean {
  return profile.sampling === 'all' || (profile.sampling === 'one' && temperature === undefined)
}

/** Servers that know `top_k` know `min_p`, and the others know neither. */
function takesTopK({ profile }: Telling): boolean {
  return profile.topK
}
