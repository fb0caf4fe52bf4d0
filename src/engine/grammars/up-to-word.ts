import { characterIn, literal } from './grammar-text.ts'

/**
 * Adds rules for any text up to the first place where a word stands, with that word, and gives the name of the first of them.
 * There is one for each beginning of the word that the text may end in.
 */
export function addUpTo(word: string, rules: Map<string, string>, name: string): string {
  const characters = Array.from(word)
  for (const at of characters.keys()) {
    const begun = characters.slice(0, at).join('')
    const options: string[] = []
    let others = ''
    for (const one of new Set(characters)) {
      const length = beginningIn(begun + one, characters)
      if (length === 0) continue
      options.push(`${literal(one)} ${name}-${length}`)
      others += characterIn(one)
    }
    rules.set(`${name}-${at}`, [...options, `[^${others}] ${name}-0`].join(' | '))
  }
  rules.set(`${name}-${characters.length}`, '""')
  return `${name}-0`
}

/** How many characters of the word's beginning the text ends in. */
function beginningIn(text: string, word: readonly string[]): number {
  return word.findLastIndex((_, at) => text.endsWith(word.slice(0, at + 1).join(''))) + 1
}
