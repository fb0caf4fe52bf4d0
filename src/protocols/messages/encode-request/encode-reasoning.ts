import type { Conversation, Effort, Reasoning, Turn } from '#chat/conversation.ts'
import type { Profile } from '#chat/profile.ts'
import { maybeText, objectText, stringText } from '#protocols/json-text.ts'
import { callersWord, type Telling } from '#protocols/telling.ts'
import { rawJson, type RawJson } from '#std/json.ts'

import { mustCall } from './encode-tools.ts'
import { thoughtMark } from './thought-mark.ts'

/** How a request says whether to think, and what its other members have to take into account. */
export interface SaidReasoning {
  readonly thinking?: RawJson
  readonly effort?: string
  /** The gateway turned thinking on, so what does not go with it has to go. */
  readonly isOn: boolean
}

/**
 * Says whether and how hard to think, in the way of the target. Thinking that the caller worded in this protocol goes
 * on as it was said, and the upstream judges it; what was asked for in other words gives way where the two conflict.
 */
export function encodeReasoning(
  conversation: Conversation,
  maxTokens: number,
  telling: Telling,
): SaidReasoning {
  const { reasoning, extra } = conversation
  const { caller, profile, notes } = telling
  const worded = caller === 'messages' ? undefined : extra.get('thinking')
  if (worded?.startsWith('{'))
    return { thinking: worded, ...effortFor(reasoning?.effort, telling), isOn: false }
  if (reasoning === undefined) return { isOn: false }
  if (reasoning.mode === 'off') return profile.thinking === 'none' ? { isOn: false } : off
  const obstacle = obstacleTo(conversation, telling)
  if (obstacle !== undefined) {
    notes.add(callersWord[caller].reasoning, obstacle)
    return profile.thinking === 'adaptive' ? off : { isOn: false }
  }
  return profile.thinking === 'adaptive'
    ? encodeAdaptive(reasoning, maxTokens, telling)
    : encodeBudget(reasoning, maxTokens, telling)
}

const off: SaidReasoning = { thinking: rawJson({ type: 'disabled' }), isOn: false }

/** Why this request cannot think, if so. A caller who spoke of thinking in this protocol's words is not second-guessed. */
function obstacleTo(conversation: Conversation, telling: Telling): string | undefined {
  const { caller, profile } = telling
  if (profile.thinking === 'none') return 'dropped'
  if (caller === 'messages') return undefined
  const { tools, toolChoice, turns } = conversation
  if (tools.length > 0 && mustCall(toolChoice)) return 'turned off: tool_choice forces a call'
  if (turns.at(-1)?.role === 'assistant') return 'turned off: the answer has been begun'
  // A model that is told to think always, and not when it sees fit, insists on its own thought before an open call.
  if (profile.thinking === 'budget' && hasUnthoughtCall(turns, profile))
    return 'turned off: the thoughts before the last call are missing'
  return undefined
}

/** Whether the answer continues a loop of calls whose beginning has lost its thoughts. */
function hasUnthoughtCall(turns: readonly Turn[], profile: Profile): boolean {
  const last = turns.findLastIndex((turn) => turn.role === 'assistant')
  const called = turns[last]
  if (called === undefined || !called.blocks.some((block) => block.type === 'call')) return false
  if (!turns.slice(last + 1).some(({ blocks }) => blocks.some(({ type }) => type === 'result')))
    return false
  const first = called.blocks[0]
  return first?.type !== 'reasoning' || thoughtMark(first, profile) === undefined
}

function encodeAdaptive(reasoning: Reasoning, maxTokens: number, telling: Telling): SaidReasoning {
  const { caller } = telling
  return {
    thinking: objectText([
      ['type', stringText('adaptive')],
      ['display', caller === 'messages' ? maybeText(reasoning.display) : undefined],
    ]),
    ...(reasoning.effort === undefined
      ? effortOfBudget(reasoning.budgetTokens, maxTokens, telling)
      : effortFor(reasoning.effort, telling)),
    isOn: caller !== 'messages',
  }
}

/** The share of an answer that each effort may spend on thoughts. */
const shares: Readonly<Record<Exclude<Effort, 'none'>, number>> = {
  minimal: 0.2,
  low: 0.2,
  medium: 0.5,
  high: 0.8,
  xhigh: 0.95,
  max: 0.95,
}

/** The fewest tokens that a budget may have, by the protocol. */
const leastBudget = 1024

function encodeBudget(
  { effort, budgetTokens, display }: Reasoning,
  maxTokens: number,
  { caller, notes }: Telling,
): SaidReasoning {
  if (maxTokens <= leastBudget) {
    notes.add(callersWord[caller].reasoning, 'dropped: max_tokens leaves no room to think')
    return { isOn: false }
  }
  const share = shares[effort === undefined || effort === 'none' ? 'medium' : effort]
  const wanted = budgetTokens ?? Math.floor(share * maxTokens)
  return {
    thinking: objectText([
      ['type', stringText('enabled')],
      ['budget_tokens', rawJson(Math.min(Math.max(wanted, leastBudget), maxTokens - 1))],
      ['display', caller === 'messages' ? maybeText(display) : undefined],
    ]),
    isOn: caller !== 'messages',
  }
}

/** The protocol's lowest effort is `low`. */
function effortFor(
  effort: Effort | undefined,
  { caller, profile, notes }: Telling,
): { readonly effort?: string } {
  if (profile.thinking !== 'adaptive' || effort === undefined || effort === 'none') return {}
  if (effort !== 'minimal') return { effort }
  notes.add(callersWord[caller].reasoning, 'told as low')
  return { effort: 'low' }
}

/** The effort that would spend about as many tokens as a budget. */
function effortOfBudget(
  budgetTokens: number | undefined,
  maxTokens: number,
  { notes }: Telling,
): { readonly effort?: string } {
  if (budgetTokens === undefined) return {}
  const share = budgetTokens / maxTokens
  const effort = efforts.find(([most]) => share < most)?.[1] ?? 'high'
  notes.add('reasoning.max_tokens', `told as effort ${effort}`)
  return { effort }
}

const efforts: readonly (readonly [belowShare: number, effort: Effort])[] = [
  [0.35, 'low'],
  [0.65, 'medium'],
]
