import type { Conversation } from './conversation.ts'
import type { Notes } from './note.ts'

/**
 * The same conversation with an answer of at most so many tokens. Thoughts keep their share of it. `usual` is the
 * number that holds where the caller gave none.
 */
export function capped(
  conversation: Conversation,
  cap: number | undefined,
  usual = Number.POSITIVE_INFINITY,
): Conversation {
  const { maxTokens = usual, reasoning } = conversation
  if (cap === undefined || maxTokens <= cap) return conversation
  if (reasoning?.budgetTokens === undefined) return { ...conversation, maxTokens: cap }
  const most = maxTokens === Number.POSITIVE_INFINITY ? cap : maxTokens
  const share = Math.min(1, reasoning.budgetTokens / most)
  const budgetTokens = Math.floor(cap * share)
  return { ...conversation, maxTokens: cap, reasoning: { ...reasoning, budgetTokens } }
}

/** Tells the caller that its answer may be no longer than this. */
export function noteCap(notes: Notes, field: string, cap: number): void {
  notes.tell(field, `lowered to ${cap} by a limit of the key`)
}
