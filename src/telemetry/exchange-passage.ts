import type { Answered, ExchangeRecord, Passage } from '#chat/passage.ts'
import {
  cleanTraceState,
  isSampled,
  parseTraceParent,
  type TraceParent,
  traceParentText,
} from '#telemetry/traces/trace-parent.ts'

/** By what a passage goes, as the config has it now. */
export interface PassageRules {
  /** What a trace id has to reach to be sampled: `samplingThreshold`. */
  readonly threshold: string
  /** Whether there is somebody to send spans to. */
  readonly isRecording: boolean
  /** Whether a caller's trace is gone on with. */
  readonly followsCallers: boolean
  /** Whether upstreams are told of the trace. */
  readonly propagates: boolean
  readonly tellsTiming: boolean
}

/** Told once of every passage, when the answer has gone out and the account, if there is one, is closed. */
export type Finish = (passage: ExchangePassage) => void

const noHeaders: Readonly<Record<string, string>> = {}

/**
 * One request on its way. It notes times and puts nothing together: spans and lines are made of it afterwards, if at
 * all. The request's own id serves as trace id, and as what the ids of its spans are cut from, so nothing is rolled.
 */
export class ExchangePassage implements Passage {
  /** The request id, `req_` and 32 hexadecimal digits. */
  readonly id: string
  readonly enteredAt: number
  readonly parent: TraceParent | undefined
  readonly isSampled: boolean
  record: ExchangeRecord | undefined
  answer: Answered | undefined
  finishedAt = 0
  /** What the gateway took up to the head of the answer; unknown before it, and of what is no exchange. */
  overheadMs: number | undefined
  readonly #rules: PassageRules
  readonly #state: string | undefined
  readonly #finish: Finish
  #attempt = 0
  #receivedMs = 0
  #queuedMs = 0
  #askedAt: number | undefined
  #hasSent = false
  #heardAt: number | undefined

  constructor(id: string, headers: Headers, { rules, finish }: Surroundings) {
    this.id = id
    this.enteredAt = performance.now()
    this.#rules = rules
    this.#finish = finish
    const given = rules.followsCallers ? parseTraceParent(headers.get('traceparent')) : undefined
    this.parent = given
    this.#state = given && cleanTraceState(headers.get('tracestate'))
    this.isSampled = given?.isSampled ?? isSampled(this.traceId, rules.threshold)
  }

  get traceId(): string {
    return this.parent?.traceId ?? this.id.slice(4)
  }

  /** The span of the whole exchange. */
  get spanId(): string {
    return this.id.slice(4, 20)
  }

  /** The span of an attempt, the first being 1. */
  attemptSpanId(attempt: number): string {
    return this.id.slice(20, 34) + (attempt & 0x7f).toString(16).padStart(2, '0')
  }

  /** The span of the engine's work on an attempt. */
  engineSpanId(attempt: number): string {
    return this.id.slice(20, 34) + (0x80 | (attempt & 0x7f)).toString(16)
  }

  received(ms: number): void {
    this.#receivedMs += ms
  }

  begins(attempt: number): void {
    this.#attempt = attempt
    this.#askedAt ??= performance.now()
  }

  sends(): Readonly<Record<string, string>> {
    if (!this.#hasSent) {
      this.#hasSent = true
      // What was done until now, such as translating the request, was the gateway's own work.
      if (this.#attempt <= 1) this.#askedAt = performance.now()
    }
    if (!this.#rules.propagates) return noHeaders
    const { traceId, isSampled, parent } = this
    // Where no span of ours will ever be seen, the caller's is the nearest one that there is.
    const spanId =
      parent !== undefined && !this.#rules.isRecording
        ? parent.spanId
        : this.attemptSpanId(Math.max(1, this.#attempt))
    const traceparent = traceParentText({ traceId, spanId, isSampled })
    return this.#state === undefined ? { traceparent } : { traceparent, tracestate: this.#state }
  }

  heard(queuedMs = 0): void {
    this.#heardAt = performance.now()
    this.#queuedMs = queuedMs
  }

  onExchange(record: ExchangeRecord): void {
    this.record = record
    if (this.#askedAt !== undefined) this.#heardAt = performance.now()
    if (this.answer !== undefined) this.#end()
  }

  timing(): string | undefined {
    const now = performance.now()
    const waitedMs = this.#askedAt === undefined ? 0 : (this.#heardAt ?? now) - this.#askedAt
    const upstreamMs = Math.max(0, waitedMs - this.#queuedMs)
    const totalMs = now - this.enteredAt
    const overheadMs = Math.max(0, totalMs - waitedMs - this.#receivedMs)
    this.overheadMs = overheadMs
    if (!this.#rules.tellsTiming) return undefined
    const own = `parley;dur=${rounded(overheadMs)}`
    if (this.#askedAt === undefined) return own
    return `${own}, queue;dur=${rounded(this.#queuedMs)}, upstream;dur=${rounded(upstreamMs)}`
  }

  answered(answer: Answered): void {
    this.answer = answer
    if (!answer.isStream || this.record !== undefined) this.#end()
  }

  #end(): void {
    this.finishedAt = performance.now()
    this.#finish(this)
  }
}

export interface Surroundings {
  readonly rules: PassageRules
  readonly finish: Finish
}

/** To a hundredth of a millisecond. */
function rounded(ms: number): number {
  return Math.round(ms * 100) / 100
}
