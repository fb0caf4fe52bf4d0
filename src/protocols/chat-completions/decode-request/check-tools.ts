import { GatewayError } from '#chat/error.ts'
import { isObject, type JsonObject } from '#std/json.ts'

import {
  boolean,
  type Check,
  isAbsent,
  isList,
  longList,
  missing,
  string,
  wrongType,
  wrongValue,
} from './check-values.ts'

/** Checks the tools on offer: a tool is a function unless it says otherwise, and then it is the upstream's business. */
export const checkTools: Check = (tools, param) => {
  checkEach(tools, param, (tool, path) => {
    if (!isObject(tool)) throw wrongType(path(), 'an object', tool)
    if (!isAbsent(tool.type)) string(tool.type, `${path()}.type`)
    if (!isAbsent(tool.type) && tool.type !== 'function') return
    if (isAbsent(tool.function)) throw missing(`${path()}.function`)
    checkDefinition(tool.function, () => `${path()}.function`)
  })
}

/** Checks the old form of the tools. */
export const checkFunctions: Check = (functions, param) => {
  checkEach(functions, param, checkDefinition)
}

export const checkToolChoice: Check = (choice, param) => {
  if (typeof choice === 'string') {
    if (!choiceWords.has(choice)) throw wrongValue(param, 'none, auto, required, or an object')
    return
  }
  if (!isObject(choice)) throw wrongType(param, 'a string or an object', choice)
  if (isAbsent(choice.type)) throw missing(`${param}.type`)
  const check = choiceObjects.get(choice.type)
  if (check === undefined)
    throw wrongValue(`${param}.type`, `one of ${[...choiceObjects.keys()].join(', ')}`)
  check(choice, param)
}

export const checkFunctionCall: Check = (call, param) => {
  if (call === 'none' || call === 'auto') return
  if (typeof call === 'string') throw wrongValue(param, 'none, auto, or an object with a name')
  checkNamed(call, param)
}

/** `any` is how some servers say `required`. */
const choiceWords: ReadonlySet<string> = new Set(['none', 'auto', 'required', 'any'])

const choiceObjects: ReadonlyMap<unknown, (choice: JsonObject, param: string) => void> = new Map([
  ['function', (choice, param) => checkNamed(choice.function, `${param}.function`)],
  ['custom', (choice, param) => checkNamed(choice.custom, `${param}.custom`)],
  ['allowed_tools', checkAllowed],
])

function checkAllowed(choice: JsonObject, param: string): void {
  const path = `${param}.allowed_tools`
  const allowed = choice.allowed_tools
  if (isAbsent(allowed)) throw missing(path)
  if (!isObject(allowed)) throw wrongType(path, 'an object', allowed)
  if (allowed.mode !== 'auto' && allowed.mode !== 'required')
    throw wrongValue(`${path}.mode`, 'auto or required')
  if (!isList(allowed.tools)) throw wrongType(`${path}.tools`, 'an array', allowed.tools)
}

function checkNamed(named: unknown, param: string): void {
  if (isAbsent(named)) throw missing(param)
  if (!isObject(named)) throw wrongType(param, 'an object', named)
  if (isAbsent(named.name)) throw missing(`${param}.name`)
  string(named.name, `${param}.name`)
}

const mostTools = 128

function checkEach(
  entries: unknown,
  param: string,
  check: (entry: unknown, path: () => string) => void,
): void {
  if (!isList(entries)) throw wrongType(param, 'an array', entries)
  if (entries.length > mostTools) throw longList(param, mostTools, entries.length)
  for (let at = 0; at < entries.length; at++) check(entries[at], () => `${param}[${at}]`)
}

/** Up to twice the protocol's 64 characters, because a long name can be shortened for the target that wants it. */
const toolName = /^[a-zA-Z0-9_-]{1,128}$/

function checkDefinition(definition: unknown, path: () => string): void {
  if (!isObject(definition)) throw wrongType(path(), 'an object', definition)
  const { name, description, parameters, strict } = definition
  if (isAbsent(name)) throw missing(`${path()}.name`)
  if (typeof name !== 'string') throw wrongType(`${path()}.name`, 'a string', name)
  if (!toolName.test(name))
    throw wrongValue(`${path()}.name`, 'up to 64 letters, digits, underscores and dashes')
  if (!isAbsent(description)) string(description, `${path()}.description`)
  if (!isAbsent(strict)) boolean(strict, `${path()}.strict`)
  if (!isAbsent(parameters) && !isObject(parameters)) throw badSchema(`${path()}.parameters`)
}

function badSchema(param: string): GatewayError {
  return new GatewayError('request-invalid', `'${param}' must be a JSON Schema object.`, {
    param,
    detail: 'invalid_function_parameters',
  })
}
