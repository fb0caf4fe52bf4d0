/** Looks for texts in text that comes in pieces, wherever the pieces were cut. */
export interface StopWatch {
  readonly needles: readonly string[]
  /** The end of what came, which may be the beginning of one of them. */
  held: string
}

/** What is certain after a piece. */
export interface Seen {
  /** Text in front of whatever was found, or that belongs to none of them. */
  readonly clear: string
  /** The first of the texts that is whole, and what came after it. */
  readonly found?: { readonly needle: string; readonly rest: string }
}

/** Starts looking for the given texts. Empty ones are never found. */
export function watchFor(needles: readonly string[]): StopWatch {
  return { needles: needles.filter((needle) => needle !== ''), held: '' }
}

/** Takes the next piece. What could still become one of the texts is held back. */
export function watchPiece(watch: StopWatch, piece: string): Seen {
  const text = watch.held + piece
  const first = firstIn(text, watch.needles)
  if (first !== undefined) {
    watch.held = ''
    const rest = text.slice(first.at + first.needle.length)
    return { clear: text.slice(0, first.at), found: { needle: first.needle, rest } }
  }
  const from = text.length - longestBeginning(text, watch.needles)
  watch.held = text.slice(from)
  return { clear: text.slice(0, from) }
}

/** No more comes: what was held back is text like any other. */
export function watchEnd(watch: StopWatch): string {
  const { held } = watch
  watch.held = ''
  return held
}

/** The one that begins first; of several at one place the longest. */
function firstIn(
  text: string,
  needles: readonly string[],
): { readonly at: number; readonly needle: string } | undefined {
  let first: { readonly at: number; readonly needle: string } | undefined
  for (const needle of needles) {
    const at = text.indexOf(needle)
    if (at === -1 || (first !== undefined && at > first.at)) continue
    if (first === undefined || at < first.at || needle.length > first.needle.length)
      first = { at, needle }
  }
  return first
}

/** How much of the end of a text is the beginning of one of the needles. */
function longestBeginning(text: string, needles: readonly string[]): number {
  let longest = 0
  for (const needle of needles) {
    const most = Math.min(needle.length - 1, text.length)
    for (let length = most; length > longest; length--) {
      if (text.endsWith(needle.slice(0, length))) longest = length
    }
  }
  return longest
}
