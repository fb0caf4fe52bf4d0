import { noteCap } from '#chat/capped.ts'
import type { Notes } from '#chat/note.ts'
import type { Profile } from '#chat/profile.ts'
import type { ChatRequest } from '#chat/request.ts'
import type { TargetModel } from '#chat/target.ts'
import { addedMember, type Edit, editText, removeMembers, withValue } from '#protocols/edit-text.ts'
import { refuseThread } from '#protocols/messages/decode-request/decode-request.ts'
import {
  defaultVersion,
  newestVersion,
  withdrawnFields,
} from '#protocols/messages/decode-request/versions.ts'
import type { EncodedRequest } from '#protocols/protocol.ts'
import { brandAs } from '#std/brand.ts'
import type { RawJson } from '#std/json.ts'

import { editsForOthers } from './edit-for-others.ts'
import { editsOfMinted } from './edit-minted.ts'
import { loweredThinking } from './lower-thinking.ts'

/**
 * The request as it was said, for an upstream of this protocol. Only the model's name is replaced, thoughts that no
 * vendor signed are taken out, and what none but the first party takes is reduced for all others, as is what
 * the version refuses that the upstream is set to. Throws `not-expressible` for a thread where no upstream keeps one.
 */
export function passRequest(
  request: ChatRequest,
  target: TargetModel,
  notes: Notes,
): EncodedRequest {
  const { body, headers } = request
  const { profile } = target
  if (!profile.firstParty) refuseThread(body.value)
  const edits = [
    ...editsOfModel(request, target),
    ...editsOfCap(request, profile, notes),
    ...(checksSignatures(profile) ? editsOfMinted(body, notes) : []),
    ...(profile.firstParty ? [] : editsForOthers(body)),
    ...(profile.version === newestVersion ? editsOfWithdrawn(request, notes) : []),
  ]
  return {
    body: editText(body.text, edits),
    headers: passHeaders(headers, profile.version),
    names: noNames,
  }
}

/** Servers of other families read thoughts as plain text, whoever signed them. */
function checksSignatures({ firstParty, family }: Profile): boolean {
  return firstParty || family === 'anthropic'
}

const noNames: ReadonlyMap<string, string> = new Map()

function editsOfModel({ body, model }: ChatRequest, target: TargetModel): Edit[] {
  const member = body.members.find((one) => one.key === 'model')
  // The two names are of different kinds, and only here they are compared.
  if (member === undefined || String(model) === String(target.model)) return []
  return [withValue(member, JSON.stringify(target.model))]
}

/** A limit above the cap is lowered to it, and the thoughts with it. The protocol has no request without one, but some servers take it. */
function editsOfCap(
  { cap, body: { text, value, members } }: ChatRequest,
  { maxOutput = Number.POSITIVE_INFINITY }: Profile,
  notes: Notes,
): Edit[] {
  if (cap === undefined) return []
  const asked = value['max_tokens']
  const from = typeof asked === 'number' ? asked : maxOutput
  if (from <= cap) return []
  noteCap(notes, 'max_tokens', cap)
  const limit = members.findLast(({ key }) => key === 'max_tokens')
  const edit =
    limit === undefined
      ? addedMember(members, 'max_tokens', String(cap))
      : withValue(limit, String(cap))
  const thinking = members.findLast(({ key }) => key === 'thinking')
  if (thinking === undefined) return [edit]
  const said = brandAs<RawJson>(text.slice(thinking.valueStart, thinking.valueEnd))
  const lowered = loweredThinking(said, { from, to: cap, notes })
  return lowered === said ? [edit] : [edit, withValue(thinking, lowered)]
}

function editsOfWithdrawn({ body }: ChatRequest, notes: Notes): Edit[] {
  for (const key of withdrawnFields) if (body.value[key] !== undefined) notes.add(key, 'dropped')
  return removeMembers(body.members, ({ key }) => withdrawnFields.has(key))
}

function passHeaders(
  callers: ReadonlyMap<string, string>,
  version: string | undefined,
): ReadonlyMap<string, string> {
  const headers = new Map<string, string>()
  headers.set('anthropic-version', version ?? callers.get('anthropic-version') ?? defaultVersion)
  const betas = callers.get('anthropic-beta')
  if (betas !== undefined) headers.set('anthropic-beta', betas)
  return headers
}
