import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { Answered, Loading } from './answered.tsx'

export interface AnsweredAfreshProps<Data> {
  readonly query: UseQueryResult<Data>
  readonly children: (data: Data) => ReactNode
}

/** For forms: what the API answers now, not what it answered some time ago, is what they begin with. */
export function AnsweredAfresh<Data>({ query, children }: AnsweredAfreshProps<Data>) {
  const { isFetchedAfterMount, isFetching } = query
  if (isFetching && !isFetchedAfterMount) return <Loading />
  return <Answered query={query}>{children}</Answered>
}
