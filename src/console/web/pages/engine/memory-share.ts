/** Memory on one line: what models take, what one more would take, and what would be left. */
export interface MemoryShare {
  /** Each in bytes, in the order of the line. */
  readonly parts: readonly { readonly kind: 'taken' | 'more' | 'free'; readonly bytes: number }[]
  readonly wholeBytes: number
  /** Whether what is asked for besides fits in. */
  readonly fits: boolean
}

/** Shares memory out, where a model of so many bytes is to come on top. */
export function memoryShare(takenBytes: number, freeBytes: number, moreBytes = 0): MemoryShare {
  const fits = moreBytes <= freeBytes
  const more = Math.min(moreBytes, freeBytes)
  const parts = [
    { kind: 'taken', bytes: takenBytes } as const,
    { kind: 'more', bytes: more } as const,
    { kind: 'free', bytes: freeBytes - more } as const,
  ]
  return { parts: parts.filter(({ bytes }) => bytes > 0), wholeBytes: takenBytes + freeBytes, fits }
}

/** How large a part is of a whole, in percent. */
export function percentOf(bytes: number, wholeBytes: number): number {
  return wholeBytes === 0 ? 0 : Math.min(100, Math.max(0, (bytes / wholeBytes) * 100))
}
