import { GatewayError } from '#chat/error.ts'
import type { ProtocolName, UpstreamModel } from '#chat/names.ts'
import { type Note, Notes } from '#chat/note.ts'
import type { Profile } from '#chat/profile.ts'
import type { RequestBody } from '#chat/request.ts'
import type { TargetModel } from '#chat/target.ts'
import { encodeRequest } from '#protocols/chat-completions/encode-request/encode-request.ts'
import { decodeRequest } from '#protocols/messages/decode-request/decode-request.ts'
import { brandAs } from '#std/brand.ts'
import { isObject, type JsonObject, membersOf } from '#std/json.ts'
import { defaultProfiles } from '#upstreams/vendors/profiles.ts'

/** A request's body as it is read from the wire. */
export function bodyOf(said: string | object): RequestBody {
  const text = typeof said === 'string' ? said : JSON.stringify(said)
  const value: unknown = JSON.parse(text)
  if (!isObject(value)) throw new TypeError('A body is an object.')
  return { text, value, members: membersOf(text) }
}

/** The headers of a caller of the messages protocol. */
export function headersOf(version = '2023-06-01', betas?: string): ReadonlyMap<string, string> {
  const headers = new Map([['anthropic-version', version]])
  if (betas !== undefined) headers.set('anthropic-beta', betas)
  return headers
}

/** A model of an upstream of which nothing is known but what is given. */
export function targetOf(protocol: ProtocolName, profile: Partial<Profile> = {}): TargetModel {
  return {
    upstream: 'test',
    model: brandAs<UpstreamModel>('upstream-model'),
    protocol,
    profile: { ...defaultProfiles[protocol], ...profile },
  }
}

/** The smallest request of the messages protocol, with more members. */
export function messagesRequest(members: object = {}): JsonObject {
  return { model: 'm', max_tokens: 16, messages: [{ role: 'user', content: 'hi' }], ...members }
}

export interface Said {
  readonly text: string
  readonly body: JsonObject
  readonly messages: readonly JsonObject[]
  readonly notes: readonly Note[]
  readonly names: ReadonlyMap<string, string>
}

/** What a chat server is sent for a request of the messages protocol. */
export function saidInChat(
  said: string | object,
  profile: Partial<Profile> = {},
  isStrict = false,
): Said {
  const notes = new Notes(isStrict)
  const request = decodeRequest(bodyOf(said), headersOf())
  const sent = encodeRequest(request, targetOf('chat-completions', profile), notes)
  const body = bodyOf(sent.body).value
  const messages = Array.isArray(body.messages) ? body.messages.filter(isObject) : []
  return { text: sent.body, body, messages, notes: notes.list, names: sent.names }
}

/** What is said in chat for a conversation of the messages protocol. */
export function turnsInChat(
  messages: readonly unknown[],
  profile: Partial<Profile> = {},
): readonly JsonObject[] {
  return saidInChat(messagesRequest({ messages }), profile).messages
}

/** The failure that an action ends in. */
export function failureOf(action: () => unknown): GatewayError {
  try {
    action()
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
  throw new Error('It did not fail.')
}

/** What notes say, in one line each. */
export function noteLines(notes: readonly Note[]): string[] {
  return notes.map(({ field, what }) => `${field}: ${what}`)
}
