import type { AnswerEnd, ChatEvent, StopReason } from '#chat/event.ts'
import { given } from '#protocols/given.ts'
import { decodeStopReason } from '#protocols/messages/stop-reason.ts'
import { objectIn, textIn } from '#protocols/messages/wire.ts'
import type { JsonObject } from '#std/json.ts'

/** What a server has said of the end so far. A whole message says it beside its content, a stream in `message_delta`. */
export interface Ending {
  readonly said?: string
  readonly stopSequence?: string
  readonly refusal?: string
  readonly refusalCategory?: string
}

/** Takes what this object says of the end into what was said before. A null says nothing. */
export function readEnding(known: Ending, wire: JsonObject): Ending {
  const said = textIn(wire['stop_reason'])
  const stopSequence = textIn(wire['stop_sequence'])
  const details = objectIn(wire['stop_details'])
  return {
    ...known,
    ...given('said', said || undefined),
    ...given('stopSequence', stopSequence || undefined),
    ...given('refusal', textIn(details['explanation']) || undefined),
    ...given('refusalCategory', textIn(details['category']) || undefined),
  }
}

/** The end of an answer, after a note if its reason was missing, unknown, or at odds with what the answer holds. */
export function decodeEnding(ending: Ending, hasCalls: boolean): readonly ChatEvent[] {
  const known = ending.said === undefined ? undefined : decodeStopReason(ending.said)
  const reason = reasonOf(known, hasCalls)
  const end = answerEnd(ending, reason)
  const note = noteOf(ending, known, reason)
  return note === undefined
    ? [end]
    : [{ type: 'note', field: 'answer.stop_reason', what: note }, end]
}

/** The end as it was said: enough for accounting, where the words themselves go on. */
export function passedEnding(ending: Ending): AnswerEnd {
  return answerEnd(ending, (ending.said && decodeStopReason(ending.said)) || 'end')
}

function answerEnd(ending: Ending, reason: StopReason): AnswerEnd {
  return { type: 'answer-end', reason, ...ending }
}

// Some servers say that a turn has ended beside its calls: a caller that believed them would run none.
function reasonOf(known: StopReason | undefined, hasCalls: boolean): StopReason {
  const isPlain = known === undefined || known === 'end' || known === 'tool-use'
  if (!isPlain) return known
  return hasCalls ? 'tool-use' : 'end'
}

function noteOf(
  ending: Ending,
  known: StopReason | undefined,
  reason: StopReason,
): string | undefined {
  if (ending.said === undefined) return `missing, told as ${reason}`
  if (known === undefined) return `unknown word, told as ${reason}`
  if (known === 'tool-use' && reason === 'end') return 'said without a call, told as end'
  return undefined
}
