import type { Block, Turn } from '#chat/conversation.ts'
import { sentCallId } from '#protocols/call-ids.ts'
import { listText, maybeText, objectText, stringText } from '#protocols/json-text.ts'
import { isMintedSignature } from '#protocols/signature.ts'
import type { Telling } from '#protocols/telling.ts'
import { brandAs } from '#std/brand.ts'
import { type RawJson, rawJson } from '#std/json.ts'

import { textOf } from './encode-parts.ts'
import { sentTool } from './encode-tools.ts'
import { refuseField } from './refuse-field.ts'

type CallBlock = Extract<Block, { readonly type: 'call' }>
type ReasoningBlock = Extract<Block, { readonly type: 'reasoning' }>

/** A turn of the assistant as one message: thoughts, text and calls, each under its own member. */
export function encodeAssistant(
  turn: Turn,
  telling: Telling,
  mark: readonly (readonly [string, RawJson])[],
): RawJson[] {
  const calls = turn.blocks.filter((block) => block.type === 'call')
  const thoughts = turn.blocks.filter((block) => block.type === 'reasoning')
  const refusal = turn.blocks.map((block) => (block.type === 'refusal' ? block.text : '')).join('')
  const text = assistantText(turn, telling)
  const reasoning = encodeThoughts(turn, thoughts, { telling, hasCalls: calls.length > 0 })
  const sound = turn.blocks.find(isEarlierAudio)
  const isEmpty = text === undefined && refusal === '' && calls.length === 0 && !sound
  if (isEmpty && reasoning.length === 0) {
    telling.notes.add(turn.field, 'dropped, because it says nothing')
    return []
  }
  const message = objectText([
    ['role', stringText('assistant')],
    ['content', maybeText(text) ?? noContent(isEmpty, telling)],
    ...reasoning,
    ['refusal', maybeText(refusal || undefined)],
    ['name', maybeText(turn.name)],
    ['audio', sound?.raw],
    ['tool_calls', calls.length === 0 ? undefined : encodeCalls(calls, telling)],
    ...mark,
  ])
  return [message]
}

/** A message needs a content or something in its place; what stands for no text is a matter of the server. */
function noContent(isEmpty: boolean, { profile }: Telling): RawJson {
  return isEmpty || profile.emptyContent === 'string' ? stringText('') : rawJson(null)
}

/**
 * All that the turn says in text. Blocks side by side were one text that was cut, and are joined again; between others
 * something else was said, which this protocol cannot show.
 */
function assistantText(turn: Turn, telling: Telling): string | undefined {
  const runs: string[][] = []
  let isOpen = false
  for (const block of turn.blocks) {
    const text = spokenText(turn, block, telling)
    if (text === undefined) isOpen = false
    else if (isOpen) runs.at(-1)?.push(text)
    else {
      runs.push([text])
      isOpen = true
    }
  }
  const texts = runs.map((run) => run.join('')).filter((text) => text !== '' || runs.length === 1)
  const callsFirst = turn.blocks.findIndex((block) => block.type === 'call')
  const textLast = turn.blocks.findLastIndex((block) => block.type === 'text')
  if (texts.length > 1 || (callsFirst !== -1 && callsFirst < textLast))
    telling.notes.add(turn.field, 'text joined, out of its place among other blocks')
  return texts.length === 0 ? undefined : texts.join('\n\n')
}

function spokenText(turn: Turn, block: Block, telling: Telling): string | undefined {
  if (block.type === 'call' || block.type === 'reasoning' || block.type === 'refusal')
    return undefined
  if (telling.caller === 'chat-completions' && isEarlierAudio(block)) return undefined
  const text = textOf(turn.field, block, telling)
  return (
    text ??
    refuseField(
      telling,
      `${turn.field}.content`,
      `\`${block.type}\` cannot be said by the assistant in the protocol of this model's upstream.`,
    )
  )
}

type OtherBlock = Extract<Block, { readonly type: 'other' }>

/** An earlier answer in sound, which this protocol names by its id beside the content. */
function isEarlierAudio(block: Block): block is OtherBlock {
  return block.type === 'other' && block.kind === 'audio'
}

interface Thinking {
  readonly telling: Telling
  readonly hasCalls: boolean
}

function encodeThoughts(
  turn: Turn,
  thoughts: readonly ReasoningBlock[],
  { telling, hasCalls }: Thinking,
): [string, RawJson][] {
  const { profile, notes } = telling
  const text = thoughts
    .map((block) => block.text)
    .filter((one) => one !== '')
    .join('\n\n')
  const own = thoughts.flatMap((block) => ownThought(block, telling))
  const members: [string, RawJson][] = own.length > 0 ? [['thinking_blocks', listText(own)]] : []
  if (profile.reasoningReplay === 'none') {
    if (thoughts.length > own.length)
      notes.add('messages.thinking', 'thoughts of earlier turns dropped')
    return members
  }
  if (thoughts.some((block) => block.text === '') && own.length === 0)
    notes.add('messages.thinking', 'withheld thoughts of earlier turns dropped')
  const isNeeded = profile.reasoningReplay === 'required' && hasCalls
  if (text === '' && !isNeeded) return members
  const member = profile.reasoningReplay === 'reasoning' ? 'reasoning' : 'reasoning_content'
  return [[member, stringText(text)], ...members]
}

/** A thought as its own family signed it, to be given back to that family alone. */
function ownThought({ text, opaque }: ReasoningBlock, { profile }: Telling): RawJson[] {
  const own = opaque.find(
    ({ family, data }) => family === profile.family && !isMintedSignature(data),
  )
  if (own === undefined || own.family !== 'anthropic') return []
  return [
    rawJson(
      own.kind === 'redacted'
        ? { type: 'redacted_thinking', data: own.data }
        : { type: 'thinking', thinking: text, signature: own.data },
    ),
  ]
}

function encodeCalls(calls: readonly CallBlock[], telling: Telling): RawJson {
  const isUnsigned = calls.every((call) => extraOf(call, telling) === undefined)
  const stand = telling.profile.family === 'google' && isUnsigned ? unknownSignature : undefined
  return listText(
    calls.map((call, index) =>
      objectText([
        ['id', stringText(sentCallId(call.id, telling.profile.callIds))],
        ['type', stringText('function')],
        ['function', encodeFunction(call, telling)],
        ['extra_content', extraOf(call, telling) ?? (index === 0 ? stand : undefined)],
      ]),
    ),
  )
}

/** The arguments are text in this protocol, and it is the caller's own. None at all are said as an empty object. */
function encodeFunction(call: CallBlock, telling: Telling): RawJson {
  const isEmpty = !/\S/.test(call.arguments)
  return objectText([
    ['name', stringText(sentTool(call.name, telling))],
    ['arguments', stringText(isEmpty ? '{}' : call.arguments)],
  ])
}

/** Google refuses a turn of calls without a signature, and takes this word for one that was lost. */
const unknownSignature = rawJson({
  google: { thought_signature: 'skip_thought_signature_validator' },
})

/** What a vendor wants back beside the call that it made. */
function extraOf({ opaque = [] }: CallBlock, { profile }: Telling): RawJson | undefined {
  const own = opaque.find((one) => one.kind === 'extra' && one.family === profile.family)
  return own && brandAs<RawJson>(own.data)
}
