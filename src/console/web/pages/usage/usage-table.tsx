import { Text } from '@radix-ui/themes'

import { Money, Tokens } from '#console/web/parts/amounts.tsx'
import { type Column, DataTable } from '#console/web/parts/data-table.tsx'
import { TextLink } from '#console/web/parts/text-link.tsx'

import {
  type Grouping,
  groupId,
  groupings,
  groupName,
  measured,
  type UsageRow,
} from './usage-row.ts'
import { shareText } from './usage-tiles.tsx'

export interface UsageTableProps {
  readonly rows: readonly UsageRow[]
  readonly by: Grouping
  readonly isCut: boolean
  /** Where one looks closer at a row; undefined where there is nothing closer. */
  readonly closer: (row: UsageRow) => string | undefined
}

/** The sums of each group. */
export function UsageTable({ rows, by, isCut, closer }: UsageTableProps) {
  const title = groupings.find(([name]) => name === by)?.[1] ?? by
  return (
    <>
      {isCut && (
        <Text as="p" size="2" color="gray">
          These are the {rows.length} that cost most. The sums above are of all.
        </Text>
      )}
      <DataTable
        caption={`Usage by ${title.toLowerCase()}`}
        rows={rows}
        idOf={(row) => `${groupId(row, by)} ${groupName(row, by)}`}
        columns={[nameColumn({ title, by, closer }), ...numbers]}
      />
    </>
  )
}

function nameColumn({
  title,
  by,
  closer,
}: Pick<UsageTableProps, 'by' | 'closer'> & { readonly title: string }): Column<UsageRow> {
  return {
    id: 'group',
    title,
    sortBy: (row) => groupName(row, by),
    cell: (row) => {
      const name = groupName(row, by)
      const to = closer(row)
      return to === undefined ? name : <TextLink to={to}>{name}</TextLink>
    },
  }
}

const numbers: readonly Column<UsageRow>[] = [
  {
    id: 'cost',
    title: 'Cost',
    isNumber: true,
    sortBy: (row) => row.cost,
    cell: (row) => <Money micro={row.cost} />,
  },
  {
    id: 'exchanges',
    title: 'Requests',
    isNumber: true,
    sortBy: (row) => row.exchanges,
    cell: (row) => <Tokens count={row.exchanges} />,
  },
  {
    id: 'failed',
    title: 'Failed',
    isNumber: true,
    sortBy: (row) => row.failed,
    cell: (row) =>
      row.failed === 0
        ? '0'
        : `${row.failed.toLocaleString('en-US')} (${shareText(row.failed, row.exchanges)})`,
  },
  {
    id: 'input',
    title: 'Input',
    isNumber: true,
    sortBy: (row) => measured(row, 'input'),
    cell: (row) => <Tokens count={measured(row, 'input')} />,
  },
  {
    id: 'cached',
    title: 'From cache',
    isNumber: true,
    isMinor: true,
    sortBy: (row) => row.cacheRead,
    cell: (row) => shareText(row.cacheRead, measured(row, 'input')),
  },
  {
    id: 'output',
    title: 'Output',
    isNumber: true,
    sortBy: (row) => row.output,
    cell: (row) => <Tokens count={row.output} />,
  },
  {
    id: 'reasoning',
    title: 'Of it reasoning',
    isNumber: true,
    isMinor: true,
    sortBy: (row) => row.reasoning,
    cell: (row) => <Tokens count={row.reasoning} />,
  },
  {
    id: 'unpriced',
    title: 'Without a price',
    isNumber: true,
    isMinor: true,
    sortBy: (row) => row.unpriced,
    cell: (row) => <Tokens count={row.unpriced} />,
  },
]
