import { frameEnd, frameStart } from '#std/frame-cutter.ts'
import { type SseFrame, SseReader } from '#std/sse.ts'

/** A frame within a read, and its data if a client finds the mark in it: in a comment nobody does. */
export interface FramePlace {
  readonly start: number
  readonly end: number
  readonly data: string
}

/** Finds the frames around offsets that only grow. Many marks in one frame cost no more than one: a frame is read once. */
export function frameFinder(bytes: Uint8Array, mark: Buffer): (at: number) => FramePlace {
  let last: FramePlace = { start: 0, end: -1, data: '' }
  return (at) => {
    if (at < last.end) return last
    const start = frameStart(bytes, at)
    const end = frameEnd(bytes, at)
    const [frame] = framesIn(bytes.subarray(start, end))
    const data = frame?.data.trim() ?? ''
    last = { start, end, data: data.includes(mark.toString()) ? data : '' }
    return last
  }
}

/** The frames of bytes that are whole frames. */
export function framesIn(bytes: Uint8Array): SseFrame[] {
  const reader = new SseReader()
  return [...reader.push(bytes), ...reader.end()]
}
