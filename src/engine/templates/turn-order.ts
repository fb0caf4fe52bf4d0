import type { ChatTemplate, TemplateCall, TemplateMessage } from './chat-template.ts'

/** A way to put turns that a template may take, and what is to be told of it. */
export interface Arrangement {
  readonly arrange: (messages: readonly TemplateMessage[]) => readonly TemplateMessage[]
  readonly what?: string
}

/** The ways to try, the truest first. `words` are put in front as instructions. */
export function arrangements(template: ChatTemplate, words: string): readonly Arrangement[] {
  const prepared = (messages: readonly TemplateMessage[]) => {
    const all = words === '' ? messages : [{ role: 'system' as const, content: words }, ...messages]
    return template.knowsTools ? all : all.map(inWords)
  }
  const led = (messages: readonly TemplateMessage[]) => systemFirst(prepared(messages))
  const unled = (messages: readonly TemplateMessage[]) => systemInUser(prepared(messages))
  const truest: readonly Arrangement[] = template.knowsSystem
    ? [
        { arrange: prepared },
        { arrange: led, what: 'system turns put together at the beginning' },
        { arrange: (all) => alternating(led(all)), what: 'neighbouring turns joined' },
        { arrange: (all) => shortIds(alternating(led(all))), what: 'neighbouring turns joined' },
      ]
    : []
  return [
    ...truest,
    {
      arrange: (all) => alternating(unled(all)),
      what: 'system turns put into the first user turn',
    },
    {
      arrange: (all) => shortIds(alternating(unled(all))),
      what: 'system turns put into the first user turn',
    },
    {
      arrange: (all) => alternating(systemInUser(prepared(all).map(inWords))),
      what: 'calls and results told in words',
    },
  ]
}

function systemFirst(messages: readonly TemplateMessage[]): readonly TemplateMessage[] {
  const system = messages.filter(({ role }) => role === 'system')
  if (system.length === 0) return messages
  const content = system.map((one) => one.content).join('\n\n')
  return [{ role: 'system', content }, ...messages.filter(({ role }) => role !== 'system')]
}

function systemInUser(messages: readonly TemplateMessage[]): readonly TemplateMessage[] {
  const [first, ...rest] = systemFirst(messages)
  if (first?.role !== 'system') return messages
  return [{ role: 'user', content: first.content }, ...rest]
}

/** Turns of one side that follow each other become one; an answer in front of all gets an empty question. */
function alternating(messages: readonly TemplateMessage[]): readonly TemplateMessage[] {
  const joined: TemplateMessage[] = []
  for (const message of messages) {
    const last = joined.at(-1)
    if (last === undefined && message.role === 'assistant')
      joined.push({ role: 'user', content: '' })
    if (last?.role === 'system' && message.role === 'assistant')
      joined.push({ role: 'user', content: '' })
    if (last?.role !== message.role || message.role === 'tool') {
      joined.push(message)
      continue
    }
    const content = together([last.content, message.content], '\n\n')
    const calls = [...(last.tool_calls ?? []), ...(message.tool_calls ?? [])]
    joined[joined.length - 1] = {
      ...last,
      ...message,
      content,
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    }
  }
  return joined
}

/** Some templates insist on ids of nine letters and digits. */
function shortIds(messages: readonly TemplateMessage[]): readonly TemplateMessage[] {
  const short = (id: string): string => Bun.hash(id).toString(36).padStart(9, '0').slice(0, 9)
  return messages.map(({ tool_calls: calls, tool_call_id: id, ...message }) => ({
    ...message,
    ...(calls === undefined
      ? {}
      : { tool_calls: calls.map((call) => ({ ...call, id: short(call.id) })) }),
    ...(id === undefined ? {} : { tool_call_id: short(id) }),
  }))
}

/** Calls and results as text, for templates that know neither. */
function inWords({
  tool_calls: calls,
  tool_call_id: _id,
  ...message
}: TemplateMessage): TemplateMessage {
  if (message.role === 'tool')
    return { role: 'user', content: `<tool_response>\n${message.content ?? ''}\n</tool_response>` }
  if (calls === undefined) return message
  const said = calls.map(callInWords).join('\n')
  return { ...message, content: together([message.content, said], '\n') }
}

function together(texts: readonly (string | null)[], between: string): string {
  return texts.filter((text) => text !== '' && text !== null).join(between)
}

function callInWords({ function: { name, arguments: given } }: TemplateCall): string {
  const text = typeof given === 'string' ? given : JSON.stringify(given)
  return `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${text}}\n</tool_call>`
}
