import type { Conversation } from '#chat/conversation.ts'
import type { Note } from '#chat/note.ts'
import type { ChatTemplate } from '#engine/templates/chat-template.ts'

import type { Sampling } from './sampling-of.ts'
import { asToken, type Vocabulary } from './vocabulary.ts'

/** What of a request the engine takes another way than it was said, or not at all. */
export function adapted(
  conversation: Conversation,
  {
    template,
    vocabulary,
  }: {
    readonly template: ChatTemplate
    readonly vocabulary: Pick<Vocabulary, 'isEnd'>
  },
  sampling: Sampling,
): readonly Note[] {
  const { turns, tools, extra, reasoning, verbosity, tier, logprobs } = conversation
  const notes: Note[] = []
  const note = (field: string, what: string): void => void notes.push({ field, what })
  for (const { name, field } of turns) if (name !== undefined) note(`${field}.name`, 'dropped')
  for (const field of extra.keys()) note(field, 'dropped')
  if (tools.length > 0 && !template.knowsTools)
    note('tools', "told in words: the model's template has no place for them")
  if (verbosity !== undefined) note('verbosity', 'dropped')
  if (tier !== undefined) note('service_tier', 'dropped')
  if (reasoning !== undefined && reasoning.mode !== 'off' && !template.thinks)
    note('reasoning', 'dropped: the model does not think')
  if (reasoning?.mode === 'off' && template.thinks && !template.knowsThinkingSwitch)
    note('reasoning', 'left to the model: it cannot be kept from thinking')
  if (reasoning?.budgetTokens !== undefined) note('reasoning.budget_tokens', 'not enforced')
  if (logprobs !== undefined && isNarrowed(sampling))
    note('logprobs', 'of the tokens that temperature, top_k, top_p and min_p left')
  if ([...sampling.bias.keys()].some((token) => vocabulary.isEnd(asToken(token))))
    note('logit_bias', 'of tokens that end an answer: not applied')
  return notes
}

/** Greedy sampling looks at the scores as they are. */
function isNarrowed({ temperature, topK, topP, minP }: Sampling): boolean {
  return temperature > 0 && (temperature !== 1 || topK > 0 || topP < 1 || minP > 0)
}
