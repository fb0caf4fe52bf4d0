import type { BatchingOptions } from 'node-llama-cpp'

/** How many answers of a context are being generated, and how long a batch has waited for them. */
export interface Together {
  active: number
  waited: number
  /** Resolves when what needs the context to itself is done; undefined while nothing does. */
  pause: PromiseWithResolvers<void> | undefined
  pausing: number
}

export function nobodyYet(): Together {
  return { active: 0, waited: 0, pause: undefined, pausing: 0 }
}

/**
 * Does what needs the context to itself. The context is not free while any answer has a token in line, and where several are
 * given at once one always has: so they ask for no more until it is done. Whoever comes would wait for the end of them all.
 */
export async function betweenBatches(together: Together, act: () => Promise<void>): Promise<void> {
  together.pausing++
  together.pause ??= Promise.withResolvers()
  try {
    await act()
  } finally {
    if (--together.pausing === 0) {
      together.pause.resolve()
      together.pause = undefined
    }
  }
}

/** Rounds of microtasks that a batch waits for answers whose last token has just come. It takes about ten. */
const patience = 40

type Strategy = Exclude<BatchingOptions['itemPrioritizationStrategy'], string | undefined>

/**
 * Puts the next tokens of all answers that are being generated into one batch. Without it the answer whose token is sampled first
 * would go on alone, and the others would wait for it. Prompts share what room is left.
 */
export function inOneBatch(together: Together): Strategy {
  return ({ items, size }) => {
    if (items.length < together.active && together.waited++ < patience) return []
    together.waited = 0
    let left = size
    let waiting = items.length
    return items
      .toSorted((a, b) => a.tokens.length - b.tokens.length)
      .map((item) => {
        const processAmount = Math.min(item.tokens.length, Math.max(1, Math.floor(left / waiting)))
        left -= processAmount
        waiting--
        return { item, processAmount }
      })
  }
}
