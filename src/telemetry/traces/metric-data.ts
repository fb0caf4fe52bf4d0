import { type HrTime, ValueType } from '@opentelemetry/api'
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
} from '@opentelemetry/sdk-metrics'

import type { Collected, Sample } from '#telemetry/metrics/family.ts'
import type { HistogramValue } from '#telemetry/metrics/histogram.ts'

/** Since when it was counted, and until when. */
export interface Period {
  readonly startTime: HrTime
  readonly endTime: HrTime
}

/** A metric as OpenTelemetry has it: always counted from the start of the process. */
export function metricDataOf(family: Collected, period: Period): MetricData {
  const common = {
    descriptor: {
      name: dotted(family),
      description: family.help,
      unit: family.unit,
      valueType: ValueType.DOUBLE,
    },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  }
  const { samples } = family
  if (family.type === 'histogram')
    return {
      ...common,
      dataPointType: DataPointType.HISTOGRAM,
      dataPoints: samples.flatMap((sample) => distribution(sample, period)),
    }
  const dataPoints = samples.flatMap((sample) => point(sample, period))
  return family.type === 'counter'
    ? { ...common, dataPointType: DataPointType.SUM, dataPoints, isMonotonic: true }
    : { ...common, dataPointType: DataPointType.GAUGE, dataPoints }
}

/** Prometheus says the unit in the name; a backend that takes both puts it back there. */
function dotted({ name }: Collected): string {
  if (name.includes('.')) return name
  return name
    .replace(/_total$/, '')
    .replace(/_(?:seconds|bytes)$/, '')
    .replace('_', '.')
}

function point({ labels, value }: Sample, period: Period): DataPoint<number>[] {
  return typeof value === 'number' ? [{ ...period, attributes: labels, value }] : []
}

function distribution({ labels, value }: Sample, period: Period): DataPoint<Histogram>[] {
  if (typeof value === 'number') return []
  return [{ ...period, attributes: labels, value: histogramOf(value) }]
}

function histogramOf({ bounds, counts, sum, count }: HistogramValue): Histogram {
  return { buckets: { boundaries: [...bounds], counts: [...counts] }, sum, count }
}
