import type { Chance } from '#test/crash/seeded.ts'

/** Changes a few bytes in a few places: turned, left out, doubled, moved, cut off, or with something sharp put between. */
export function mutateBytes(
  bytes: Uint8Array,
  chance: Chance,
  tokens: readonly (string | Uint8Array)[],
): Uint8Array {
  let mutated: Uint8Array = bytes
  for (let left = chance.between(1, 4); left > 0; left--)
    mutated = chance.oneOf(mutations)(mutated, chance, tokens)
  return mutated
}

type Mutation = (
  bytes: Uint8Array,
  chance: Chance,
  tokens: readonly (string | Uint8Array)[],
) => Uint8Array

const mutations: readonly Mutation[] = [
  (bytes, chance) => spliced(bytes, place(bytes, chance), 1, Uint8Array.of(chance.between(0, 255))),
  (bytes, chance) => spliced(bytes, place(bytes, chance), chance.between(1, 12)),
  (bytes, chance) => {
    const at = place(bytes, chance)
    return spliced(bytes, at, 0, bytes.slice(at, at + chance.between(1, 60)))
  },
  (bytes, chance) => {
    const from = place(bytes, chance)
    const piece = bytes.slice(from, from + chance.between(1, 60))
    return spliced(spliced(bytes, from, piece.length), place(bytes, chance), 0, piece)
  },
  (bytes, chance) => bytes.slice(0, place(bytes, chance)),
  (bytes, chance, tokens) =>
    spliced(bytes, place(bytes, chance), chance.between(0, 3), Buffer.from(chance.oneOf(tokens))),
]

function place(bytes: Uint8Array, chance: Chance): number {
  return chance.between(0, bytes.length)
}

function spliced(
  bytes: Uint8Array,
  at: number,
  removed: number,
  added: Uint8Array = new Uint8Array(),
): Uint8Array {
  return Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + removed)])
}
