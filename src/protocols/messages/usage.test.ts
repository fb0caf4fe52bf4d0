import { describe, expect, test } from 'bun:test'

import { decodeUsage, encodeUsage, noReport, takeReport, wholeUsage } from './usage.ts'

describe('tokens as this protocol counts them', () => {
  test('T-N01: what nobody counted is left out, what has to be there is zero', () => {
    expect(encodeUsage({})).toEqual({ input_tokens: 0, output_tokens: 0 })
    expect(encodeUsage({ input: 1, cacheRead: 0, output: 2 })).toEqual({
      input_tokens: 1,
      cache_read_input_tokens: 0,
      output_tokens: 2,
    })
  })

  test('T-U07: no more thought than was said', () => {
    expect(encodeUsage({ output: 2, reasoning: 5 }).output_tokens_details).toEqual({
      thinking_tokens: 2,
    })
    expect(
      decodeUsage({ output_tokens: 2, output_tokens_details: { thinking_tokens: 5 } }),
    ).toEqual({ output: 2, reasoning: 2 })
  })

  test('what was written to a cache may be counted by its lifetime', () => {
    const byLifetime = { ephemeral_5m_input_tokens: 2, ephemeral_1h_input_tokens: 3 }
    expect(decodeUsage({ cache_creation: byLifetime })).toEqual({ cacheWrite: 5 })
    expect(decodeUsage({ cache_creation_input_tokens: 4, cache_creation: byLifetime })).toEqual({
      cacheWrite: 4,
    })
    expect(decodeUsage({ cache_creation: {} })).toEqual({})
  })

  test('the making of a summary is counted, which the server tells apart from the answer', () => {
    const summary = {
      type: 'compaction',
      input_tokens: 5000,
      output_tokens: 3000,
      cache_read_input_tokens: 150_000,
      cache_creation_input_tokens: 7,
    }
    const message = { type: 'message', input_tokens: 10, output_tokens: 2 }
    const counts = { input_tokens: 10, output_tokens: 2, cache_read_input_tokens: 1 }
    expect(decodeUsage({ ...counts, iterations: [summary, summary, message] })).toEqual({
      input: 10_010,
      cacheRead: 300_001,
      cacheWrite: 14,
      output: 6002,
    })
    expect(decodeUsage({ ...counts, iterations: [message] })).toEqual({
      input: 10,
      cacheRead: 1,
      output: 2,
    })
    expect(decodeUsage({ ...counts, iterations: null })?.output).toBe(2)
  })

  test('a report of a summary adds to what reports before and after it told', () => {
    const summary = { type: 'compaction', input_tokens: 500, output_tokens: 30 }
    const reports = [
      { input_tokens: 10, output_tokens: 1 },
      { input_tokens: null, output_tokens: 2, iterations: [summary] },
      { output_tokens: 3 },
    ]
    const told = reports.reduce((known, wire) => takeReport(known, wire) ?? known, noReport)
    expect(wholeUsage(told)).toEqual({ input: 510, output: 33 })
  })

  test('null is not known, which is not zero', () => {
    expect(decodeUsage({ input_tokens: null, cache_read_input_tokens: 0 })).toEqual({
      cacheRead: 0,
    })
  })

  test('what is no object is no usage', () => {
    for (const wire of [null, undefined, 5, []]) expect(decodeUsage(wire)).toBeUndefined()
  })
})
