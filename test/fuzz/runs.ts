import { seeded } from '#test/crash/seeded.ts'

import type { Kind } from './kinds.ts'
import { kindOf, shrunk } from './shrink.ts'

/** An input that broke something. */
export interface Found {
  /** With this seed it is made again. */
  readonly seed: number
  readonly failure: string
  /** What is left of the input when all is taken away that the failure does not need. */
  readonly input: Uint8Array
}

export interface Run {
  readonly seed: number
  /** Asked with the number tried so far. */
  readonly isOver: (tried: number) => boolean
  /** After so many different failures it ends. */
  readonly most?: number
}

export interface RunEnd {
  readonly tried: number
  readonly found: readonly Found[]
}

/** Tries inputs of a kind, one for each seed from the first on, and shrinks what breaks something in a new way. */
export async function tryMany(kind: Kind, { seed: first, isOver, most = 5 }: Run): Promise<RunEnd> {
  const found = new Map<string, Found>()
  let tried = 0
  while (!isOver(tried) && found.size < most) {
    const seeds = Array.from({ length: kind.atOnce }, (_, at) => first + tried + at)
    const ends = await Promise.all(
      seeds.map(async (seed) => {
        const input = kind.make(seeded(seed))
        return { seed, input, failure: await kind.failureOf(input) }
      }),
    )
    tried += seeds.length
    for (const { seed, input, failure } of ends) {
      if (failure === undefined || found.has(kindOf(failure))) continue
      found.set(kindOf(failure), { seed, failure, input: await shrunk(input, kind.failureOf) })
    }
  }
  return { tried, found: [...found.values()] }
}

/** A failure as a person reads it. */
export function told({ seed, failure, input }: Found): string {
  const text = JSON.stringify(Buffer.from(input).toString('latin1'))
  return `seed ${seed}: ${failure.slice(0, 2000)}\n  input (latin1): ${text.slice(0, 4000)}`
}
