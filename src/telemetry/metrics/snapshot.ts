import type { HistogramValue } from './histogram.ts'

/** How the parts of the gateway are at this moment, for whoever collects metrics. */
export interface Snapshot {
  readonly inFlight: number
  readonly streams: number
  readonly targets: readonly TargetNow[]
  readonly engine: EngineNow | undefined
  readonly ledger: LedgerNow
  /** Of the database's files, by what they are. Empty for one in memory. */
  readonly databaseBytes: Readonly<Record<string, number>>
  readonly process: ProcessNow
}

export interface TargetNow {
  readonly upstream: string
  readonly model: string
  readonly breaker: 'closed' | 'open' | 'half-open'
  readonly inFlight: number
  readonly latencyMs?: number
}

export interface EngineNow {
  readonly isRunning: boolean
  readonly losses: number
  readonly residentBytes: number | undefined
  readonly models: readonly {
    readonly name: string
    readonly facts?: { readonly sequences: number; readonly memoryBytes: number }
    readonly working: number
    readonly waiting: number
  }[]
}

export interface LedgerNow {
  /** What waits to be written. */
  readonly queue: number
  readonly isFailed: boolean
}

export interface ProcessNow {
  readonly residentBytes: number
  readonly cpuSeconds: number
  /** Unix seconds. */
  readonly startedAt: number
}

/** What telemetry knows of itself and measures by itself. */
export interface OwnFigures {
  readonly version: string
  readonly commits: HistogramValue
  readonly loopLag: HistogramValue
  readonly seriesDropped: number
  readonly spans: { readonly recorded: number; readonly dropped: number }
  readonly exports: readonly { readonly signal: string; readonly result: string; count: number }[]
}
