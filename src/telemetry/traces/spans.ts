import {
  type Attributes,
  type HrTime,
  type SpanContext,
  SpanKind,
  type SpanStatus,
  SpanStatusCode,
  TraceFlags,
} from '@opentelemetry/api'
import type { InstrumentationScope } from '@opentelemetry/core'
import type { Resource } from '@opentelemetry/resources'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'

import type { Attempt, ExchangeRecord } from '#chat/passage.ts'
import { totalInput } from '#chat/usage.ts'
import type { ExchangePassage } from '#telemetry/exchange-passage.ts'
import { providerOf } from '#telemetry/metrics/known-names.ts'

import { attribute, errorTypeOf, operationOf } from './gen-ai.ts'

/** What is the same of all spans of a gateway. */
export interface SpanSurroundings {
  readonly resource: Resource
  readonly scope: InstrumentationScope
  /** Where an upstream is, if it is somewhere else. */
  readonly addressOf: (upstream: string) => Address | undefined
}

export interface Address {
  readonly host: string
  readonly port: number
}

/** What a span says, in times of `performance.now`. */
interface Told {
  readonly name: string
  readonly kind: SpanKind
  readonly id: string
  readonly parentId: string | undefined
  readonly from: number
  readonly until: number
  readonly attributes: Attributes
  readonly status: SpanStatus
}

/**
 * The spans of an exchange that has ended: one of it all, one of each target that was asked, and below that of the
 * engine one of its work. Made of what was noted on the way, by ids that upstreams have been told.
 */
export function spansOf(
  passage: ExchangePassage,
  surroundings: SpanSurroundings,
): readonly ReadableSpan[] {
  const { record } = passage
  const attempts = record?.attempts ?? []
  return [
    exchangeSpan(passage),
    ...attempts.flatMap((attempt, index) =>
      record === undefined
        ? []
        : attemptSpans({ passage, record, attempt, number: index + 1 }, surroundings),
    ),
  ].map((told) => readable(told, passage, surroundings))
}

function exchangeSpan(passage: ExchangePassage): Told {
  const { answer, record, parent } = passage
  const route = routes[answer?.endpoint ?? ''] ?? ''
  const method = answer?.method ?? ''
  const failure = record === undefined ? answer?.code : errorTypeOf(record.result)
  return {
    name: `${method} ${route}`.trim(),
    kind: SpanKind.SERVER,
    id: passage.spanId,
    parentId: parent?.spanId,
    from: passage.enteredAt,
    until: passage.finishedAt,
    // A caller who asks for nonsense, or leaves, is no failure of the server.
    status: statusOf((answer?.status ?? 0) >= 500 ? failure : undefined),
    attributes: clean({
      [attribute.method]: method,
      [attribute.route]: route,
      [attribute.path]: route,
      [attribute.scheme]: 'http',
      [attribute.status]: answer?.status,
      [attribute.errorType]: failure,
      'parley.request.id': passage.id,
      'parley.result': record?.result ?? answer?.code,
      'parley.overhead_ms': passage.overheadMs,
      'parley.key.id': record?.keyId,
      'parley.project.id': record?.projectId,
      'parley.model': record?.model.slice(0, longestName),
      'parley.route.reason': record?.route,
      'parley.cost.microdollars': record?.cost,
      'parley.counted': record?.counted,
      'parley.notes': record?.notes,
    }),
  }
}

/** Callers choose some names. */
const longestName = 200

/** Where the endpoints are, as an API's description has them. */
const routes: Readonly<Record<string, string>> = {
  'chat-completions': '/v1/chat/completions',
  messages: '/v1/messages',
  embeddings: '/v1/embeddings',
  'count-tokens': '/v1/messages/count_tokens',
  models: '/v1/models',
  health: '/healthz',
}

interface Attempted {
  readonly passage: ExchangePassage
  readonly record: ExchangeRecord
  readonly attempt: Attempt
  readonly number: number
}

function attemptSpans(attempted: Attempted, surroundings: SpanSurroundings): readonly Told[] {
  const { passage, record, attempt, number } = attempted
  const hasAnswered = attempt.result === 'answered'
  const isEngine = attempt.model.protocol === 'engine'
  const from = record.openedAt + attempt.startedMs
  const until = hasAnswered ? record.openedAt + record.totalMs : from + attempt.tookMs
  const failure = hasAnswered ? errorTypeOf(record.result) : attempt.result
  const asked: Told = {
    name: `${operationOf(record.endpoint)} ${attempt.model.model.slice(0, longestName)}`,
    kind: isEngine ? SpanKind.INTERNAL : SpanKind.CLIENT,
    id: passage.attemptSpanId(number),
    parentId: passage.spanId,
    from,
    until,
    status: statusOf(failure),
    attributes: clean({
      ...requestAttributes(attempted, surroundings),
      ...(hasAnswered && answerAttributes(record)),
      [attribute.errorType]: failure,
      'parley.upstream': attempt.model.upstream,
      'parley.attempt': number,
    }),
  }
  if (!isEngine) return [asked]
  const queueMs = hasAnswered ? (record.queueMs ?? 0) : 0
  const work: Told = {
    ...asked,
    name: 'engine',
    kind: SpanKind.INTERNAL,
    id: passage.engineSpanId(number),
    parentId: asked.id,
    from: Math.min(until, from + queueMs),
    attributes: clean({
      [attribute.requestModel]: attempt.model.model,
      [attribute.outputTokens]: hasAnswered ? record.usage.output : undefined,
      'parley.engine.queue_ms': queueMs,
    }),
  }
  return [asked, work]
}

function requestAttributes(
  { record, attempt: { model } }: Attempted,
  { addressOf }: SpanSurroundings,
): Loose {
  const address = addressOf(model.upstream)
  return {
    [attribute.operation]: operationOf(record.endpoint),
    [attribute.provider]: providerOf(model),
    [attribute.requestModel]: model.model.slice(0, longestName),
    [attribute.requestStream]: record.endpoint === 'chat' ? record.stream : undefined,
    [attribute.maxTokens]: record.maxTokens,
    [attribute.choices]: record.choices === 1 ? undefined : record.choices,
    [attribute.serverAddress]: address?.host,
    [attribute.serverPort]: address?.port,
  }
}

function answerAttributes({ answer, usage, counted, stream, firstByteMs }: ExchangeRecord): Loose {
  const told = counted === 'none' ? {} : usage
  return {
    [attribute.responseModel]: answer.model?.slice(0, longestName),
    [attribute.responseId]: answer.id?.slice(0, longestName),
    [attribute.finishReasons]: answer.reason === undefined ? undefined : [answer.reason],
    [attribute.firstChunk]: stream && firstByteMs !== undefined ? firstByteMs / 1000 : undefined,
    // The conventions count what a cache read or wrote as input too.
    [attribute.inputTokens]: told.input === undefined ? undefined : totalInput(told),
    [attribute.outputTokens]: told.output,
    [attribute.cacheRead]: told.cacheRead,
    [attribute.cacheWrite]: told.cacheWrite,
    [attribute.reasoning]: told.reasoning,
  }
}

type Loose = Readonly<Record<string, Attributes[string] | undefined>>

function clean(loose: Loose): Attributes {
  return Object.fromEntries(Object.entries(loose).filter(([, value]) => value !== undefined))
}

function statusOf(failure: string | undefined): SpanStatus {
  return failure === undefined
    ? { code: SpanStatusCode.UNSET }
    : { code: SpanStatusCode.ERROR, message: failure }
}

function readable(
  told: Told,
  { traceId, parent }: ExchangePassage,
  { resource, scope }: SpanSurroundings,
): ReadableSpan {
  const context: SpanContext = { traceId, spanId: told.id, traceFlags: TraceFlags.SAMPLED }
  return {
    name: told.name,
    kind: told.kind,
    spanContext: () => context,
    ...(told.parentId !== undefined && {
      parentSpanContext: {
        traceId,
        spanId: told.parentId,
        traceFlags: TraceFlags.SAMPLED,
        isRemote: told.parentId === parent?.spanId,
      },
    }),
    startTime: hrTime(performance.timeOrigin + told.from),
    endTime: hrTime(performance.timeOrigin + told.until),
    duration: hrTime(Math.max(0, told.until - told.from)),
    status: told.status,
    attributes: told.attributes,
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationScope: scope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  }
}

function hrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000)
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)]
}
