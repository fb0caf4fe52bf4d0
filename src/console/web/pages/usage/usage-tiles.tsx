import { moneyText, shortNumber } from '#console/web/parts/amounts.tsx'
import { StatTile } from '#console/web/parts/stat-tile.tsx'
import { TextLink } from '#console/web/parts/text-link.tsx'

import { measured, type UsageRow } from './usage-row.ts'

export interface UsageTilesProps {
  /** Rows that are everything together, however they are split. */
  readonly rows: readonly UsageRow[]
  /** Where the failures are listed. */
  readonly failuresLink: string
}

/** The sums of all that was used. */
export function UsageTiles({ rows, failuresLink }: UsageTilesProps) {
  const sum = (of: (row: UsageRow) => number): number =>
    rows.reduce((total, row) => total + of(row), 0)
  const exchanges = sum((row) => row.exchanges)
  const failed = sum((row) => row.failed)
  const input = sum((row) => measured(row, 'input'))
  const unpriced = sum((row) => row.unpriced)
  const estimated = sum((row) => row.estimated)
  return (
    <div className="stat-tiles">
      <StatTile
        title="Cost"
        value={moneyText(sum((row) => row.cost))}
        note={
          unpriced > 0 && (
            <TextLink to="/models">{shortNumber(unpriced)} requests without a price</TextLink>
          )
        }
      />
      <StatTile
        title="Requests"
        value={shortNumber(exchanges)}
        note={
          failed > 0 && (
            <TextLink to={failuresLink}>
              {shortNumber(failed)} failed ({shareText(failed, exchanges)})
            </TextLink>
          )
        }
      />
      <StatTile
        title="Input tokens"
        value={shortNumber(input)}
        note={`${shareText(
          sum((row) => row.cacheRead),
          input,
        )} read from a cache`}
      />
      <StatTile
        title="Output tokens"
        value={shortNumber(sum((row) => row.output))}
        note={estimated > 0 && `${shortNumber(estimated)} requests estimated`}
      />
    </div>
  )
}

/** A part of something in percent. */
export function shareText(part: number, whole: number): string {
  if (whole === 0) return '0 %'
  const share = (part / whole) * 100
  return share > 0 && share < 1 ? '< 1 %' : `${Math.round(share)} %`
}
