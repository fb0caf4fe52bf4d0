import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { amountOf } from '#budgets/reserve.ts'
import type { Profile } from '#chat/profile.ts'
import type { TargetModel } from '#chat/target.ts'
import { costOf } from '#prices/charge.ts'
import { costLimit, type Price } from '#prices/price.ts'
import { brandAs } from '#std/brand.ts'

import { holdOf, usualOutputCap } from './hold.ts'

const said = { since: '2026-01-31', source: 'test' }

/** Only these members of a profile are looked at. */
const profile = { defaultMaxTokens: 16_384 } as Profile

function target(name: string, more: Partial<TargetModel> = {}): TargetModel {
  return { upstream: 'up', model: brandAs(name), protocol: 'chat-completions', profile, ...more }
}

const noMedia = { images: 0, files: 0, imageLength: 0, fileLength: 0 }

/** One target for each price, and what every one of them costs. */
function priced(...prices: readonly (Price | undefined)[]) {
  const models = prices.map((_, at) => target(String(at)))
  return {
    media: noMedia,
    models,
    prices: { of: ({ model }: { model: string }) => prices[Number(model)] },
  }
}

const flat: Price = { input: 1_000_000, output: 4_000_000, ...said }

/** Tokens that are assumed of what a vendor puts round a request. */
const around = 1024

describe('what is held:', () => {
  test('every byte of the body is a token, and as many bytes as UTF-8 has', () => {
    const terms = holdOf({ ...priced(flat), text: 'aé€😀', maxTokens: 100, choices: 1 })
    expect(terms).toEqual({
      base: around + 1 + 2 + 3 + 4,
      perMillionOutput: 4_000_000,
      outputCap: 100,
      leastOutput: 16,
    })
  })

  test('the input at its dearest kind, the output at its dearer', () => {
    const price = { ...flat, cacheWrite: 1_250_000, cacheRead: 100_000, reasoning: 5_000_000 }
    const terms = holdOf({ ...priced(price), text: '12345678', maxTokens: 1, choices: 1 })
    expect(terms.base).toBe(((around + 8) * 5) / 4)
    expect(terms.perMillionOutput).toBe(5_000_000)
  })

  test('the dearest of the targets decides, each member for itself', () => {
    const cheapOut = { input: 3_000_000, output: 1, ...said }
    const terms = holdOf({ ...priced(flat, cheapOut, undefined), text: '', choices: 1 })
    expect(terms).toMatchObject({ base: around * 3, perMillionOutput: 4_000_000 })
  })

  test('targets without a price hold nothing', () => {
    const terms = holdOf({ ...priced(undefined), text: 'hello', choices: 1 })
    expect(terms).toMatchObject({ base: 0, perMillionOutput: 0 })
    expect(amountOf(terms, terms.outputCap)).toBe(0)
  })

  test('every choice is an answer of its own', () => {
    const terms = holdOf({ ...priced(flat), text: '', maxTokens: 10, choices: 3 })
    expect(terms.perMillionOutput).toBe(12_000_000)
  })

  test('a body that may be a long input is held at the price of one', () => {
    const above = { inputTokens: 2000, input: 2_000_000, output: 6_000_000 }
    const facts = { ...priced({ ...flat, above }), maxTokens: 10, choices: 1 }
    const terms = holdOf({ ...facts, text: 'x'.repeat(1000) })
    expect(terms).toMatchObject({ base: 2 * (around + 1000), perMillionOutput: 6_000_000 })
    expect(holdOf({ ...facts, text: 'x'.repeat(976) }).base).toBe(around + 976)
  })

  test('no more goes in than the context of a target holds', () => {
    const small = target('0', { profile: { ...profile, contextSize: 2000 } })
    const facts = { media: noMedia, models: [small], prices: { of: () => flat }, choices: 1 }
    expect(holdOf({ ...facts, text: 'x'.repeat(100_000) }).base).toBe(2000)
    expect(holdOf({ ...facts, text: 'x' }).base).toBe(around + 1)
  })

  test('images by their number and not by their data, files by both', () => {
    const media = { images: 1, files: 1, imageLength: 100_000, fileLength: 0 }
    const text = 'x'.repeat(250_000)
    const price = { ...flat, image: 7000, request: 500 }
    const terms = holdOf({ ...priced(price), text, media, choices: 1 })
    expect(terms.base).toBe(around + 150_000 + 2 * 5000 + 7000 + 500)
  })
})

describe('the most output that can come:', () => {
  const cap = (...models: TargetModel[]) =>
    holdOf({ media: noMedia, models, prices: { of: () => flat }, text: '', choices: 1 }).outputCap

  test('what the caller asks for, and an answer of fewer than 16 tokens may be that short', () => {
    const facts = { ...priced(flat), text: '', choices: 1 }
    expect(holdOf({ ...facts, maxTokens: 5 })).toMatchObject({ outputCap: 5, leastOutput: 5 })
    expect(holdOf({ ...facts, maxTokens: 1e15 }).outputCap).toBe(10_000_000)
  })

  test('else the largest answer of the model, else what an upstream of messages is told, else a usual one', () => {
    const large = { ...profile, maxOutput: 64_000 }
    expect(cap(target('a', { profile: large }))).toBe(64_000)
    expect(cap(target('a', { protocol: 'messages' }))).toBe(16_384)
    expect(cap(target('a'))).toBe(usualOutputCap)
    expect(cap(target('a'), target('b', { profile: large }))).toBe(64_000)
  })
})

const rate = fc.nat(700_000_000)
const factor = fc.integer({ min: 1, max: 5 })
const anyPrice = fc
  .record(
    {
      input: rate,
      output: rate,
      cacheRead: rate,
      cacheWrite: rate,
      reasoning: rate,
      image: rate,
      request: rate,
    },
    { requiredKeys: ['input', 'output'] },
  )
  .map((price): Price => ({ ...price, ...said }))
const anyTiered = fc
  .tuple(fc.record({ input: rate, output: rate, cacheRead: rate }), fc.nat(5000), factor)
  .map(([price, inputTokens, times]): Price => {
    const { input, output, cacheRead } = price
    const above = {
      inputTokens,
      input: input * times,
      output: output * times,
      cacheRead: cacheRead * times,
    }
    return { ...price, above, ...said }
  })

describe('laws of the hold:', () => {
  test('P4: whatever stays within the bounds is never charged more than was held', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(
        fc.array(fc.oneof(anyPrice, anyTiered), { minLength: 1, maxLength: 3 }),
        fc.string({ maxLength: 4000 }),
        fc.record({ maxTokens: fc.nat(100_000), choices: fc.integer({ min: 1, max: 8 }) }),
        fc.tuple(share, share, share, share, fc.nat(2)),
        (prices, text, asked, [inputs, cached, outputs, thoughts, which]) => {
          const terms = holdOf({ ...priced(...prices), text, ...asked })
          const tokens = Math.floor(inputs * (Buffer.byteLength(text) + around))
          const cacheRead = Math.floor(cached * tokens)
          const output = Math.floor(outputs * asked.maxTokens * asked.choices)
          const usage = {
            input: tokens - cacheRead,
            cacheRead,
            output,
            reasoning: Math.floor(thoughts * output),
          }
          const price = prices[which % prices.length]!
          expect(costOf(usage, price)).toBeLessThanOrEqual(amountOf(terms, terms.outputCap))
        },
      ),
      { numRuns: 500 },
    )
  })

  test('its numbers are whole and within the limit, however long the body and dear the model', () => {
    const dear = { input: 1e12, output: 1e12, image: 1e12, ...said }
    const terms = holdOf({
      ...priced(dear),
      text: 'x'.repeat(40_000_000),
      maxTokens: 1e15,
      choices: 128,
    })
    expect(terms).toMatchObject({ base: costLimit, perMillionOutput: costLimit })
  })
})
