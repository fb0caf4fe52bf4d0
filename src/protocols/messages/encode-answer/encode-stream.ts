import type { Opaque } from '#chat/conversation.ts'
import type { AnswerEnd, BlockStart, ChatEvent } from '#chat/event.ts'
import { foldUsage, noUsage, type Usage } from '#chat/usage.ts'
import { encodeUsage } from '#protocols/messages/usage.ts'
import type { StreamEncoder, Told } from '#protocols/protocol.ts'
import { assertNever } from '#std/never.ts'

import {
  badArguments,
  callText,
  encodeEnd,
  maySayCutCall,
  messageHead,
  signatureOf,
  withheldIn,
} from './encode-reply.ts'
import { ToolInput } from './tool-input.ts'

/** What to send into a silent stream: every client skips it. */
export const keepAlive = 'event: ping\ndata: {"type":"ping"}\n\n'

/**
 * Says an answer as named events: blocks one after another, numbered from 0 without gaps, opened only when there is
 * something in them. Throws `upstream-failed` at the end for a call whose arguments are no JSON object.
 */
export function encodeStream(told: Told): StreamEncoder {
  const telling: Telling = {
    told,
    text: '',
    withheld: '',
    model: undefined,
    hasStarted: false,
    usage: noUsage,
    index: 0,
    open: undefined,
    hasBadCall: false,
  }
  return {
    push(events) {
      for (const event of events) tell(telling, event)
      const { text } = telling
      telling.text = ''
      return text
    },
  }
}

/** The stream of one answer while it is told. */
interface Telling {
  readonly told: Told
  /** What this push has written so far. */
  text: string
  /** What follows a call with bad arguments: it goes out only if the answer turns out to have been cut. */
  withheld: string
  model: string | undefined
  hasStarted: boolean
  usage: Usage
  /** The number of the next block. */
  index: number
  open: OpenBlock | undefined
  hasBadCall: boolean
}

interface OpenBlock {
  readonly start: BlockStart
  /** Whether its first frame is written: text and thoughts wait for something to say. */
  isTold: boolean
  readonly marks: Opaque[]
  readonly input: ToolInput | undefined
}

function tell(telling: Telling, event: ChatEvent): void {
  // The first frame waits for the event after the start, which may bring the count of the input.
  if (event.type === 'usage') telling.usage = foldUsage(telling.usage, event.usage)
  if (event.type !== 'answer-start' && !telling.hasStarted) writeStart(telling)
  switch (event.type) {
    case 'answer-start':
      telling.model = event.model
      return
    case 'block-start':
      return startBlock(telling, event.block)
    case 'block-delta':
      return growBlock(telling, event.text)
    case 'block-mark':
      telling.open?.marks.push(event.opaque)
      return
    case 'block-citation':
      openText(telling, '{"type":"text","text":""}')
      return writeDelta(telling, `{"type":"citations_delta","citation":${event.raw}}`)
    case 'block-end':
      return endBlock(telling)
    case 'idle':
      return write(telling, keepAlive)
    case 'answer-end':
      return writeEnd(telling, event)
    case 'usage':
    case 'note':
      return
    default:
      assertNever(event)
  }
}

function writeStart(telling: Telling): void {
  const { told, model, usage } = telling
  telling.hasStarted = true
  // Some clients add the first count of the output to the last one, so it is always zero.
  const { output: _output, reasoning: _reasoning, ...known } = usage
  const tail = JSON.stringify({
    content: [],
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    usage: encodeUsage(known),
  })
  const message = `${messageHead(told.id, model ?? told.model)},${tail.slice(1)}`
  write(telling, frame('message_start', `"message":${message}`))
}

function startBlock(telling: Telling, start: BlockStart): void {
  const input = start.type === 'call' ? new ToolInput() : undefined
  telling.open = { start, isTold: false, marks: [], input }
  if (start.type === 'call') openText(telling, callText(start, '{}'))
  if (start.type === 'other') openText(telling, start.raw)
}

function growBlock(telling: Telling, text: string): void {
  const block = telling.open
  if (block === undefined || text === '') return
  switch (block.start.type) {
    case 'text':
    case 'refusal':
      openText(telling, '{"type":"text","text":""}')
      return writeDelta(telling, `{"type":"text_delta","text":${JSON.stringify(text)}}`)
    case 'reasoning':
      openText(telling, '{"type":"thinking","thinking":"","signature":""}')
      return writeDelta(telling, `{"type":"thinking_delta","thinking":${JSON.stringify(text)}}`)
    case 'call':
      return writeInput(telling, block.input?.push(text) ?? '')
    case 'other':
      return
    default:
      assertNever(block.start)
  }
}

function endBlock(telling: Telling): void {
  const block = telling.open
  if (block === undefined) return
  if (block.start.type === 'reasoning') return endThought(telling, block)
  if (block.input !== undefined) {
    const { rest, isWhole } = block.input.end()
    writeInput(telling, rest)
    telling.hasBadCall ||= !isWhole
  }
  closeBlock(telling, block)
}

/** A thought always ends with a signature; what is withheld of it follows in blocks of its own. */
function endThought(telling: Telling, block: OpenBlock): void {
  if (block.isTold || block.marks.some(({ kind }) => kind === 'signature')) {
    openText(telling, '{"type":"thinking","thinking":"","signature":""}')
    const signature = JSON.stringify(signatureOf(block.marks, telling.told))
    writeDelta(telling, `{"type":"signature_delta","signature":${signature}}`)
  }
  closeBlock(telling, block)
  for (const data of withheldIn(block.marks)) {
    telling.open = { ...block, isTold: false }
    openText(telling, JSON.stringify({ type: 'redacted_thinking', data }))
    closeBlock(telling, telling.open)
  }
}

function closeBlock(telling: Telling, block: OpenBlock): void {
  telling.open = undefined
  if (!block.isTold) return
  write(telling, frame('content_block_stop', `"index":${telling.index}`))
  telling.index++
}

/** Writes the first frame of the open block, once. */
function openText(telling: Telling, block: string): void {
  if (telling.open === undefined || telling.open.isTold) return
  telling.open.isTold = true
  write(telling, frame('content_block_start', `"index":${telling.index},"content_block":${block}`))
}

function writeInput(telling: Telling, fragment: string): void {
  if (fragment === '') return
  writeDelta(telling, `{"type":"input_json_delta","partial_json":${JSON.stringify(fragment)}}`)
}

function writeDelta(telling: Telling, delta: string): void {
  write(telling, frame('content_block_delta', `"index":${telling.index},"delta":${delta}`))
}

function writeEnd(telling: Telling, end: AnswerEnd): void {
  if (telling.hasBadCall && !maySayCutCall(end.reason)) throw badArguments()
  telling.hasBadCall = false
  const delta = JSON.stringify(encodeEnd(end))
  const usage = JSON.stringify(encodeUsage(telling.usage))
  telling.text += telling.withheld
  write(telling, frame('message_delta', `"delta":${delta},"usage":${usage}`))
  write(telling, frame('message_stop'))
}

function write(telling: Telling, text: string): void {
  if (telling.hasBadCall) telling.withheld += text
  else telling.text += text
}

function frame(type: string, members?: string): string {
  const rest = members === undefined ? '' : `,${members}`
  return `event: ${type}\ndata: {"type":"${type}"${rest}}\n\n`
}
