import { GatewayError } from '#chat/error.ts'
import type { Step } from '#chat/step.ts'
import { objectIn } from '#protocols/chat-completions/wire.ts'
import type { Heard } from '#protocols/protocol.ts'
import { type JsonObject, parseJson, listIn } from '#std/json.ts'

import { endReading, newReading, readChunk } from './decode-chunk.ts'
import { failureIn } from './decode-error.ts'
import { decodeStream } from './decode-stream.ts'

/**
 * Reads a whole answer: a step with everything, and one with its end. A stream that was sent in its place is
 * understood. Throws what a failure inside the 200 says, and `upstream-failed` for what is no answer.
 */
export function decodeReply(text: string, heard: Heard): Step[] {
  if (/^\s*(?:data|event)?:/.test(text)) return decodeWhole(text, heard)
  const reading = newReading(heard)
  readChunk(reading, replyIn(text))
  const end = endReading(reading)
  return [{ means: reading.events }, { means: [end] }]
}

/** The object that a reply is. Throws for a failure, for no JSON, and for a reply without choices. */
export function replyIn(text: string): JsonObject {
  const parsed = parseJson(text)
  const value = parsed.ok ? parsed.value : undefined
  const failure = failureIn(value)
  if (failure !== undefined) throw failure
  const reply = objectIn(value)
  if (reply === undefined) {
    throw new GatewayError(
      'upstream-failed',
      'The upstream answered with something that is no JSON object.',
      {
        cause: new Error(`It answered: ${text.slice(0, 2000)}`),
      },
    )
  }
  const choice = objectIn(listIn(reply['choices'])[0])
  if (choice === undefined) {
    throw new GatewayError('upstream-failed', 'The upstream answered without any choice.')
  }
  if ('message' in choice && objectIn(choice['message']) === undefined) {
    throw new GatewayError(
      'upstream-failed',
      'The upstream answered with a choice that says nothing.',
    )
  }
  return reply
}

function decodeWhole(text: string, heard: Heard): Step[] {
  const decoder = decodeStream(heard)
  const steps = [...decoder.push(Buffer.from(text)), ...decoder.end()]
  return steps
}
