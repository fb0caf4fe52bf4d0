import { z } from 'zod'

import { given } from './units.ts'

const microDollars = 1_000_000

/** More than any price: a million dollars. */
const mostDollars = 1_000_000

const error = `expected dollars as a number from 0 to ${mostDollars} with at most 6 decimals`

/**
 * An amount of dollars, as whole micro-dollars. It is read from its digits, since 0.1 is none of the numbers that
 * arithmetic on doubles knows.
 */
const dollars = z.union([z.number(), z.string()], { error }).transform((amount, context) => {
  const [, whole, decimals = ''] = /^(\d{1,7})(?:\.(\d{1,6}))?$/.exec(String(amount).trim()) ?? []
  const micro = Number(whole) * microDollars + Number(decimals.padEnd(6, '0'))
  if (whole !== undefined && micro <= mostDollars * microDollars) return micro
  context.addIssue({ code: 'custom', message: error })
  return z.NEVER
})

const priceSchema = z
  .strictObject({
    input: dollars.describe('Dollars for a million tokens that go in.'),
    output: dollars.describe('Dollars for a million tokens that come out; 0 for embeddings.'),
    cacheRead: dollars.optional().describe('The same for tokens read from a prompt cache.'),
    cacheWrite: dollars.optional().describe('The same for tokens written to a prompt cache.'),
    reasoning: dollars
      .optional()
      .describe('The same for thoughts, which are a part of the output.'),
    image: dollars.optional().describe('Dollars for one image of the request.'),
    request: dollars.optional().describe('Dollars for every request.'),
  })
  .transform(given)

/** What models cost, where the vendor's price is not what is paid, or nobody knows one. */
export const pricesSchema = z
  .record(
    z.string().regex(/^[^/]+\/.+$/, {
      error: 'expected a target or a glob of targets, as `upstream/model` or `gpu-box/*`',
    }),
    priceSchema,
  )
  .describe('What models cost, by `upstream/model` or a glob of it: wins over the known prices.')
