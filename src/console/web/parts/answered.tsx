import { Skeleton } from '@radix-ui/themes'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { Problem } from './problem.tsx'

export interface AnsweredProps<Data> {
  readonly query: UseQueryResult<Data>
  readonly children: (data: Data) => ReactNode
}

/** What the API answered, or that it is on its way, or why it is not. Old data stays while new data is awaited. */
export function Answered<Data>({ query, children }: AnsweredProps<Data>) {
  if (query.data !== undefined)
    return (
      <>
        {query.isError && <Problem error={query.error} onRetry={() => void query.refetch()} />}
        {children(query.data)}
      </>
    )
  if (query.isError) return <Problem error={query.error} onRetry={() => void query.refetch()} />
  return <Loading />
}

/** In place of what is on its way. */
export function Loading() {
  return (
    <div role="status" aria-label="Loading" className="loading">
      <Skeleton height="28px" />
      <Skeleton height="28px" />
      <Skeleton height="28px" />
    </div>
  )
}
