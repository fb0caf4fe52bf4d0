import type { JsonObject } from '#std/json.ts'

import {
  checkArray,
  checkBoolean,
  checkFilledString,
  checkObject,
  checkString,
  isAbsent,
  refuse,
} from './check-values.ts'

/** Checks the tools of a request and the choice among them. Tools that the vendor defines are taken as they are. */
export function checkTools(tools: unknown, choice: unknown): void {
  const names = isAbsent(tools) ? new Set<string>() : namesOf(tools)
  if (!isAbsent(choice)) checkChoice(choice, names)
}

/** Whether the caller describes the tool itself, rather than naming one that the vendor knows. */
export function isCustomTool(tool: JsonObject): boolean {
  return isAbsent(tool.type) || tool.type === 'custom'
}

const namePattern = /^[a-zA-Z0-9_-]{1,128}$/

/** The names of all tools, or undefined if one of them stands for a set of tools that has none. */
function namesOf(tools: unknown): Set<string> | undefined {
  checkArray(tools, 'tools')
  const names = new Set<string>()
  let hasNameless = false
  for (const [index, tool] of tools.entries()) {
    const path = `tools.${index}`
    checkObject(tool, path)
    if (isCustomTool(tool)) checkCustomTool(tool, `${path}.custom`)
    else if (typeof tool.type !== 'string') refuse(`${path}.type`, 'Input should be a valid string')
    if (typeof tool.name !== 'string') hasNameless = true
    else if (names.has(tool.name)) refuse('tools', 'Tool names must be unique.')
    else names.add(tool.name)
  }
  return hasNameless ? undefined : names
}

function checkCustomTool(tool: JsonObject, path: string): void {
  checkString(tool.name, `${path}.name`)
  if (!namePattern.test(tool.name))
    refuse(`${path}.name`, `String should match pattern '${namePattern.source}'`)
  checkObject(tool.input_schema, `${path}.input_schema`)
  if (!isAbsent(tool.description)) checkString(tool.description, `${path}.description`)
  if (!isAbsent(tool.strict)) checkBoolean(tool.strict, `${path}.strict`)
}

/** A type of choice that is not known here is for the upstream to judge. */
function checkChoice(choice: unknown, names: ReadonlySet<string> | undefined): void {
  checkObject(choice, 'tool_choice')
  checkString(choice.type, 'tool_choice.type')
  if (!isAbsent(choice.disable_parallel_tool_use))
    checkBoolean(
      choice.disable_parallel_tool_use,
      `tool_choice.${choice.type}.disable_parallel_tool_use`,
    )
  if (choice.type === 'any' && names?.size === 0)
    refuse('tool_choice', '`any` forces a tool call, but the request has no tools.')
  if (choice.type === 'tool') checkNamedChoice(choice, names)
}

function checkNamedChoice(choice: JsonObject, names: ReadonlySet<string> | undefined): void {
  checkFilledString(choice.name, 'tool_choice.tool.name')
  if (names !== undefined && !names.has(choice.name))
    refuse('tool_choice', `Tool '${choice.name}' not found in provided tools`)
}
