import type { LlamaContext } from 'node-llama-cpp'

/** What of the native context is called between a batch and its tokens. */
interface NativeContext {
  decodeBatch(): Promise<void>
  sampleToken(...options: readonly unknown[]): Promise<unknown>
}

/**
 * Lets the scores of a batch be sorted before several answers read them. llama.cpp sorts them when the first of them is
 * read, and node-llama-cpp has every sequence read its own in a thread of its own: two that begin at once sort at once, and
 * words of one answer come up in another. So the first one reads alone, and then all the others together.
 */
export function sortScoresFirst(context: LlamaContext): void {
  const native: unknown = Reflect.get(context, '_ctx')
  if (!isNative(native))
    throw new Error('This version of node-llama-cpp keeps its context elsewhere.')
  const decodeBatch = native.decodeBatch.bind(native)
  const sampleToken = native.sampleToken.bind(native)
  let sorted: Promise<void> | undefined
  // Methods of native objects cannot be assigned to, only defined anew on the object itself.
  Object.defineProperties(native, {
    decodeBatch: {
      value: (): Promise<void> => {
        sorted = undefined
        return decodeBatch()
      },
    },
    sampleToken: {
      value: (...options: readonly unknown[]): Promise<unknown> => {
        if (sorted !== undefined) return sorted.then(() => sampleToken(...options))
        const first = sampleToken(...options)
        sorted = first.then(nothing, nothing)
        return first
      },
    },
  })
}

function nothing(): void {}

function isNative(value: unknown): value is NativeContext {
  const { decodeBatch, sampleToken }: { decodeBatch?: unknown; sampleToken?: unknown } =
    Object(value)
  return typeof decodeBatch === 'function' && typeof sampleToken === 'function'
}
