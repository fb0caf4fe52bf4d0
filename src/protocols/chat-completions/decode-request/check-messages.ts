import type { GatewayError } from '#chat/error.ts'
import { isObject, type JsonObject } from '#std/json.ts'

import { emptyList, isAbsent, isList, missing, wrongType, wrongValue } from './check-values.ts'

/** Checks the conversation itself. Nothing is allocated for a message in which all is well. */
export function checkMessages(messages: unknown): void {
  if (!isList(messages)) throw wrongType('messages', 'an array', messages)
  if (messages.length === 0) throw emptyList('messages')
  for (let index = 0; index < messages.length; index++) checkMessage(messages[index], index)
}

function checkMessage(message: unknown, index: number): void {
  if (!isObject(message)) throw wrongType(`messages[${index}]`, 'an object', message)
  const { role, content } = message
  if (isAbsent(role)) throw missing(`messages[${index}].role`)
  if (typeof role !== 'string') throw wrongType(`messages[${index}].role`, 'a string', role)
  const checkRole = roles.get(role)
  if (checkRole === undefined) throw wrongValue(`messages[${index}].role`, roleNames)
  checkRole(message, index)
  if (isList(content)) checkParts(content, index)
  else if (!isAbsent(content) && typeof content !== 'string')
    throw wrongType(`messages[${index}].content`, 'a string or an array of parts', content)
}

type MessageCheck = (message: JsonObject, index: number) => void

const needsContent: MessageCheck = (message, index) => {
  if (isAbsent(message.content)) throw missing(`messages[${index}].content`)
}

const needsCallId: MessageCheck = (message, index) => {
  needsString(message.tool_call_id, index, 'tool_call_id')
}

const needsName: MessageCheck = (message, index) => {
  needsString(message.name, index, 'name')
}

const mayCall: MessageCheck = ({ tool_calls: calls, function_call: call }, index) => {
  if (!isAbsent(call)) checkFunction(call, index)
  if (isAbsent(calls)) return
  if (!isList(calls)) throw wrongType(`messages[${index}].tool_calls`, 'an array', calls)
  for (let at = 0; at < calls.length; at++) checkCall(calls[at], index, at)
}

const roles: ReadonlyMap<string, MessageCheck> = new Map([
  ['system', needsContent],
  ['developer', needsContent],
  ['user', needsContent],
  ['assistant', mayCall],
  ['tool', needsCallId],
  ['function', needsName],
])

const roleNames = `one of ${[...roles.keys()].join(', ')}`

function needsString(value: unknown, index: number, member: string): void {
  if (typeof value === 'string') return
  const param = `messages[${index}].${member}`
  throw isAbsent(value) ? missing(param) : wrongType(param, 'a string', value)
}

/** A call whose type is absent is a call of a function; other types are the upstream's business. */
function checkCall(call: unknown, index: number, at: number): void {
  if (!isObject(call)) throw wrongType(callPath(index, at), 'an object', call)
  if (isAbsent(call.id)) throw missing(`${callPath(index, at)}.id`)
  if (typeof call.id !== 'string') throw wrongType(`${callPath(index, at)}.id`, 'a string', call.id)
  if (isAbsent(call.type) || call.type === 'function') checkFunction(call.function, index, at)
}

/** `at` is absent for the one call of the old form. */
function checkFunction(called: unknown, index: number, at?: number): void {
  if (isAbsent(called)) throw missing(functionPath(index, at))
  if (!isObject(called)) throw wrongType(functionPath(index, at), 'an object', called)
  const { name, arguments: text } = called
  if (isAbsent(name)) throw missing(`${functionPath(index, at)}.name`)
  if (typeof name !== 'string') throw wrongType(`${functionPath(index, at)}.name`, 'a string', name)
  if (!isAbsent(text) && typeof text !== 'string')
    throw wrongType(`${functionPath(index, at)}.arguments`, 'a string of JSON', text)
}

// Paths are worded only where something is wrong: most messages are not.
function callPath(index: number, at: number): string {
  return `messages[${index}].tool_calls[${at}]`
}

function functionPath(index: number, at: number | undefined): string {
  return at === undefined ? `messages[${index}].function_call` : `${callPath(index, at)}.function`
}

function checkParts(parts: readonly unknown[], index: number): void {
  for (let at = 0; at < parts.length; at++) checkPart(parts[at], index, at)
}

function checkPart(part: unknown, index: number, at: number): void {
  if (!isObject(part)) throw wrongType(partPath(index, at), 'an object', part)
  const { type } = part
  const needed = typeof type === 'string' ? neededMember.get(type) : undefined
  if (needed === undefined) throw unknownPart(type, `${partPath(index, at)}.type`)
  if (needed === '') return
  const said = part[needed]
  const isText = textual.has(needed)
  if (typeof said === 'string' || (isObject(said) && !isText)) return
  const param = `${partPath(index, at)}.${needed}`
  throw isAbsent(said) ? missing(param) : wrongType(param, isText ? 'a string' : 'an object', said)
}

function partPath(index: number, at: number): string {
  return `messages[${index}].content[${at}]`
}

function unknownPart(type: unknown, param: string): GatewayError {
  if (isAbsent(type)) return missing(param)
  return typeof type === 'string'
    ? wrongValue(param, partNames)
    : wrongType(param, 'a string', type)
}

/** By part type, the member without which it says nothing. The protocol's own first, then what other servers take. */
const neededMember: ReadonlyMap<string, string> = new Map([
  ['text', 'text'],
  ['refusal', 'refusal'],
  ['image_url', 'image_url'],
  ['input_audio', 'input_audio'],
  ['file', 'file'],
  ['input_text', 'text'],
  ['output_text', 'text'],
  ['video_url', 'video_url'],
  ['audio_url', 'audio_url'],
  ['thinking', ''],
  ['reasoning', ''],
  ['image_embeds', ''],
])

const textual: ReadonlySet<string> = new Set(['text', 'refusal'])

const partNames = `one of ${[...neededMember.keys()].join(', ')}`
