import { describe, expect, test } from 'bun:test'

import type { ChatEvent } from '#chat/event.ts'
import type { Step } from '#chat/step.ts'
import type { StreamCut } from '#chat/stream-cut.ts'
import type { Usage } from '#chat/usage.ts'

import { meteredWithin } from './cut.ts'

const text = (said: string): ChatEvent => ({ type: 'block-delta', text: said })
const output = (count: number): ChatEvent => ({ type: 'usage', usage: { output: count } })
const begin: ChatEvent = { type: 'block-start', block: { type: 'text' } }
const end: ChatEvent = { type: 'answer-end', reason: 'end' }
const cutEnd: ChatEvent = { type: 'answer-end', reason: 'length' }
const means = (...events: ChatEvent[]): Step => ({ means: events })
const said = (words: string, ...events: ChatEvent[]): Step => ({ means: events, said: words })

/** Words that end with the number of tokens told, unless the last of them were `ending`. */
const words: StreamCut = {
  isPlain: true,
  endAfter: (last) =>
    last === 'ending' ? undefined : ({ output: count }) => `cut at ${String(count)}`,
}

interface Run {
  readonly steps: readonly Step[]
  readonly cap: number
  readonly words?: StreamCut
  readonly estimate?: Usage
}

/** What comes out of an answer, how it is written down, and whether its upstream was let go of. */
async function run({ steps, cap, words: cutting, estimate }: Run) {
  const log: string[] = []
  let asked = 0
  async function* upstream(): AsyncGenerator<Step> {
    try {
      for (const step of steps) {
        asked++
        yield step
      }
    } finally {
      log.push(`left after ${asked}`)
    }
  }
  const account = {
    hear: (step: Step) => void log.push(`heard ${String(step.said ?? step.means.length)}`),
    close: async (result: string) => void log.push(result),
    estimate,
  }
  const out: Step[] = []
  for await (const step of meteredWithin(upstream(), account, { cap, words: cutting }))
    out.push({ ...step })
  return {
    out,
    log,
    result: log.filter((line) => /^(complete|budget-stop|[a-z]+-lost)$/.test(line)),
  }
}

describe('an answer told in our words', () => {
  test('ends where the count of its upstream passes the cap, its block ended before it', async () => {
    const steps = [
      means(begin, text('a'), output(10)),
      means(text('b'), output(11)),
      means(text('c')),
    ]
    const { out, log } = await run({ steps, cap: 10 })
    expect(out).toEqual([...steps.slice(0, 2), means({ type: 'block-end' }, cutEnd)])
    expect(log).toEqual(['heard 3', 'heard 2', 'left after 2', 'heard 2', 'budget-stop'])
  })

  test('is told the usage that is written down', async () => {
    const steps = [means(begin, text('a'), { type: 'block-end' }, output(11))]
    const { out } = await run({ steps, cap: 10, estimate: { output: 12 } })
    expect(out.at(-1)?.means).toEqual([
      { type: 'usage', usage: { output: 12 } },
      { type: 'note', field: 'answer.usage', what: 'estimated' },
      cutEnd,
    ])
  })

  test('ends by an estimate only when it is twice too long, for an estimate may be wrong', async () => {
    const letters = (count: number): Step => means(text('abc '.repeat(count)))
    const within = [means(begin), letters(200), letters(20), means(end)]
    expect((await run({ steps: within, cap: 100 })).result).toEqual(['complete'])
    const beyond = [means(begin), letters(200), letters(60), letters(1), means(end)]
    const { out, result } = await run({ steps: beyond, cap: 100 })
    expect(result).toEqual(['budget-stop'])
    expect(out).toHaveLength(4)
  })

  test('is not cut for a count that comes when nothing more does, nor with its end in the same step', async () => {
    const counted = [means(begin, text('a')), means({ type: 'block-end' }, output(99)), means(end)]
    expect((await run({ steps: counted, cap: 10 })).result).toEqual(['complete'])
    const whole = [means(begin, text('a'), output(99), end)]
    expect(await run({ steps: whole, cap: 10 })).toMatchObject({ out: whole, result: ['complete'] })
  })
})

describe('an answer whose words go on', () => {
  test('is ended in those words, after the ones that passed the cap, with the usage of the ledger', async () => {
    const steps = [said('one'), said('two', output(11)), said('three')]
    const { out, log } = await run({ steps, cap: 10, words, estimate: { output: 12 } })
    expect(out.map((step) => step.said)).toEqual(['one', 'two', 'cut at 12'])
    expect(log).toEqual(['heard one', 'heard two', 'left after 2', 'heard 1', 'budget-stop'])
  })

  test('goes on where there is no place for an end', async () => {
    const steps = [said('ending', output(11)), said('[DONE]', end)]
    expect(await run({ steps, cap: 10, words })).toMatchObject({ out: steps, result: ['complete'] })
  })

  test('is cut at the next words after a read that had no place for it', async () => {
    const steps = [said('ending', output(11)), said('more'), said('and more')]
    const { out } = await run({ steps, cap: 10, words })
    expect(out.map((step) => step.said)).toEqual(['ending', 'more', 'cut at 11'])
  })

  test('is cut by the length of its frames only where those are text', async () => {
    const frame = said(`data: {"choices":[{"delta":{"content":"a word"}}]}\n\n`)
    const steps = [...Array.from({ length: 200 }, () => frame), said('[DONE]', end)]
    const { out, result } = await run({ steps, cap: 30, words })
    expect(result).toEqual(['budget-stop'])
    expect(out.length).toBeWithin(90, 130)
    const uneven = { ...words, isPlain: false }
    expect((await run({ steps, cap: 30, words: uneven })).result).toEqual(['complete'])
  })

  test('is not cut without words for it', async () => {
    const steps = [said('a', output(11)), said('b'), said('c', end)]
    expect(await run({ steps, cap: 10 })).toMatchObject({ out: steps, result: ['complete'] })
  })
})

test('a caller who leaves is written down as one who left, and an answer that breaks as broken', async () => {
  const broken = [means(begin, text('a'))]
  const log: string[] = []
  const account = {
    hear: () => undefined,
    close: async (result: string) => void log.push(result),
    estimate: undefined,
  }
  async function* upstream(): AsyncGenerator<Step> {
    yield* broken
  }
  const lost = meteredWithin(upstream(), account, { cap: 10 })
  await lost.next()
  await expect(lost.next()).rejects.toMatchObject({ code: 'upstream-lost' })
  const left = meteredWithin(upstream(), account, { cap: 10 })
  await left.next()
  await left.return?.()
  expect(log).toEqual(['upstream-lost', 'client-left'])
})
