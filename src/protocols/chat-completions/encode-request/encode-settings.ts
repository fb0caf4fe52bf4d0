import type { Conversation } from '#chat/conversation.ts'
import { stringText } from '#protocols/json-text.ts'
import { callersWord, type Telling } from '#protocols/telling.ts'
import { type RawJson, rawJson } from '#std/json.ts'

import { encodeCaller, encodeTier } from './encode-caller.ts'
import { encodeExtra } from './encode-extra.ts'
import { encodeFormat } from './encode-format.ts'
import { encodeReasoning } from './encode-reasoning.ts'
import { encodeSampling } from './encode-sampling.ts'
import { refuseField } from './refuse-field.ts'

type Entry = readonly [string, RawJson]

/** What a request says of its answer, in the order in which it is sent. */
export function* encodeSettings(
  conversation: Conversation,
  telling: Telling,
  isPrefill: boolean,
): Iterable<Entry> {
  yield* encodeMaxTokens(conversation, telling)
  yield* encodeSampling(conversation.sampling, telling)
  yield* encodeStop(conversation, telling)
  if (conversation.choices > 1) yield ['n', rawJson(conversation.choices)]
  yield* encodeLogprobs(conversation)
  yield* encodeReasoning(conversation, telling, isPrefill)
  if (conversation.verbosity !== undefined) yield ['verbosity', stringText(conversation.verbosity)]
  yield* encodeFormat(conversation, telling)
  yield* encodeCaller(conversation, telling)
  yield* encodeTier(conversation, telling)
  yield* encodeExtra(conversation, telling)
}

function encodeMaxTokens({ maxTokens }: Conversation, telling: Telling): Entry[] {
  if (maxTokens === undefined) return []
  const { maxTokensField, maxOutput } = telling.profile
  if (maxTokens === 0) {
    refuseField(
      telling,
      'max_tokens',
      'the upstream of this model cannot read a prompt into its cache without answering. Ask for at least 1 token.',
    )
  }
  if (maxOutput === undefined || maxTokens <= maxOutput)
    return [[maxTokensField, rawJson(maxTokens)]]
  telling.notes.add('max_tokens', `lowered from ${maxTokens} to ${maxOutput}`)
  return [[maxTokensField, rawJson(maxOutput)]]
}

function encodeStop({ stop }: Conversation, telling: Telling): Entry[] {
  if (stop.length === 0) return []
  const { maxStops } = telling.profile
  if (stop.length > maxStops) {
    refuseField(
      telling,
      callersWord[telling.caller].stop,
      `the upstream of this model takes at most ${maxStops}, not ${stop.length}.`,
    )
  }
  return [['stop', rawJson(stop)]]
}

function encodeLogprobs({ logprobs }: Conversation): Entry[] {
  if (logprobs === undefined) return []
  const entries: Entry[] = [['logprobs', rawJson(true)]]
  if (logprobs.top !== undefined) entries.push(['top_logprobs', rawJson(logprobs.top)])
  return entries
}
