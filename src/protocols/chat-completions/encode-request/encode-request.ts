import { capped, noteCap } from '#chat/capped.ts'
import type { Conversation } from '#chat/conversation.ts'
import type { Notes } from '#chat/note.ts'
import type { Profile } from '#chat/profile.ts'
import type { ChatRequest } from '#chat/request.ts'
import type { TargetModel } from '#chat/target.ts'
import { objectText, stringText } from '#protocols/json-text.ts'
import type { EncodedRequest } from '#protocols/protocol.ts'
import type { Telling } from '#protocols/telling.ts'
import { nameMap } from '#protocols/tool-names.ts'
import { type RawJson, rawJson } from '#std/json.ts'

import { withInstruction } from './encode-format.ts'
import { encodePrefill } from './encode-prefill.ts'
import { encodeSettings } from './encode-settings.ts'
import { encodeTools } from './encode-tools.ts'
import { encodeTurns } from './encode-turns.ts'

/**
 * Says a request anew for an upstream of this protocol. What the caller wrote of schemas, arguments and media is
 * copied as it stands; what had to be adapted is noted; what would change its meaning is refused with
 * `not-expressible`. Equal requests give equal bytes, and the conversation comes last, so that an upstream's cache of
 * the beginning stays good when a turn is added.
 */
export function encodeRequest(
  request: ChatRequest,
  target: TargetModel,
  notes: Notes,
): EncodedRequest {
  const { profile } = target
  const conversation = cappedMeaning(request, profile, notes)
  const names = nameMap(toolNames(conversation), profile.toolNameLimit)
  const telling: Telling = { caller: request.protocol, profile, notes, names: names.sent }
  const prefill = encodePrefill(conversation, telling)
  const members = new Map<string, RawJson>([['model', stringText(target.model)]])
  for (const [name, value] of streamMembers(request, profile.streamUsage)) members.set(name, value)
  for (const [name, value] of encodeSettings(conversation, telling, prefill.isPrefill))
    if (!members.has(name)) members.set(name, value)
  for (const [name, value] of encodeTools(conversation, telling)) members.set(name, value)
  for (const [name, value] of prefill.members) members.set(name, value)
  const turns = withInstruction(conversation, telling)
  members.set('messages', encodeTurns(turns, telling, prefill.mark))
  return { body: objectText(members), headers: noHeaders, names: names.callers }
}

function cappedMeaning(request: ChatRequest, profile: Profile, notes: Notes): Conversation {
  const meaning = request.meaning()
  const conversation = capped(meaning, request.cap, profile.maxOutput)
  if (conversation !== meaning) noteCap(notes, 'max_tokens', conversation.maxTokens ?? 0)
  return conversation
}

const noHeaders: ReadonlyMap<string, string> = new Map()

function streamMembers({ stream }: ChatRequest, mayAskUsage: boolean): [string, RawJson][] {
  if (!stream) return []
  const members: [string, RawJson][] = [['stream', rawJson(true)]]
  // The gateway needs the usage of every stream, whether or not the caller asked for it.
  if (mayAskUsage) members.push(['stream_options', rawJson({ include_usage: true })])
  return members
}

/** Every name that a tool has in the request: declared, chosen, or called in the history. */
function* toolNames({ tools, toolChoice, turns }: Conversation): Iterable<string> {
  for (const tool of tools) yield tool.name
  if (toolChoice?.type === 'named') yield toolChoice.name
  if (toolChoice?.type === 'allowed') yield* toolChoice.names
  for (const turn of turns)
    for (const block of turn.blocks) if (block.type === 'call') yield block.name
}
