/** How much memory of llama.cpp may wait for its owner to be collected, in bytes. */
const mostWaiting = 32 * 1024 * 1024

/** What a sampler keeps of each token of the vocabulary, and what else an answer leaves behind, in bytes. */
const bytesPerToken = 12
const bytesPerAnswer = 64 * 1024

let waiting = 0

/**
 * Notes that an answer has ended, whose sampler and grammar are freed only when their objects are collected. The collector sees
 * small objects and takes its time; it is called when much hangs on them.
 */
export function leaveToCollector(vocabulary: number): void {
  waiting += vocabulary * bytesPerToken + bytesPerAnswer
  if (waiting < mostWaiting) return
  waiting = 0
  Bun.gc(true)
}
