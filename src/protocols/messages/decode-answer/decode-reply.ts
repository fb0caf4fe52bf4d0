import { GatewayError } from '#chat/error.ts'
import type { ChatEvent } from '#chat/event.ts'
import type { Step } from '#chat/step.ts'
import { decodeUsage } from '#protocols/messages/usage.ts'
import { objectIn, textIn } from '#protocols/messages/wire.ts'
import type { Heard } from '#protocols/protocol.ts'
import { brandAs } from '#std/brand.ts'
import { elementsOf, isObject, type JsonObject, parseJson, type RawJson, rawAt } from '#std/json.ts'

import { closeBlock, openBlock } from './decode-block.ts'
import { decodeEnding, readEnding } from './decode-ending.ts'
import { decodeToldError, isErrorBody } from './decode-error.ts'

/**
 * Reads a whole message that is told again in another protocol. The input of a call stays the text that it was
 * written in. Throws what an error told under a good status means, and `upstream-failed` for what is no message.
 */
export function decodeReply(text: string, heard: Heard): Step[] {
  const message = readMessage(text)
  const means: ChatEvent[] = [startOf(message)]
  // What was counted comes first, so that whoever is told a stream is told its input at the start.
  const usage = decodeUsage(message['usage'])
  if (usage !== undefined) means.push({ type: 'usage', usage })
  const hasCalls = takeContent(message, { text, heard, means })
  const ending = decodeEnding(readEnding({}, message), hasCalls)
  return [{ means: [...means, ...ending.slice(0, -1)] }, { means: ending.slice(-1) }]
}

/** The message in a body, known to be one: an error under a good status, or anything else, is thrown. */
export function readMessage(text: string): JsonObject {
  const parsed = parseJson(text)
  const value = parsed.ok ? parsed.value : undefined
  if (isErrorBody(value)) throw decodeToldError(text)
  // An empty message has no list at some servers.
  const isMessage =
    isObject(value) &&
    value['type'] === 'message' &&
    (Array.isArray(value['content']) || value['content'] === null)
  if (isMessage) return value
  throw new GatewayError(
    'upstream-failed',
    'The upstream answered with a body that is no message: expected an object of type "message" with a content list.',
    { cause: new Error(`The upstream answered: ${text.slice(0, 2000)}`) },
  )
}

/** How an answer starts, as far as the server says. */
export function startOf(message: JsonObject): ChatEvent {
  const id = textIn(message['id'])
  const model = textIn(message['model'])
  return {
    type: 'answer-start',
    ...(id === '' ? {} : { id }),
    ...(model === '' ? {} : { model }),
  }
}

interface Content {
  readonly text: string
  readonly heard: Heard
  readonly means: ChatEvent[]
}

/** The blocks of a message; says whether a call is among them. */
function takeContent(message: JsonObject, { text, heard, means }: Content): boolean {
  const content = Array.isArray(message['content']) ? message['content'] : []
  const textOf = blockTexts(text)
  const callIds = new Set<string>()
  for (const [index, block] of content.entries()) {
    const source = { block: objectIn(block), index, text: () => textOf(index), callIds }
    closeBlock(openBlock(source, heard, means), heard, means)
  }
  return callIds.size > 0
}

/** The text of each block. The body is searched once, and only if a block has something that must stay as it is. */
function blockTexts(text: string): (index: number) => RawJson {
  let list: RawJson | undefined
  let places: { readonly start: number; readonly end: number }[] = []
  return (index) => {
    if (list === undefined) {
      list = rawAt(text, ['content']) ?? brandAs<RawJson>('[]')
      places = elementsOf(list)
    }
    const place = places[index]
    return brandAs<RawJson>(place === undefined ? '{}' : list.slice(place.start, place.end))
  }
}
