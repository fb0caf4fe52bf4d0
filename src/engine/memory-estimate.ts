import { leastContextBytes } from './context-memory.ts'
import type { ModelShelfMark } from './files/model-store.ts'
import type { LoadOptions } from './orders.ts'
import { shortestContext, usualContext, usualSequences } from './usual-load.ts'

/** What a model takes at least when it is loaded. */
export interface MemoryEstimate {
  readonly weightBytes: number
  readonly contextBytes: number
  /** Tokens of each of so many answers at once. */
  readonly contextSize: number
  readonly sequences: number
}

/**
 * What a model on disk would take at least, by the head of its file alone. The engine's own estimate, made before it
 * loads, is exact and a little more. As the engine does, a context that nobody asked for is made smaller where it
 * would take more than half of what is free. Undefined for a file that says too little.
 */
export function memoryEstimate(
  { bytes, head, options }: Pick<ModelShelfMark, 'bytes' | 'head' | 'options'>,
  usual: LoadOptions,
  freeBytes: number,
): MemoryEstimate | undefined {
  if (head?.attention === undefined || bytes === 0) return undefined
  const { attention, isPooled } = head
  const load = { ...usual, ...options }
  const sequences = isPooled ? 1 : (load.sequences ?? usualSequences)
  const at = (contextSize: number): MemoryEstimate => {
    const contextBytes = Math.round(leastContextBytes(attention, { contextSize, sequences }))
    return { weightBytes: bytes, contextBytes, contextSize, sequences }
  }
  if (load.contextSize !== undefined) return at(load.contextSize)
  let contextSize = usualContext(head.contextSize, isPooled)
  while (total(at(contextSize)) > freeBytes / 2 && contextSize > shortestContext)
    contextSize = Math.max(shortestContext, Math.floor(contextSize / 2))
  return at(contextSize)
}

function total({ weightBytes, contextBytes }: MemoryEstimate): number {
  return weightBytes + contextBytes
}
