import type { Conversation, Tool, ToolChoice } from '#chat/conversation.ts'
import { GatewayError } from '#chat/error.ts'
import { given } from '#protocols/given.ts'
import { isObject, type JsonObject } from '#std/json.ts'

import { isCustomTool } from './check-tools.ts'
import { isAbsent, refuse, unexpectedTag } from './check-values.ts'
import { rawMember, type Said, saidElements } from './said.ts'
import { vendorTool } from './vendor-tools.ts'

/**
 * The tools of a request. A tool that the vendor defines and the caller runs is described in full; one that the vendor
 * runs itself is refused with `not-expressible`.
 */
export function decodeTools(tools: unknown, said: Said | undefined): Tool[] {
  if (!Array.isArray(tools) || said === undefined) return []
  const places = saidElements(said)
  return tools.flatMap((tool: unknown, index) => {
    const place = places[index]
    return isObject(tool) && place !== undefined ? [decodeTool(tool, place, index)] : []
  })
}

/** Which tool must be called, and whether several may be at once. Absent members: the caller said nothing of it. */
export function decodeToolChoice(
  choice: unknown,
): Pick<Conversation, 'toolChoice' | 'parallelCalls'> {
  if (!isObject(choice)) return {}
  const isSingle = choice.disable_parallel_tool_use === true
  return {
    toolChoice: choiceOf(choice),
    ...given('parallelCalls', isSingle ? false : undefined),
  }
}

function decodeTool(tool: JsonObject, said: Said, index: number): Tool {
  const field = `tools[${index}]`
  const cache = isAbsent(tool.cache_control) ? undefined : rawMember(said, 'cache_control')
  if (!isCustomTool(tool)) return { ...knownTool(tool, said.path), ...given('cache', cache), field }
  return {
    name: String(tool.name),
    ...given('description', typeof tool.description === 'string' ? tool.description : undefined),
    ...given('schema', rawMember(said, 'input_schema')),
    ...given('strict', typeof tool.strict === 'boolean' ? tool.strict : undefined),
    ...given('cache', cache),
    field,
  }
}

function knownTool(tool: JsonObject, path: string): Omit<Tool, 'field'> {
  const known = vendorTool(String(tool.type), tool)
  if (known !== undefined) return known
  throw new GatewayError(
    'not-expressible',
    `${path}: ${unexpectedTag(tool.type, ['custom'])}. The upstream of this model cannot run this tool; leave it out.`,
    { param: path },
  )
}

function choiceOf(choice: JsonObject): ToolChoice {
  switch (choice.type) {
    case 'auto':
    case 'any':
    case 'none':
      return { type: choice.type }
    case 'tool':
      return { type: 'named', name: String(choice.name) }
    default:
      return refuse('tool_choice', unexpectedTag(choice.type, ['auto', 'any', 'tool', 'none']))
  }
}
