import { describe, expect, test } from 'bun:test'

import type { LlamaContext, LlamaContextSequence, Token } from 'node-llama-cpp'

import { type Holder, giveBack, sharedTokens, slotsOf, takeSlot } from './slots.ts'

/** Sequences that have read nothing: all that slots look at. */
function slotsFor(count: number) {
  const sequence = {
    nextTokenIndex: 0,
    compareContextTokens: () => ({ firstDifferentIndex: 0 }),
  }
  const context: unknown = { totalSequences: count, getSequence: () => sequence }
  return slotsOf(context as LlamaContext)
}

const holder = (): Holder & { isOver: boolean } => ({
  isOver: false,
  isAborted() {
    return this.isOver
  },
})

describe('a slot', () => {
  test('is lent at once while one is idle, and refused when all answer', async () => {
    const slots = slotsFor(2)
    const one = await takeSlot(slots, [], holder())
    const two = await takeSlot(slots, [], holder())
    expect(one === two).toBe(false)
    expect(takeSlot(slots, [], holder())).rejects.toMatchObject({ code: 'engine-busy' })
  })

  test('whose answer nobody wants any more is waited for, by one', async () => {
    const slots = slotsFor(1)
    const leaving = holder()
    const slot = await takeSlot(slots, [], leaving)
    leaving.isOver = true
    const next = takeSlot(slots, [], holder())
    expect(takeSlot(slots, [], holder())).rejects.toMatchObject({ code: 'engine-busy' })
    if (slot !== undefined) giveBack(slots, slot)
    expect((await next) === slot).toBe(true)
  })

  test('goes to the next when who waited for it has left too', async () => {
    const slots = slotsFor(1)
    const [first, second] = [holder(), holder()]
    const slot = await takeSlot(slots, [], first)
    first.isOver = true
    const waiting = takeSlot(slots, [], second)
    second.isOver = true
    const next = takeSlot(slots, [], holder())
    if (slot !== undefined) giveBack(slots, slot)
    expect(await waiting).toBeUndefined()
    expect((await next) === slot).toBe(true)
  })

  test('is not lent to an answer that nobody wants', async () => {
    const gone = holder()
    gone.isOver = true
    expect(await takeSlot(slotsFor(1), [], gone)).toBeUndefined()
  })
})

describe('of a prompt, a sequence that has read 1000 tokens', () => {
  const prompt: readonly Token[] = Array.from({ length: 900 }, (_, index) => index as Token)

  function sharedBy(told: Partial<LlamaContextSequence>, firstDifferentIndex = 600): number {
    const sequence: unknown = {
      nextTokenIndex: 1000,
      compareContextTokens: () => ({ firstDifferentIndex }),
      needsCheckpoints: true,
      stateCellsStartIndex: 999,
      lastCheckpointIndex: 0,
      ...told,
    }
    return sharedTokens(sequence as LlamaContextSequence, prompt)
  }

  test('shares what is the same, but for the last token', () => {
    const free = { needsCheckpoints: false, stateCellsStartIndex: 0 }
    expect([sharedBy(free), sharedBy(free, 1000), sharedBy(free, 0)]).toEqual([600, 899, 0])
  })

  test('shares nothing where the model cannot go back so far', () => {
    expect(sharedBy({})).toBe(0)
    expect(sharedBy({ stateCellsStartIndex: 600 })).toBe(0)
    expect(sharedBy({ stateCellsStartIndex: 599 })).toBe(600)
  })

  test('shares as much as its last checkpoint has, if that lies before', () => {
    expect(sharedBy({ lastCheckpointIndex: 511 })).toBe(512)
    expect(sharedBy({ lastCheckpointIndex: 599 })).toBe(600)
    expect(sharedBy({ lastCheckpointIndex: 600 })).toBe(0)
  })
})
