import type { ChatRequest } from '#chat/request.ts'
import type { StreamCut } from '#chat/stream-cut.ts'
import type { Usage } from '#chat/usage.ts'
import { encodeUsage } from '#protocols/chat-completions/usage.ts'
import { objectIn } from '#protocols/chat-completions/wire.ts'
import { framesOf } from '#protocols/frames-of.ts'
import { type JsonObject, parseJson, listIn } from '#std/json.ts'

/** Ends a stream of this protocol in its own words: a finish for every choice, the usage if it was asked for, `[DONE]`. */
export function cutStream({ choices = 1, wantsUsage, body }: ChatRequest): StreamCut {
  const finished = new Set<number>()
  const hear = (said: Uint8Array | string): void => {
    for (const chunk of chunksIn(said)) noteFinished(chunk, finished)
  }
  return {
    // Probabilities are many times as long as the token that they are of.
    isPlain: body.value['logprobs'] !== true,
    // With one choice, a finish can only be in the last words: nothing is cut after it.
    ...(choices > 1 && { hear }),
    endAfter(last) {
      hear(last)
      const chunk = chunksIn(last).findLast(hasChoices)
      const open = Array.from({ length: choices }, (_, index) => index).filter(
        (index) => !finished.has(index),
      )
      if (chunk === undefined || open.length === 0) return undefined
      return (usage) => encodeEnd(headOf(chunk), open, wantsUsage ? usage : undefined)
    },
  }
}

function chunksIn(said: Uint8Array | string): JsonObject[] {
  return framesOf(said).flatMap(({ data }) => {
    const parsed = parseJson(data)
    const chunk = parsed.ok ? objectIn(parsed.value) : undefined
    return chunk === undefined ? [] : [chunk]
  })
}

function hasChoices(chunk: JsonObject): boolean {
  return listIn(chunk['choices']).length > 0
}

function noteFinished(chunk: JsonObject, finished: Set<number>): void {
  for (const said of listIn(chunk['choices'])) {
    const choice = objectIn(said)
    if (typeof choice?.['finish_reason'] === 'string') finished.add(Number(choice['index'] ?? 0))
  }
}

/** What every chunk of one answer has in common. */
function headOf({ id, created, model, system_fingerprint }: JsonObject): JsonObject {
  return { id, object: 'chat.completion.chunk', created, model, system_fingerprint }
}

function encodeEnd(head: JsonObject, open: readonly number[], usage: Usage | undefined): string {
  const finishes = open.map((index) =>
    frame({
      ...head,
      choices: [{ index, delta: {}, logprobs: null, finish_reason: 'length' }],
      ...(usage !== undefined && { usage: null }),
    }),
  )
  const counted =
    usage === undefined
      ? ''
      : frame({ ...head, choices: [], usage: { ...encodeUsage(usage), estimated: true } })
  return `${finishes.join('')}${counted}data: [DONE]\n\n`
}

function frame(chunk: JsonObject): string {
  return `data: ${JSON.stringify(chunk)}\n\n`
}
