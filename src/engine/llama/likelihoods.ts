import type { Token } from 'node-llama-cpp'

import type { Likelihood, TokenLogprob } from '#chat/event.ts'

import type { ChatModel } from './chat-model.ts'
import { textOf } from './token-text.ts'

export interface Drawn {
  /** What the token added to the text. */
  readonly text: string
  /** Probabilities of what might have come, the likeliest first. */
  readonly probabilities: ReadonlyMap<Token, number>
  /** How many others to tell of. */
  readonly top: number
}

/** No probability that the model knows is lower: the logarithm of nothing has no JSON. */
const least = -9999

/** How likely a token was, and what was likeliest in its place. */
export function likelihoods(
  { model, texts }: ChatModel,
  token: Token,
  { text, probabilities, top }: Drawn,
): TokenLogprob {
  const wordOf = (id: Token): string => textOf(texts, id) || model.detokenize([id], true)
  const others: Likelihood[] = []
  for (const [other, probability] of probabilities) {
    if (others.length >= top) break
    const said = other === token && text !== '' ? text : wordOf(other)
    others.push({ text: said, logprob: logarithm(probability) })
  }
  const said = text === '' ? wordOf(token) : text
  return { text: said, logprob: logarithm(probabilities.get(token) ?? 0), top: others }
}

function logarithm(probability: number): number {
  return probability > 0 ? Math.min(0, Math.log(probability)) : least
}
