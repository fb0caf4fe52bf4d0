import Table from 'cli-table3'
import pc from 'picocolors'

/** One column of a table for people. */
export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => string
  /** Numbers stand right, words left. */
  readonly isNumber?: boolean
  /** Names may be long, and may be cut. */
  readonly isName?: boolean
}

/** Lays rows out as plain aligned columns. Where they are wider than `width`, names are cut. */
export function tableOf<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  width: number,
): string {
  const cells = rows.map((row) => columns.map(({ cell }) => cell(row)))
  const widths = widthsOf(columns, cells)
  while (sum(widths) + gap * (columns.length - 1) > width && shrink(columns, widths)) continue
  const table = new Table({
    head: columns.map(({ title }) => pc.dim(title)),
    colAligns: columns.map(({ isNumber }) => (isNumber === true ? 'right' : 'left')),
    chars: noLines,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': gap },
  })
  for (const row of cells) table.push(row.map((text, at) => cut(text, widths[at] ?? 0)))
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
}

const gap = 2

/** No name is cut to less than this. */
const leastWidth = 8

function widthsOf<Row>(columns: readonly Column<Row>[], cells: readonly string[][]): number[] {
  return columns.map(({ title }, at) =>
    Math.max(title.length, ...cells.map((row) => Bun.stringWidth(row[at] ?? ''))),
  )
}

/** Takes one from the widest column of names. Returns whether there was one to take from. */
function shrink<Row>(columns: readonly Column<Row>[], widths: number[]): boolean {
  const names = widths.map((width, at) => (columns[at]?.isName === true ? width : 0))
  const widest = Math.max(...names)
  if (widest <= leastWidth) return false
  widths[names.indexOf(widest)] = widest - 1
  return true
}

function cut(text: string, width: number): string {
  return Bun.stringWidth(text) <= width ? text : `${text.slice(0, width - 1)}…`
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

const lines = ['top', 'bottom', 'left', 'right', 'mid'] as const
const joints = ['', '-mid', '-left', '-right'] as const

const noLines = Object.fromEntries(
  [...lines.flatMap((line) => joints.map((joint) => `${line}${joint}`)), 'middle', 'mid-mid'].map(
    (name) => [name, ''],
  ),
)

/** A count as people read it: whole with its thousands apart, from a million on in millions. */
export function count(value: number): string {
  return value < 1_000_000 ? whole.format(value) : compact.format(value)
}

const whole = new Intl.NumberFormat('en')
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** `2026-01-31 14:05`, in UTC; a dash for no time. */
export function minute(time: number | undefined): string {
  return time === undefined ? '–' : new Date(time).toISOString().slice(0, 16).replace('T', ' ')
}
