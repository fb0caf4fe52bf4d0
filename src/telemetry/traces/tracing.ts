import { errorKinds } from '#chat/error.ts'
import type { ExchangePassage } from '#telemetry/exchange-passage.ts'
import type { Collected } from '#telemetry/metrics/family.ts'
import type { OtlpSettings, TelemetrySettings, TraceSettings } from '#telemetry/settings.ts'
import { version } from '#telemetry/version.ts'

import { type OtlpTargets, otlpTargets, resourceAttributes } from './otlp-targets.ts'
import type { Otlp } from './otlp.ts'
import type { Address } from './spans.ts'

export interface TracingOptions {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly addressOf: (upstream: string) => Address | undefined
  readonly collect: () => Promise<readonly Collected[]>
  readonly log: { warn(facts: object, message: string): void }
}

/** Of what was not sampled, no more than so many exchanges a second are recorded: failures come in floods. */
const mostAfterwards = 20

/** Exchanges that end while the exporter is being loaded wait for it, up to so many. */
const mostWaiting = 1000

/** Decides which exchanges are recorded, and keeps an exporter while there is somebody to send to. */
export class Tracing implements AsyncDisposable {
  readonly spans = { recorded: 0, dropped: 0 }
  readonly exports: { readonly signal: string; readonly result: string; count: number }[] = []
  readonly #options: TracingOptions
  readonly #resource: Readonly<Record<string, string>>
  #rules: Pick<TraceSettings, 'failures' | 'slow'> = { failures: false }
  #targets: OtlpTargets = {}
  #madeFor = ''
  #otlp: Promise<Otlp> | undefined
  #loaded: Otlp | undefined
  #waiting: ExchangePassage[] = []
  #second = 0
  #afterwards = 0
  readonly #failing = new Set<string>()

  constructor(options: TracingOptions) {
    this.#options = options
    this.#resource = {
      ...resourceAttributes(options.environment),
      'service.version': version(),
      'service.instance.id': crypto.randomUUID(),
    }
  }

  /** Whether there is somebody to send spans to. */
  get isSending(): boolean {
    return this.#targets.traces !== undefined
  }

  apply({ traces, otlp }: Pick<TelemetrySettings, 'traces' | 'otlp'>): void {
    this.#rules = traces
    this.#targets = otlpTargets(otlp, this.#options.environment)
    const wanted = this.#wanted(otlp)
    if (wanted === this.#madeFor) return
    this.#madeFor = wanted
    void this.#close()
    const { traces: spans, metrics } = this.#targets
    if (spans !== undefined || metrics !== undefined) this.#open(otlp)
  }

  finish(passage: ExchangePassage): void {
    if (this.#otlp === undefined || !this.isSending) return
    if (!passage.isSampled && !this.#isWorthIt(passage)) return
    if (this.#loaded !== undefined) this.spans.recorded += this.#loaded.record(passage)
    else if (this.#waiting.length < mostWaiting) this.#waiting.push(passage)
    else this.spans.dropped += 1
  }

  async flush(): Promise<void> {
    await (await this.#otlp)?.flush()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close()
  }

  /** What a caller's trace has decided stands: it would be the only span of it. */
  #isWorthIt({ parent, record, answer, enteredAt, finishedAt }: ExchangePassage): boolean {
    if (parent !== undefined) return false
    const { failures, slow: slowMs = Infinity } = this.#rules
    const hasFailed = failures && faults.has(record?.result ?? answer?.code ?? '')
    if (!hasFailed && finishedAt - enteredAt < slowMs) return false
    const second = Math.floor(finishedAt / 1000)
    if (second !== this.#second) [this.#second, this.#afterwards] = [second, 0]
    this.#afterwards += 1
    if (this.#afterwards <= mostAfterwards) return true
    this.spans.dropped += 1
    return false
  }

  /** What an exporter is made from, as one text. */
  #wanted({ headers, every }: OtlpSettings): string {
    const shown = Object.entries(headers).map(([name, value]) => [name, value.reveal()])
    return JSON.stringify([this.#targets, shown, every])
  }

  #open(settings: OtlpSettings): void {
    const { addressOf, collect } = this.#options
    const making = import('./otlp.ts').then(
      ({ Otlp }) =>
        new Otlp({
          ...this.#targets,
          settings,
          resource: this.#resource,
          version: version(),
          addressOf,
          collect,
          onExport: (signal, failure) => this.#exported(signal, failure),
        }),
    )
    this.#otlp = making
    void making.then((made) => this.#ready(making, made))
  }

  #ready(making: Promise<Otlp>, made: Otlp): void {
    if (this.#otlp !== making) return
    this.#loaded = made
    const waiting = this.#waiting
    this.#waiting = []
    for (const passage of waiting) this.spans.recorded += made.record(passage)
  }

  async #close(): Promise<void> {
    const making = this.#otlp
    this.#otlp = undefined
    this.#loaded = undefined
    await (await making)?.[Symbol.asyncDispose]()
  }

  #exported(signal: string, failure: Error | undefined): void {
    const result = failure === undefined ? 'taken' : 'failed'
    const known = this.exports.find((one) => one.signal === signal && one.result === result)
    if (known === undefined) this.exports.push({ signal, result, count: 1 })
    else known.count += 1
    if (failure === undefined) this.#failing.delete(signal)
    else if (!this.#failing.has(signal)) this.#complain(signal, failure)
  }

  /** Once, until it has been well again. */
  #complain(signal: string, { message }: Error): void {
    this.#failing.add(signal)
    this.#options.log.warn(
      { signal, message },
      'The collector does not take what is sent over OTLP.',
    )
  }
}

/** The codes of failures that are not the caller's. */
const faults: ReadonlySet<string> = new Set(
  Object.entries(errorKinds).flatMap(([code, { fault }]) => (fault === 'client' ? [] : [code])),
)
