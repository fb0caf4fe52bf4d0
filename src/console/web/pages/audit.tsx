import { Button } from '@radix-ui/themes'

import { askChecked } from '#console/web/api/ask.ts'
import { Answered } from '#console/web/parts/answered.tsx'
import { Empty } from '#console/web/parts/empty.tsx'
import { MoreButton } from '#console/web/parts/more-button.tsx'
import { Page } from '#console/web/parts/page.tsx'
import { useFilters } from '#console/web/parts/use-filters.ts'
import { usePages } from '#console/web/parts/use-pages.ts'

import { AuditFilters, auditFilterNames, auditQuery } from './audit/audit-filters.tsx'
import { AuditTable } from './audit/audit-table.tsx'
import { VerifyChain } from './audit/verify-chain.tsx'

/** What was done here and by whom, and whether that is still what was written down. */
export function Audit() {
  const filters = useFilters(auditFilterNames)
  const query = auditQuery(filters.values)
  const pages = usePages({
    call: 'GET /api/audit',
    query,
    fetch: (before: number | undefined, signal) =>
      askChecked('GET /api/audit', { query: { ...query, before } }, signal),
    nextOf: ({ next }) => next,
  })
  return (
    <Page
      title="Audit"
      description="Every change and every sign-in, refused ones too. Each row is sealed by the one after it."
    >
      <VerifyChain />
      <AuditFilters filters={filters} />
      <Answered query={pages}>
        {({ pages: found }) => (
          <div>
            <AuditTable
              rows={found.flatMap(({ rows }) => rows)}
              empty={
                <Empty
                  title="No row is like that."
                  next={<Button onClick={filters.clear}>Show all rows</Button>}
                />
              }
            />
            <MoreButton
              hasMore={pages.hasNextPage}
              isBusy={pages.isFetchingNextPage}
              onMore={() => void pages.fetchNextPage()}
            />
          </div>
        )}
      </Answered>
    </Page>
  )
}
