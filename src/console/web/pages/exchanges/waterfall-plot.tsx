import { tookText } from '#console/web/parts/amounts.tsx'

import { type Course, placeOf, type Stage, stagesOf, ticksOf } from './waterfall.ts'

/** How long each stage of an exchange took, drawn one below the other; the figures stand beside the bars. */
export function WaterfallPlot({ course }: { readonly course: Course }) {
  const { totalMs } = course
  return (
    <div className="waterfall">
      <ol className="waterfall-stages">
        {stagesOf(course).map((stage, at) => (
          <StageRow key={at} stage={stage} totalMs={totalMs} />
        ))}
      </ol>
      <div className="waterfall-scale" aria-hidden="true">
        {ticksOf(totalMs).map((tick) => (
          <span
            key={tick}
            style={{ left: `${Math.min((tick / Math.max(totalMs, 1)) * 100, 100)}%` }}
          >
            {tick === 0 ? '0' : tookText(tick)}
          </span>
        ))}
      </div>
    </div>
  )
}

function StageRow({ stage, totalMs }: { readonly stage: Stage; readonly totalMs: number }) {
  const { left, width } = placeOf(stage, totalMs)
  const { label, kind, result, startMs, tookMs } = stage
  return (
    <li>
      <span className="waterfall-label">
        {label}
        {result !== undefined && <em> {result}</em>}
      </span>
      <span className="waterfall-line" aria-hidden="true">
        <span
          className={`waterfall-bar waterfall-${kind}`}
          style={{ left: `${left}%`, width: `${width}%` }}
        />
      </span>
      <span className="waterfall-took number">
        {tookText(tookMs)}
        <span className="unseen"> from {tookText(startMs)} on</span>
      </span>
    </li>
  )
}
