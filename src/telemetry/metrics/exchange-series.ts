import type { ExchangeRecord } from '#chat/passage.ts'
import { totalInput } from '#chat/usage.ts'

import {
  firstTokenSeconds,
  Histogram,
  operationSeconds,
  tokenCounts,
  tokenSeconds,
} from './histogram.ts'

/** By what exchanges are told apart. No value of it is a caller's own words. */
export interface ExchangeLabels {
  readonly endpoint: string
  readonly protocol: string
  /** What was asked for, if it is configured or served; else `other`. */
  readonly model: string
  /** `upstream/model`, under the same rule; `none` if nobody was asked. */
  readonly target: string
  /** Whose model that is, by the names of the conventions. */
  readonly provider: string
  readonly stream: boolean
  readonly result: string
  /** Only where the config wants it. */
  readonly project?: string | undefined
  readonly key?: string | undefined
}

/** What the exchanges of one set of labels have come to. */
export class ExchangeSeries {
  readonly labels: ExchangeLabels
  exchanges = 0
  input = 0
  cacheRead = 0
  cacheWrite = 0
  output = 0
  reasoning = 0
  /** Micro-dollars. */
  cost = 0
  estimated = 0
  adapted = 0
  readonly duration = new Histogram(operationSeconds)
  readonly firstByte = new Histogram(firstTokenSeconds)
  readonly queue = new Histogram(firstTokenSeconds)
  readonly perToken = new Histogram(tokenSeconds)
  readonly inputTokens = new Histogram(tokenCounts)
  readonly outputTokens = new Histogram(tokenCounts)

  constructor(labels: ExchangeLabels) {
    this.labels = labels
  }

  add(record: ExchangeRecord): void {
    const { usage, queueMs, firstByteMs } = record
    this.exchanges += 1
    this.cost += record.cost
    if (record.counted === 'estimated') this.estimated += 1
    if (record.notes > 0) this.adapted += 1
    this.duration.observe(record.totalMs / 1000)
    if (firstByteMs !== undefined) this.firstByte.observe(firstByteMs / 1000)
    if (queueMs !== undefined) this.queue.observe(queueMs / 1000)
    if (record.counted === 'none') return
    this.input += usage.input ?? 0
    this.cacheRead += usage.cacheRead ?? 0
    this.cacheWrite += usage.cacheWrite ?? 0
    this.output += usage.output ?? 0
    this.reasoning += usage.reasoning ?? 0
    this.inputTokens.observe(totalInput(usage))
    if (usage.output !== undefined) this.outputTokens.observe(usage.output)
    this.#pace(record)
  }

  /** How fast a stream that ended well was, once it had begun. */
  #pace({ stream, result, firstByteMs, totalMs, usage: { output = 0 } }: ExchangeRecord): void {
    if (!stream || result !== 'complete' || firstByteMs === undefined || output < 2) return
    this.perToken.observe((totalMs - firstByteMs) / (output - 1) / 1000)
  }
}

/** What the askings of one target with one outcome have come to. */
export class AttemptSeries {
  readonly labels: AttemptLabels
  attempts = 0
  retries = 0
  fallbacks = 0
  readonly duration = new Histogram(operationSeconds)

  constructor(labels: AttemptLabels) {
    this.labels = labels
  }
}

export interface AttemptLabels {
  readonly endpoint: string
  readonly target: string
  readonly provider: string
  /** `answered`, or the code of the failure. */
  readonly result: string
}
