import type { HoldTerms } from '#budgets/hold-terms.ts'
import type { MediaParts } from '#chat/media-parts.ts'
import type { TargetModel } from '#chat/target.ts'
import { billed, costLimit, type Price, tokenPrices } from '#prices/price.ts'
import type { Prices } from '#prices/prices.ts'

/** What is known of a request before anybody answers it. */
export interface HoldFacts {
  /** Every target that may be asked. */
  readonly models: readonly TargetModel[]
  readonly prices: Pick<Prices, 'of'>
  /** The body as it came. */
  readonly text: string
  /** What of it is no text. */
  readonly media: MediaParts
  /** The most output tokens of one answer: the caller's number, lowered to the key's. */
  readonly maxTokens?: number
  readonly choices: number
}

/** Assumed of a model whose largest answer nobody knows, if the caller sets no limit. */
export const usualOutputCap = 8192

/** A shorter answer is worth nothing to a caller that did not ask for one. */
const leastOutput = 16

/** Assumed of an image, and of a file beside what its data has: no more than few models make of a large one. */
const tokensOfMedia = 5000

/** What a vendor puts round a request: its template, and words on how to call tools. */
const tokensAround = 1024

/** No model answers with more, and larger numbers of a caller's would only overflow. */
const largestOutputCap = 10_000_000

/**
 * What a request may cost at most, with the dearest of its targets. A target without a price costs nothing. Nothing
 * that stays within these terms can be charged more than `base` and its output.
 */
export function holdOf(facts: HoldFacts): HoldTerms {
  const { models, prices, choices, media } = facts
  const bound = inputBound(facts.text, media)
  const outputCap = outputCapOf(facts)
  const costs = models.flatMap((model) => {
    const price = prices.of(model)
    const inputTokens = Math.min(bound, model.profile.contextSize ?? bound)
    return price === undefined ? [] : { price, inputTokens }
  })
  return {
    base: dearest(costs.map((cost) => inputCost(cost, media.images))),
    perMillionOutput: dearest(costs.map((cost) => outputPrice(cost) * choices)),
    outputCap,
    leastOutput: Math.min(leastOutput, outputCap),
  }
}

/** One target's price, and the most tokens that can go in with it. */
interface TargetCost {
  readonly price: Price
  readonly inputTokens: number
}

/** The most output tokens of one answer: what was asked for, else the most that any of the targets would give. */
function outputCapOf({ maxTokens, models }: HoldFacts): number {
  const cap = maxTokens ?? Math.max(0, ...models.map(usualCap))
  return Math.min(cap, largestOutputCap)
}

/** An upstream of the messages protocol has to be told a number, and this is the one that it will be told. */
function usualCap({ profile, protocol }: TargetModel): number {
  const { maxOutput, defaultMaxTokens } = profile
  return maxOutput ?? (protocol === 'messages' ? defaultMaxTokens : usualOutputCap)
}

/**
 * No more tokens than this can go in. A token is at least one byte of the text, and the JSON round a message has more
 * bytes than any template makes tokens of it. The data of images is no text: they have a measure of their own.
 */
function inputBound(text: string, { images, files, imageLength }: MediaParts): number {
  return Buffer.byteLength(text) - imageLength + (images + files) * tokensOfMedia + tokensAround
}

/** The price of an image comes on top of its tokens: some vendors have the one, some the other. */
function inputCost({ price, inputTokens }: TargetCost, images: number): number {
  const { input, cacheRead, cacheWrite } = tokenPrices(price, inputTokens)
  return billed([
    [inputTokens, Math.max(input, cacheRead, cacheWrite)],
    [images * 1_000_000, price.image ?? 0],
    [1_000_000, price.request ?? 0],
  ])
}

function outputPrice({ price, inputTokens }: TargetCost): number {
  const { output, reasoning } = tokenPrices(price, inputTokens)
  return Math.max(output, reasoning)
}

function dearest(amounts: readonly number[]): number {
  return Math.min(Math.max(0, ...amounts), costLimit)
}
