import {
  keepPreviousData,
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query'

import { askChecked } from './ask.ts'
import type { Answer, Call, Given, GivenArguments } from './contract.ts'

type Reading = Extract<Call, `GET ${string}`>
type Change = Exclude<Call, Reading>

/** What the API answers to a question, kept and renewed: `useAsk('GET /api/keys', { query: { search } })`. */
export function useAsk<Asked extends Reading>(
  call: Asked,
  ...[given, options]: [...GivenArguments<Asked>, options?: AskOptions]
): UseQueryResult<Answer<Asked>> {
  return useQuery({
    queryKey: [call, given ?? {}],
    queryFn: ({ signal }) => askChecked(call, given, signal),
    ...(isOptions(options) && settingsOf(options)),
  })
}

export interface AskOptions {
  /** How often to ask again while the page is looked at, in milliseconds. */
  readonly refetchInterval?: number
  /** For so long an answer is shown again without asking, in milliseconds. */
  readonly staleTime?: number
  /** False while there is nothing to ask for yet. */
  readonly enabled?: boolean
  /** While something else is asked for, the former answer stays, marked as a placeholder. */
  readonly keepsFormer?: boolean
}

function settingsOf({ keepsFormer = false, ...rest }: AskOptions) {
  return { ...rest, ...(keepsFormer && { placeholderData: keepPreviousData }) }
}

/**
 * Something that can be done: `const revoke = useChange('POST /api/keys/{id}/revoke', ['GET /api/keys'])`, then
 * `revoke.mutate({ params: { id } })`. Afterwards the questions that are named are asked again, as is every page
 * that shows them.
 */
export function useChange<Asked extends Change>(
  call: Asked,
  renews: readonly Reading[] = [],
): UseMutationResult<Answer<Asked>, Error, Given<Asked>> {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (given: Given<Asked>) => askChecked(call, given),
    // What was sent and answered may be a password or a key: it is forgotten with whoever asked.
    gcTime: 0,
    onSuccess: () =>
      Promise.all(renews.map((name) => client.invalidateQueries({ queryKey: [name] }))),
  })
}

function isOptions(value: unknown): value is AskOptions {
  return typeof value === 'object' && value !== null
}
