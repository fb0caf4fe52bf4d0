import { PlusIcon } from '@radix-ui/react-icons'
import { Button } from '@radix-ui/themes'
import { Link } from 'react-router'

import { askChecked } from '#console/web/api/ask.ts'
import { useMe } from '#console/web/api/me.ts'
import { Answered } from '#console/web/parts/answered.tsx'
import { Empty } from '#console/web/parts/empty.tsx'
import { MoreButton } from '#console/web/parts/more-button.tsx'
import { Page } from '#console/web/parts/page.tsx'
import { useFilters } from '#console/web/parts/use-filters.ts'
import { usePages } from '#console/web/parts/use-pages.ts'

import { KeyFilters, keyFilterNames, statusOf } from './keys/key-filters.tsx'
import { KeyTable } from './keys/key-table.tsx'

/** The keys that callers show: found, and the way to each of them. */
export function Keys() {
  const { may } = useMe()
  const filters = useFilters(keyFilterNames)
  const { search, projectId, status } = filters.values
  const query = { search, projectId, status: statusOf(status) }
  const pages = usePages({
    call: 'GET /api/keys',
    query,
    fetch: (after: string | undefined, signal) =>
      askChecked('GET /api/keys', { query: { ...query, after } }, signal),
    nextOf: ({ next }) => next,
  })
  const newKey = may('operator') && (
    <Button asChild>
      <Link to={projectId === undefined ? '/keys/new' : `/keys/new?projectId=${projectId}`}>
        <PlusIcon aria-hidden="true" /> New key
      </Link>
    </Button>
  )
  return (
    <Page title="Keys" description="What callers show to be let in." actions={newKey}>
      <KeyFilters filters={filters} />
      <Answered query={pages}>
        {({ pages: found }) => (
          <div>
            <KeyTable
              keys={found.flatMap(({ keys }) => keys)}
              empty={
                filters.isAny ? (
                  <Empty
                    title="No key is like that."
                    next={<Button onClick={filters.clear}>Show all keys</Button>}
                  />
                ) : (
                  <Empty title="There are no keys yet." next={newKey || undefined}>
                    Nobody can ask for anything without one.
                  </Empty>
                )
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
