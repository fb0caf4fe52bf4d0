import type { Conversation, Tool, ToolChoice } from '#chat/conversation.ts'
import { GatewayError } from '#chat/error.ts'
import { objectIn, textIn } from '#protocols/chat-completions/wire.ts'
import { given } from '#protocols/given.ts'
import { listIn } from '#std/json.ts'
import type { JsonObject } from '#std/json.ts'

import type { Source } from './decode-source.ts'

type SaidTools = Pick<Conversation, 'tools' | 'toolChoice' | 'parallelCalls' | 'isLegacyFunctions'>

/**
 * Reads the tools and the choice among them, in the protocol's words or in its old ones.
 * Throws `not-expressible` for a tool that is no function.
 */
export function decodeTools(value: JsonObject, source: Source): SaidTools {
  const tools = listIn(value['tools'])
  const functions = listIn(value['functions'])
  const parallel = value['parallel_tool_calls']
  if (tools.length === 0 && functions.length > 0) {
    return {
      tools: functions.map((entry, at) => decodeFunction(entry, source.each('functions')(at), at)),
      ...given('toolChoice', decodeLegacyChoice(value['function_call'])),
      isLegacyFunctions: true,
    }
  }
  const sourceOfTool = source.each('tools')
  return {
    tools: tools.map((entry, at) => decodeTool(objectIn(entry) ?? {}, sourceOfTool(at), at)),
    ...given('toolChoice', decodeChoice(value['tool_choice'])),
    ...given('parallelCalls', typeof parallel === 'boolean' ? parallel : undefined),
  }
}

function decodeTool(tool: JsonObject, source: Source, at: number): Tool {
  const { type, cache_control: mark } = tool
  const definition = objectIn(tool['function'])
  if (definition === undefined || (type !== 'function' && type !== undefined && type !== null))
    throw notFunction(textIn(type), at)
  const cache =
    (objectIn(mark) && source.slice(['cache_control'])) ??
    (objectIn(definition['cache_control']) && source.slice(['function', 'cache_control']))
  const schema = objectIn(definition['parameters']) && source.slice(['function', 'parameters'])
  return {
    ...decodeDefinition(definition, schema),
    ...given('cache', cache),
    field: `tools[${at}]`,
  }
}

function decodeFunction(entry: unknown, source: Source, at: number): Tool {
  const definition = objectIn(entry) ?? {}
  const schema = objectIn(definition['parameters']) && source.slice(['parameters'])
  return { ...decodeDefinition(definition, schema), field: `functions[${at}]` }
}

function decodeDefinition(definition: JsonObject, schema: Tool['schema']): Omit<Tool, 'field'> {
  const { description, strict } = definition
  return {
    name: textIn(definition['name']),
    ...given('description', typeof description === 'string' ? description : undefined),
    ...given('schema', schema),
    ...given('strict', typeof strict === 'boolean' ? strict : undefined),
  }
}

function notFunction(type: string, at: number): GatewayError {
  return new GatewayError(
    'not-expressible',
    `tools[${at}] is of type '${type}', which the target cannot be told: offer a function, or ask a target of this protocol.`,
    { param: `tools[${at}].type`, detail: 'unsupported_value' },
  )
}

function decodeChoice(choice: unknown): ToolChoice | undefined {
  const word = words.get(choice)
  if (word !== undefined) return word
  const object = objectIn(choice)
  const allowed = objectIn(object?.['allowed_tools'])
  if (allowed !== undefined) {
    const mode = allowed['mode'] === 'required' ? 'any' : 'auto'
    return { type: 'allowed', mode, names: listIn(allowed['tools']).map(nameIn) }
  }
  return object === undefined ? undefined : { type: 'named', name: nameIn(object) }
}

const words: ReadonlyMap<unknown, ToolChoice> = new Map([
  ['auto', { type: 'auto' }],
  ['none', { type: 'none' }],
  ['required', { type: 'any' }],
  ['any', { type: 'any' }],
])

function nameIn(entry: unknown): string {
  const object = objectIn(entry)
  return textIn(
    (objectIn(object?.['function']) ?? objectIn(object?.['custom']) ?? object)?.['name'],
  )
}

function decodeLegacyChoice(call: unknown): ToolChoice | undefined {
  const word = words.get(call)
  if (word !== undefined) return word
  return objectIn(call) === undefined ? undefined : { type: 'named', name: nameIn(call) }
}
