import { useMemo } from 'react'

import { moneyText, shortNumber, tookText } from '#console/web/parts/amounts.tsx'
import type { PlotData, Series } from '#console/web/plots/series.ts'
import { TimePlot } from '#console/web/plots/time-plot.tsx'

import type { Point } from './points.ts'
import type { View } from './view.ts'

/** The same over time. */
export function Plots({ view }: { readonly view: View }) {
  const { factor, per, isEndOpen } = view
  const data = useMemo(
    () => dataOf(isEndOpen ? view.points.slice(0, -1) : view.points, factor),
    [view.points, isEndOpen, factor],
  )
  const hasLatency = view.points.some(({ totalMs }) => totalMs !== null)
  return (
    <div className="plots">
      <TimePlot title={`Requests ${per}`} data={data.requests} format={shortNumber} leastTop={4} />
      <TimePlot title={`Tokens ${per}`} data={data.tokens} format={shortNumber} leastTop={100} />
      <TimePlot title={`Cost ${per}`} data={data.cost} format={moneyText} leastTop={10_000} />
      {hasLatency && (
        <TimePlot title={`Latency, ${view.latency}`} data={data.latency} format={tookText} />
      )}
    </div>
  )
}

function dataOf(points: readonly Point[], factor: number) {
  const times = points.map(({ at }) => at)
  const of = (pick: (point: Point) => number): number[] => points.map((one) => pick(one) * factor)
  const plot = (...series: Series[]): PlotData => ({ times, series })
  return {
    requests: plot(
      { label: 'All', values: of(({ exchanges }) => exchanges), isArea: true },
      { label: 'Failed', values: of(({ failed }) => failed), color: 'red' },
    ),
    tokens: plot(
      { label: 'Output', values: of(({ output }) => output), isArea: true },
      { label: 'Input', values: of(({ input }) => input), color: 'gray' },
    ),
    cost: plot({ label: 'Cost', values: of(({ cost }) => cost), isArea: true }),
    latency: plot(
      { label: 'First byte', values: points.map(({ firstByteMs }) => firstByteMs), isSparse: true },
      {
        label: 'Whole answer',
        values: points.map(({ totalMs }) => totalMs),
        color: 'gray',
        isSparse: true,
      },
    ),
  }
}
