import { describe, expect, test } from 'bun:test'

import { ModelStore } from './files/model-store.ts'
import { memoryEstimate } from './memory-estimate.ts'

const gibibyte = 1024 ** 3

/** 32 layers of 8 heads with 128 numbers for keys and as many for values. */
const head = {
  isPooled: false,
  contextSize: 131_072,
  attention: {
    block_count: 32,
    embedding_length: 4096,
    attention: { head_count: 32, head_count_kv: 8 },
  },
}
const perToken = 2 * 32 * 8 * 128 * 2 + 48
const mark = { bytes: 5 * gibibyte, head, options: {} }

describe('what a model takes at least', () => {
  test('is its file and the context that it is usually given', () => {
    expect(memoryEstimate(mark, { sequences: 2 }, 64 * gibibyte)).toEqual({
      weightBytes: 5 * gibibyte,
      contextBytes: 2 * 32_768 * perToken,
      contextSize: 32_768,
      sequences: 2,
    })
  })

  test('is less context where memory is short, unless somebody asked for it', () => {
    expect(memoryEstimate(mark, {}, 16 * gibibyte)?.contextSize).toBe(4096)
    expect(memoryEstimate(mark, {}, gibibyte)?.contextSize).toBe(2048)
    const asked = { ...mark, options: { contextSize: 50_000 } }
    expect(memoryEstimate(asked, {}, gibibyte)?.contextSize).toBe(50_000)
  })

  test('is told of the models in the box by their files', async () => {
    const marks = await new ModelStore({}).catalogue()
    const estimates = marks.map((one) => memoryEstimate(one, {}, 8 * gibibyte))
    expect(estimates.map((one) => one?.sequences)).toEqual([4, 1])
    for (const estimate of estimates) {
      expect(estimate?.weightBytes).toBeGreaterThan(1_000_000)
      expect(estimate?.contextBytes).toBeGreaterThan(100_000)
    }
  })

  test('is not told of a file that is gone or says too little', () => {
    expect(memoryEstimate({ ...mark, bytes: 0 }, {}, gibibyte)).toBeUndefined()
    expect(memoryEstimate({ ...mark, head: undefined }, {}, gibibyte)).toBeUndefined()
    const silent = { ...mark, head: { isPooled: false } }
    expect(memoryEstimate(silent, {}, gibibyte)).toBeUndefined()
  })
})
