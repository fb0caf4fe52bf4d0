import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'

import { ConsoleProblem } from './console-problem.ts'

/** Where the answer to `GET /api/me` is kept; null while nobody is signed in. */
export const meKey = ['me'] as const

/** What the console has asked for and keeps for a moment. An answer that says the session has ended ends it here too. */
export function consoleQueries(): QueryClient {
  const onError = (error: unknown): void => {
    if (isSignedOut(error)) client.setQueryData(meKey, null)
  }
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: freshMs,
        retry: (failures, error) => failures < mostRetries && mayPass(error),
        refetchOnWindowFocus: true,
      },
      mutations: { retry: false },
    },
  })
  return client
}

/** Answers are shown again without asking within this time. */
const freshMs = 5000
const mostRetries = 2

/** Whether asking again may help: for what the gateway refuses, it never does. */
function mayPass(error: unknown): boolean {
  const { code, status } = ConsoleProblem.from(error)
  return code === 'unreachable' || status === 502 || status === 503
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof ConsoleProblem && error.code === 'session-missing'
}
