import type { Passage } from '#chat/passage.ts'
import type { Secret } from '#std/secret.ts'
import { type Exposition, expositionOf } from '#telemetry/metrics/exposition.ts'
import { families } from '#telemetry/metrics/families.ts'
import type { Collected } from '#telemetry/metrics/family.ts'
import { genAiFamilies } from '#telemetry/metrics/gen-ai-families.ts'
import { Histogram, pauseSeconds } from '#telemetry/metrics/histogram.ts'
import type { Known } from '#telemetry/metrics/known-names.ts'
import { LoopLag } from '#telemetry/metrics/loop-lag.ts'
import { SeriesBook } from '#telemetry/metrics/series-book.ts'
import { type Observed, snapshotOf } from '#telemetry/metrics/snapshot-of.ts'
import { collected, type Source } from '#telemetry/metrics/source.ts'
import type { Address } from '#telemetry/traces/spans.ts'
import { samplingThreshold } from '#telemetry/traces/trace-parent.ts'
import { Tracing } from '#telemetry/traces/tracing.ts'

import { ExchangeLog, type Lines } from './exchange-log.ts'
import { ExchangePassage, type PassageRules } from './exchange-passage.ts'
import type { TelemetrySettings } from './settings.ts'
import { version } from './version.ts'

export interface TelemetryOptions {
  readonly settings: TelemetrySettings
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Where lines of exchanges go; absent if nowhere. */
  readonly lines?: Lines | undefined
  /** The names that the gateway has itself, as its config has them now. */
  readonly known: () => Known
  readonly observed: () => Observed
  readonly addressOf: (upstream: string) => Address | undefined
  /** Told what an operator should know. */
  readonly log: {
    warn(facts: object, message: string): void
    /** Changes when the config is read again. The line of an exchange is as any other at `info`. */
    isLevelEnabled(level: 'info'): boolean
  }
}

/**
 * What the gateway tells of itself: metrics, traces, a line for each exchange. Nothing waits for it, and what it costs
 * an exchange is a few additions; the rest is done when somebody asks, or for many exchanges at once.
 */
export class Telemetry implements AsyncDisposable {
  readonly #options: TelemetryOptions
  readonly #book: SeriesBook
  readonly #log: ExchangeLog | undefined
  readonly #commits = new Histogram(pauseSeconds)
  readonly #loopLag = new LoopLag()
  readonly #tracing: Tracing
  #settings: TelemetrySettings
  #rules: PassageRules

  constructor(options: TelemetryOptions) {
    const { settings, known, lines } = options
    this.#options = options
    this.#settings = settings
    this.#book = new SeriesBook(known, settings.metrics)
    this.#log = lines && new ExchangeLog(lines)
    const collect = () => this.#collect([...families, ...genAiFamilies])
    this.#tracing = new Tracing({ ...options, collect })
    this.#tracing.apply(settings)
    this.#rules = this.#rulesOf(settings)
  }

  /** Puts other settings in force. What was counted stays. */
  apply(settings: TelemetrySettings): void {
    this.#settings = settings
    this.#book.apply(settings.metrics)
    this.#tracing.apply(settings)
    this.#rules = this.#rulesOf(settings)
  }

  /** What goes with a request that has just come in. `id` is `req_` and 32 hexadecimal digits. */
  readonly passage = (id: string, headers: Headers): Passage =>
    new ExchangePassage(id, headers, { rules: this.#rules, finish: this.#finish })

  /** A batch of the ledger was on disk after so long. */
  readonly committed = (ms: number): void => this.#commits.observe(ms / 1000)

  /** What whoever asks for metrics has to show, if anything. */
  token(): Secret | undefined {
    return this.#settings.metrics.token
  }

  /** What Prometheus is told; undefined while metrics are switched off. */
  async exposition(): Promise<Exposition | undefined> {
    return this.#settings.metrics.enabled ? expositionOf(await this.#collect(families)) : undefined
  }

  /** Writes and sends what waits. */
  async flush(): Promise<void> {
    this.#log?.flush()
    await this.#tracing.flush()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#loopLag[Symbol.dispose]()
    this.#log?.[Symbol.dispose]()
    await this.#tracing[Symbol.asyncDispose]()
  }

  readonly #finish = (passage: ExchangePassage): void => {
    const { metrics, log } = this.#settings
    const { record, answer } = passage
    if (metrics.enabled) {
      if (record !== undefined) this.#book.countExchange(record)
      if (answer !== undefined) this.#book.countAnswer(answer, passage.overheadMs)
    }
    // Whoever looks every second whether the gateway lives is told in the metrics, and in no line.
    if (answer?.endpoint === 'health') return
    if (log && this.#options.log.isLevelEnabled('info')) this.#log?.add(passage)
    this.#tracing.finish(passage)
  }

  #rulesOf({ traces, serverTiming }: TelemetrySettings): PassageRules {
    const { isSending } = this.#tracing
    return {
      threshold: samplingThreshold(isSending ? traces.ratio : 0),
      isRecording: isSending,
      followsCallers: traces.followCallers,
      propagates: traces.propagate,
      tellsTiming: serverTiming,
    }
  }

  async #collect(sources: readonly Source[]): Promise<readonly Collected[]> {
    const own = {
      version: version(),
      commits: this.#commits.value,
      loopLag: this.#loopLag.value,
      seriesDropped: this.#book.dropped,
      spans: this.#tracing.spans,
      exports: this.#tracing.exports,
    }
    const now = await snapshotOf(this.#options.observed())
    const known = this.#options.known()
    // Health has those too whose names callers have made up.
    const targets = now.targets.filter(({ upstream, model }) => known.target(upstream, model))
    return collected(sources, { book: this.#book, now: { ...now, targets }, own })
  }
}
