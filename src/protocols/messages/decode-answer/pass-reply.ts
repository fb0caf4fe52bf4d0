import type { ChatEvent } from '#chat/event.ts'
import type { Step } from '#chat/step.ts'
import { decodeUsage } from '#protocols/messages/usage.ts'

import { passedEnding, readEnding } from './decode-ending.ts'
import { readMessage, startOf } from './decode-reply.ts'

/**
 * Looks at a whole message that goes on as it came. Throws what an error told under a good status means, and
 * `upstream-failed` for what is no message.
 */
export function passReply(text: string): Step[] {
  const message = readMessage(text)
  const usage = decodeUsage(message['usage'])
  const counted: ChatEvent[] = usage === undefined ? [] : [{ type: 'usage', usage }]
  const end = passedEnding(readEnding({}, message))
  return [{ means: [startOf(message), ...counted, end], said: text }]
}
