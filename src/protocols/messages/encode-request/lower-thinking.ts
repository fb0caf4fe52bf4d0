import type { Notes } from '#chat/note.ts'
import { editText, withValue } from '#protocols/edit-text.ts'
import { brandAs } from '#std/brand.ts'
import { isObject, membersOf, parseJson, type RawJson, rawJson } from '#std/json.ts'

/** How `max_tokens` was lowered. */
export interface Lowering {
  readonly from: number
  readonly to: number
  readonly notes: Notes
}

/** The fewest tokens that a budget may have, by the protocol. */
const leastBudget = 1024

/**
 * What a caller said of thinking, for an answer that was made shorter. A budget that the answer has no room for any
 * more keeps its share of it; where even the least one does not fit, thinking is turned off. A budget that was above
 * the limit from the start is meant for several turns, and stays.
 */
export function loweredThinking(said: RawJson, { from, to, notes }: Lowering): RawJson {
  const budget = budgetIn(said)
  if (budget === undefined || budget >= from || budget < to) return said
  if (to <= leastBudget) {
    notes.tell('thinking', 'turned off: max_tokens leaves no room to think')
    return rawJson({ type: 'disabled' })
  }
  const lowered = Math.max(leastBudget, Math.floor((to * budget) / from))
  notes.tell('thinking.budget_tokens', `lowered to ${lowered}`)
  const edits = membersOf(said)
    .filter(({ key }) => key === 'budget_tokens')
    .map((member) => withValue(member, String(lowered)))
  return brandAs<RawJson>(editText(said, edits))
}

function budgetIn(said: RawJson): number | undefined {
  const parsed = parseJson(said)
  if (!parsed.ok || !isObject(parsed.value) || parsed.value['type'] !== 'enabled') return undefined
  const budget = parsed.value['budget_tokens']
  return typeof budget === 'number' ? budget : undefined
}
