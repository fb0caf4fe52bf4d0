import { type ExportResult, ExportResultCode } from '@opentelemetry/core'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  MeterProvider,
  type MetricProducer,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'

import type { ExchangePassage } from '#telemetry/exchange-passage.ts'
import type { Collected } from '#telemetry/metrics/family.ts'
import type { OtlpSettings } from '#telemetry/settings.ts'

import { metricDataOf } from './metric-data.ts'
import type { OtlpTargets } from './otlp-targets.ts'
import { type Address, spansOf, type SpanSurroundings } from './spans.ts'

export interface OtlpOptions extends OtlpTargets {
  readonly settings: OtlpSettings
  readonly resource: Readonly<Record<string, string>>
  readonly version: string
  readonly addressOf: (upstream: string) => Address | undefined
  readonly collect: () => Promise<readonly Collected[]>
  /** Told of every batch that was sent, and why it was not taken. */
  readonly onExport: (signal: 'traces' | 'metrics', failure: Error | undefined) => void
}

/** A collector that does not answer must not keep the gateway from stopping. */
const closeWithinMs = 3000

/**
 * Sends spans and metrics over OTLP. This file and what it imports is loaded only where there is somebody to send to:
 * it takes half a second and forty megabytes.
 */
export class Otlp implements AsyncDisposable {
  readonly #options: OtlpOptions
  readonly #surroundings: SpanSurroundings
  readonly #spans: BatchSpanProcessor | undefined
  readonly #meters: MeterProvider | undefined

  constructor(options: OtlpOptions) {
    this.#options = options
    const resource = resourceFromAttributes(options.resource)
    const scope = { name: 'parley', version: options.version }
    this.#surroundings = { resource, scope, addressOf: options.addressOf }
    this.#spans = options.traces === undefined ? undefined : this.#processor(options.traces)
    this.#meters =
      options.metrics === undefined ? undefined : this.#provider(options.metrics, resource)
  }

  /** Puts the spans of an exchange in line. Returns how many they are. */
  record(passage: ExchangePassage): number {
    if (this.#spans === undefined) return 0
    const spans = spansOf(passage, this.#surroundings)
    for (const span of spans) this.#spans.onEnd(span)
    return spans.length
  }

  /** Sends what waits. */
  async flush(): Promise<void> {
    await Promise.allSettled([this.#spans?.forceFlush(), this.#meters?.forceFlush()])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closing = Promise.allSettled([this.#spans?.shutdown(), this.#meters?.shutdown()])
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, closeWithinMs)
    await Promise.race([closing, late])
    clearTimeout(timer)
  }

  #processor(url: string): BatchSpanProcessor {
    const exporter = new OTLPTraceExporter({ url, ...this.#headers() })
    const told = this.#told('traces')
    return new BatchSpanProcessor({
      export: (spans, done) => exporter.export(spans, told(done)),
      forceFlush: () => exporter.forceFlush(),
      shutdown: () => exporter.shutdown(),
    })
  }

  #provider(url: string, resource: Resource): MeterProvider {
    const exporter = new OTLPMetricExporter({ url, ...this.#headers() })
    const told = this.#told('metrics')
    const { every: everyMs } = this.#options.settings
    const reader = new PeriodicExportingMetricReader({
      exporter: {
        export: (metrics, done) => exporter.export(metrics, told(done)),
        forceFlush: () => exporter.forceFlush(),
        shutdown: () => exporter.shutdown(),
      },
      exportIntervalMillis: everyMs,
      exportTimeoutMillis: Math.min(everyMs, longestExportMs),
      metricProducers: [this.#producer(resource)],
    })
    return new MeterProvider({ resource, readers: [reader] })
  }

  #producer(resource: Resource): MetricProducer {
    const { scope } = this.#surroundings
    const startTime = hrTimeOf(Date.now())
    return {
      collect: async () => {
        const period = { startTime, endTime: hrTimeOf(Date.now()) }
        const metrics = (await this.#options.collect()).map((one) => metricDataOf(one, period))
        return { resourceMetrics: { resource, scopeMetrics: [{ scope, metrics }] }, errors: [] }
      },
    }
  }

  /** What the environment says of headers the exporters read themselves. */
  #headers(): { readonly headers?: Record<string, string> } {
    const told = Object.entries(this.#options.settings.headers)
    if (told.length === 0) return {}
    return { headers: Object.fromEntries(told.map(([name, value]) => [name, value.reveal()])) }
  }

  #told(signal: 'traces' | 'metrics'): (done: Done) => Done {
    return (done) => (result) => {
      const isWell = result.code === ExportResultCode.SUCCESS
      this.#options.onExport(signal, isWell ? undefined : (result.error ?? new Error('refused')))
      done(result)
    }
  }
}

type Done = (result: ExportResult) => void

const longestExportMs = 10_000

function hrTimeOf(unixMs: number): [number, number] {
  return [Math.floor(unixMs / 1000), (unixMs % 1000) * 1e6]
}
