import type { Family } from '#chat/conversation.ts'
import type { ChatEvent } from '#chat/event.ts'
import type { Step } from '#chat/step.ts'
import { decodeUsage } from '#protocols/chat-completions/usage.ts'
import { objectIn, textIn } from '#protocols/chat-completions/wire.ts'
import { given } from '#protocols/given.ts'
import { listIn } from '#std/json.ts'
import type { JsonObject } from '#std/json.ts'

import { usageIn } from './decode-chunk.ts'
import { finishIn, passedEnding, refuseFailure } from './decode-ending.ts'
import { replyIn } from './decode-reply.ts'

/**
 * Looks at a whole answer that goes on as it came. Throws what a failure inside the 200 says, and `upstream-failed`
 * for what is no answer.
 */
export function passReply(text: string, family?: Family): Step[] {
  const reply = replyIn(text)
  const choices = listIn(reply['choices'])
    .map((choice) => objectIn(choice))
    .filter((choice) => choice !== undefined)
  const finish = choices.map((choice) => finishIn(choice)).find((said) => said !== '')
  if (finish !== undefined) refuseFailure(finish)
  const usage = decodeUsage(usageIn(reply, choices), family)
  const counted: ChatEvent[] = usage === undefined ? [] : [{ type: 'usage', usage }]
  return [{ means: [startOf(reply), ...counted, passedEnding(finish)], said: text }]
}

/** What a chunk or reply says of the answer that it belongs to. */
export function startOf(said: JsonObject): Extract<ChatEvent, { type: 'answer-start' }> {
  return {
    type: 'answer-start',
    ...given('id', textIn(said['id']) || undefined),
    ...given('model', textIn(said['model']) || undefined),
  }
}
