import pc from 'picocolors'

/** Facts one below the other, their names aligned. Those without words are left out. */
export function factsOf(
  facts: readonly (readonly [name: string, words: string | undefined])[],
): string {
  const told = facts.filter(([, words]) => words !== undefined)
  const width = Math.max(...told.map(([name]) => name.length))
  return told.map(([name, words]) => `${pc.dim(name.padEnd(width))}  ${words}`).join('\n')
}
