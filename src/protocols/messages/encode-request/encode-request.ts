import { capped, noteCap } from '#chat/capped.ts'
import type { Conversation } from '#chat/conversation.ts'
import type { ProtocolName, UpstreamModel } from '#chat/names.ts'
import type { Notes } from '#chat/note.ts'
import type { Profile } from '#chat/profile.ts'
import type { ChatRequest } from '#chat/request.ts'
import type { TargetModel } from '#chat/target.ts'
import { listText, maybeText, objectText, stringText } from '#protocols/json-text.ts'
import { defaultVersion, newestVersion } from '#protocols/messages/decode-request/versions.ts'
import type { EncodedRequest } from '#protocols/protocol.ts'
import { callersWord, type Telling } from '#protocols/telling.ts'
import { nameMap } from '#protocols/tool-names.ts'
import { rawJson, type RawJson } from '#std/json.ts'

import {
  encodeExtra,
  encodeSampling,
  encodeStop,
  encodeTier,
  encodeUser,
} from './encode-parameters.ts'
import { encodeReasoning } from './encode-reasoning.ts'
import { encodeSystem } from './encode-system.ts'
import { encodeToolChoice, encodeTools, toolNames } from './encode-tools.ts'
import { encodeTurns } from './encode-turns.ts'
import { loweredThinking } from './lower-thinking.ts'
import { unsayable } from './unsayable.ts'

/**
 * Says a request in this protocol for a caller of any. What changes little is adapted with a note, what would change
 * the meaning is refused with `not-expressible`. Members stand in one order, the conversation last, so that the same
 * beginning of a conversation is always the same bytes.
 */
export function encodeRequest(
  request: ChatRequest,
  target: TargetModel,
  notes: Notes,
): EncodedRequest {
  const { version = defaultVersion, ...profile } = target.profile
  const conversation = cappedMeaning(request, profile, notes)
  refuseWhatIsMissing(conversation)
  refuseBegunForm(conversation, request.protocol, profile)
  const names = nameMap(toolNames(conversation), profile.toolNameLimit)
  const telling: Telling = {
    caller: request.protocol,
    profile: version === newestVersion ? { ...profile, ...noSampling } : profile,
    notes,
    names: names.sent,
  }
  return {
    body: encodeBody(conversation, { model: target.model, stream: request.stream }, telling),
    headers: new Map([['anthropic-version', version]]),
    names: names.callers,
  }
}

/** The newest version refuses these parameters, whatever the model takes. */
const noSampling = { sampling: 'none', topK: false } as const

/** The same conversation, its answer and its thoughts no longer than the request's cap. */
function cappedMeaning(
  { meaning, cap }: ChatRequest,
  { maxOutput, defaultMaxTokens }: Profile,
  notes: Notes,
): Conversation {
  const said = meaning()
  const usual = maxOutput ?? defaultMaxTokens
  const conversation = capped(said, cap, usual)
  if (cap === undefined || conversation === said) return said
  noteCap(notes, 'max_tokens', cap)
  const thinking = said.extra.get('thinking')
  if (thinking === undefined) return conversation
  const lowered = loweredThinking(thinking, { from: said.maxTokens ?? usual, to: cap, notes })
  return { ...conversation, extra: new Map([...said.extra, ['thinking', lowered]]) }
}

interface Head {
  readonly model: UpstreamModel
  readonly stream: boolean
}

function encodeBody(
  conversation: Conversation,
  { model, stream }: Head,
  telling: Telling,
): RawJson {
  const maxTokens = encodeMaxTokens(conversation, telling)
  const reasoning = encodeReasoning(conversation, maxTokens, telling)
  return objectText([
    ['model', stringText(model)],
    ['max_tokens', rawJson(maxTokens)],
    ['stream', rawJson(stream)],
    ['system', encodeSystem(conversation, telling)],
    ['tools', encodeTools(conversation, telling)],
    ['tool_choice', encodeToolChoice(conversation, telling)],
    ['thinking', reasoning.thinking],
    ['output_config', encodeOutputConfig(conversation, reasoning.effort, telling)],
    ...encodeSampling(conversation.sampling, reasoning.isOn, telling),
    ['stop_sequences', encodeStop(conversation.stop, telling)],
    ['service_tier', encodeTier(conversation.tier, telling)],
    ['metadata', encodeUser(conversation.caller?.user, telling)],
    ...encodeExtra(conversation, telling),
    ['messages', listText(encodeTurns(conversation, telling))],
  ])
}

/** The protocol has one answer a request, and tells no probabilities. */
function refuseWhatIsMissing({ choices, logprobs }: Conversation): void {
  if (choices > 1) throw unsayable('n', 'it gives one answer to a request')
  if (logprobs !== undefined) throw unsayable('logprobs', 'it tells no probabilities')
}

/** A form is imposed from the first token of the answer, which is not the upstream's to say where the caller began it. */
function refuseBegunForm(
  { turns, format }: Conversation,
  caller: ProtocolName,
  { prefill, structuredOutput }: Pick<Profile, 'prefill' | 'structuredOutput'>,
): void {
  const last = turns.at(-1)
  if (last?.role !== 'assistant' || last.blocks.at(-1)?.type === 'call') return
  if (format?.type !== 'schema' || structuredOutput !== 'native' || prefill === 'refuse') return
  throw unsayable(
    callersWord[caller].format,
    'an answer that is already begun cannot be held to a schema',
  )
}

/** The protocol must be told a number. A small one of our own would cut answers, so it is the most that the model gives. */
function encodeMaxTokens(
  { maxTokens }: Conversation,
  { profile: { maxOutput, defaultMaxTokens }, notes }: Telling,
): number {
  if (maxTokens === undefined) return maxOutput ?? defaultMaxTokens
  if (maxOutput === undefined || maxTokens <= maxOutput) return maxTokens
  notes.add('max_tokens', `clamped to ${maxOutput}`)
  return maxOutput
}

function encodeOutputConfig(
  { format }: Conversation,
  effort: string | undefined,
  { caller, profile, notes }: Telling,
): RawJson | undefined {
  const isNative = format?.type === 'schema' && profile.structuredOutput === 'native'
  if (isNative && caller === 'chat-completions') {
    const word = `${callersWord[caller].format}.json_schema`
    if (format.name !== undefined) notes.add(`${word}.name`, 'dropped')
    if (format.description !== undefined) notes.add(`${word}.description`, 'dropped')
  }
  const said = isNative
    ? objectText([
        ['type', stringText('json_schema')],
        ['schema', format.schema],
      ])
    : undefined
  if (effort === undefined && said === undefined) return undefined
  return objectText([
    ['effort', maybeText(effort)],
    ['format', said],
  ])
}
