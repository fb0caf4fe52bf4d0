import { limits } from './limit-words.ts'
import type { PolicyOf } from './policy-table.tsx'

/** What those above say of a limit: `The project research says 20.` Undefined where they say nothing. */
export function parentHint(parents: readonly PolicyOf[], limit: string): string | undefined {
  const of = limits.find(({ id }) => id === limit)?.of
  const said = parents.flatMap(({ called, policy }) => {
    const text = of?.(policy)
    return text === undefined ? [] : [`${called} says ${text}.`]
  })
  return said.length === 0 ? undefined : said.join(' ')
}

/** Sentences after each other, of which some may not be there. */
export function joined(...sentences: readonly (string | undefined)[]): string {
  return sentences.filter((sentence) => sentence !== undefined).join(' ')
}
