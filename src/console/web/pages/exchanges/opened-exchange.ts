import type { Answer } from '#console/web/api/contract.ts'

type OpenedExchange = Answer<'GET /api/exchanges/{id}'>

/** An exchange that has ended, with all that is known of it. */
export type EndedExchange = Extract<OpenedExchange, { readonly type: 'ended' }>

/** An exchange that is under way. */
export type OpenExchange = Extract<OpenedExchange, { readonly type: 'open' }>
