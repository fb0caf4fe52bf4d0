import { expect, test } from 'bun:test'

import fc from 'fast-check'
import { Histogram as Judge, Registry } from 'prom-client'

import { expositionOf } from './exposition.ts'
import { Histogram, merged, tokenCounts } from './histogram.ts'

const family = {
  name: 'h',
  type: 'histogram',
  unit: 's',
  help: 'A histogram.',
  labels: ['of'],
} as const

test('a histogram is told as the library that counts by itself tells it', async () => {
  const values = fc.array(fc.oneof(fc.nat(100), fc.constantFrom(...tokenCounts)), { minLength: 1 })
  await fc.assert(
    fc.asyncProperty(values, async (observed) => {
      const ours = new Histogram(tokenCounts)
      const registry = new Registry()
      const judge = new Judge({
        name: 'h',
        help: 'A histogram.',
        labelNames: ['of'],
        buckets: [...tokenCounts],
        registers: [registry],
      })
      for (const value of observed) {
        ours.observe(value)
        judge.observe({ of: 'a"\n\\b' }, value)
      }
      const samples = [{ labels: { of: 'a"\n\\b' }, value: ours.value }]
      const { text } = await expositionOf([{ ...family, samples }])
      // The library writes the bound before the other labels.
      expect(sorted(text)).toEqual(sorted(await registry.metrics()))
    }),
    { numRuns: 30 },
  )
})

test('two histograms make the one that had counted all', () => {
  const [one, other, both] = [0, 1, 2].map(() => new Histogram(tokenCounts))
  for (const [at, value] of [1, 5, 70, 70, 1e9].entries()) {
    ;(at % 2 === 0 ? one : other)?.observe(value)
    both?.observe(value)
  }
  if (one === undefined || other === undefined) throw new Error('There are three.')
  expect(merged(one.value, other.value)).toEqual(both?.value as never)
})

function sorted(text: string): string[] {
  return text.split('\n').map((line) =>
    line.replace(/\{(.*)\} /, (_, labels: string) => {
      const pairs = labels.match(/\w+="(?:[^"\\]|\\.)*"/g) ?? []
      return `{${pairs.toSorted().join(',')}} `
    }),
  )
}
