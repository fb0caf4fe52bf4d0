import { describe, expect, test } from 'bun:test'

import { decodeUsage, encodeUsage, exceedsPrompt } from './usage.ts'

describe('tokens as this protocol counts them', () => {
  test('T-U01: the prompt includes what the cache read and wrote, and the total is the sum', () => {
    expect(encodeUsage({ input: 10, cacheRead: 90, cacheWrite: 5, output: 3 })).toEqual({
      prompt_tokens: 105,
      completion_tokens: 3,
      total_tokens: 108,
      prompt_tokens_details: { cached_tokens: 90, cache_write_tokens: 5 },
    })
  })

  test('what nobody counted is left out, what has to be there is zero', () => {
    expect(encodeUsage({})).toEqual({ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 })
    expect(decodeUsage({})).toEqual({})
    expect(decodeUsage({ prompt_tokens_details: null, completion_tokens_details: null })).toEqual(
      {},
    )
  })

  test('what is no object is no usage', () => {
    for (const wire of [null, undefined, 5, 'many', []]) {
      expect(decodeUsage(wire)).toBeUndefined()
      expect(exceedsPrompt(wire)).toBe(false)
    }
  })

  test('T-U07: no more thought than was said', () => {
    const details = { completion_tokens_details: { reasoning_tokens: 9 } }
    expect(decodeUsage({ prompt_tokens: 1, completion_tokens: 5, ...details })).toEqual({
      input: 1,
      output: 5,
      reasoning: 5,
    })
    expect(encodeUsage({ output: 5, reasoning: 9 }).completion_tokens_details).toEqual({
      reasoning_tokens: 5,
    })
  })

  test('T-U08: a total that gives away thoughts left out of the completion is believed', () => {
    const wire = {
      prompt_tokens: 20,
      completion_tokens: 5,
      total_tokens: 32,
      completion_tokens_details: { reasoning_tokens: 7 },
    }
    expect(decodeUsage(wire)).toEqual({ input: 20, output: 12, reasoning: 7 })
    expect(decodeUsage({ ...wire, total_tokens: 25 })).toMatchObject({ output: 5 })
  })

  test('T-U08: thoughts of Google that only the total tells of are counted', () => {
    const wire = { prompt_tokens: 20, completion_tokens: 424, total_tokens: 1016 }
    expect(decodeUsage(wire, 'google')).toEqual({ input: 20, output: 996, reasoning: 572 })
    const cached = { ...wire, prompt_tokens_details: { cached_tokens: 8 } }
    expect(decodeUsage(cached, 'google')).toMatchObject({ input: 12, cacheRead: 8, output: 996 })
    const plain = { input: 20, output: 424 }
    expect(decodeUsage(wire, 'unknown')).toEqual(plain)
    expect(decodeUsage({ ...wire, total_tokens: 444 }, 'google')).toEqual(plain)
    expect(decodeUsage({ ...wire, total_tokens: undefined }, 'google')).toEqual(plain)
  })

  test('T-U09: a cache that read more than was sent', () => {
    const wire = { prompt_tokens: 1, prompt_tokens_details: { cached_tokens: 2 } }
    expect(exceedsPrompt(wire)).toBe(true)
    expect(exceedsPrompt({ prompt_tokens: 2, cached_tokens: 2 })).toBe(false)
    expect(decodeUsage(wire)).toEqual({ input: 0, cacheRead: 2 })
  })
})
