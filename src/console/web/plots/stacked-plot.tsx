import { Text } from '@radix-ui/themes'
import { type ReactNode, useState } from 'react'

import { type Column, DataTable } from '#console/web/parts/data-table.tsx'
import { useAppearance } from '#console/web/shell/theme-choice.ts'

import { PlotFrame } from './plot-frame.tsx'
import { bandColor, type Stack } from './stack.ts'
import { useStackCanvas } from './use-stack-canvas.ts'

export interface StackedPlotProps {
  /** What is shown, also for whoever does not see it. */
  readonly title: string
  readonly stack: Stack
  /** A value as text, with its unit. */
  readonly format: (value: number) => string
  /** The beginning of an hour or a day as text. */
  readonly timeText: (time: number) => string
  /** Of what is counted there is no half. */
  readonly isWhole?: boolean
  readonly height?: number
}

/** Bars over time, each made of bands, and the same as a table. What the pointer is on is told below. */
export function StackedPlot(props: StackedPlotProps) {
  const { title, stack } = props
  const [pointed, setPointed] = useState<number>()
  return (
    <PlotFrame title={title}>
      {(isTable) =>
        isTable ? (
          <StackTable {...props} />
        ) : (
          <>
            <Bars {...props} onPoint={setPointed} />
            <Legend {...props} pointed={stack.times[pointed ?? -1] && pointed} />
          </>
        )
      }
    </PlotFrame>
  )
}

function Bars({
  title,
  stack,
  format,
  isWhole = false,
  height = 220,
  onPoint,
}: StackedPlotProps & { readonly onPoint: (at: number | undefined) => void }) {
  const appearance = useAppearance()
  const frame = useStackCanvas({ stack, format, isWhole, height, appearance, onPoint })
  return <div ref={frame} className="plot-frame" role="img" aria-label={`${title}, as bars`} />
}

/** The bands with their sums, or with what each is at the time that is pointed at. */
function Legend({
  stack,
  format,
  timeText,
  pointed,
}: StackedPlotProps & { readonly pointed: number | undefined }) {
  const time = pointed === undefined ? undefined : stack.times[pointed]
  return (
    <div className="stack-legend">
      <Text as="div" size="1" color="gray">
        {time === undefined ? 'In all' : timeText(time)}
      </Text>
      <ul>
        {stack.bands.map((band, at) => (
          <li key={band.id} className={`band band-${bandColor(band, at)}`}>
            <span className="stack-name">{band.name}</span>{' '}
            <span className="number">
              {format(pointed === undefined ? band.total : (band.values[pointed] ?? 0))}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function StackTable({ title, stack, format, timeText }: StackedPlotProps): ReactNode {
  const rows = stack.times.map((time, at) => ({ time, at })).toReversed()
  const columns: Column<(typeof rows)[number]>[] = [
    { id: 'time', title: 'Time', cell: ({ time }) => timeText(time) },
    ...stack.bands.map(({ id, name, values }) => ({
      id: `band ${id}`,
      title: name,
      isNumber: true,
      cell: ({ at }: { readonly at: number }) => format(values[at] ?? 0),
    })),
  ]
  return (
    <div className="stack-table">
      <DataTable caption={title} columns={columns} rows={rows} idOf={({ time }) => String(time)} />
    </div>
  )
}
