import { Nothing } from '#console/web/parts/amounts.tsx'
import { type Column, DataTable } from '#console/web/parts/data-table.tsx'
import { When } from '#console/web/parts/when.tsx'

import type { PlotData } from './series.ts'

export interface PlotTableProps {
  readonly title: string
  readonly data: PlotData
  readonly format: (value: number) => string
}

/** More rows are nothing that somebody reads; the newest are there. */
const mostRows = 120

/** What a plot shows, in figures, the newest first. */
export function PlotTable({ title, data, format }: PlotTableProps) {
  const rows = data.times
    .map((at, index) => ({ at, index }))
    .toReversed()
    .slice(0, mostRows)
  const columns: Column<(typeof rows)[number]>[] = [
    { id: 'at', title: 'Time', cell: ({ at }) => <When at={at} /> },
    ...data.series.map(({ label, values }) => ({
      id: label,
      title: label,
      isNumber: true,
      cell: ({ index }: { readonly index: number }) => {
        const value = values[index]
        return value === null || value === undefined ? <Nothing /> : format(value)
      },
    })),
  ]
  return (
    <div className="plot-table">
      <DataTable caption={title} columns={columns} rows={rows} idOf={({ at }) => String(at)} />
    </div>
  )
}
