import { expect, test } from 'bun:test'

import type { ExchangeRecord } from '#chat/passage.ts'
import type { TargetModel } from '#chat/target.ts'

import { families } from './families.ts'
import { genAiFamilies } from './gen-ai-families.ts'
import { SeriesBook } from './series-book.ts'
import type { OwnFigures, Snapshot } from './snapshot.ts'
import { collected } from './source.ts'

/** The families read nothing of a target but its names. */
function target(model: string): TargetModel {
  const known = { upstream: 'up', model, protocol: 'chat-completions', vendor: 'mistral' }
  return known as unknown as TargetModel
}

function record(model: string, more: Partial<ExchangeRecord> = {}): ExchangeRecord {
  return {
    id: 'req_1',
    keyId: 'k',
    projectId: 'p',
    endpoint: 'chat',
    protocol: 'chat-completions',
    model,
    stream: false,
    route: 'only target',
    openedAt: 0,
    result: 'complete',
    target: target(model),
    attempts: [{ model: target(model), result: 'answered', startedMs: 0, tookMs: 5 }],
    usage: { input: 3, output: 2 },
    counted: 'exact',
    cost: 1,
    notes: 0,
    totalMs: 10,
    answer: {},
    ...more,
  }
}

const known = {
  model: (name: string) => name === 'm',
  target: (_: string, name: string) => name === 'm',
}
const histogram = { bounds: [], counts: [], sum: 0, count: 0 }
const now: Snapshot = {
  inFlight: 0,
  streams: 0,
  targets: [],
  engine: undefined,
  ledger: { queue: 0, isFailed: false },
  databaseBytes: {},
  process: { residentBytes: 1, cpuSeconds: 1, startedAt: 1 },
}
const own: OwnFigures = {
  version: '0',
  commits: histogram,
  loopLag: histogram,
  seriesDropped: 0,
  spans: { recorded: 0, dropped: 0 },
  exports: [],
}

/** How many lines of labels there are of everything. */
function size(book: SeriesBook): number {
  return collected([...families, ...genAiFamilies], { book, now, own }).reduce(
    (sum, { samples }) => sum + samples.length,
    0,
  )
}

test('ten thousand names that callers make up are one', () => {
  const book = new SeriesBook(() => known, { labels: [], maxSeries: 2000 })
  book.countExchange(record('m'))
  book.countExchange(record('made up'))
  const before = size(book)
  for (let at = 0; at < 10_000; at++) book.countExchange(record(`made up ${at}`))
  expect(size(book)).toBe(before)
  const told = [...book.exchanges.values()].map(({ labels, exchanges }) => [
    labels.model,
    labels.target,
    exchanges,
  ])
  expect(told).toEqual([
    ['m', 'up/m', 1],
    ['other', 'up/other', 10_001],
  ])
  expect(book.dropped).toBe(0)
})

test('there are no more sets of labels than may be, and nothing is lost of what comes on top', () => {
  const everything = { model: () => true, target: () => true }
  const book = new SeriesBook(() => everything, { labels: ['project', 'key'], maxSeries: 50 })
  for (let at = 0; at < 10_000; at++)
    book.countExchange(record(`m-${at}`, { keyId: `k-${at % 7}`, projectId: 'p' }))
  expect(book.exchanges.size).toBe(51)
  expect(book.attempts.size).toBe(51)
  const all = [...book.exchanges.values()]
  expect(all.reduce((sum, { exchanges }) => sum + exchanges, 0)).toBe(10_000)
  expect(all.reduce((sum, { input }) => sum + input, 0)).toBe(30_000)
  expect(all.find(({ labels }) => labels.model === 'other')?.exchanges).toBe(9950)
  expect(book.dropped).toBeGreaterThanOrEqual(9950)
})

test('what was asked again and what took its place are told apart', () => {
  const book = new SeriesBook(() => known, { labels: [], maxSeries: 50 })
  const failed = { model: target('m'), result: 'upstream-failed', startedMs: 0, tookMs: 1 }
  const elsewhere = { ...failed, model: { ...target('m'), upstream: 'down' } }
  const answered = { ...failed, result: 'answered' }
  book.countExchange(record('m', { attempts: [elsewhere, failed, failed, answered] }))
  const counts = [...book.attempts.values()].map(({ labels, attempts, retries, fallbacks }) => ({
    ...labels,
    attempts,
    retries,
    fallbacks,
  }))
  const common = { endpoint: 'chat', provider: 'mistral_ai' }
  expect(counts).toEqual([
    {
      ...common,
      target: 'down/m',
      result: 'upstream-failed',
      attempts: 1,
      retries: 0,
      fallbacks: 1,
    },
    { ...common, target: 'up/m', result: 'upstream-failed', attempts: 2, retries: 2, fallbacks: 0 },
    { ...common, target: 'up/m', result: 'answered', attempts: 1, retries: 0, fallbacks: 0 },
  ])
})
