import { describe, expect, test } from 'bun:test'

import type { LlamaContext } from 'node-llama-cpp'

import { type Holder, giveBack, slotsOf, takeSlot } from './slots.ts'

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
