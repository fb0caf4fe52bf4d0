import type { Exchange } from '#console/web/api/contract.ts'
import { useAsk } from '#console/web/api/use-ask.ts'
import { Took } from '#console/web/parts/amounts.tsx'
import { Answered } from '#console/web/parts/answered.tsx'
import { type Column, DataTable } from '#console/web/parts/data-table.tsx'
import { Section } from '#console/web/parts/page.tsx'
import { ResultBadge } from '#console/web/parts/result-badge.tsx'
import { TextLink } from '#console/web/parts/text-link.tsx'
import { When } from '#console/web/parts/when.tsx'

const renewedMs = 10_000
const mostShown = 8

/** The last exchanges that ended with an error. */
export function RecentFailures() {
  const query = useAsk(
    'GET /api/exchanges',
    { query: { result: 'failed', limit: mostShown } },
    { refetchInterval: renewedMs },
  )
  return (
    <Section
      title="Recent failures"
      actions={<TextLink to="/exchanges?result=failed">All failures</TextLink>}
    >
      <Answered query={query}>
        {({ exchanges }) => (
          <DataTable
            caption="Recent failures"
            rows={exchanges}
            idOf={({ id }) => id}
            columns={columns}
            empty={<p className="calm">No request has failed in the last 30 days.</p>}
          />
        )}
      </Answered>
    </Section>
  )
}

const columns: readonly Column<Exchange>[] = [
  {
    id: 'at',
    title: 'When',
    cell: ({ id, startedAt }) => (
      <TextLink to={`/exchanges?open=${id}`}>
        <When at={startedAt} as="ago" />
      </TextLink>
    ),
  },
  { id: 'result', title: 'Result', cell: ({ result }) => <ResultBadge result={result} /> },
  { id: 'asked', title: 'Model', cell: ({ asked }) => asked },
  { id: 'target', title: 'Target', cell: ({ target }) => target ?? '–', isMinor: true },
  { id: 'key', title: 'Key', cell: ({ keyName, keyId }) => keyName ?? keyId, isMinor: true },
  { id: 'took', title: 'Took', isNumber: true, cell: ({ totalMs }) => <Took ms={totalMs} /> },
]
