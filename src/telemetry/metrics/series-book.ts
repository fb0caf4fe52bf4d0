import type { Answered, Attempt, ExchangeRecord } from '#chat/passage.ts'
import type { MetricSettings } from '#telemetry/settings.ts'

import { AttemptSeries, ExchangeSeries } from './exchange-series.ts'
import { Histogram, overheadSeconds } from './histogram.ts'
import { type Known, modelLabel, other, providerOf, targetLabel } from './known-names.ts'

type Limits = Pick<MetricSettings, 'labels' | 'maxSeries'>

/** What the answers of one endpoint with one status have come to. */
export interface RequestSeries {
  readonly labels: {
    readonly endpoint: string
    readonly protocol: string
    readonly status: string
    readonly code: string
  }
  requests: number
  readonly overhead: Histogram
}

/**
 * Counts exchanges, attempts and answers by their labels. What is counted is found by one look into a map, so that an
 * exchange costs little; what Prometheus and OpenTelemetry are told is worked out from it when they ask.
 */
export class SeriesBook {
  readonly exchanges = new Map<string, ExchangeSeries>()
  readonly attempts = new Map<string, AttemptSeries>()
  readonly requests = new Map<string, RequestSeries>()
  /** How often something was counted under `other` for want of room. */
  dropped = 0
  readonly #known: () => Known
  #options: Limits

  constructor(known: () => Known, options: Limits) {
    this.#known = known
    this.#options = options
  }

  /** Other rules from now on. What was counted stays. */
  apply(options: Limits): void {
    this.#options = options
  }

  countExchange(record: ExchangeRecord): void {
    this.#exchange(record).add(record)
    const { attempts } = record
    for (let index = 0; index < attempts.length; index++) this.#countAttempt(record, index)
  }

  countAnswer(answer: Answered, overheadMs: number | undefined): void {
    const { endpoint, protocol, code = 'ok' } = answer
    const name = `${endpoint} ${protocol} ${answer.status} ${code}`
    let series = this.requests.get(name)
    if (series === undefined) {
      const labels = { endpoint, protocol, status: String(answer.status), code }
      series = { labels, requests: 0, overhead: new Histogram(overheadSeconds) }
      this.requests.set(name, series)
    }
    series.requests += 1
    if (overheadMs !== undefined) series.overhead.observe(overheadMs / 1000)
  }

  #exchange(record: ExchangeRecord): ExchangeSeries {
    const { endpoint, protocol, result, stream } = record
    const model = modelLabel(this.#known(), record.model)
    const target = targetLabel(this.#known(), record.target)
    const { labels: own } = this.#options
    const project = own.includes('project') ? record.projectId : undefined
    const key = own.includes('key') ? record.keyId : undefined
    const kind = `${endpoint} ${protocol} ${stream ? 's' : 'r'} ${result}`
    const name = `${kind} ${target} ${model} ${project ?? ''} ${key ?? ''}`
    const known = this.exchanges.get(name)
    if (known !== undefined) return known
    const labels = { endpoint, protocol, stream, result }
    if (this.exchanges.size < this.#options.maxSeries) {
      const provider = providerOf(record.target)
      const made = new ExchangeSeries({ ...labels, model, target, provider, project, key })
      this.exchanges.set(name, made)
      return made
    }
    this.dropped += 1
    return this.#overflow(`${kind} ${other}`, {
      ...labels,
      ...(project !== undefined && { project: other }),
      ...(key !== undefined && { key: other }),
    })
  }

  /** One for each kind of exchange: how many there are of those is settled by the code. */
  #overflow(
    name: string,
    labels: Pick<ExchangeSeries['labels'], 'endpoint' | 'protocol' | 'stream' | 'result'>,
  ): ExchangeSeries {
    const known = this.exchanges.get(name)
    if (known !== undefined) return known
    const made = new ExchangeSeries({ ...labels, model: other, target: other, provider: other })
    this.exchanges.set(name, made)
    return made
  }

  #countAttempt(record: ExchangeRecord, index: number): void {
    const { attempts, endpoint, totalMs } = record
    const attempt = attempts[index]
    if (attempt === undefined) return
    const series = this.#attempt(endpoint, attempt)
    const hasAnswered = attempt.result === 'answered'
    series.attempts += 1
    // An answer takes until its end, which is that of the exchange.
    const tookMs = hasAnswered ? totalMs - attempt.startedMs : attempt.tookMs
    series.duration.observe(tookMs / 1000)
    const next = attempts[index + 1]
    if (next === undefined) return
    const isSame =
      next.model.upstream === attempt.model.upstream && next.model.model === attempt.model.model
    if (isSame) series.retries += 1
    else series.fallbacks += 1
  }

  #attempt(endpoint: string, { model, result }: Attempt): AttemptSeries {
    const target = targetLabel(this.#known(), model)
    const name = `${endpoint} ${result} ${target}`
    const known = this.attempts.get(name)
    if (known !== undefined) return known
    const hasRoom = this.attempts.size < this.#options.maxSeries
    if (!hasRoom) this.dropped += 1
    const whose = hasRoom ? target : other
    const kept = hasRoom ? name : `${endpoint} ${result} ${other}`
    const made =
      this.attempts.get(kept) ??
      new AttemptSeries({ endpoint, target: whose, provider: providerOf(model), result })
    this.attempts.set(kept, made)
    return made
  }
}
