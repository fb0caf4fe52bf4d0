import {
  type InfiniteData,
  keepPreviousData,
  type QueryKey,
  useInfiniteQuery,
} from '@tanstack/react-query'

import type { Call } from '#console/web/api/contract.ts'

export interface PagesOptions<Page, Cursor> {
  /** What is asked for: whoever changes such things has this asked again. */
  readonly call: Call
  /** What else makes this list another one. */
  readonly query: object
  readonly fetch: (cursor: Cursor | undefined, signal: AbortSignal) => Promise<Page>
  /** Where the next page begins; null after the last one. */
  readonly nextOf: (page: Page) => Cursor | null
}

/** A list that comes in pages, one after the other as they are asked for. */
export function usePages<Page, Cursor>(options: PagesOptions<Page, Cursor>) {
  const { call, query, fetch, nextOf } = options
  return useInfiniteQuery<
    Page,
    Error,
    InfiniteData<Page, Cursor | undefined>,
    QueryKey,
    Cursor | undefined
  >({
    queryKey: [call, query, 'pages'],
    // The library cannot tell yet what a generic cursor is; it gives what `getNextPageParam` gave.
    queryFn: ({ pageParam, signal }) => fetch(pageParam as Cursor | undefined, signal),
    initialPageParam: undefined,
    getNextPageParam: (page) => nextOf(page) ?? undefined,
    // The former rows stay while others are looked for.
    placeholderData: keepPreviousData,
  })
}
