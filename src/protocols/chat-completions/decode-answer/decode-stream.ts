import { GatewayError } from '#chat/error.ts'
import type { AnswerEnd } from '#chat/event.ts'
import type { Step } from '#chat/step.ts'
import { objectIn } from '#protocols/chat-completions/wire.ts'
import type { Heard, StreamDecoder } from '#protocols/protocol.ts'
import { parseJson } from '#std/json.ts'
import { type SseFrame, SseReader } from '#std/sse.ts'

import { endReading, newReading, type Reading, readChunk } from './decode-chunk.ts'
import { failureOf, lost, nonsense, unreadable } from './decode-error.ts'

/**
 * Reads a stream of chunks, wherever its reads were cut. The end is told at `[DONE]`, or at the end of the body if
 * a finish reason came before: until then more content and the usage may come.
 */
export function decodeStream(heard: Heard): StreamDecoder {
  const frames = new SseReader()
  const stream: Stream = { reading: newReading(heard), end: undefined }
  return {
    *push(read) {
      yield* stepOf(stream, () => {
        for (const frame of frames.push(read)) readFrame(stream, frame)
      })
    },
    *end() {
      if (stream.end !== undefined) return
      yield* stepOf(stream, () => readRest(stream, frames.end()))
    },
  }
}

interface Stream {
  readonly reading: Reading
  /** Set once the answer is over; nothing after it counts. */
  end: AnswerEnd | undefined
}

/** Everything understood before a failure is handed on before it is thrown. */
function* stepOf(stream: Stream, read: () => void): Iterable<Step> {
  const wasOver = stream.end !== undefined
  let failure: unknown
  try {
    read()
  } catch (error) {
    failure = error
  }
  const means = stream.reading.events.splice(0)
  if (means.length > 0) yield { means }
  if (failure !== undefined) throw unreadable(failure)
  if (!wasOver && stream.end !== undefined) yield { means: [stream.end] }
}

function readFrame(stream: Stream, frame: SseFrame): void {
  const { reading } = stream
  if (stream.end !== undefined) return
  if (frame.isComment) {
    if (reading.hasStarted) reading.events.push({ type: 'idle' })
    return
  }
  const data = frame.data.trim()
  if (data === '') return
  if (data === '[DONE]') return finish(stream)
  const isNamedError = frame.event === 'error'
  const parsed = parseJson(data)
  const chunk = parsed.ok ? objectIn(parsed.value) : undefined
  if (chunk !== undefined) return readChunk(reading, chunk, isNamedError)
  if (isNamedError) throw failureOf({ error: data })
  throw nonsense(data)
}

function finish(stream: Stream): void {
  if (!stream.reading.hasStarted) {
    throw new GatewayError('upstream-failed', 'The upstream ended its stream without an answer.')
  }
  stream.end = endReading(stream.reading)
}

/** The body is over. A last frame without its blank line counts if it is whole. */
function readRest(stream: Stream, frames: readonly SseFrame[]): void {
  for (const frame of frames) {
    if (isCutShort(frame)) throw lost()
    readFrame(stream, frame)
  }
  if (stream.end !== undefined) return
  if (stream.reading.finish === undefined) throw lost()
  finish(stream)
}

function isCutShort({ data, isComment }: SseFrame): boolean {
  return !isComment && data.trim() !== '' && data.trim() !== '[DONE]' && !parseJson(data).ok
}
