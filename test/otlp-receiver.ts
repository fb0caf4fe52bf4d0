import { until } from './until.ts'

/** A span as OTLP has it in JSON, its attributes as a plain object. */
export interface ReceivedSpan {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  /** Nanoseconds. */
  readonly start: bigint
  readonly end: bigint
  readonly attributes: Readonly<Record<string, unknown>>
  readonly status: number
  readonly resource: Readonly<Record<string, unknown>>
}

export interface ReceivedMetric {
  readonly name: string
  readonly unit: string
  /** `sum`, `gauge` or `histogram`. */
  readonly form: string
  readonly points: readonly {
    readonly attributes: Readonly<Record<string, unknown>>
    /** Of a number its value, of a histogram its count. */
    readonly value: number
    readonly sum: number | undefined
    readonly bounds: readonly number[]
  }[]
}

export interface OtlpReceiver extends AsyncDisposable {
  readonly url: string
  readonly spans: readonly ReceivedSpan[]
  /** Those of the last batch. */
  readonly metrics: readonly ReceivedMetric[]
  readonly headers: readonly Headers[]
  /** What it answers with from now on. */
  status: number
  /** Resolves with all spans when there are so many. */
  waitForSpans(count: number): Promise<readonly ReceivedSpan[]>
}

/** A collector: a real server that reads what comes over OTLP as the published schema says it in JSON. */
export function startOtlpReceiver(): OtlpReceiver {
  const spans: ReceivedSpan[] = []
  const headers: Headers[] = []
  let metrics: readonly ReceivedMetric[] = []
  let status = 200
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      headers.push(request.headers)
      const body = (await request.json()) as Json
      const { pathname } = new URL(request.url)
      if (status !== 200) return new Response('no', { status })
      if (pathname === '/v1/traces') spans.push(...spansIn(body))
      else if (pathname === '/v1/metrics') metrics = metricsIn(body)
      else return new Response('unknown path', { status: 404 })
      return Response.json({})
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    spans,
    headers,
    get metrics() {
      return metrics
    },
    get status() {
      return status
    },
    set status(value) {
      status = value
    },
    async waitForSpans(count) {
      await until(() => spans.length >= count)
      return spans
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}

// The test asserts on what is read of it.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

function spansIn(body: Json): ReceivedSpan[] {
  return body.resourceSpans.flatMap(({ resource, scopeSpans }: Json) =>
    scopeSpans.flatMap(({ spans }: Json) =>
      spans.map((span: Json) => ({
        name: span.name,
        kind: span.kind,
        traceId: span.traceId,
        spanId: span.spanId,
        parentSpanId: span.parentSpanId || undefined,
        start: BigInt(span.startTimeUnixNano),
        end: BigInt(span.endTimeUnixNano),
        attributes: plain(span.attributes),
        status: span.status?.code ?? 0,
        resource: plain(resource.attributes),
      })),
    ),
  )
}

function metricsIn(body: Json): ReceivedMetric[] {
  return body.resourceMetrics.flatMap(({ scopeMetrics }: Json) =>
    scopeMetrics.flatMap(({ metrics }: Json) => metrics.map(metricOf)),
  )
}

function metricOf(metric: Json): ReceivedMetric {
  const form = ['sum', 'gauge', 'histogram'].find((one) => one in metric) ?? 'unknown'
  return {
    name: metric.name,
    unit: metric.unit,
    form,
    points: (metric[form]?.dataPoints ?? []).map((point: Json) => ({
      attributes: plain(point.attributes),
      value: Number(point.asDouble ?? point.asInt ?? point.count),
      sum: point.sum,
      bounds: point.explicitBounds ?? [],
    })),
  }
}

function plain(attributes: Json = []): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }: Json) => [key, valueOf(value)]))
}

function valueOf(value: Json): unknown {
  if ('stringValue' in value) return value.stringValue
  if ('boolValue' in value) return value.boolValue
  if ('intValue' in value) return Number(value.intValue)
  if ('doubleValue' in value) return value.doubleValue
  if ('arrayValue' in value) return value.arrayValue.values.map(valueOf)
  return undefined
}
