import { type RefObject, useEffect, useRef } from 'react'
import Plot from 'uplot'

import { colorOf, type PlotData } from './series.ts'

export interface CanvasOptions {
  readonly data: PlotData
  readonly format: (value: number) => string
  readonly height: number
  /** The least that the scale reaches to, where all values are small. */
  readonly leastTop?: number | undefined
  /** Drawn anew when it changes: a canvas does not follow the theme by itself. */
  readonly appearance: 'light' | 'dark'
}

/** Draws lines into an element, as wide as the element is. New data is drawn into the same canvas. */
export function useCanvas(options: CanvasOptions): RefObject<HTMLDivElement | null> {
  const { data, height, appearance } = options
  const frame = useRef<HTMLDivElement>(null)
  const plot = useRef<Plot | undefined>(undefined)
  const latest = useRef(options)
  latest.current = options
  const shape = data.series.map(({ label, color }) => `${label}:${color}`).join('|')
  useEffect(() => {
    const element = frame.current
    if (element === null) return
    const drawn = new Plot(settings(latest, element), columnsOf(latest.current.data), element)
    plot.current = drawn
    const watcher = new ResizeObserver(() => {
      if (element.clientWidth > 0) drawn.setSize({ width: element.clientWidth, height })
    })
    watcher.observe(element)
    return () => {
      watcher.disconnect()
      drawn.destroy()
      plot.current = undefined
    }
  }, [appearance, height, shape])
  useEffect(() => {
    plot.current?.setData(columnsOf(data))
  }, [data])
  return frame
}

function columnsOf({ times, series }: PlotData): Plot.AlignedData {
  return [times.map((at) => at / 1000), ...series.map(({ values }) => [...values])]
}

function settings(latest: RefObject<CanvasOptions>, element: HTMLElement): Plot.Options {
  const { data, height, leastTop = 1 } = latest.current
  const axis = axisOf(element)
  const format = (value: number): string => latest.current.format(value)
  return {
    width: Math.max(element.clientWidth, leastWidth),
    height,
    legend: { show: false },
    cursor: { y: false, points: { size: 6 } },
    padding: [10, 18, 0, 0],
    scales: { y: { range: (_, __, most) => [0, Math.max(most * 1.1, leastTop)] } },
    axes: [
      { ...axis, size: 28, values: (_, ticks) => ticks.map((tick) => tickText(tick, ticks)) },
      { ...axis, size: widthOf, values: (_, ticks) => ticks.map((tick) => format(tick)) },
    ],
    series: [
      {},
      ...data.series.map(({ label, color = 'accent', isArea = false, isSparse = false }) => {
        const stroke = colorOf(color, element)
        return {
          label,
          stroke,
          width: 1.5,
          points: { show: isSparse, size: 4, fill: stroke },
          spanGaps: isSparse,
          ...(isArea && { fill: `color-mix(in srgb, ${stroke} 14%, transparent)` }),
        }
      }),
    ],
  }
}

const leastWidth = 120

const timeOfDay = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const dayOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const daySeconds = 86_400

/** The time of day, or the date where ticks are days apart or a day begins. Ticks are in seconds. */
function tickText(tick: number, [first = 0, second = first]: readonly number[]): string {
  const at = new Date(tick * 1000)
  const isMidnight = at.getHours() === 0 && at.getMinutes() === 0 && at.getSeconds() === 0
  const isOfDays = second - first >= daySeconds || isMidnight
  return (isOfDays ? dayOfYear : timeOfDay).format(at)
}

const characterWidth = 6.5
const axisPadding = 14

/** As wide as its longest label. */
function widthOf(_: Plot, labels: readonly string[] | null): number {
  const longest = Math.max(4, ...(labels ?? []).map((label) => label.length))
  return Math.ceil(longest * characterWidth + axisPadding)
}

function axisOf(element: HTMLElement): Plot.Axis {
  const style = getComputedStyle(element)
  const line = style.getPropertyValue('--gray-a4').trim()
  return {
    stroke: style.getPropertyValue('--gray-11').trim(),
    font: `11px ${style.fontFamily}`,
    grid: { stroke: line, width: 1 },
    ticks: { show: false },
  }
}
