import { type RefObject, useEffect, useRef } from 'react'
import Plot from 'uplot'

import { bandColor, type Stack, upperEdges } from './stack.ts'

export interface StackCanvasOptions {
  readonly stack: Stack
  readonly format: (value: number) => string
  /** Of what is counted there is no half. */
  readonly isWhole: boolean
  readonly height: number
  /** Drawn anew when it changes: a canvas does not follow the theme by itself. */
  readonly appearance: 'light' | 'dark'
  /** Told which time the pointer is at; undefined when it leaves. */
  readonly onPoint: (at: number | undefined) => void
}

/** Draws a stack of bars into an element, as wide as the element is. */
export function useStackCanvas(options: StackCanvasOptions): RefObject<HTMLDivElement | null> {
  const { stack, isWhole, height, appearance } = options
  const frame = useRef<HTMLDivElement>(null)
  const latest = useRef(options)
  latest.current = options
  useEffect(() => {
    const element = frame.current
    if (element === null) return
    const plot = new Plot(settings(latest, element), columnsOf(stack), element)
    const watcher = new ResizeObserver(() => {
      if (element.clientWidth > 0) plot.setSize({ width: element.clientWidth, height })
    })
    watcher.observe(element)
    return () => {
      watcher.disconnect()
      plot.destroy()
      latest.current.onPoint(undefined)
    }
  }, [appearance, height, isWhole, stack])
  return frame
}

/** The highest edge first, so that those below are drawn over it. */
function columnsOf(stack: Stack): Plot.AlignedData {
  const edges = upperEdges(stack).toReversed()
  return [stack.times.map((time) => time / 1000), ...edges.map((edge) => [...edge])]
}

function settings(latest: RefObject<StackCanvasOptions>, element: HTMLElement): Plot.Options {
  const { stack, isWhole, height } = latest.current
  const style = getComputedStyle(element)
  const colorIn = (variable: string): string => style.getPropertyValue(variable).trim()
  const step = ((stack.times[1] ?? 0) - (stack.times[0] ?? 0)) / 1000 || daySeconds
  const bars = Plot.paths.bars?.({ size: [0.82, 48], radius: 0 })
  const axis: Plot.Axis = {
    stroke: colorIn('--gray-11'),
    font: `11px ${style.fontFamily}`,
    grid: { stroke: colorIn('--gray-a4'), width: 1 },
    ticks: { show: false },
  }
  const format = (value: number): string => latest.current.format(value)
  return {
    width: Math.max(element.clientWidth, leastWidth),
    height,
    // The ledger counts days and hours in UTC.
    tzDate: (seconds) => Plot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    padding: [10, 10, 0, 0],
    scales: {
      x: { range: (_, least, most) => [least - step * 0.6, most + step * 0.6] },
      y: { range: (_, __, most) => [0, most > 0 ? most * 1.08 : 1] },
    },
    axes: [
      { ...axis, size: 40, grid: { show: false }, incrs: tickSteps, values: tickText },
      {
        ...axis,
        size: 64,
        ...(isWhole && { incrs: wholeSteps }),
        values: (_, ticks) => ticks.map(format),
      },
    ],
    series: [
      {},
      ...stack.bands
        .map((band, at) => {
          const fill = colorIn(`--band-${bandColor(band, at)}`)
          return {
            label: band.name,
            fill,
            stroke: fill,
            width: 0,
            points: { show: false },
            ...(bars && { paths: bars }),
          }
        })
        .toReversed(),
    ],
    hooks: { setCursor: [({ cursor }) => latest.current.onPoint(cursor.idx ?? undefined)] },
  }
}

const leastWidth = 120
const daySeconds = 86_400

/** 1, 2, 5, 10 and so on. */
const wholeSteps = Array.from({ length: 15 }, (_, power) =>
  [1, 2, 5].map((times) => times * 10 ** power),
).flat()

/** Ticks stand on whole hours and days. */
const tickSteps = [1, 2, 3, 6, 12, 24, 48, 24 * 7, 24 * 14, 24 * 28].map((hours) => hours * 3600)

const dayName = new Intl.DateTimeFormat('en-GB', {
  day: '2-digit',
  month: 'short',
  timeZone: 'UTC',
})
const hourName = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
})

function tickText(_: Plot, ticks: number[]): string[] {
  return ticks.map((tick, at) => {
    const time = tick * 1000
    const before = ticks[at - 1]
    const day = dayName.format(time)
    if (tick % daySeconds === 0) return day
    const hour = hourName.format(time)
    return before === undefined ? `${hour}\n${day}` : hour
  })
}
