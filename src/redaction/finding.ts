import type { Span } from './pattern.ts'

/**
 * A regular expression of ours, with what it cannot say itself. Each begins with a word or a character of its own and
 * has no two ways to read the same text, so that searching takes time in proportion to the text.
 */
export interface Finding {
  /** Global. */
  readonly expression: RegExp
  /** Whether what was found is meant. */
  readonly isMeant?: (found: string) => boolean
  /** How much of the beginning of what was found stays: what names a secret is none. */
  readonly keeps?: (found: string) => number
}

/** What the expressions find in a text, in order; what overlaps is one. */
export function spansOf(findings: readonly Finding[], text: string): Span[] {
  const spans: Span[] = []
  for (const { expression, isMeant, keeps } of findings) {
    for (const { 0: found, index } of text.matchAll(expression)) {
      if (isMeant?.(found) === false) continue
      spans.push({ start: index + (keeps?.(found) ?? 0), end: index + found.length })
    }
  }
  return joined(spans)
}

/** Spans in order, those that overlap as one. What is joined to an earlier one takes over what else that one has. */
export function joined<Some extends Span>(spans: readonly Some[]): Some[] {
  const all: Some[] = []
  for (const span of spans.toSorted((one, other) => one.start - other.start)) {
    const last = all.at(-1)
    if (last === undefined || span.start >= last.end) all.push(span)
    else if (span.end > last.end) all[all.length - 1] = { ...last, end: span.end }
  }
  return all
}
