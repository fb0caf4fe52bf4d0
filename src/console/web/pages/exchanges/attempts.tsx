import { Money, Nothing, Took, Tokens } from '#console/web/parts/amounts.tsx'
import { DataTable } from '#console/web/parts/data-table.tsx'
import { ResultBadge } from '#console/web/parts/result-badge.tsx'

import type { EndedExchange } from './opened-exchange.ts'

/** Every target that was asked, and how it went. */
export function Attempts({ exchange: { tries } }: { readonly exchange: EndedExchange }) {
  const rows = tries.map((attempt, at) => ({ ...attempt, number: at + 1 }))
  return (
    <DataTable
      caption="Attempts"
      rows={rows}
      idOf={({ number }) => String(number)}
      columns={[
        { id: 'target', title: 'Target', cell: ({ target }) => target },
        { id: 'result', title: 'Result', cell: ({ result }) => <ResultBadge result={result} /> },
        {
          id: 'after',
          title: 'Began after',
          isNumber: true,
          cell: ({ startedMs }) => <Took ms={startedMs} />,
        },
        { id: 'took', title: 'Took', isNumber: true, cell: ({ tookMs }) => <Took ms={tookMs} /> },
        {
          id: 'lost',
          title: 'Said in vain',
          isNumber: true,
          isMinor: true,
          cell: ({ lost }) =>
            lost === undefined ? (
              <Nothing />
            ) : (
              <>
                <Tokens count={lost.output} /> tokens, <Money micro={lost.cost} />
              </>
            ),
        },
      ]}
    />
  )
}
