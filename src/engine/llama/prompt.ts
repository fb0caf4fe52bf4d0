import type { Block, Conversation, Tool, Turn } from '#chat/conversation.ts'
import { GatewayError } from '#chat/error.ts'
import type { Note } from '#chat/note.ts'
import { callableTools } from '#engine/grammars/grammar-of.ts'
import {
  type ChatTemplate,
  type TemplateCall,
  type TemplateExtras,
  type TemplateMessage,
} from '#engine/templates/chat-template.ts'
import { arrangements } from '#engine/templates/turn-order.ts'
import { isObject, parseJson } from '#std/json.ts'

/** The text that a model goes on. */
export interface Prompt {
  /** Pieces that are tokenised apart, so that no text of the caller can spell a special word of the model. */
  readonly pieces: readonly string[]
  /** Whether it ends inside a thought, the model may open one, or neither. */
  readonly thinking: 'opened' | 'possible' | 'none'
  /** The caller began the answer. */
  readonly isContinued: boolean
  readonly notes: readonly Note[]
}

/** Cuts text where a special word of the model would be read in it. */
export type Guard = (text: string) => string

/** A code point that Unicode keeps out of all text: where it stands, a piece ends. */
const cut = '\uFDD0'

/** A guard against the given words. */
export function guardAgainst(words: readonly string[]): Guard {
  if (words.length === 0) return (text) => text.replaceAll(cut, '')
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  const special = new RegExp(escaped.join('|'), 'gi')
  return (text) =>
    text.replaceAll(cut, '').replace(special, (word) => {
      const [first = ''] = word
      return first + cut + word.slice(first.length)
    })
}

/**
 * Writes a conversation as the model's template has it. Throws `not-expressible` for blocks that a text model cannot
 * read, naming their field, and `request-invalid` if the template takes these turns in no arrangement.
 */
export function promptOf(conversation: Conversation, template: ChatTemplate, guard: Guard): Prompt {
  const notes: Note[] = []
  const writing: Writing = { conversation, template, guard, notes }
  const { turns, begun } = withoutBegun(conversation.turns)
  const messages = turns.flatMap((turn) => messagesOf(writing, turn))
  const extras = extrasOf(writing)
  const start = rendered(writing, messages, extras)
  const thinking = thinkingAfter(start, template)
  const isContinued = begun !== ''
  const before = isContinued ? start + wordsBefore(thinking, template) : start
  const pieces = (before + guard(begun)).split(cut).filter((piece) => piece !== '')
  return { pieces, thinking: isContinued ? 'none' : thinking, isContinued, notes }
}

function thinkingAfter(start: string, template: ChatTemplate): Prompt['thinking'] {
  const end = start.trimEnd()
  const { open, close, channels } = template.thought
  if (channels !== undefined) return 'possible'
  if (end.endsWith(open)) return 'opened'
  return template.thinks && !end.endsWith(close) ? 'possible' : 'none'
}

/** What stands before an answer that has begun: it has been thought about, and is in its channel where there are any. */
function wordsBefore(thinking: Prompt['thinking'], { thought }: ChatTemplate): string {
  if (thought.channels !== undefined) return thought.channels.text
  return thinking === 'opened' ? `${thought.close}\n\n` : ''
}

interface Writing {
  readonly conversation: Conversation
  readonly template: ChatTemplate
  readonly guard: Guard
  readonly notes: Note[]
}

/** A last turn of the assistant with nothing but text is the beginning of the answer. */
function withoutBegun(turns: readonly Turn[]): {
  readonly turns: readonly Turn[]
  readonly begun: string
} {
  const last = turns.at(-1)
  if (last?.role !== 'assistant' || !last.blocks.every((block) => block.type === 'text'))
    return { turns, begun: '' }
  const begun = last.blocks.map((block) => (block.type === 'text' ? block.text : '')).join('')
  return { turns: turns.slice(0, -1), begun }
}

function messagesOf(writing: Writing, turn: Turn): TemplateMessage[] {
  if (turn.role === 'assistant') return [assistantMessage(writing, turn)]
  const messages: TemplateMessage[] = []
  let texts: string[] = []
  const flush = (): void => {
    if (texts.length > 0) messages.push({ role: turn.role, content: texts.join('\n') })
    texts = []
  }
  for (const block of turn.blocks) {
    if (block.type !== 'result') {
      texts.push(textOf(writing, block, turn))
      continue
    }
    flush()
    messages.push(resultMessage(writing, block, turn))
  }
  flush()
  return messages
}

function assistantMessage(writing: Writing, turn: Turn): TemplateMessage {
  const { guard, template } = writing
  const texts: string[] = []
  const thoughts: string[] = []
  const calls: TemplateCall[] = []
  for (const block of turn.blocks) {
    if (block.type === 'reasoning') thoughts.push(guard(block.text))
    else if (block.type === 'call') calls.push(callOf(writing, block))
    else texts.push(textOf(writing, block, turn))
  }
  const reasoning = thoughts.join('\n')
  const kept = template.keepsReasoning && reasoning !== ''
  return {
    role: 'assistant',
    content: calls.length > 0 && texts.length === 0 ? template.noWords : texts.join(''),
    ...(kept ? { reasoning_content: reasoning, thinking: reasoning } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  }
}

type CallBlock = Extract<Block, { type: 'call' }>

function callOf(
  { guard, template }: Writing,
  { id, name, arguments: text }: CallBlock,
): TemplateCall {
  const parsed = parseJson(text === '' ? '{}' : text)
  // What a caller sends as arguments may be no JSON; then it is one text.
  const value = parsed.ok && isObject(parsed.value) ? parsed.value : { arguments: text }
  const guarded = guardedValue(value, guard)
  return {
    id: guard(id),
    type: 'function',
    function: {
      name: guard(name),
      arguments: template.takesObjects ? guarded : JSON.stringify(guarded),
    },
  }
}

/** A value of JSON in which every text is guarded, names of members too. */
function guardedValue(value: unknown, guard: Guard): unknown {
  if (typeof value === 'string') return guard(value)
  if (Array.isArray(value)) return value.map((one) => guardedValue(one, guard))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [guard(key), guardedValue(one, guard)]),
  )
}

type ResultBlock = Extract<Block, { type: 'result' }>

function resultMessage(writing: Writing, block: ResultBlock, turn: Turn): TemplateMessage {
  const { content = '' } = block
  const said =
    typeof content === 'string'
      ? writing.guard(content)
      : content.map((one) => textOf(writing, one, turn)).join('\n')
  const name = nameOf(writing.conversation, block.callId)
  return {
    role: 'tool',
    content: block.isError === true ? `Error: ${said}` : said,
    tool_call_id: writing.guard(block.callId),
    ...(name === undefined ? {} : { name: writing.guard(name) }),
  }
}

function nameOf({ turns }: Conversation, callId: string): string | undefined {
  for (const { blocks } of turns)
    for (const block of blocks) if (block.type === 'call' && block.id === callId) return block.name
  return undefined
}

function textOf({ guard }: Writing, block: Block, { field }: Turn): string {
  switch (block.type) {
    case 'text':
    case 'refusal':
    case 'reasoning':
      return guard(block.text)
    case 'document':
      if (block.source.type === 'text')
        return guard([block.title, block.context, block.source.text].filter(Boolean).join('\n'))
      throw unreadable(field, 'documents other than plain text')
    case 'image':
      throw unreadable(field, 'images')
    case 'audio':
      throw unreadable(field, 'audio')
    case 'call':
    case 'result':
      throw unreadable(field, `a ${block.type} in this place`)
    case 'other':
      throw unreadable(field, `blocks of the kind ${block.kind}`)
  }
}

function unreadable(param: string, what: string): GatewayError {
  return new GatewayError('not-expressible', `${param}: this model reads text, not ${what}.`, {
    param,
  })
}

function extrasOf(writing: Writing): TemplateExtras {
  const { conversation, template, guard } = writing
  const { format, reasoning } = conversation
  const isCallable = callableTools(conversation).length > 0
  const tools =
    isCallable && template.knowsTools ? conversation.tools.map((tool) => toolOf(tool, guard)) : []
  const schema = format?.type === 'schema' ? parseJson(format.schema) : undefined
  return {
    ...(tools.length > 0 ? { tools } : {}),
    ...(schema?.ok === true ? { response_schema: guardedValue(schema.value, guard) } : {}),
    ...(reasoning === undefined ? {} : { enable_thinking: reasoning.mode !== 'off' }),
    ...(reasoning?.effort === undefined ? {} : { reasoning_effort: reasoning.effort }),
  }
}

function toolOf({ name, description, schema }: Tool, guard: Guard): unknown {
  const parsed = schema === undefined ? undefined : parseJson(schema)
  const parameters = parsed?.ok === true ? parsed.value : { type: 'object', properties: {} }
  return guardedValue(
    { type: 'function', function: { name, description: description ?? '', parameters } },
    guard,
  )
}

/** Templates are strict about the order of turns: the first arrangement that this one takes is used. */
function rendered(
  writing: Writing,
  messages: readonly TemplateMessage[],
  extras: TemplateExtras,
): string {
  let failure: unknown
  for (const { arrange, what } of arrangements(writing.template, toldInWords(writing))) {
    try {
      const text = writing.template.render(arrange(messages), extras)
      if (what !== undefined) writing.notes.push({ field: 'messages', what })
      return text
    } catch (error) {
      failure ??= error
    }
  }
  throw new GatewayError(
    'request-invalid',
    "The model's chat template does not take these turns: it wants turns of the user and the assistant one after the other.",
    { cause: failure, param: 'messages' },
  )
}

/** Tools in words, for a template that has no place for them. */
function toldInWords({ conversation, template, guard }: Writing): string {
  if (template.knowsTools || callableTools(conversation).length === 0) return ''
  const list = conversation.tools.map((tool) => JSON.stringify(toolOf(tool, guard))).join('\n')
  return `You may call these functions:\n${list}\nTo call one, write nothing but:\n<tool_call>\n{"name": "its name", "arguments": {…}}\n</tool_call>`
}
