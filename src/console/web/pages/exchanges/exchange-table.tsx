import { Badge, Text } from '@radix-ui/themes'

import type { Exchange } from '#console/web/api/contract.ts'
import { Money, Nothing, Took, Tokens } from '#console/web/parts/amounts.tsx'
import { type Column, DataTable } from '#console/web/parts/data-table.tsx'
import { ResultBadge } from '#console/web/parts/result-badge.tsx'
import { TextLink } from '#console/web/parts/text-link.tsx'
import { When } from '#console/web/parts/when.tsx'

export interface ExchangeTableProps {
  readonly exchanges: readonly Exchange[]
  /** Where one exchange is opened. */
  readonly linkTo: (id: string) => string
}

/** Exchanges, one in a row. */
export function ExchangeTable({ exchanges, linkTo }: ExchangeTableProps) {
  const began: Column<Exchange> = {
    id: 'began',
    title: 'Began',
    cell: ({ id, startedAt }) => (
      <span className="exchanges-began">
        <TextLink to={linkTo(id)} preventScrollReset>
          <When at={startedAt} />
          <span className="unseen">: open {id}</span>
        </TextLink>
      </span>
    ),
  }
  return (
    <DataTable
      caption="Exchanges"
      rows={exchanges}
      idOf={({ seq }) => String(seq)}
      columns={[began, ...columns]}
    />
  )
}

const columns: readonly Column<Exchange>[] = [
  {
    id: 'model',
    title: 'Model',
    cell: ({ asked, target }) => (
      <div className="exchanges-model">
        <span>{asked}</span>
        {target !== null && target !== asked && (
          <Text as="div" size="1" color="gray">
            {target}
          </Text>
        )}
      </div>
    ),
  },
  {
    id: 'result',
    title: 'Result',
    cell: ({ result, attempts }) => (
      <div className="exchanges-result">
        <ResultBadge result={result} />
        {attempts > 1 && <Badge color="amber">{attempts} attempts</Badge>}
      </div>
    ),
  },
  { id: 'key', title: 'Key', isMinor: true, cell: ({ keyName, keyId }) => keyName ?? keyId },
  {
    id: 'input',
    title: 'Input',
    isNumber: true,
    isMinor: true,
    cell: ({ input, cacheRead, cacheWrite }) =>
      input === null ? (
        <Nothing />
      ) : (
        <Tokens count={input + (cacheRead ?? 0) + (cacheWrite ?? 0)} />
      ),
  },
  {
    id: 'output',
    title: 'Output',
    isNumber: true,
    isMinor: true,
    cell: ({ output }) => <Tokens count={output} />,
  },
  {
    id: 'cost',
    title: 'Cost',
    isNumber: true,
    cell: ({ cost, corrected }) => <Money micro={cost + corrected} />,
  },
  {
    id: 'first',
    title: 'First byte',
    isNumber: true,
    isMinor: true,
    cell: ({ firstByteMs }) => <Took ms={firstByteMs} />,
  },
  { id: 'took', title: 'Took', isNumber: true, cell: ({ totalMs }) => <Took ms={totalMs} /> },
]
