/** The same promise, for somebody who may leave: then it rejects with the signal's reason, and the work goes on for others. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const leave = (): void => reject(signal.reason)
  signal.addEventListener('abort', leave)
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
