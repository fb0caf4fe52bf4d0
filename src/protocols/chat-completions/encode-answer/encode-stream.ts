import type { Opaque } from '#chat/conversation.ts'
import type { AnswerEnd, BlockStart, ChatEvent, TokenLogprob } from '#chat/event.ts'
import { foldUsage, noUsage, type Usage } from '#chat/usage.ts'
import { encodeUsage } from '#protocols/chat-completions/usage.ts'
import { given } from '#protocols/given.ts'
import type { StreamEncoder, Told } from '#protocols/protocol.ts'
import type { RawJson } from '#std/json.ts'
import { assertNever } from '#std/never.ts'

import {
  annotationOf,
  extraOf,
  finishOf,
  type Joint,
  joined,
  nativeFinish,
  newJoint,
  setApart,
  thinkingBlock,
} from './answer-parts.ts'
import { encodeLogprobs } from './logprobs.ts'

/** What to send into a silent stream: a comment, which every client skips. */
export const keepAlive = ': keep-alive\n\n'

/** Says an answer in chunks as it comes. What this protocol has no place for is left out. */
export function encodeStream(told: Told): StreamEncoder {
  const soFar: SoFar = {
    told,
    ...frameOf(told, told.model),
    calls: -1,
    open: undefined,
    text: newJoint(),
    thoughts: newJoint(),
    textLength: 0,
    hasRefusal: false,
    thinking: [],
    annotations: [],
    usage: noUsage,
  }
  return {
    push(events) {
      let said = ''
      for (const event of events) said += sayEvent(soFar, event)
      return said
    },
  }
}

/** What of an answer is needed later in it. */
interface SoFar {
  readonly told: Told
  /** What comes before and after the delta of an ordinary chunk: the same in all of an answer. */
  before: string
  after: string
  /** The beginning of a chunk up to its list of choices. */
  head: string
  /** The index of the last call; -1 before the first. */
  calls: number
  open: Open | undefined
  readonly text: Joint
  readonly thoughts: Joint
  textLength: number
  hasRefusal: boolean
  /** JSON texts that are said whole, once, before the end: clients overwrite or add up what comes in pieces. */
  readonly thinking: string[]
  readonly annotations: string[]
  usage: Usage
}

/** The open block, and of it what is only told when it is whole. */
interface Open {
  readonly block: BlockStart
  /** The text of a thought, or of the arguments of a call. */
  text: string
  /** How long its text is, if it is one. */
  length: number
  readonly marks: Opaque[]
  readonly citations: RawJson[]
}

function frameOf(told: Told, model: string): Pick<SoFar, 'before' | 'after' | 'head'> {
  const head = `data: {"id":${JSON.stringify(told.id)},"object":"chat.completion.chunk","created":${told.created},"model":${JSON.stringify(model)},"choices":[`
  return {
    head,
    before: `${head}{"index":0,"delta":`,
    after: `,"finish_reason":null}]${told.wantsUsage ? ',"usage":null' : ''}}\n\n`,
  }
}

function sayEvent(soFar: SoFar, event: ChatEvent): string {
  switch (event.type) {
    case 'block-delta':
      return event.text === '' ? '' : grow(soFar, event)
    case 'answer-start':
      Object.assign(soFar, frameOf(soFar.told, event.model ?? soFar.told.model))
      return chunk(soFar, '{"role":"assistant","content":""}')
    case 'block-start':
      return open(soFar, event.block)
    case 'block-mark':
      soFar.open?.marks.push(event.opaque)
      return ''
    case 'block-citation':
      soFar.open?.citations.push(event.raw)
      return ''
    case 'block-end':
      return close(soFar)
    case 'usage':
      soFar.usage = foldUsage(soFar.usage, event.usage)
      return ''
    case 'idle':
      return keepAlive
    case 'note':
      return ''
    case 'answer-end':
      return end(soFar, event)
    default:
      return assertNever(event)
  }
}

function chunk(soFar: SoFar, delta: string): string {
  return soFar.before + delta + soFar.after
}

function open(soFar: SoFar, block: BlockStart): string {
  soFar.open = { block, text: '', length: 0, marks: [], citations: [] }
  if (block.type !== 'text') setApart(soFar.text)
  if (block.type === 'reasoning') setApart(soFar.thoughts)
  if (block.type !== 'call') return ''
  soFar.calls++
  const named = `"name":${JSON.stringify(block.name)},"arguments":""`
  if (soFar.told.isLegacyFunctions) return legacyCall(soFar, named)
  return chunk(
    soFar,
    `{"tool_calls":[{"index":${soFar.calls},"id":${JSON.stringify(block.id)},"type":"function","function":{${named}}}]}`,
  )
}

function grow(
  soFar: SoFar,
  { text, logprobs }: Extract<ChatEvent, { type: 'block-delta' }>,
): string {
  const type = soFar.open?.block.type
  switch (type) {
    case 'text':
      return sayText(soFar, text, logprobs)
    case 'reasoning':
      return think(soFar, text)
    case 'refusal':
      soFar.hasRefusal = true
      return chunk(soFar, `{"refusal":${JSON.stringify(text)}}`)
    case 'call':
      return callOn(soFar, text)
    case 'other':
    case undefined:
      return ''
    default:
      return assertNever(type)
  }
}

function sayText(soFar: SoFar, text: string, logprobs?: readonly TokenLogprob[]): string {
  const said = joined(soFar.text, text)
  soFar.textLength += said.length
  if (soFar.open !== undefined) soFar.open.length += text.length
  const delta = `{"content":${JSON.stringify(said)}}`
  if (logprobs === undefined) return chunk(soFar, delta)
  return chunk(soFar, `${delta},"logprobs":${JSON.stringify(encodeLogprobs(logprobs))}`)
}

/** Under both names that clients look for it. */
function think(soFar: SoFar, text: string): string {
  if (soFar.open !== undefined) soFar.open.text += text
  const said = JSON.stringify(joined(soFar.thoughts, text))
  return chunk(soFar, `{"reasoning_content":${said},"reasoning":${said}}`)
}

function callOn(soFar: SoFar, text: string): string {
  if (soFar.open !== undefined) soFar.open.text = text
  const said = `"arguments":${JSON.stringify(text)}`
  if (soFar.told.isLegacyFunctions) return legacyCall(soFar, said)
  return chunk(soFar, `{"tool_calls":[{"index":${soFar.calls},"function":{${said}}}]}`)
}

/** The old form has room for one call. */
function legacyCall(soFar: SoFar, members: string): string {
  return soFar.calls === 0 ? chunk(soFar, `{"function_call":{${members}}}`) : ''
}

function close(soFar: SoFar): string {
  const { open: block } = soFar
  soFar.open = undefined
  if (block?.block.type === 'call') return closeCall(soFar, block)
  const thinking = block && thinkingBlock(block.text, block.marks)
  if (thinking !== undefined) soFar.thinking.push(JSON.stringify(thinking))
  for (const raw of block?.citations ?? []) {
    const place = { start: soFar.textLength - (block?.length ?? 0), end: soFar.textLength }
    const annotation = annotationOf(raw, place)
    if (annotation !== undefined) soFar.annotations.push(JSON.stringify(annotation))
  }
  return ''
}

function closeCall(soFar: SoFar, block: Open): string {
  const extra = extraOf(block.marks)
  // Clients parse the arguments, so a call without any has an empty object.
  const last = block.text === '' ? callOn(soFar, '{}') : ''
  if (extra === undefined || soFar.told.isLegacyFunctions) return last
  const delta = `{"tool_calls":[{"index":${soFar.calls},"function":{"arguments":""},"extra_content":${extra}}]}`
  return last + chunk(soFar, delta)
}

function end(soFar: SoFar, event: AnswerEnd): string {
  const { told, hasRefusal } = soFar
  const finish = finishOf(event.reason, { ...told, hasRefusal })
  const native = Object.entries(nativeFinish(event))
    .map(([key, value]) => `,"${key}":${JSON.stringify(value)}`)
    .join('')
  const last = `${soFar.before}{},"finish_reason":"${finish}"${native}}]${told.wantsUsage ? ',"usage":null' : ''}}\n\n`
  return `${lastWords(soFar, event)}${last}${usageChunk(soFar)}data: [DONE]\n\n`
}

/** What is said whole before the end. */
function lastWords(soFar: SoFar, event: AnswerEnd): string {
  const refusal = soFar.hasRefusal ? undefined : event.refusal
  const members = {
    ...given('refusal', refusal === undefined ? undefined : JSON.stringify(refusal)),
    ...given('annotations', listText(soFar.annotations)),
    ...given('thinking_blocks', listText(soFar.thinking)),
  }
  const said = Object.entries(members).map(([key, text]) => `"${key}":${text}`)
  return said.length === 0 ? '' : chunk(soFar, `{${said.join(',')}}`)
}

function listText(values: readonly string[]): string | undefined {
  return values.length === 0 ? undefined : `[${values.join(',')}]`
}

function usageChunk(soFar: SoFar): string {
  if (!soFar.told.wantsUsage) return ''
  return `${soFar.head}],"usage":${JSON.stringify(encodeUsage(soFar.usage))}}\n\n`
}
