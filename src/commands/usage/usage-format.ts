import { type Command, Option } from 'commander'

import { jsonText } from '#commands/state.ts'

/** How a command prints its rows. */
export interface FormatFlags {
  readonly format: 'table' | 'csv' | 'json'
  readonly json?: boolean
}

/** Gives a command the choice between a table for people, and CSV or JSON for programs. */
export function withFormat(command: Command): Command {
  return command
    .addOption(
      new Option('--format <format>', 'how to print it')
        .choices(['table', 'csv', 'json'])
        .default('table'),
    )
    .option('--json', jsonText)
}

export function formatOf({ format, json }: FormatFlags): FormatFlags['format'] {
  return json === true ? 'json' : format
}

type Cell = string | number | null | undefined

/** One line of CSV (RFC 4180). */
export function csvLine(cells: readonly Cell[]): string {
  return cells.map(csvCell).join(',')
}

/** A spreadsheet takes what begins with one of these for a formula, and a caller may have chosen the words. */
const formula = /^[=+\-@\t\r]/

function csvCell(cell: Cell): string {
  if (typeof cell === 'number') return String(cell)
  const text = cell ?? ''
  const safe = formula.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
