/**
 * How a model writes calls of tools, as the texts around what differs from call to call:
 * `first NAME neck ARGUMENTS (next NAME neck ARGUMENTS)* last`. It is read off the model's own template.
 */
export interface CallFormat {
  /** With what a call begins: once it is said, nothing but calls may follow. A beginning of `first`. */
  readonly mark: string
  /** The mark could be in any text (an opening brace), so it counts only where the answer begins, after its thought if it has one. */
  readonly isOnlyAtStart: boolean
  readonly first: string
  readonly neck: string
  /** Absent: the model makes one call a turn. */
  readonly next?: string
  readonly last: string
}

/** The commonest way, for models whose template knows no tools: they are told of it in words. */
export const plainCalls: CallFormat = {
  mark: '<tool_call>',
  isOnlyAtStart: false,
  first: '<tool_call>\n{"name": "',
  neck: '", "arguments": ',
  next: '}\n</tool_call>\n<tool_call>\n{"name": "',
  last: '}\n</tool_call>',
}

/** For models that write each part of an answer into a channel, a call into one that names its tool. */
export const channelCalls: CallFormat = {
  mark: '<|channel|>commentary to=functions.',
  isOnlyAtStart: false,
  first: '<|channel|>commentary to=functions.',
  neck: ' <|constrain|>json<|message|>',
  last: '',
}

/** Names and arguments of calls that are written into a template to see what it puts around them. */
export const sample = {
  names: ['zqfirst', 'zqsecond'],
  ids: ['zqid00001', 'zqid00002'],
  keys: ['zqkeya', 'zqkeyb'],
  value: 'zqvalue',
} as const

/**
 * Reads the format off what a template made of the sample calls, from the beginning of the answer to the end of its turn.
 * Undefined if the calls are not written as a name and JSON arguments.
 */
export function callFormatIn(written: string, ends: readonly string[]): CallFormat | undefined {
  const one = callIn(written, 0)
  if (one === undefined) return undefined
  const two = callIn(written, 1)
  const first = withoutIds(written.slice(0, one.nameAt)).trimStart()
  const neck = withoutIds(written.slice(one.nameEnd, one.from))
  const last = withoutIds(written.slice((two ?? one).to))
  const next = two && { next: withoutIds(written.slice(one.to, two.nameAt)) }
  if (first === '' && neck === '') return undefined
  return { ...markOf(first), first, neck, ...next, last: upToEnd(last, ends) }
}

interface Place {
  readonly nameAt: number
  readonly nameEnd: number
  readonly from: number
  readonly to: number
}

function callIn(written: string, index: 0 | 1): Place | undefined {
  const name = sample.names[index]
  const nameAt = written.indexOf(name)
  const keyAt = written.indexOf(`"${sample.keys[index]}"`, nameAt)
  const from = written.lastIndexOf('{', keyAt)
  const to = written.indexOf('}', keyAt) + 1
  const nameEnd = nameAt + name.length
  if (nameAt === -1 || keyAt === -1 || from < nameEnd || to === 0) return undefined
  return { nameAt, nameEnd, from, to }
}

/** An id is the gateway's matter: a model is not asked to write one. */
function withoutIds(text: string): string {
  return text.replace(
    /(?:,\s*"(?:id|tool_call_id)":\s*"|\[CALL_ID\])zqid0000\d(?:"(?=[\s,}\]]))?/g,
    '',
  )
}

/** The special word in front of the JSON, or all of it where there is none. */
function markOf(first: string): Pick<CallFormat, 'mark' | 'isOnlyAtStart'> {
  const word = /^[^\s{"]+?(?=\s|\[\{|\{|$)/.exec(first)?.[0]
  return word === undefined || word === '['
    ? { mark: first, isOnlyAtStart: true }
    : { mark: word, isOnlyAtStart: false }
}

/** The template goes on to end the turn; a model says that with a token. */
function upToEnd(text: string, ends: readonly string[]): string {
  const at = ends
    .filter((end) => end !== '')
    .map((end) => text.indexOf(end))
    .filter((place) => place !== -1)
  return text.slice(0, Math.min(text.length, ...at)).trimEnd()
}
