/** A piece of what was passed on to a caller unread: the first few frames, and how much there was in all. */
export interface Delivered {
  readonly sample: string
  readonly sampleBytes: number
  readonly totalBytes: number
}

/**
 * About how many tokens there are in an answer whose words went through unread. Knows no wire format: the frames of a
 * stream are alike but for their text, so what a frame has more than the shortest ones is taken for text, and no frame
 * for less than a token.
 */
export function estimateDelivered({ sample, sampleBytes, totalBytes }: Delivered): number {
  if (totalBytes === 0 || sampleBytes === 0) return 0
  const frames = framesOf(sample)
  const tokens = frames.length === 0 ? plainTokens(sample) : frameTokens(frames)
  return Math.ceil((tokens * totalBytes) / sampleBytes)
}

const bytesPerToken = 3.6

/** What the shortest frames still hold of text, and what stands round the text of a body that is no stream. */
const shortestText = 2
const bodyOverhead = 300

function framesOf(sample: string): number[] {
  return sample
    .split(/\r?\n\r?\n/)
    .map((frame) => /^data:(.*)$/m.exec(frame)?.[1]?.length ?? 0)
    .filter((length) => length > 0)
}

function frameTokens(lengths: readonly number[]): number {
  const sorted = lengths.toSorted((one, other) => one - other)
  const envelope = (sorted[Math.floor(sorted.length / 10)] ?? 0) - shortestText
  const text = lengths.reduce((sum, length) => sum + Math.max(0, length - envelope), 0)
  return Math.max(lengths.length, text / bytesPerToken)
}

function plainTokens(sample: string): number {
  // However short the body is: whoever answers has said something.
  return Math.max(1, (sample.length - bodyOverhead) / bytesPerToken)
}
