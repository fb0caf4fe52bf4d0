import type { Secret } from '#std/secret.ts'

/** What an operator may say of telemetry, as the config has it. Times are in milliseconds. */
export interface TelemetrySettings {
  readonly metrics: MetricSettings
  /** One line for every exchange. */
  readonly log: boolean
  readonly serverTiming: boolean
  readonly traces: TraceSettings
  readonly otlp: OtlpSettings
}

export interface MetricSettings {
  readonly enabled: boolean
  /** What whoever asks for them has to show. */
  readonly token?: Secret | undefined
  /** Which of the caller's own ids are labels too. */
  readonly labels: readonly ('project' | 'key')[]
  /** How many sets of labels there may be of each kind. */
  readonly maxSeries: number
}

export interface TraceSettings {
  /** The share of traces that are recorded, from 0 to 1. */
  readonly ratio: number
  /** Whether a caller's trace is gone on with. */
  readonly followCallers: boolean
  /** Whether upstreams are told of the trace. */
  readonly propagate: boolean
  /** Record what failed through no fault of its caller, whether sampled or not. */
  readonly failures: boolean
  /** Record what took longer, whether sampled or not. */
  readonly slow?: number | undefined
}

/** Where signals are sent over OTLP. */
export interface OtlpSettings {
  /** The collector, without the path of a signal. Where it is not said, the standard variables of the environment are. */
  readonly endpoint?: string | undefined
  readonly headers: Readonly<Record<string, Secret>>
  /** How often metrics are sent. */
  readonly every: number
}
