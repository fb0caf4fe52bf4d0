import { emptyAnswer, foldEvent } from '#chat/folded-answer.ts'
import type { ProtocolName } from '#chat/names.ts'
import { addNote, type Note } from '#chat/note.ts'
import type { ChatRequest } from '#chat/request.ts'
import type { Answer, Step } from '#chat/step.ts'
import type { TargetModel } from '#chat/target.ts'
import { Mapped } from '#std/mapped.ts'
import { randomText } from '#std/random-id.ts'

import type { Protocol, Told } from './protocol.ts'

/** What a caller is sent of an answer: text or bytes, of a stream one chunk for each read of the upstream. */
export type Chunk = string | Uint8Array

/** Whom an answer is told to. */
export interface Listener {
  readonly protocol: Protocol
  readonly request: ChatRequest
  readonly target: TargetModel
}

/**
 * Says an answer as a stream in the caller's protocol: in the upstream's own words if they are in it,
 * in a translation if they are not.
 */
export function tellStream(
  { steps, words }: Answer,
  { protocol, request, target }: Listener,
): AsyncIterableIterator<Chunk> {
  if (words?.protocol === protocol.name && words.form === 'stream') {
    return new Mapped<Step, Chunk>(steps, ({ said }) => (said?.length ? said : undefined))
  }
  const encoder = protocol.encodeStream(toldOf(request, target))
  return new Mapped<Step, Chunk>(steps, ({ means }) => encoder.push(means) || undefined)
}

/** Says an answer as one JSON body. The notes are what its translation adapted. */
export async function tellReply(
  { steps, words }: Answer,
  { protocol, request, target }: Listener,
): Promise<{ readonly body: Chunk; readonly notes: readonly Note[] }> {
  if (words?.protocol === protocol.name && words.form === 'reply') {
    let body: Chunk = ''
    for await (const { said } of steps) body = said ?? body
    return { body, notes: [] }
  }
  const answer = emptyAnswer()
  for await (const { means } of steps) {
    for (const event of means) {
      foldEvent(answer, event)
      const note = protocol.untold?.(event)
      if (note !== undefined) addNote(answer.notes, note)
    }
  }
  return { body: protocol.encodeReply(answer, toldOf(request, target)), notes: answer.notes }
}

/** The ids that each protocol gives its answers: clients and their logs know them by these forms. */
const answerId: Readonly<Record<ProtocolName, () => string>> = {
  'chat-completions': () => `chatcmpl-${randomText(29)}`,
  messages: () => `msg_${randomText(24)}`,
}

function toldOf(
  { protocol, model, wantsUsage, body }: ChatRequest,
  { profile }: TargetModel,
): Told {
  return {
    id: answerId[protocol](),
    created: Math.floor(Date.now() / 1000),
    model,
    wantsUsage,
    isLegacyFunctions: isFilled(body.value['functions']) && !isFilled(body.value['tools']),
    family: profile.family,
  }
}

/** An empty list is how some clients say that they offer none. */
function isFilled(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0
}
