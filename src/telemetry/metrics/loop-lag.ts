import { Histogram, type HistogramValue, pauseSeconds } from './histogram.ts'

const everyMs = 1000

/** How much later than it should a timer comes: what everybody waits for while something holds the event loop. */
export class LoopLag implements Disposable {
  readonly #histogram = new Histogram(pauseSeconds)
  readonly #timer: Timer
  #dueAt = performance.now() + everyMs

  constructor() {
    this.#timer = setInterval(() => this.#look(), everyMs)
    this.#timer.unref()
  }

  get value(): HistogramValue {
    return this.#histogram.value
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const now = performance.now()
    this.#histogram.observe(Math.max(0, now - this.#dueAt) / 1000)
    this.#dueAt = now + everyMs
  }
}
