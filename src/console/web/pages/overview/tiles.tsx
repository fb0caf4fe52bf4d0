import { moneyText, shortNumber, tookText } from '#console/web/parts/amounts.tsx'
import { StatTile } from '#console/web/parts/stat-tile.tsx'

import { medianOf, sumsOf } from './points.ts'
import type { View } from './view.ts'

/** The figures of a span. */
export function Tiles({ view, inFlight }: { readonly view: View; readonly inFlight?: number }) {
  const { points, within } = view
  const { exchanges, failed, input, output, cost } = sumsOf(points)
  const firstByteMs = medianOf(points.map((point) => point.firstByteMs))
  const share = exchanges === 0 ? 0 : (100 * failed) / exchanges
  return (
    <div className="tiles">
      <StatTile title="Requests" value={exchanges.toLocaleString('en-US')} note={within} />
      <StatTile
        title="Failed"
        value={failed.toLocaleString('en-US')}
        note={exchanges === 0 ? 'nothing was asked' : `${share.toFixed(share < 10 ? 1 : 0)} %`}
      />
      <StatTile
        title="Tokens"
        value={shortNumber(input + output)}
        note={`${shortNumber(input)} in, ${shortNumber(output)} out`}
      />
      <StatTile title="Cost" value={moneyText(cost)} note={within} />
      {firstByteMs !== null && (
        <StatTile title="First byte" value={tookText(firstByteMs)} note={view.latency} />
      )}
      {inFlight !== undefined && (
        <StatTile
          title="In flight"
          value={inFlight.toLocaleString('en-US')}
          note="at this moment"
        />
      )}
    </div>
  )
}
