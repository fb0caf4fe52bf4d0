import type { Conversation, Tool, ToolChoice } from '#chat/conversation.ts'
import { listText, maybeText, objectText, stringText } from '#protocols/json-text.ts'
import type { Telling } from '#protocols/telling.ts'
import { brandAs } from '#std/brand.ts'
import { membersOf, type RawJson, rawJson } from '#std/json.ts'

/** The members of a request that speak of tools. A request without tools has none of them: many servers refuse an empty list. */
export function* encodeTools(
  { tools, toolChoice, parallelCalls }: Conversation,
  telling: Telling,
): Iterable<readonly [string, RawJson]> {
  if (tools.length === 0) return
  yield ['tools', listText(tools.map((tool) => encodeTool(tool, telling)))]
  if (toolChoice !== undefined) yield ['tool_choice', rawJson(encodeChoice(toolChoice, telling))]
  if (parallelCalls !== undefined) yield ['parallel_tool_calls', rawJson(parallelCalls)]
}

function encodeTool(tool: Tool, telling: Telling): RawJson {
  const { profile, notes } = telling
  if (tool.strict === true && !profile.strictTools) notes.add(`${tool.field}.strict`, 'dropped')
  if (tool.cache !== undefined) notes.add('cache_control', 'dropped')
  const described = objectText([
    ['name', stringText(sentTool(tool.name, telling))],
    ['description', maybeText(tool.description)],
    ['parameters', schemaText(tool.schema, profile.schemaNeedsProperties)],
    [
      'strict',
      tool.strict === undefined || !profile.strictTools ? undefined : rawJson(tool.strict),
    ],
  ])
  return objectText([
    ['type', stringText('function')],
    ['function', described],
  ])
}

/** The schema as it was said, with the members added that some servers fail without. */
function schemaText(schema: RawJson | undefined, needsProperties: boolean): RawJson | undefined {
  if (!needsProperties) return schema
  if (schema === undefined) return emptySchema
  const members = membersOf(schema)
  const keys = new Set(members.map((member) => member.key))
  let added = ''
  if (!keys.has('type')) added += ',"type":"object"'
  if (!keys.has('properties')) added += ',"properties":{}'
  if (added === '') return schema
  const end = schema.lastIndexOf('}')
  return brandAs<RawJson>(
    `${schema.slice(0, end)}${members.length === 0 ? added.slice(1) : added}${schema.slice(end)}`,
  )
}

const emptySchema = rawJson({ type: 'object', properties: {} })

const choiceWords = { auto: 'auto', none: 'none', any: 'required' } as const

function encodeChoice(choice: ToolChoice, telling: Telling): unknown {
  switch (choice.type) {
    case 'auto':
    case 'none':
    case 'any':
      return choiceWords[choice.type]
    case 'named':
      return named(choice.name, telling)
    case 'allowed': {
      const tools = choice.names.map((name) => named(name, telling))
      return { type: 'allowed_tools', allowed_tools: { mode: choiceWords[choice.mode], tools } }
    }
  }
}

function named(name: string, telling: Telling): unknown {
  return { type: 'function', function: { name: sentTool(name, telling) } }
}

/** What a tool is called upstream. */
export function sentTool(name: string, { names }: Telling): string {
  return names.get(name) ?? name
}
