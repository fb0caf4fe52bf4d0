import { noteCap } from '#chat/capped.ts'
import type { Notes } from '#chat/note.ts'
import type { Profile } from '#chat/profile.ts'
import type { ChatRequest, RequestBody } from '#chat/request.ts'
import type { TargetModel } from '#chat/target.ts'
import { objectIn } from '#protocols/chat-completions/wire.ts'
import { addedMember, type Edit, editText, removeMembers, withValue } from '#protocols/edit-text.ts'
import type { EncodedRequest } from '#protocols/protocol.ts'
import { elementsOf, type Member, membersOf, skipValue, listIn } from '#std/json.ts'

/**
 * The request for an upstream of this protocol: the caller's own bytes, but for what the target needs otherwise. Each
 * edit replaces one stretch of the text; spaces, key order, number forms and unknown members stay as they are.
 */
export function passRequest(
  request: ChatRequest,
  { model, profile }: TargetModel,
  notes: Notes,
): EncodedRequest {
  const { body } = request
  const { used, unused } = limitsIn(body)
  const edits = [
    ...(request.model === String(model) ? [] : modelEdits(body, model)),
    // Upstreams know one of the two names of the limit.
    ...(used === undefined || used.key === profile.maxTokensField
      ? []
      : [keyEdit(body.text, used, profile.maxTokensField)]),
    ...capEdits(request, used, { profile, notes }),
    ...removeMembers(
      body.members,
      (member) => member === unused || (profile.dropsEmpty === true && saysNothing(member, body)),
    ),
    ...(request.stream && profile.streamUsage && !request.wantsUsage ? usageEdits(body) : []),
    ...(takesDeveloper(profile) ? [] : roleEdits(body)),
  ]
  return { body: editText(body.text, edits), headers: nothing, names: nothing }
}

const nothing: ReadonlyMap<string, string> = new Map()

function modelEdits({ members }: RequestBody, model: string): Edit[] {
  const member = members.findLast(({ key }) => key === 'model')
  return member === undefined ? [] : [withValue(member, JSON.stringify(model))]
}

interface Limits {
  readonly used: Member | undefined
  readonly unused: Member | undefined
}

/** The limit of the answer. Where the caller gave it under both names, the newer one counts. */
function limitsIn({ value, members }: RequestBody): Limits {
  const newer = members.findLast(({ key }) => key === 'max_completion_tokens')
  const older = members.findLast(({ key }) => key === 'max_tokens')
  const isNewerUsed = isLimit(value['max_completion_tokens']) || !isLimit(value['max_tokens'])
  const used = older === undefined || (newer !== undefined && isNewerUsed) ? newer : older
  return { used, unused: used === newer ? older : newer }
}

function isLimit(value: unknown): value is number {
  return typeof value === 'number' && value > 0
}

interface Capping {
  readonly profile: Profile
  readonly notes: Notes
}

/** A limit above the cap is lowered to it. One is set where the caller gave none, unless the model ends sooner anyway. */
function capEdits(
  { cap, body: { value, members } }: ChatRequest,
  used: Member | undefined,
  { profile: { maxOutput, maxTokensField }, notes }: Capping,
): Edit[] {
  if (cap === undefined) return []
  const asked = used === undefined ? undefined : value[used.key]
  const most = isLimit(asked) ? asked : (maxOutput ?? Number.POSITIVE_INFINITY)
  if (most <= cap) return []
  noteCap(notes, used?.key ?? maxTokensField, cap)
  return [
    used === undefined
      ? addedMember(members, maxTokensField, String(cap))
      : withValue(used, String(cap)),
  ]
}

/** Whether a member changes nothing where it stands: an empty list, options of a stream that is none, a choice among no tools. */
function saysNothing({ key }: Member, { value }: RequestBody): boolean {
  const hasNone = (list: string): boolean => listIn(value[list]).length === 0
  switch (key) {
    case 'tools':
    case 'functions':
    case 'stop':
      return Array.isArray(value[key]) && hasNone(key)
    case 'stream_options':
      return value['stream'] !== true
    case 'parallel_tool_calls':
      return hasNone('tools')
    case 'tool_choice':
      return hasNone('tools') && isNoChoice(value[key])
    case 'function_call':
      return hasNone('functions') && isNoChoice(value[key])
    default:
      return false
  }
}

/** A call that is forced although there is nothing to call is the caller's mistake, which the upstream is to tell. */
function isNoChoice(choice: unknown): boolean {
  return choice === 'auto' || choice === 'none'
}

/** Every stream is to end with its usage, which is what the caller pays by. */
function usageEdits({ text, value, members }: RequestBody): Edit[] {
  const asked = '{"include_usage":true}'
  const member = members.findLast(({ key }) => key === 'stream_options')
  if (member === undefined) return [addedMember(members, 'stream_options', asked)]
  if (objectIn(value['stream_options']) === undefined) return [withValue(member, asked)]
  const options = membersOf(text, member.valueStart)
  const said = options.findLast(({ key }) => key === 'include_usage')
  if (said !== undefined) return [withValue(said, 'true')]
  const start = text.indexOf('{', member.valueStart) + 1
  const comma = options.length === 0 ? '' : ','
  return [{ start, end: start, text: `"include_usage":true${comma}` }]
}

/** OpenAI takes either name of the role with every model; most other servers know only `system`. */
function takesDeveloper({ family, systemRole }: Profile): boolean {
  return systemRole === 'developer' || family === 'openai'
}

function roleEdits({ text, value, members }: RequestBody): Edit[] {
  const messages = listIn(value['messages'])
  const isDeveloper = (message: unknown) => objectIn(message)?.['role'] === 'developer'
  const member = members.findLast(({ key }) => key === 'messages')
  if (member === undefined || !messages.some(isDeveloper)) return []
  return elementsOf(text, member.valueStart).flatMap(({ start }, index) => {
    if (!isDeveloper(messages[index])) return []
    const role = membersOf(text, start).findLast(({ key }) => key === 'role')
    return role === undefined ? [] : [withValue(role, '"system"')]
  })
}

function keyEdit(text: string, { keyStart }: Member, key: string): Edit {
  return { start: keyStart, end: skipValue(text, keyStart), text: JSON.stringify(key) }
}
