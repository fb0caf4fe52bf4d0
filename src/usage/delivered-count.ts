import { estimateText } from '#chat/estimate-tokens.ts'

import { estimateDelivered } from './estimate-delivered.ts'

/**
 * Watches how many output tokens an answer has so far, where its upstream does not tell. It costs a read an addition
 * until the answer could be over its limit, and then little more: what the beginning shows of the tokens in a stretch
 * is taken for the rest.
 */
export class DeliveredCount {
  readonly #text = new Stretch(estimateText)
  readonly #words = new Stretch(tokensOfWords)

  hearText(text: string): void {
    this.#text.add(text)
  }

  hearWords(said: Uint8Array | string): void {
    this.#words.add(said)
  }

  isOver(limit: number): boolean {
    // No token is shorter than a byte or a character.
    if (this.#text.length + this.#words.length <= limit) return false
    return this.#text.tokens() + this.#words.tokens() > limit
  }
}

function tokensOfWords(sample: string): number {
  const { length } = sample
  return estimateDelivered({ sample, sampleBytes: length, totalBytes: length })
}

const sampleLength = 4096

const decoder = new TextDecoder()

/** The length of all that came, and the beginning of it. */
class Stretch {
  length = 0
  readonly #estimate: (sample: string) => number
  #sample = ''
  #sampled = 0
  #perUnit: number | undefined

  constructor(estimate: (sample: string) => number) {
    this.#estimate = estimate
  }

  add(piece: Uint8Array | string): void {
    this.length += piece.length
    if (this.#sampled >= sampleLength) return
    const start = piece.slice(0, sampleLength - this.#sampled)
    this.#sample += typeof start === 'string' ? start : decoder.decode(start)
    this.#sampled += start.length
  }

  tokens(): number {
    return this.length === 0 ? 0 : this.length * (this.#perUnit ?? this.#measured())
  }

  #measured(): number {
    const perUnit = this.#estimate(this.#sample) / this.#sampled
    if (this.#sampled >= sampleLength) this.#perUnit = perUnit
    return perUnit
  }
}
