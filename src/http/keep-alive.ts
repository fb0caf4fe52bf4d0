export interface PatienceOptions<T> {
  readonly everyMs: number
  /** What to give when nothing has come for so long. */
  readonly filler: T
  /** What to give when the source has ended, or failed with this. */
  readonly last: (failure?: { readonly error: unknown }) => IteratorResult<T>
  /** Told when nobody has asked for anything for a second, and when somebody does so again or it is over. */
  readonly onStall?: (isStalled: boolean) => void
}

/**
 * Gives the values of an iterator, and a filler whenever nothing has come for `everyMs`; the value that is awaited is
 * not lost by that. The clock is looked at four times a second for all streams together, because a timer for each
 * chunk would cost more than the chunk.
 */
export class PatientReader<T> implements Disposable {
  readonly #source: AsyncIterator<T>
  readonly #options: PatienceOptions<T>
  #since = 0
  /** When the clock was looked at last, and how often in a row nobody was waiting nor had been since. */
  #sinceSeen = 0
  #unread = 0
  /** The value that is awaited. It stays until somebody has been given it. */
  #pending: Promise<IteratorResult<T>> | undefined
  #resolve: ((result: IteratorResult<T>) => void) | undefined

  constructor(source: AsyncIterator<T>, options: PatienceOptions<T>) {
    this.#source = source
    this.#options = options
    watch(this)
  }

  next(): Promise<IteratorResult<T>> {
    return new Promise(this.#wait)
  }

  /** Looks at the clock. */
  tick(now: number): void {
    const { everyMs, filler } = this.#options
    this.#lookForStall()
    if (now - this.#since >= everyMs) this.#give({ done: false, value: filler })
  }

  [Symbol.dispose](): void {
    unwatch(this)
    this.#goOn()
  }

  #lookForStall(): void {
    if (this.#resolve !== undefined || this.#since !== this.#sinceSeen) {
      this.#sinceSeen = this.#since
      return this.#goOn()
    }
    this.#unread += 1
    if (this.#unread === stallTicks) this.#options.onStall?.(true)
  }

  #goOn(): void {
    if (this.#unread >= stallTicks) this.#options.onStall?.(false)
    this.#unread = 0
  }

  readonly #wait = (resolve: (result: IteratorResult<T>) => void): void => {
    this.#resolve = resolve
    this.#since = performance.now()
    this.#pending ??= this.#source.next()
    this.#pending.then(this.#take, this.#fail)
  }

  readonly #take = (result: IteratorResult<T>): void => {
    if (this.#resolve === undefined) return
    this.#pending = undefined
    this.#give(result.done === true ? this.#options.last() : result)
  }

  readonly #fail = (error: unknown): void => {
    if (this.#resolve !== undefined) this.#give(this.#options.last({ error }))
  }

  #give(result: IteratorResult<T>): void {
    const resolve = this.#resolve
    this.#resolve = undefined
    resolve?.(result)
  }
}

const tickMs = 250
/** A reader that has not asked for so many ticks, which is a second, takes nothing: what the network holds is full by then. */
const stallTicks = 4

interface Ticking {
  tick(now: number): void
}

const watched = new Set<Ticking>()
let ticker: ReturnType<typeof setInterval> | undefined

function watch(reader: Ticking): void {
  watched.add(reader)
  ticker ??= setInterval(tickAll, tickMs).unref()
}

function unwatch(reader: Ticking): void {
  watched.delete(reader)
  if (watched.size > 0) return
  clearInterval(ticker)
  ticker = undefined
}

function tickAll(): void {
  const now = performance.now()
  for (const reader of watched) reader.tick(now)
}
