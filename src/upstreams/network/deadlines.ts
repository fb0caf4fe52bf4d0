import { GatewayError } from '#chat/error.ts'

/** How long an upstream may take, in milliseconds. */
export interface Deadlines {
  /** From the request to the first byte of a stream: reasoning models think in silence. */
  readonly firstByteMs: number
  /** Between two reads of a stream. */
  readonly silenceMs: number
  /** Between two reads of a stream that say something: pings are no progress. */
  readonly progressMs: number
  /** For the whole call. */
  readonly totalMs: number
}

export const defaultDeadlines: Deadlines = {
  firstByteMs: 120_000,
  silenceMs: 60_000,
  progressMs: 180_000,
  totalMs: 600_000,
}

export interface WatchOptions {
  /** The caller's signal; its reason becomes the reason here. */
  readonly outer: AbortSignal
  readonly deadlines: Deadlines
  /** The deadlines between reads hold for a stream only; a whole reply has its total. */
  readonly isStream: boolean
  /** How long the caller waits for a whole answer, or for a stream to begin, in milliseconds, if it said so. */
  readonly callerMs?: number | undefined
  /** The upstream's name, for the message. */
  readonly upstream: string
  readonly clock?: Clock
}

/** What time it is, in milliseconds from anywhere, and being called later. */
export interface Clock {
  now(): number
  /** Gives what calls it off. */
  after(ms: number, act: () => void): () => void
}

const realClock: Clock = {
  now: () => performance.now(),
  after: (ms, act) => {
    const timer = setTimeout(act, ms)
    return () => clearTimeout(timer)
  },
}

type Limit = keyof Deadlines | 'callerMs'

/**
 * Watches over one call of an upstream: its signal aborts when the caller leaves, when a deadline passes, or when
 * the watch is closed. There is one timer a call, which looks at the times when it fires; reads only note them.
 * Time in which nobody waits for the upstream, because the caller reads slowly, counts for the total alone.
 */
export class Watch {
  readonly #controller = new AbortController()
  readonly #options: WatchOptions
  readonly #clock: Clock
  readonly #startedAt: number
  #isStream: boolean
  #hasHeard = false
  #waitingSince: number | undefined
  /** How long was waited since the last progress, this wait left out. */
  #fruitlessMs = 0
  #callOff: (() => void) | undefined

  constructor(options: WatchOptions) {
    this.#options = options
    this.#clock = options.clock ?? realClock
    this.#startedAt = this.#clock.now()
    this.#isStream = options.isStream
    options.outer.addEventListener('abort', this.#leave)
    if (options.outer.aborted) this.#leave()
    this.#look()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** The answer comes as one whole, whatever was asked for. */
  expectWhole(): void {
    this.#isStream = false
  }

  /** A read begins. */
  wait(): void {
    this.#waitingSince = this.#clock.now()
  }

  /** The read brought something. */
  heard(isProgress: boolean): void {
    if (isProgress) this.#fruitlessMs = 0
    else if (this.#waitingSince !== undefined)
      this.#fruitlessMs += this.#clock.now() - this.#waitingSince
    this.#waitingSince = undefined
    if (this.#hasHeard) return
    this.#hasHeard = true
    // Other deadlines hold from now on, and they may pass before the timer that was set for the first byte.
    this.#callOff?.()
    this.#look()
  }

  /** Ends the call: nothing more is expected, and what is still open is closed. */
  close(): void {
    this.stop()
    this.#controller.abort()
  }

  /** Ends the call for a reason that is to be told. */
  fail(reason: GatewayError): void {
    this.stop()
    this.#controller.abort(reason)
  }

  /** The call has ended by itself. */
  stop(): void {
    this.#callOff?.()
    this.#options.outer.removeEventListener('abort', this.#leave)
  }

  readonly #leave = (): void => {
    this.stop()
    this.#controller.abort(this.#options.outer.reason)
  }

  readonly #look = (): void => {
    if (this.signal.aborted) return
    const now = this.#clock.now()
    const [limit, dueAt] = this.#nextDue(now)
    if (dueAt <= now) {
      this.fail(overdue(limit, this.#options))
    } else this.#callOff = this.#clock.after(Math.ceil(dueAt - now), this.#look)
  }

  /** The deadline that passes first as things stand, and when. */
  #nextDue(now: number): readonly [Limit, number] {
    const { deadlines, callerMs } = this.#options
    const dues: [Limit, number][] = [['totalMs', this.#startedAt + deadlines.totalMs]]
    if (callerMs !== undefined && !(this.#isStream && this.#hasHeard))
      dues.push(['callerMs', this.#startedAt + callerMs])
    if (this.#isStream && !this.#hasHeard)
      dues.push(['firstByteMs', this.#startedAt + deadlines.firstByteMs])
    if (this.#isStream && this.#hasHeard) {
      // While nobody waits nothing is due, but a wait may begin at any moment from now.
      const since = this.#waitingSince ?? now
      dues.push(['silenceMs', since + deadlines.silenceMs])
      dues.push(['progressMs', since + Math.max(1, deadlines.progressMs - this.#fruitlessMs)])
    }
    return dues.reduce((first, due) => (due[1] < first[1] ? due : first))
  }
}

const lateness: Readonly<Record<keyof Deadlines, string>> = {
  firstByteMs: 'did not begin to answer',
  silenceMs: 'fell silent in the middle of its answer',
  progressMs: 'kept the connection open without saying anything',
  totalMs: 'did not finish its answer',
}

function overdue(limit: Limit, { deadlines, upstream, callerMs = 0 }: WatchOptions): GatewayError {
  if (limit === 'callerMs')
    return new GatewayError(
      'answer-overdue',
      `The answer did not come within the ${callerMs / 1000} s that were left of what the request says it waits. Wait longer, or ask for a stream.`,
    )
  const seconds = deadlines[limit] / 1000
  return new GatewayError(
    'upstream-timeout',
    `The upstream \`${upstream}\` ${lateness[limit]} within ${seconds} s. Ask again, or ask for less.`,
  )
}

/** When a call has to be over, on the clock of `performance.now`. */
interface Ends {
  readonly deadlineAt?: number | undefined
  readonly waitsUntil?: number | undefined
}

/** What is left of the times of a call, and no more than it may take anyway. */
export function leftOf(
  { deadlineAt, waitsUntil }: Ends,
  deadlines: Deadlines,
): Pick<WatchOptions, 'deadlines' | 'callerMs'> {
  const totalMs = Math.min(deadlines.totalMs, leftUntil(deadlineAt))
  const callerMs = waitsUntil === undefined ? undefined : Math.round(leftUntil(waitsUntil))
  return { deadlines: { ...deadlines, totalMs }, callerMs }
}

/** Milliseconds until a time, and always some. */
function leftUntil(time = Infinity): number {
  return Math.max(1, time - performance.now())
}
