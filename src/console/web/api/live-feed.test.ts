import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'

import { LiveFeed } from './live-feed.ts'

/** What a browser gives to who asks for a stream, as far as the feed looks at it. */
class BrowserSource extends EventTarget {
  static readonly CLOSED = 2
  static readonly all: BrowserSource[] = []
  static #next = Promise.withResolvers<BrowserSource>()

  /** The source that is opened next. */
  static get next(): Promise<BrowserSource> {
    return this.#next.promise
  }

  readyState = 0

  constructor() {
    super()
    BrowserSource.all.push(this)
    const { resolve } = BrowserSource.#next
    BrowserSource.#next = Promise.withResolvers()
    resolve(this)
  }

  /** The connection broke: a browser makes it again. */
  breaks(): void {
    this.readyState = 0
    this.dispatchEvent(new Event('error'))
  }

  /** The connection was answered with something else than a stream: a browser gives it up. */
  isRefused(): void {
    this.close()
    this.dispatchEvent(new Event('error'))
  }

  close(): void {
    this.readyState = BrowserSource.CLOSED
  }
}

beforeAll(() => {
  Object.defineProperty(globalThis, 'EventSource', { value: BrowserSource, configurable: true })
})
afterAll(() => {
  Reflect.deleteProperty(globalThis, 'EventSource')
})
beforeEach(() => {
  BrowserSource.all.length = 0
})

const opened = () => {
  const told: string[] = []
  const feed = new LiveFeed({
    onSignedOut: () => told.push('signed out'),
    onRefused: () => told.push('refused'),
    pauseMs: 1,
  })
  feed.subscribe(() => told.push(feed.snapshot().state))
  const [source] = BrowserSource.all
  if (source === undefined) throw new Error('Nothing was opened.')
  source.dispatchEvent(new Event('open'))
  return { feed, source, told }
}

test('a stream that is refused is asked for again after a pause, as often as it takes', async () => {
  const { feed, source, told } = opened()
  let again = BrowserSource.next
  source.isRefused()
  expect(feed.snapshot().problem?.message).toBe(
    'The live connection is lost. It is tried again by itself.',
  )
  const second = await again
  again = BrowserSource.next
  second.isRefused()
  const third = await again
  third.dispatchEvent(new Event('open'))
  expect(feed.snapshot()).toMatchObject({ state: 'open', problem: undefined })
  expect(told).toEqual(['open', 'lost', 'refused', 'lost', 'refused', 'open'])
})

test('a connection that breaks is made again by the browser', () => {
  const { feed, source, told } = opened()
  source.breaks()
  expect(feed.snapshot().state).toBe('lost')
  source.dispatchEvent(new Event('open'))
  expect(told).toEqual(['open', 'lost', 'open'])
  expect(BrowserSource.all).toEqual([source])
})

test('who comes in the pause does not wait for its end, and makes no second connection', async () => {
  const { feed, source } = opened()
  source.isRefused()
  feed.subscribe(() => undefined)
  expect(BrowserSource.all).toHaveLength(2)
  await Bun.sleep(5)
  expect(BrowserSource.all).toHaveLength(2)
})
