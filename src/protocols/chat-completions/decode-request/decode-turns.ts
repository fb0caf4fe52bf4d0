import type { Block, Opaque, ResultBlock, Turn } from '#chat/conversation.ts'
import { objectIn, textIn } from '#protocols/chat-completions/wire.ts'
import { given } from '#protocols/given.ts'
import { listIn } from '#std/json.ts'
import type { JsonObject } from '#std/json.ts'

import { decodeParts } from './decode-parts.ts'
import { decodeThoughts } from './decode-reasoning.ts'
import type { Source } from './decode-source.ts'

/** Reads the conversation: one turn a message, in order. Results of tools are turns of the user. */
export function decodeTurns(
  messages: readonly unknown[],
  sourceOf: (index: number) => Source,
): readonly Turn[] {
  const legacyIds: LegacyIds = new Map()
  return messages.map((message, index) => {
    const said: Said = {
      message: objectIn(message) ?? {},
      source: sourceOf(index),
      index,
      legacyIds,
    }
    return decodeTurn(said)
  })
}

/** One message, where it stands, and the ids that old calls without one were given so far. */
interface Said {
  readonly message: JsonObject
  readonly source: Source
  readonly index: number
  readonly legacyIds: LegacyIds
}

/** By name of the function, the id of its last call: what the result of an old call goes by. */
type LegacyIds = Map<string, string>

function decodeTurn(said: Said): Turn {
  const { message, index } = said
  const turn = {
    shape: typeof message['content'] === 'string' ? 'string' : 'list',
    field: `messages[${index}]`,
  } as const
  const name = textIn(message['name'])
  const named = name === '' ? {} : { name }
  switch (message['role']) {
    case 'assistant':
      return { ...turn, ...named, role: 'assistant', blocks: decodeAssistant(said) }
    case 'tool':
      return { ...turn, role: 'user', shape: 'list', blocks: [decodeResult(said)] }
    case 'function':
      return { ...turn, role: 'user', shape: 'list', blocks: [decodeLegacyResult(said)] }
    case 'system':
      return { ...turn, ...named, role: 'system', blocks: decodeContent(said) }
    case 'developer':
      return { ...turn, ...named, role: 'system', isDeveloper: true, blocks: decodeContent(said) }
    default:
      return { ...turn, ...named, role: 'user', blocks: decodeContent(said) }
  }
}

/** Thoughts come first, then what was said, then the calls: the order in which a chat model speaks. */
function decodeAssistant(said: Said): readonly Block[] {
  const { message } = said
  const refusal = textIn(message['refusal'])
  return [
    ...decodeThoughts(message),
    ...decodeContent(said),
    ...(refusal === '' ? [] : [{ type: 'refusal', text: refusal } as const]),
    ...decodeEarlierAudio(said),
    ...decodeCalls(said),
    ...decodeLegacyCall(said),
  ]
}

function decodeContent({ message, source, index }: Said): readonly Block[] {
  const { content, cache_control: mark } = message
  const field = `messages[${index}].content`
  const blocks = decodeParts(content, source.each('content'), field)
  const cache = objectIn(mark) && source.slice(['cache_control'])
  const last = blocks.at(-1)
  // Some clients mark a whole message: it is cached up to its last block.
  if (cache === undefined || last?.type !== 'text') return blocks
  return [...blocks.slice(0, -1), { ...last, cache }]
}

/** An earlier answer in sound, of which the caller holds only the id. */
function decodeEarlierAudio({ message, source }: Said): readonly Block[] {
  const raw = objectIn(message['audio']) && source.slice(['audio'])
  return raw === undefined ? [] : [{ type: 'other', kind: 'audio', raw }]
}

function decodeCalls({ message, source }: Said): readonly Block[] {
  const sourceOfCall = source.each('tool_calls')
  return listIn(message['tool_calls']).flatMap((entry, at) => {
    const call = objectIn(entry) ?? {}
    const called = objectIn(call['function'])
    if (called === undefined) return decodeOtherCall(textIn(call['type']), sourceOfCall(at))
    return [
      {
        type: 'call',
        id: textIn(call['id']),
        name: textIn(called['name']),
        arguments: textIn(called['arguments']),
        ...given('opaque', decodeExtraContent(call, sourceOfCall(at))),
        ...given(
          'cache',
          objectIn(call['cache_control']) && sourceOfCall(at).slice(['cache_control']),
        ),
      },
    ]
  })
}

function decodeOtherCall(kind: string, source: Source): readonly Block[] {
  const raw = source.slice([kind])
  return raw === undefined ? [] : [{ type: 'other', kind: `${kind} call`, raw }]
}

/** Where Google's own server keeps the signature of a call. */
function decodeExtraContent(call: JsonObject, source: Source): readonly Opaque[] | undefined {
  const data = objectIn(call['extra_content']) && source.slice(['extra_content'])
  return data === undefined ? undefined : [{ family: 'google', kind: 'extra', data }]
}

function decodeLegacyCall({ message, index, legacyIds }: Said): readonly Block[] {
  const called = objectIn(message['function_call'])
  if (called === undefined) return []
  const name = textIn(called['name'])
  const id = `call_of_message_${index}`
  legacyIds.set(name, id)
  return [{ type: 'call', id, name, arguments: textIn(called['arguments']) }]
}

function decodeResult(said: Said): ResultBlock {
  const { message } = said
  return {
    type: 'result',
    callId: textIn(message['tool_call_id']),
    ...given('content', decodeResultContent(said)),
    ...given('isError', message['is_error'] === true ? true : undefined),
    ...given('cache', objectIn(message['cache_control']) && said.source.slice(['cache_control'])),
  }
}

function decodeLegacyResult(said: Said): ResultBlock {
  const callId = said.legacyIds.get(textIn(said.message['name']))
  return {
    type: 'result',
    callId: callId ?? `call_of_message_${said.index}`,
    ...given('content', decodeResultContent(said)),
  }
}

function decodeResultContent({ message, source, index }: Said): ResultBlock['content'] {
  const { content } = message
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return undefined
  return decodeParts(content, source.each('content'), `messages[${index}].content`)
}
