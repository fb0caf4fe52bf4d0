import { type Conversation, type Effort, efforts, type Reasoning } from '#chat/conversation.ts'
import { stringText } from '#protocols/json-text.ts'
import { callersWord, type Telling } from '#protocols/telling.ts'
import { brandAs } from '#std/brand.ts'
import { membersOf, type RawJson } from '#std/json.ts'

/**
 * How the upstream is told whether and how hard to think. A caller of the messages protocol that says nothing wants
 * no thoughts; a caller of the chat protocol that says nothing leaves it to the model.
 */
export function encodeReasoning(
  { reasoning, maxTokens }: Conversation,
  telling: Telling,
  isPrefill: boolean,
): readonly (readonly [string, RawJson])[] {
  const wish = reasoning ?? (telling.caller === 'messages' ? silence : undefined)
  if (wish === undefined) return []
  if (isPrefill && telling.profile.reasoningOff !== undefined && wish.mode !== 'off') {
    telling.notes.add(
      callersWord[telling.caller].thinking,
      'turned off, because the answer is already begun',
    )
    return offMembers(wish, telling)
  }
  return wish.mode === 'off' ? offMembers(wish, telling) : onMembers(wish, telling, maxTokens)
}

const silence: Reasoning = { mode: 'off' }

function offMembers(wish: Reasoning, { profile }: Telling): [string, RawJson][] {
  const { reasoningOff } = profile
  if (reasoningOff !== undefined)
    return membersOf(reasoningOff).map(({ key, valueStart, valueEnd }) => [
      key,
      brandAs<RawJson>(reasoningOff.slice(valueStart, valueEnd)),
    ])
  // Without a switch of its own, only the caller's own word can be passed on.
  const isSaid = wish.effort === 'none' && profile.reasoningControl === 'effort'
  return isSaid ? [['reasoning_effort', stringText('none')]] : []
}

function onMembers(
  wish: Reasoning,
  { caller, profile, notes }: Telling,
  maxTokens: number | undefined,
): [string, RawJson][] {
  const word = callersWord[caller]
  if (wish.display !== undefined) notes.add(`${word.thinking}.display`, 'dropped')
  if (profile.reasoningControl === 'none') {
    if (wish.effort !== undefined) notes.add(word.effort, 'dropped')
    if (wish.mode === 'on') notes.add(word.thinking, 'left to the model')
    return []
  }
  const effort = wish.effort ?? effortOfBudget(wish.budgetTokens, maxTokens)
  if (wish.budgetTokens !== undefined)
    notes.add(
      `${word.thinking}.budget_tokens`,
      effort === undefined ? 'dropped' : `said as effort ${effort}`,
    )
  if (effort === undefined) return []
  const sent = atMost(effort, profile.highestEffort ?? 'high')
  if (sent !== effort) notes.add(word.effort, `lowered from ${effort} to ${sent}`)
  return [['reasoning_effort', stringText(sent)]]
}

/** Which share of an answer each effort is commonly given for thoughts; a budget is the nearest of them. */
const shares: readonly (readonly [number, Effort])[] = [
  [0.35, 'low'],
  [0.65, 'medium'],
]

function effortOfBudget(
  budget: number | undefined,
  maxTokens: number | undefined,
): Effort | undefined {
  if (budget === undefined || !maxTokens) return undefined
  return shares.find(([limit]) => budget / maxTokens <= limit)?.[1] ?? 'high'
}

function atMost(effort: Effort, highest: Effort): Effort {
  return efforts.indexOf(effort) > efforts.indexOf(highest) ? highest : effort
}
