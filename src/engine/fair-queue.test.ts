import { describe, expect, test } from 'bun:test'

import fc from 'fast-check'

import { GatewayError } from '#chat/error.ts'

import { FairQueue, type Slot } from './fair-queue.ts'

const never = new AbortController().signal
const queueOf = (slots: number, limit = 64): FairQueue =>
  new FairQueue({ slots, limit, name: 'model-a' })

/** Enters, and notes who was admitted in which order. */
function entering(queue: FairQueue, admitted: string[]) {
  return async (keyId: string, signal = never): Promise<Slot> => {
    const slot = await queue.enter({ keyId, signal })
    admitted.push(keyId)
    return slot
  }
}

describe('the queue of the engine', () => {
  test('lets as many work at once as there are slots, and the next when one is done', async () => {
    const queue = queueOf(2)
    const [one, two] = await Promise.all([
      queue.enter({ signal: never }),
      queue.enter({ signal: never }),
    ])
    const third = queue.enter({ signal: never })
    expect([queue.working, queue.waiting]).toEqual([2, 1])
    expect([one.waitedMs, two.waitedMs]).toEqual([0, 0])
    one[Symbol.dispose]()
    one[Symbol.dispose]()
    expect((await third).waitedMs).toBeGreaterThanOrEqual(0)
    expect([queue.working, queue.waiting]).toEqual([2, 0])
    two[Symbol.dispose]()
    expect(queue.working).toBe(1)
  })

  test('lets keys take turns: one with many requests does not stand before one with a single request', async () => {
    const queue = queueOf(1)
    const admitted: string[] = []
    const enter = entering(queue, admitted)
    const first = await enter('greedy')
    const rest = [...Array.from({ length: 5 }, () => 'greedy'), 'b', 'c', 'b'].map((key) =>
      enter(key).then((slot) => slot[Symbol.dispose]()),
    )
    first[Symbol.dispose]()
    await Promise.all(rest)
    expect(admitted.join(' ')).toBe('greedy greedy b c greedy b greedy greedy greedy')
  })

  test('refuses more than may wait with engine-busy and a time to come again', async () => {
    const queue = queueOf(1, 2)
    await queue.enter({ signal: never })
    const waiting = [queue.enter({ signal: never }), queue.enter({ signal: never })]
    const refused = await queue.enter({ signal: never }).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(GatewayError)
    expect(refused).toMatchObject({ code: 'engine-busy', status: 503 })
    expect((refused as GatewayError).retryAfter).toBeGreaterThan(0)
    expect((refused as GatewayError).message).toContain('model-a')
    expect(waiting.length).toBe(queue.waiting)
  })

  test('forgets at once who leaves, with the reason of leaving', async () => {
    const queue = queueOf(1)
    const slot = await queue.enter({ signal: never })
    const leaving = new AbortController()
    const gone = queue.enter({ signal: leaving.signal })
    const next = queue.enter({ signal: never })
    leaving.abort(new Error('I left.'))
    expect(queue.waiting).toBe(1)
    expect(gone).rejects.toThrow('I left.')
    expect(queue.enter({ signal: leaving.signal })).rejects.toThrow('I left.')
    slot[Symbol.dispose]()
    await next
    expect([queue.working, queue.waiting]).toEqual([1, 0])
  })

  test('admits more when there are more slots, and fewer when there are fewer', async () => {
    const queue = queueOf(1)
    const first = await queue.enter({ signal: never })
    const others = [queue.enter({ signal: never }), queue.enter({ signal: never })]
    queue.slots = 3
    const [second] = await Promise.all(others)
    expect(queue.working).toBe(3)
    queue.slots = 1
    const late = queue.enter({ signal: never })
    first[Symbol.dispose]()
    second?.[Symbol.dispose]()
    expect([queue.working, queue.waiting]).toEqual([1, 1])
    queue.slots = 2
    await late
    expect(queue.working).toBe(2)
  })

  test('never lets more work than there are slots, and forgets nobody', async () => {
    const deed = fc.record({ key: fc.constantFrom('a', 'b', 'c'), leaves: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 3 }), fc.array(deed), async (slots, deeds) => {
        const queue = queueOf(slots, 1000)
        let [most, done] = [0, 0]
        const all = deeds.map(async ({ key, leaves }) => {
          const leaving = new AbortController()
          const entered = queue.enter({ keyId: key, signal: leaving.signal })
          if (leaves) leaving.abort(new Error('I left.'))
          const slot = await entered.catch(() => undefined)
          most = Math.max(most, queue.working)
          await Promise.resolve()
          slot?.[Symbol.dispose]()
          done++
        })
        await Promise.all(all)
        expect(done).toBe(deeds.length)
        expect(most).toBeLessThanOrEqual(slots)
        expect([queue.working, queue.waiting]).toEqual([0, 0])
      }),
    )
  })
})
