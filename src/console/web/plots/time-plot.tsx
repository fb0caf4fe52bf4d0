import { useAppearance } from '#console/web/shell/theme-choice.ts'

import { PlotFrame } from './plot-frame.tsx'
import { PlotTable } from './plot-table.tsx'
import type { PlotData } from './series.ts'
import { useCanvas } from './use-canvas.ts'

export interface TimePlotProps {
  /** What is shown, also for whoever does not see it. */
  readonly title: string
  readonly data: PlotData
  /** A value as text, with its unit, on the axis and in the table. */
  readonly format: (value: number) => string
  readonly height?: number
  /** The least that the scale reaches to, where all values are small. */
  readonly leastTop?: number
}

/** Lines over time, and the same as a table for whoever wants figures or cannot see lines. */
export function TimePlot(props: TimePlotProps) {
  const { title, data, format } = props
  return (
    <PlotFrame title={title}>
      {(isTable) => (
        <>
          {isTable ? <PlotTable title={title} data={data} format={format} /> : <Lines {...props} />}
          {data.series.length > 1 && <Legend data={data} />}
        </>
      )}
    </PlotFrame>
  )
}

function Lines({ title, data, format, height = 160, leastTop }: TimePlotProps) {
  const appearance = useAppearance()
  const frame = useCanvas({ data, format, height, leastTop, appearance })
  return <div ref={frame} className="plot-frame" role="img" aria-label={`${title}, as lines`} />
}

function Legend({ data }: { readonly data: PlotData }) {
  return (
    <ul className="plot-legend">
      {data.series.map(({ label, color = 'accent' }) => (
        <li key={label} className={`plot-key plot-key-${color}`}>
          {label}
        </li>
      ))}
    </ul>
  )
}
