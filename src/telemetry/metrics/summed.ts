import type { Labels, Sample } from './family.ts'
import { type Histogram, type HistogramValue, merged } from './histogram.ts'

/** The sums of a number over all that have the same labels. */
export function summed<Item>(
  items: Iterable<Item>,
  labelsOf: (item: Item) => Labels,
  valueOf: (item: Item) => number,
): Sample[] {
  const sums = new Map<string, { labels: Labels; value: number }>()
  for (const item of items) {
    const labels = labelsOf(item)
    const name = nameOf(labels)
    const sum = sums.get(name)
    if (sum === undefined) sums.set(name, { labels, value: valueOf(item) })
    else sum.value += valueOf(item)
  }
  return [...sums.values()]
}

/** The same for histograms. Those that have counted nothing are left out. */
export function joined<Item>(
  items: Iterable<Item>,
  labelsOf: (item: Item) => Labels,
  histogramOf: (item: Item) => Histogram,
): Sample[] {
  const sums = new Map<string, { labels: Labels; value: HistogramValue }>()
  for (const item of items) {
    const { value } = histogramOf(item)
    if (value.count === 0) continue
    const labels = labelsOf(item)
    const name = nameOf(labels)
    const sum = sums.get(name)
    if (sum === undefined) sums.set(name, { labels, value })
    else sum.value = merged(sum.value, value)
  }
  return [...sums.values()]
}

function nameOf(labels: Labels): string {
  return Object.values(labels).join('\0')
}
