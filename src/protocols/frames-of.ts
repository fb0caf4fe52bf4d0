import { type SseFrame, SseReader } from '#std/sse.ts'

const encoder = new TextEncoder()

/** The frames in a piece of a stream that was cut between frames. */
export function framesOf(said: Uint8Array | string): SseFrame[] {
  const reader = new SseReader()
  const bytes = typeof said === 'string' ? encoder.encode(said) : said
  return [...reader.push(bytes), ...reader.end()]
}
