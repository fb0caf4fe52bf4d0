import type { Usage } from './usage.ts'

/** A caller's leave to go on: its place among those under way, and what it takes of the rates. */
export interface Admission {
  /** What is left of every limit now, under the header names of the chat-completions protocol. Empty where there is none. */
  limits(): ReadonlyMap<string, string>
  /** The exchange has ended: its place is free again, and estimates give way to what was used. Later calls change nothing. */
  settle(usage: Usage): void
  /** The exchange never began: everything is given back. Later calls change nothing. */
  cancel(): void
}
