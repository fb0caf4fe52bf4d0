import type { ProtocolName } from '#chat/names.ts'
import { chatCompletions } from '#protocols/chat-completions/protocol.ts'
import { messages } from '#protocols/messages/protocol.ts'
import type { Heard, StreamDecoder } from '#protocols/protocol.ts'
import { bodyOf, headersOf, targetOf } from '#test/requests.ts'

/** A way in which a stream of an upstream is read. */
export interface Lane {
  readonly name: string
  readonly protocol: ProtocolName
  readonly isPassed: boolean
  readonly open: () => StreamDecoder
}

export const byName = { 'chat-completions': chatCompletions, messages } as const
export const protocolNames = ['chat-completions', 'messages'] as const

const heard = (protocol: ProtocolName): Heard => ({ target: targetOf(protocol), names: new Map() })

const request = (wantsUsage: boolean) =>
  chatCompletions.decodeRequest(
    bodyOf({
      model: 'm',
      messages: [{ role: 'user', content: 'hi' }],
      stream: true,
      stream_options: { include_usage: wantsUsage },
    }),
    headersOf(),
  )

function passedLane(protocol: ProtocolName, wantsUsage: boolean): Lane {
  const asked = request(wantsUsage)
  return {
    name: `passed ${protocol}${wantsUsage ? ' with usage' : ''}`,
    protocol,
    isPassed: true,
    open: () => byName[protocol].passStream(asked),
  }
}

export const openLanes: readonly Lane[] = [
  ...protocolNames.map((protocol) => ({
    name: `decoded ${protocol}`,
    protocol,
    isPassed: false,
    open: () => byName[protocol].decodeStream(heard(protocol)),
  })),
  passedLane('chat-completions', true),
  passedLane('chat-completions', false),
  passedLane('messages', true),
]
