import type { Likelihood, TokenLogprob } from '#chat/event.ts'

/** How likely the tokens of a text were, as this protocol has it beside a message or a delta. */
export interface WireLogprobs {
  readonly content: readonly WireTokenLogprob[]
  readonly refusal: null
}

interface WireLikelihood {
  readonly token: string
  readonly logprob: number
  /** The bytes of the token, for characters that several tokens make up; null where they are not known. */
  readonly bytes: readonly number[] | null
}

interface WireTokenLogprob extends WireLikelihood {
  readonly top_logprobs: readonly WireLikelihood[]
}

export function encodeLogprobs(logprobs: readonly TokenLogprob[]): WireLogprobs {
  const content = logprobs.map((one) => ({
    ...likelihood(one),
    top_logprobs: one.top.map(likelihood),
  }))
  return { content, refusal: null }
}

const encoder = new TextEncoder()

function likelihood({ text, logprob }: Likelihood): WireLikelihood {
  // Part of a character has no text of its own, and its bytes were lost with it.
  const bytes = text.includes('\uFFFD') ? null : [...encoder.encode(text)]
  return { token: text, logprob, bytes }
}
