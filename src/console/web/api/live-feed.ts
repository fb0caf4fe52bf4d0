import { ConsoleProblem } from './console-problem.ts'
import type { Answer, Exchange } from './contract.ts'

type LiveEvent = Answer<'GET /api/live'>

/** What was counted in about a second. */
export type Counters = Extract<LiveEvent, { readonly intervalMs: number }>

type Ended = Extract<LiveEvent, { readonly skipped: number }>

/** What the live stream has told so far. */
export interface Live {
  readonly state: 'connecting' | 'open' | 'lost'
  /** The newest look; undefined before the first. */
  readonly now: Counters | undefined
  /** One look a second, the oldest first, of the last minutes. */
  readonly seconds: readonly Counters[]
  /** Exchanges as they ended, the newest first. */
  readonly ended: readonly Exchange[]
  /** How many ended besides since the feed was opened: too many at once to be told of one by one. */
  readonly skipped: number
  readonly problem: ConsoleProblem | undefined
}

/** Looks that are kept: five minutes of them. */
const mostSeconds = 300
const mostEnded = 2000

/** A feed is kept open this long after its last reader has left: pages that follow each other share it. */
const lingerMs = 3000

/** As long as browsers themselves wait before they try again. */
const usualPauseMs = 5000

const nothing: Live = {
  state: 'connecting',
  now: undefined,
  seconds: [],
  ended: [],
  skipped: 0,
  problem: undefined,
}

export interface LiveFeedOptions {
  /** The stream has said that the session is over. */
  readonly onSignedOut: () => void
  /** The stream was refused. Why is not told to who asks for a stream: it may be that the session is over. */
  readonly onRefused: () => void
  /** After a refusal it is asked for again when this has passed. */
  readonly pauseMs?: number
}

/**
 * The one live stream of a console, for all who look at it. It is open while somebody looks. A connection that breaks
 * is made again by the browser; one that is answered with anything but the stream is given up by it, and made again
 * here.
 */
export class LiveFeed {
  readonly #options: LiveFeedOptions
  readonly #readers = new Set<() => void>()
  #live = nothing
  #source: EventSource | undefined
  #lingering: ReturnType<typeof setTimeout> | undefined
  #pausing: ReturnType<typeof setTimeout> | undefined

  constructor(options: LiveFeedOptions) {
    this.#options = options
  }

  readonly snapshot = (): Live => this.#live

  /** Calls back whenever there is news. Gives what ends that. */
  readonly subscribe = (tell: () => void): (() => void) => {
    this.#readers.add(tell)
    clearTimeout(this.#lingering)
    this.#source ??= this.#open()
    return () => {
      this.#readers.delete(tell)
      if (this.#readers.size === 0) this.#lingering = setTimeout(() => this.#close(), lingerMs)
    }
  }

  #open(): EventSource {
    clearTimeout(this.#pausing)
    const source = new EventSource('/api/live')
    source.addEventListener('counters', (event) => this.#counted(dataOf<Counters>(event)))
    source.addEventListener('exchanges', (event) => this.#told(dataOf<Ended>(event)))
    source.addEventListener('signed-out', () => {
      this.#close()
      this.#options.onSignedOut()
    })
    source.addEventListener('open', () => this.#become({ state: 'open', problem: undefined }))
    source.addEventListener('error', () => this.#failed(source))
    return source
  }

  #failed({ readyState }: EventSource): void {
    this.#become({ state: 'lost', problem: broken() })
    if (readyState !== EventSource.CLOSED) return
    this.#source = undefined
    this.#pausing = setTimeout(() => {
      this.#source = this.#open()
    }, this.#options.pauseMs ?? usualPauseMs)
    this.#options.onRefused()
  }

  #close(): void {
    clearTimeout(this.#pausing)
    this.#source?.close()
    this.#source = undefined
    this.#live = nothing
  }

  #counted(now: Counters): void {
    // The look that answers to a fresh connection counts nothing: its interval has not begun.
    const seconds = [...this.#live.seconds, now].slice(-mostSeconds)
    this.#become({ state: 'open', now, seconds, problem: undefined })
  }

  #told({ exchanges, skipped }: Ended): void {
    const ended = [...exchanges.toReversed(), ...this.#live.ended].slice(0, mostEnded)
    this.#become({ ended, skipped: this.#live.skipped + skipped })
  }

  #become(news: Partial<Live>): void {
    this.#live = { ...this.#live, ...news }
    for (const tell of this.#readers) tell()
  }
}

/** The API has checked each event against the schema that these types are made from. */
function dataOf<Data extends LiveEvent>(event: MessageEvent<string>): Data {
  return JSON.parse(event.data)
}

function broken(): ConsoleProblem {
  return new ConsoleProblem('The live connection is lost. It is tried again by itself.', {
    code: 'live-lost',
  })
}
