import type { Conversation, Tool } from '#chat/conversation.ts'
import { GatewayError } from '#chat/error.ts'
import type { Note } from '#chat/note.ts'
import type { CallFormat } from '#engine/templates/call-format.ts'
import type { ThoughtWords } from '#engine/templates/chat-template.ts'
import { isObject, parseJson } from '#std/json.ts'

import { grammarText, literal } from './grammar-text.ts'
import { addSchema } from './schema-grammar.ts'
import type { GrammarSize } from './schema-scalars.ts'
import { addUpTo } from './up-to-word.ts'

/** What a model is held to while it answers, as grammars. */
export interface Held {
  /** From the first token on. */
  readonly always?: string
  /** Once the mark of a call has been said. */
  readonly afterMark?: string
  /** What of the request no grammar holds it to. */
  readonly notes: readonly Note[]
}

export interface Manner {
  /** How the model writes calls; absent if the request has no tools that it may call. */
  readonly calls: CallFormat | undefined
  /** Whether the prompt has opened a thought already, the model may open one, or neither. */
  readonly thinking: 'opened' | 'possible' | 'none'
  readonly thought: ThoughtWords
}

/** The tools that may be called, by the request's choice. Throws `request-invalid` for a name that no tool has. */
export function callableTools({ tools, toolChoice }: Conversation): readonly Tool[] {
  if (toolChoice === undefined || toolChoice.type === 'auto' || toolChoice.type === 'any')
    return tools
  if (toolChoice.type === 'none') return []
  const names = toolChoice.type === 'named' ? [toolChoice.name] : toolChoice.names
  const missing = names.find((name) => !tools.some((tool) => tool.name === name))
  if (missing !== undefined)
    throw new GatewayError(
      'request-invalid',
      `The tool choice names a tool that the request does not have: ${missing}.`,
      {
        param: 'tool_choice',
      },
    )
  return tools.filter(({ name }) => names.includes(name))
}

/** Whether the answer has to be a call. */
export function mustCall({ toolChoice }: Conversation): boolean {
  const type = toolChoice?.type
  return (
    type === 'any' ||
    type === 'named' ||
    (toolChoice?.type === 'allowed' && toolChoice.mode === 'any')
  )
}

/**
 * The grammars that a request asks for. Throws `request-invalid` and `not-expressible` for schemas that are none or that no
 * grammar can say, and for a forced call without a tool.
 */
export function grammarOf(conversation: Conversation, manner: Manner): Held {
  const rules = new Map<string, string>()
  const notes: Note[] = []
  const writing: Writing = { rules, size: { pieces: 0, characters: 0 }, notes, conversation }
  const tools = manner.calls === undefined ? [] : callableTools(conversation)
  if (mustCall(conversation) && tools.length === 0)
    throw new GatewayError(
      'request-invalid',
      'A call is asked for, and the request has no tool that may be called.',
      {
        param: 'tool_choice',
      },
    )
  const calls =
    manner.calls && tools.length > 0 ? addCalls(writing, tools, manner.calls) : undefined
  const format = mustCall(conversation) ? undefined : inChannel(manner, addFormat(writing))
  if (calls !== undefined && (format !== undefined || mustCall(conversation)))
    return {
      always: whole(rules, manner, format === undefined ? calls.all : `${calls.all} | ${format}`),
      notes,
    }
  if (format !== undefined) return { always: whole(rules, manner, format), notes }
  if (calls === undefined) return { notes }
  rules.set('root', calls.rest)
  return { afterMark: grammarText(rules), notes }
}

interface Writing {
  readonly rules: Map<string, string>
  readonly size: GrammarSize
  readonly notes: Note[]
  readonly conversation: Conversation
}

/** At most so many calls in one answer: a model that calls without end is stopped here. */
const mostCalls = 32

/** The rule for all of the calls, and for what follows the mark of the first. */
function addCalls(
  writing: Writing,
  tools: readonly Tool[],
  format: CallFormat,
): { readonly all: string; readonly rest: string } {
  const { rules, conversation } = writing
  const options = tools.map((tool, index) => {
    const rule = `call-${index}`
    rules.set(
      rule,
      `${literal(tool.name + format.neck)} ${argumentsRule(writing, tool, `t${index}`)}`,
    )
    return rule
  })
  rules.set('call', options.join(' | '))
  const isOne = conversation.parallelCalls === false || format.next === undefined
  const others = isOne ? '' : ` ( ${literal(format.next ?? '')} call ){0,${mostCalls - 1}}`
  rules.set(
    'calls-rest',
    `${literal(format.first.slice(format.mark.length))} call${others} ${literal(format.last)}`,
  )
  rules.set('calls', `${literal(format.mark)} calls-rest`)
  return { all: 'calls', rest: 'calls-rest' }
}

function argumentsRule(writing: Writing, tool: Tool, prefix: string): string {
  if (tool.schema === undefined) return '"{}"'
  const param = `${tool.field}.schema`
  const schema = parsedSchema(tool.schema, tool.field)
  const { type } = schema
  if (type !== undefined && type !== 'object')
    throw new GatewayError(
      'request-invalid',
      `The schema of the tool ${tool.name} is of no object: arguments have names.`,
      { param: tool.field },
    )
  return withLoose(writing, tool.field, (loose) =>
    addSchema(
      { ...schema, type: 'object', nullable: false },
      { rules: writing.rules, size: writing.size, loose, param },
      prefix,
    ),
  )
}

function addFormat(writing: Writing): string | undefined {
  const { format } = writing.conversation
  if (format === undefined) return undefined
  if (format.type === 'json') return 'object'
  const field = 'response_format'
  const schema = parsedSchema(format.schema, field)
  return withLoose(writing, field, (loose) =>
    addSchema(schema, { rules: writing.rules, size: writing.size, loose, param: field }, 'answer'),
  )
}

/** Where nothing is thought any more, the answer has begun, and is in its channel. */
function inChannel({ thinking, thought: { channels } }: Manner, format: string | undefined) {
  return channels === undefined || format === undefined || thinking === 'none'
    ? format
    : `${literal(channels.text)} ${format}`
}

function parsedSchema(raw: string, param: string): { readonly [key: string]: unknown } {
  const parsed = parseJson(raw)
  if (parsed.ok && isObject(parsed.value)) return parsed.value
  throw new GatewayError('request-invalid', `The schema in ${param} is not a JSON object.`, {
    param,
  })
}

function withLoose({ notes }: Writing, field: string, add: (loose: Set<string>) => string): string {
  const loose = new Set<string>()
  const rule = add(loose)
  if (loose.size > 0)
    notes.push({ field, what: `not enforced: ${[...loose].slice(0, 8).join(', ')}` })
  return rule
}

/** The answer, after the thought that the model may have first. */
function whole(rules: Map<string, string>, { thinking, thought }: Manner, answer: string): string {
  rules.set('thinking', `${addUpTo(thought.close, rules, 'thinking')} [ \\n]{0,4}`)
  rules.set('answer-all', answer)
  const before = {
    none: '',
    possible: `( ${literal(thought.open)} thinking )? `,
    opened: 'thinking ',
  }[thinking]
  rules.set('root', `${before}answer-all`)
  return grammarText(rules)
}
