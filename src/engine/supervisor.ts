import { setTimeout as sleep } from 'node:timers/promises'

import { Child } from './child.ts'
import type { Order, Report } from './orders.ts'

export interface SupervisorOptions {
  /** The program of the child, and its arguments. */
  readonly command: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** How long a child that owes something may be silent. */
  readonly patienceMs?: number | undefined
  /** The wait before the second start after a failure; it doubles with each further one. */
  readonly backOffMs?: number | undefined
  /** Told when a child has ended by itself or was hung: how, and what it said last. */
  readonly onLoss: (how: string, lastWords: string) => void
}

/** Who waits for the reports on one piece of work. */
export interface Listener {
  /** Something about it came. */
  hear(report: Report): void
  /** The child has ended, and nothing more will come. */
  lose(how: string): void
}

export interface SupervisorStatus {
  readonly pid: number | undefined
  /** How many children have been lost since the beginning. */
  readonly losses: number
  readonly gpu: string | false | undefined
  readonly threads: number | undefined
  /** The folder that llama.cpp was loaded from, where it is not the one that comes with Parley. */
  readonly builds: string | undefined
  readonly residentBytes: number | undefined
}

const usualPatienceMs = 10_000
const usualBackOffMs = 200
const longestBackOffMs = 10_000

/** A child that ran for so long was healthy, and the next start need not wait. */
const healthyMs = 60_000

/** Silence is counted in beats of our own clock: after a sleep of the machine nobody is to blame. */
const beatsOfPatience = 4
const beatsToStart = 12

interface Running {
  readonly child: Child
  readonly startedAt: number
  /** Resolves when the child has said anything. */
  readonly ready: PromiseWithResolvers<void>
  isReady: boolean
  silentBeats: number
}

/**
 * Keeps a child alive for those who have work for it: starts it when it is needed, notices when it dies or hangs,
 * tells everybody whose work is lost, and lets the next start wait a little longer each time.
 */
export class Supervisor implements AsyncDisposable {
  readonly #options: SupervisorOptions
  readonly #listeners = new Map<number, Listener>()
  #running: Running | undefined
  #starting: Promise<void> | undefined
  #heart: ReturnType<typeof setInterval> | undefined
  #lastId = 0
  #losses = 0
  /** How many children were lost since the last healthy one. */
  #failures = 0
  #mayStartAt = 0
  readonly #closing = new AbortController()
  #gpu: string | false | undefined
  #threads: number | undefined
  #builds: string | undefined
  #residentBytes: number | undefined

  constructor(options: SupervisorOptions) {
    this.#options = options
  }

  get status(): SupervisorStatus {
    return {
      pid: this.#running?.child.pid,
      losses: this.#losses,
      gpu: this.#gpu,
      threads: this.#threads,
      builds: this.#builds,
      residentBytes: this.#running && this.#residentBytes,
    }
  }

  /** A number for a piece of work. None is ever used twice. */
  newId(): number {
    return ++this.#lastId
  }

  /** Resolves when a child runs, after the wait that earlier failures have earned. Rejects with why it does not. */
  start(): Promise<void> {
    this.#starting ??= this.#start().finally(() => (this.#starting = undefined))
    return this.#starting
  }

  /** Gives an order, and its reports to the listener until it is forgotten. Without a child the work is lost at once. */
  give(order: Exclude<Order, { type: 'abort' | 'ping' }>, listener: Listener): void {
    if (this.#running === undefined) return listener.lose('does not run')
    this.#listeners.set(order.id, listener)
    this.#running.child.send(order)
    this.#beat()
  }

  /** Nobody waits for this work any more, and it is to stop. */
  abort(id: number): void {
    if (this.#listeners.delete(id)) this.#running?.child.send({ type: 'abort', target: id })
  }

  /** This work is done. */
  forget(id: number): void {
    this.#listeners.delete(id)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new Error('The engine is closed.'))
    await this.end('was ended with the gateway')
  }

  /** Ends the child that runs, and what it still owes with it. The next start brings another one. */
  async end(how: string): Promise<void> {
    const running = this.#running
    if (running === undefined) return
    running.child.kill()
    this.#drop(running, how)
    await running.child.ended
  }

  async #start(): Promise<void> {
    if (this.#running !== undefined) return this.#running.ready.promise
    const waitMs = this.#mayStartAt - performance.now()
    if (waitMs > 0) await sleep(waitMs, undefined, { signal: this.#closing.signal })
    this.#closing.signal.throwIfAborted()
    const running: Running = {
      child: new Child({
        ...this.#options,
        onReport: (report) => this.#hear(running, report),
        onEnd: (how) => this.#lose(running, how),
      }),
      startedAt: performance.now(),
      ready: Promise.withResolvers(),
      isReady: false,
      silentBeats: 0,
    }
    this.#running = running
    this.#beat()
    return running.ready.promise
  }

  #hear(running: Running, report: Report): void {
    if (running !== this.#running) return
    running.silentBeats = 0
    // Whoever reports anything takes orders too, if only to say why it can do nothing.
    running.isReady = true
    running.ready.resolve()
    if (report.type === 'ready') {
      this.#gpu = report.gpu
      this.#threads = report.threads
      this.#builds = report.builds
    } else if (report.type === 'alive') this.#residentBytes = report.residentBytes
    else this.#listeners.get(report.id)?.hear(report)
  }

  #lose(running: Running, how: string): void {
    if (running !== this.#running) return
    const now = performance.now()
    if (now - running.startedAt > healthyMs) this.#failures = 0
    this.#losses++
    const { backOffMs = usualBackOffMs } = this.#options
    this.#mayStartAt = now + Math.min(longestBackOffMs, backOffMs * 2 ** this.#failures++)
    this.#options.onLoss(how, running.child.lastWords)
    this.#drop(running, how)
  }

  #drop(running: Running, how: string): void {
    this.#running = undefined
    clearInterval(this.#heart)
    this.#heart = undefined
    running.ready.reject(new Error(`The engine's process ${how} before it was ready.`))
    const lost = [...this.#listeners.values()]
    this.#listeners.clear()
    for (const listener of lost) listener.lose(how)
  }

  /** Feels the pulse while the child owes something, and no longer. */
  #beat(): void {
    const { patienceMs = usualPatienceMs } = this.#options
    this.#heart ??= setInterval(this.#feel, patienceMs / beatsOfPatience)
  }

  readonly #feel = (): void => {
    const running = this.#running
    if (running === undefined) return
    if (this.#listeners.size === 0 && this.#starting === undefined) {
      clearInterval(this.#heart)
      this.#heart = undefined
      running.silentBeats = 0
      return
    }
    const mostBeats = running.isReady ? beatsOfPatience : beatsToStart
    if (++running.silentBeats > mostBeats) {
      running.child.kill()
      this.#lose(running, 'gave no sign of life and was ended')
    } else running.child.send({ type: 'ping', id: this.newId() })
  }
}
