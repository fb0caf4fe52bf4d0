import { describe, expect, test } from 'bun:test'

import type { UpstreamModel } from '#chat/names.ts'
import { brandAs } from '#std/brand.ts'

import { Prices } from './prices.ts'

const now = Date.UTC(2026, 10, 21)

const asked = (vendor: string | undefined, model: string, upstream = 'up') => ({
  upstream,
  model: brandAs<UpstreamModel>(model),
  ...(vendor !== undefined && { vendor }),
})

describe('the price of a target', () => {
  const prices = new Prices({}, () => now)

  test('is that of its vendor for the model', () => {
    expect(prices.of(asked('openai', 'gpt-4o'))).toEqual({
      input: 2_500_000,
      output: 10_000_000,
      cacheRead: 1_250_000,
      since: '2024-10-01',
      source: 'OpenAI, API pricing page',
    })
  })

  test('is that of the model for its snapshots, unless a snapshot has one of its own', () => {
    const input = (vendor: string, model: string) => prices.of(asked(vendor, model))?.input
    expect(input('openai', 'gpt-4o-2024-08-06')).toBe(2_500_000)
    expect(input('openai', 'gpt-4o-2024-05-13')).toBe(5_000_000)
    expect(input('anthropic', 'claude-haiku-4-5-20251001')).toBe(1_000_000)
    expect(input('anthropic', 'claude-3-5-haiku-latest')).toBe(800_000)
    expect(input('gemini', 'models/gemini-2.5-flash')).toBe(300_000)
    expect(input('fireworks', 'accounts/fireworks/models/glm-5p2')).toBe(1_400_000)
  })

  test('is not that of a model with a similar name', () => {
    for (const model of ['gpt-4o-audio-preview', 'gpt-4', 'gpt-4o-mini', 'gpt-9', 'gpt-4o:mine'])
      expect(prices.of(asked('openai', model))).not.toEqual(prices.of(asked('openai', 'gpt-4o')))
    expect(prices.of(asked('openai', 'gpt-4o-audio-preview'))).toBeUndefined()
    expect(prices.of(asked('anthropic', 'claude-opus-5-5'))?.input).toBe(4_000_000)
    expect(prices.of(asked('openai', 'ft:gpt-4o-mini-2024-07-18:org::id'))?.input).toBe(300_000)
    expect(prices.of(asked('fireworks', 'accounts/me/models/glm-5p2'))).toBeUndefined()
  })

  test('is unknown for what is local, resold, or of nobody known', () => {
    const models = ['gpt-4o', 'openai/gpt-4o', 'parley-mini']
    for (const vendor of ['ollama', 'vllm', 'openrouter', 'litellm', 'parley', undefined])
      for (const model of models) expect(prices.of(asked(vendor, model))).toBeUndefined()
  })

  test('is that of the model for an Azure deployment with its name', () => {
    expect(prices.of(asked('azure', 'gpt-4o'))?.input).toBe(2_500_000)
    expect(prices.of(asked('azure', 'our-deployment'))).toBeUndefined()
  })

  test('has what a long input costs', () => {
    expect(prices.of(asked('gemini', 'gemini-2.5-pro'))?.above).toEqual({
      inputTokens: 200_000,
      input: 2_500_000,
      output: 15_000_000,
      cacheRead: 250_000,
    })
  })

  test('follows the calendar without a restart', () => {
    let time = Date.UTC(2026, 11, 31, 23, 59, 59)
    const flash = asked('gemini', 'gemini-3.8-flash')
    const passing = new Prices({}, () => time)
    expect(passing.of(flash)?.input).toBe(750_000)
    time += 1000
    expect(passing.of(flash)).toMatchObject({ input: 1_500_000, since: '2027-01-01' })
  })

  test('is not one that has yet to begin', () => {
    const early = new Prices({}, () => Date.UTC(2024, 0, 1))
    expect(early.of(asked('openai', 'gpt-4o'))).toBeUndefined()
    expect(early.of(asked('openai', 'gpt-4'))?.input).toBe(30_000_000)
  })
})

describe('a configured price', () => {
  const configured = {
    'gpu-*/*': { input: 3, output: 4 },
    'gpu-box/*': { input: 1, output: 2 },
    'gpu-box/qwen3*': { input: 5, output: 6 },
    'openai/gpt-4o': { input: 7, output: 8, cacheRead: 1 },
  }
  const prices = new Prices(configured, () => now)

  test('wins over the vendor, and says whose it is', () => {
    expect(prices.of(asked('openai', 'gpt-4o', 'openai'))).toEqual({
      input: 7,
      output: 8,
      cacheRead: 1,
      since: '2026-11-21',
      source: 'config',
    })
    expect(prices.of(asked('openai', 'gpt-4o', 'other'))?.source).toBe('OpenAI, API pricing page')
    expect(prices.of(asked('openai', 'gpt-4o-2024-08-06', 'openai'))?.input).toBe(2_500_000)
  })

  test('of the more exact glob wins, in whatever order they are written', () => {
    expect(prices.of(asked(undefined, 'qwen3-8b', 'gpu-box'))?.input).toBe(5)
    expect(prices.of(asked(undefined, 'llama', 'gpu-box'))?.input).toBe(1)
    expect(prices.of(asked('vllm', 'llama', 'gpu-2'))?.input).toBe(3)
    expect(prices.of(asked(undefined, 'llama', 'cpu'))).toBeUndefined()
  })

  test('comes first in the list, then one row for each model that has a price today', () => {
    const listed = prices.list()
    expect(listed.slice(0, 4).map(({ model }) => model)).toEqual([
      'openai/gpt-4o',
      'gpu-box/qwen3*',
      'gpu-box/*',
      'gpu-*/*',
    ])
    const names = listed.slice(4).map(({ model }) => model)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toContain('anthropic/claude-opus-5')
  })
})

test('names that callers make up do not fill the memory, and known ones are found after them', () => {
  const prices = new Prices({}, () => now)
  for (let at = 0; at < 10_000; at++) prices.of(asked('openai', `made-up-${at}`))
  expect(prices.of(asked('openai', 'gpt-4o'))?.input).toBe(2_500_000)
})
