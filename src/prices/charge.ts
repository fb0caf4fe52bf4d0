import { totalInput, type Usage } from '#chat/usage.ts'

import { billed, type Price, tokenPrices } from './price.ts'

/**
 * What an exchange costs, in whole micro-dollars, rounded up once. Every kind of token at its own price; a kind that
 * nobody reported costs nothing; `reasoning` is a part of `output`. `images` are those of the request. Nothing that an
 * upstream counts makes it more than `costLimit`.
 */
export function costOf(usage: Usage, price: Price, images = 0): number {
  const prices = tokenPrices(price, totalInput(usage))
  const output = usage.output ?? usage.reasoning ?? 0
  const reasoning = Math.min(usage.reasoning ?? 0, output)
  return billed([
    [usage.input ?? 0, prices.input],
    [usage.cacheRead ?? 0, prices.cacheRead],
    [usage.cacheWrite ?? 0, prices.cacheWrite],
    [output - reasoning, prices.output],
    [reasoning, prices.reasoning],
    [images * 1_000_000, price.image ?? 0],
    [1_000_000, price.request ?? 0],
  ])
}
