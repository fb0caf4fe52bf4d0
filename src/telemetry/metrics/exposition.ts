import type { Metric } from 'prom-client'

import type { Collected, Labels, Sample } from './family.ts'
import type { HistogramValue } from './histogram.ts'

/** Metrics as text, and what kind of text it is. */
export interface Exposition {
  readonly contentType: string
  readonly text: string
}

/**
 * What Prometheus is told when it asks. The library that writes it is loaded when somebody asks for the first time, and
 * writes from what is counted here: counting with it would cost an exchange more than all else that is measured of it.
 */
export async function expositionOf(families: readonly Collected[]): Promise<Exposition> {
  const { Registry } = await import('prom-client')
  const registry = new Registry()
  for (const family of families) registry.registerMetric(metricOf(family))
  return { contentType: registry.contentType, text: await registry.metrics() }
}

/** The one cast: what the registry asks of a metric is less than its type says, a name and to be got. */
function metricOf({ name, help, type, samples }: Collected): Metric {
  const values = samples.flatMap((one) => valuesOf(name, one))
  const metric = { name, get: () => Promise.resolve({ name, help, type, values }) }
  return metric as unknown as Metric
}

interface Value {
  readonly labels: Labels
  readonly value: number
  readonly metricName?: string
}

function valuesOf(name: string, { labels, value }: Sample): readonly Value[] {
  return typeof value === 'number' ? [{ labels, value }] : bucketsOf(name, labels, value)
}

/** Prometheus counts in each bucket all that is below its bound. */
function bucketsOf(
  name: string,
  labels: Labels,
  { bounds, counts, sum, count }: HistogramValue,
): readonly Value[] {
  let below = 0
  const buckets = [...bounds, Infinity].map((bound, index) => {
    below += counts[index] ?? 0
    const le = bound === Infinity ? '+Inf' : String(bound)
    return { labels: { ...labels, le }, value: below, metricName: `${name}_bucket` }
  })
  return [
    ...buckets,
    { labels, value: sum, metricName: `${name}_sum` },
    { labels, value: count, metricName: `${name}_count` },
  ]
}
