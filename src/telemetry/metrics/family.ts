import type { HistogramValue } from './histogram.ts'

export type Labels = Readonly<Record<string, string>>

/** One line of a family: its labels, and what was counted or measured. */
export interface Sample {
  readonly labels: Labels
  readonly value: number | HistogramValue
}

/** A metric by its name, as Prometheus and OpenTelemetry both know it. */
export interface Family {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  /** As OpenTelemetry writes units: `s`, `By`, `{token}`. */
  readonly unit: string
  readonly help: string
  /** Those that its samples may have. */
  readonly labels: readonly string[]
}

/** A family together with what it says now. */
export interface Collected extends Family {
  readonly samples: readonly Sample[]
}
