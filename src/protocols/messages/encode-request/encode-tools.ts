import type { Conversation, Tool, ToolChoice } from '#chat/conversation.ts'
import { GatewayError } from '#chat/error.ts'
import { listText, maybeText, objectText, stringText } from '#protocols/json-text.ts'
import type { Telling } from '#protocols/telling.ts'
import { brandAs } from '#std/brand.ts'
import { membersOf, rawJson, type RawJson } from '#std/json.ts'
import { assertNever } from '#std/never.ts'

/** Every name of a tool in a request: on offer, chosen, or called earlier. */
export function toolNames({ tools, toolChoice, turns }: Conversation): Set<string> {
  const names = new Set(tools.map((tool) => tool.name))
  if (toolChoice?.type === 'named') names.add(toolChoice.name)
  for (const { blocks } of turns)
    for (const block of blocks) if (block.type === 'call') names.add(block.name)
  return names
}

/** Says the tools on offer, or undefined if there are none to be told. */
export function encodeTools(conversation: Conversation, telling: Telling): RawJson | undefined {
  const { tools, toolChoice } = conversation
  if (tools.length > 0) {
    const offered = toolChoice?.type === 'allowed' ? narrowed(tools, toolChoice, telling) : tools
    return listText(offered.map((tool) => encodeTool(tool, telling)))
  }
  const called = calledNames(conversation)
  if (called.size === 0) return undefined
  telling.notes.add('tools', 'filled in from the calls in the history')
  return listText([...called].map((name) => encodeTool({ name, field: 'tools' }, telling)))
}

/** Says which tools the model may or must call. Without tools there is nothing to choose. */
export function encodeToolChoice(
  conversation: Conversation,
  { names, notes }: Telling,
): RawJson | undefined {
  const { tools, toolChoice, parallelCalls } = conversation
  if (tools.length === 0) {
    if (mustCall(toolChoice)) notes.add('tool_choice', 'dropped: there are no tools')
    return calledNames(conversation).size === 0 ? undefined : rawJson({ type: 'none' })
  }
  const isSingle = parallelCalls === false
  if (toolChoice === undefined && !isSingle) return undefined
  const type = choiceType(toolChoice)
  return objectText([
    ['type', stringText(type)],
    ['name', toolChoice?.type === 'named' ? sentAs(toolChoice.name, names) : undefined],
    ['disable_parallel_tool_use', isSingle && type !== 'none' ? rawJson(true) : undefined],
  ])
}

/** Whether the caller insists on a call. */
export function mustCall(choice: ToolChoice | undefined): boolean {
  return (
    choice?.type === 'any' ||
    choice?.type === 'named' ||
    (choice?.type === 'allowed' && choice.mode === 'any')
  )
}

function choiceType(choice: ToolChoice | undefined): string {
  switch (choice?.type) {
    case undefined:
    case 'auto':
      return 'auto'
    case 'none':
      return 'none'
    case 'any':
      return 'any'
    case 'named':
      return 'tool'
    case 'allowed':
      return choice.mode
    default:
      return assertNever(choice)
  }
}

/** Only the allowed tools are told. That changes the beginning of the prompt, so a cache of it is of no use. */
function narrowed(
  tools: readonly Tool[],
  { names }: { readonly names: readonly string[] },
  { notes }: Telling,
): readonly Tool[] {
  const allowed = tools.filter((tool) => names.includes(tool.name))
  if (allowed.length === 0) {
    throw new GatewayError(
      'request-invalid',
      "'tool_choice.allowed_tools.tools' allows none of the tools on offer: name at least one of them.",
      { param: 'tool_choice.allowed_tools.tools', detail: 'invalid_value' },
    )
  }
  notes.add('tool_choice.allowed_tools', 'told as a shorter list of tools')
  return allowed
}

function calledNames({ turns }: Conversation): Set<string> {
  const names = new Set<string>()
  for (const { blocks } of turns)
    for (const block of blocks) if (block.type === 'call') names.add(block.name)
  return names
}

function encodeTool(tool: Tool, { profile, notes, names }: Telling): RawJson {
  if (tool.strict === true && !profile.strictTools) notes.add(`${tool.field}.strict`, 'dropped')
  if (tool.cache !== undefined && !profile.firstParty)
    notes.add(`${tool.field}.cache_control`, 'dropped')
  return objectText([
    ['name', sentAs(tool.name, names)],
    ['description', maybeText(tool.description)],
    ['input_schema', encodeSchema(tool.schema)],
    ['strict', tool.strict === true && profile.strictTools ? rawJson(true) : undefined],
    ['cache_control', profile.firstParty ? tool.cache : undefined],
  ])
}

const noArguments = rawJson({ type: 'object', properties: {} })

/** The schema as the caller wrote it, but the protocol insists on its being one of an object. */
function encodeSchema(schema: RawJson | undefined): RawJson {
  if (schema === undefined) return noArguments
  const members = membersOf(schema)
  if (members.length === 0) return noArguments
  if (members.some(({ key }) => key === 'type')) return schema
  return brandAs<RawJson>(`{"type":"object",${schema.slice(schema.indexOf('{') + 1)}`)
}

function sentAs(name: string, names: ReadonlyMap<string, string>): RawJson {
  return stringText(names.get(name) ?? name)
}
