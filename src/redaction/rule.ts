import type { Span } from './pattern.ts'

/** Something that is taken out of texts before they are kept. */
export interface Rule {
  /** What stands in its place: `[redacted: <name>]`. */
  readonly name: string
  /** The parts of a text that go, in order and apart from each other. Takes time in proportion to the text. */
  spansIn(text: string): readonly Span[]
}

/** The rules that there are without any pattern of an operator's own. */
export const builtInRules = ['secrets', 'cards', 'emails', 'phones'] as const

export type BuiltInRule = (typeof builtInRules)[number]
