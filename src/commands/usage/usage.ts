import { Command, InvalidArgumentError } from 'commander'

import { type Outside, processOutside } from '#commands/outside.ts'
import { withState } from '#commands/state.ts'
import { type Column, count, minute, tableOf } from '#commands/table.ts'
import { usualOption } from '#commands/usual-option.ts'
import { usageSums } from '#console/routes/usage-sums.ts'
import { dollars } from '#prices/money.ts'
import {
  type Dimension,
  plainDimensions,
  readDimension,
  usageReport,
  type UsageRow,
} from '#usage/report.ts'

import { correctCommand, pruneCommand, verifyCommand } from './usage-books.ts'
import { eraseCommand } from './usage-content.ts'
import { exportCommand, listCommand, showCommand } from './usage-exchanges.ts'
import { csvLine, type FormatFlags, formatOf, withFormat } from './usage-format.ts'
import { filterOf, type RangeFlags, withRange } from './usage-range.ts'

interface UsageFlags extends RangeFlags, FormatFlags {
  readonly by: readonly Dimension[]
}

/** `parley usage`: who used what and what it cost, from the ledger, beside a running server or without one. */
export function usageCommand(outside: Outside = processOutside()): Command {
  const command = new Command('usage')
    .description('Show what was used and what it cost.')
    .enablePositionalOptions()
    .addOption(
      usualOption('--by <list>', {
        description: `add up by some of ${plainDimensions.join(', ')}, tag:<name>`,
        parse: dimensionsOf,
        usual: 'key,model',
      }),
    )
    .action((flags: UsageFlags) => report(outside, flags))
    .addCommand(listCommand(outside))
    .addCommand(showCommand(outside))
    .addCommand(exportCommand(outside))
    .addCommand(correctCommand(outside))
    .addCommand(pruneCommand(outside))
    .addCommand(eraseCommand(outside))
    .addCommand(verifyCommand(outside))
  return withFormat(withRange(command, outside, '30d'))
}

async function report(outside: Outside, flags: UsageFlags): Promise<void> {
  const { by, since } = flags
  const rows = await withState(outside, ({ storage }) =>
    usageReport(storage, { by, ...filterOf(flags) }),
  )
  const format = formatOf(flags)
  if (format === 'json') return outside.print(JSON.stringify(rows.map(flat)))
  if (format === 'csv') return csvReport(outside, by, rows)
  if (rows.length === 0) return outside.print(`Nothing was used since ${minute(since)} UTC.`)
  outside.print(tableOf(columnsFor(by, rows), rows, outside.columns))
  outside.hint(footnote(rows, since))
}

/** The latest day comes first, so days stand first; the others in the order of their breadth. */
function dimensionsOf(text: string): readonly Dimension[] {
  const words = new Set(text.split(',').map((word) => word.trim()))
  const read = [...words].map((word) => {
    const dimension = readDimension(word)
    if (dimension === undefined)
      throw new InvalidArgumentError(
        `expected some of ${plainDimensions.join(', ')} and tag:<name>, with commas between them`,
      )
    return dimension
  })
  const plain = plainDimensions.filter((dimension) => read.includes(dimension))
  return [...plain, ...read.filter((dimension) => dimension.startsWith('tag:'))]
}

/** A row as programs read it: dimensions beside sums. */
function flat({ by, ...rest }: UsageRow) {
  return { ...by, ...rest }
}

function csvReport(outside: Outside, by: readonly Dimension[], rows: readonly UsageRow[]): void {
  const named = by.includes('key') ? ['keyId'] : []
  outside.print(csvLine([...by, ...named, ...usageSums.map(inMicrodollars)]))
  for (const row of rows) {
    const ids = by.includes('key') ? [row.keyId] : []
    outside.print(
      csvLine([
        ...by.map((dimension) => row.by[dimension]),
        ...ids,
        ...usageSums.map((sum) => row[sum]),
      ]),
    )
  }
}

function inMicrodollars(sum: (typeof usageSums)[number]): string {
  return sum === 'cost' || sum === 'excess' ? `${sum}_microdollars` : sum
}

const countColumns: readonly Column<UsageRow>[] = [
  { title: 'exchanges', cell: ({ exchanges }) => count(exchanges), isNumber: true },
  { title: 'failed', cell: ({ failed }) => count(failed), isNumber: true },
  { title: 'input', cell: ({ input }) => count(input), isNumber: true },
  { title: 'cached', cell: ({ cacheRead }) => count(cacheRead), isNumber: true },
  { title: 'written', cell: ({ cacheWrite }) => count(cacheWrite), isNumber: true },
  {
    title: 'output',
    cell: (row) => count(row.output) + (row.estimated > 0 ? ' *' : ''),
    isNumber: true,
  },
  { title: 'cost', cell: ({ cost }) => dollars(cost), isNumber: true },
]

const excessColumn: Column<UsageRow> = {
  title: 'excess',
  cell: ({ excess }) => (excess === 0 ? '' : dollars(excess)),
  isNumber: true,
}

function columnsFor(by: readonly Dimension[], rows: readonly UsageRow[]): Column<UsageRow>[] {
  const named = by.map((dimension) => ({
    title: dimension,
    cell: (row: UsageRow) => row.by[dimension] ?? '–',
    isName: dimension !== 'day' && dimension !== 'hour',
  }))
  const isExceeded = rows.some(({ excess }) => excess > 0)
  return [...named, ...countColumns, ...(isExceeded ? [excessColumn] : [])]
}

function footnote(rows: readonly UsageRow[], since: number): string {
  const sum = (of: (row: UsageRow) => number): number =>
    rows.reduce((total, row) => total + of(row), 0)
  const [estimated, unpriced, excess] = [
    sum((row) => row.estimated),
    sum((row) => row.unpriced),
    sum((row) => row.excess),
  ]
  const notes = [
    `Since ${minute(since)} UTC: ${dollars(sum(({ cost }) => cost))}.`,
    estimated > 0 && ` * ${count(estimated)} of these are estimates in part.`,
    unpriced > 0 && ` ${count(unpriced)} had no price and cost nothing.`,
    excess > 0 && ` Upstreams may bill ${dollars(excess)} beyond it, over what was held.`,
  ]
  return notes.filter((note) => note !== false).join('')
}
