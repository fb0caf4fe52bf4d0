import { CaretDownIcon, CaretSortIcon, CaretUpIcon } from '@radix-ui/react-icons'
import { type ReactNode, useMemo, useState } from 'react'

export interface Column<Row> {
  readonly id: string
  readonly title: string
  readonly cell: (row: Row) => ReactNode
  /** What rows are sorted by when this column's heading is pressed; without it, they are not. */
  readonly sortBy?: (row: Row) => string | number | null | undefined
  /** Numbers stand at the right. */
  readonly isNumber?: boolean
  /** Left out where the screen is narrow. */
  readonly isMinor?: boolean
}

export interface DataTableProps<Row> {
  /** What the table shows, for whoever does not see it. */
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly idOf: (row: Row) => string
  /** What stands in place of rows where there are none. */
  readonly empty?: ReactNode
}

/** A table. The cell of the first column is the heading of its row. It scrolls sideways rather than break the page. */
export function DataTable<Row>({ caption, columns, rows, idOf, empty }: DataTableProps<Row>) {
  const [order, setOrder] = useState<Order>()
  const sorted = useMemo(() => inOrder(rows, columns, order), [rows, columns, order])
  if (rows.length === 0 && empty !== undefined) return empty
  return (
    <div className="table-frame" role="region" aria-label={caption} tabIndex={0}>
      <table className="table">
        <caption className="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeadingCell key={column.id} column={column} order={order} onOrder={setOrder} />
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((row) => (
            <tr key={idOf(row)}>
              {columns.map((column, index) => {
                const Cell = index === 0 ? 'th' : 'td'
                return (
                  <Cell
                    key={column.id}
                    className={classOf(column)}
                    {...(index === 0 && { scope: 'row' })}
                  >
                    {column.cell(row)}
                  </Cell>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface Order {
  readonly by: string
  readonly isDown: boolean
}

interface HeadingCellProps<Row> {
  readonly column: Column<Row>
  readonly order: Order | undefined
  readonly onOrder: (order: Order) => void
}

function HeadingCell<Row>({ column, order, onOrder }: HeadingCellProps<Row>) {
  const { id, title, sortBy, isNumber = false } = column
  if (sortBy === undefined)
    return (
      <th scope="col" className={classOf(column)}>
        {title}
      </th>
    )
  const isSorted = order?.by === id
  const isDown = isSorted ? order.isDown : undefined
  return (
    <th
      scope="col"
      className={classOf(column)}
      aria-sort={isDown === undefined ? 'none' : isDown ? 'descending' : 'ascending'}
    >
      {/* Whoever sorts by a number wants to see the largest first. */}
      <button
        type="button"
        className="table-sort"
        onClick={() => onOrder({ by: id, isDown: isDown === undefined ? isNumber : !isDown })}
      >
        {title}
        <SortSign isDown={isDown} />
      </button>
    </th>
  )
}

function SortSign({ isDown }: { readonly isDown: boolean | undefined }) {
  if (isDown === undefined) return <CaretSortIcon aria-hidden="true" />
  return isDown ? <CaretDownIcon aria-hidden="true" /> : <CaretUpIcon aria-hidden="true" />
}

function classOf<Row>({ isNumber, isMinor }: Column<Row>): string {
  return [isNumber === true && 'cell-number', isMinor === true && 'cell-minor']
    .filter(Boolean)
    .join(' ')
}

function inOrder<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  order: Order | undefined,
): readonly Row[] {
  const sortBy = columns.find(({ id }) => id === order?.by)?.sortBy
  if (sortBy === undefined || order === undefined) return rows
  const sign = order.isDown ? -1 : 1
  return rows.toSorted((one, other) => sign * compared(sortBy(one), sortBy(other)))
}

type Sortable = string | number | null | undefined

/** What is not known comes first going up, last going down. */
function compared(one: Sortable, other: Sortable): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  if (typeof one === 'string' && typeof other === 'string')
    return one.localeCompare(other, 'en', { numeric: true })
  return Number(isKnown(one)) - Number(isKnown(other))
}

function isKnown(value: Sortable): boolean {
  return value !== null && value !== undefined
}
