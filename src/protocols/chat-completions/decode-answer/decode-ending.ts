import { GatewayError } from '#chat/error.ts'
import type { AnswerEnd } from '#chat/event.ts'
import { type Ending, decodeFinish } from '#protocols/chat-completions/stop-reason.ts'
import { textIn } from '#protocols/chat-completions/wire.ts'
import { given } from '#protocols/given.ts'
import type { JsonObject } from '#std/json.ts'

/** The word for its end that a choice has; empty while it goes on, whether it says null, "" or nothing. */
export function finishIn(choice: JsonObject): string {
  return textIn(choice['finish_reason'])
}

/** The stop sequence that matched, where the server tells. It names a token by its number, which is none. */
export function stopSequenceIn(choice: JsonObject): string | undefined {
  const matched = choice['stop_reason'] ?? choice['matched_stop'] ?? choice['stopping_word']
  // One server writes the text here, another the reason in the words of the messages protocol.
  const isText = typeof matched === 'string' && matched !== '' && !reasons.has(matched)
  return isText ? matched : undefined
}

const reasons: ReadonlySet<string> = new Set(['end_turn', 'max_tokens', 'tool_use'])

/** Throws if the word for the end says that the server failed. */
export function refuseFailure(said: string): void {
  if (decodeFinish(said, nothing).reason !== 'failure') return
  throw new GatewayError(
    'upstream-failed',
    `The upstream broke off its answer (${said}). Try again later.`,
    { upstream: { protocol: 'chat-completions', status: 200, code: said } },
  )
}

/** The later word counts, but a plain `stop` after a more telling one adds nothing. */
export function laterFinish(known: string | undefined, said: string): string {
  return known === undefined || said !== 'stop' ? said : known
}

/** How the answer ended, and what is to be noted about how that was said. */
export function decodeEnding(
  said: string | undefined,
  ending: Ending,
): { readonly end: AnswerEnd; readonly note?: string } {
  const { reason, note } = decodeFinish(said, ending)
  const end: AnswerEnd = {
    type: 'answer-end',
    // A failure was refused when its word was read.
    reason: reason === 'failure' ? 'end' : reason,
    ...given('said', said),
    ...given('stopSequence', reason === 'stop-sequence' ? ending.stopSequence : undefined),
  }
  return { end, ...given('note', note) }
}

/** The end as it was said: enough for accounting, where the words themselves go on. */
export function passedEnding(said: string | undefined): AnswerEnd {
  const hasCalls = said === 'tool_calls' || said === 'function_call'
  return decodeEnding(said, { hasCalls, hasRefusal: false }).end
}

const nothing: Ending = { hasCalls: false, hasRefusal: false }
