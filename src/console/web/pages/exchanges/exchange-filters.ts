import type { Exchange } from '#console/web/api/contract.ts'

/** Which exchanges are looked at. What is absent leaves none out. */
export interface ExchangeFilters {
  readonly keyId?: string
  readonly projectId?: string
  readonly model?: string
  readonly target?: string
  /** A code of a result, or `failed` for every error. */
  readonly result?: string
  /** Part of an id, a model or a target. */
  readonly search?: string
  /** Unix milliseconds. */
  readonly since?: number
  readonly until?: number
}

const texts = ['keyId', 'projectId', 'model', 'target', 'result', 'search'] as const
const times = ['since', 'until'] as const

export type FilterName = (typeof texts)[number] | (typeof times)[number]

/** The names in the address, in the order in which they are shown. */
export const filterNames: readonly FilterName[] = [...texts, ...times]

/** The filters that an address names; what cannot be read is as if it were not there. */
export function filtersIn(address: { get(name: string): string | null }): ExchangeFilters {
  const found: Partial<Record<FilterName, string | number>> = {}
  for (const name of texts) {
    const text = address.get(name)?.trim().slice(0, longestText) ?? ''
    if (text !== '') found[name] = text
  }
  for (const name of times) {
    const text = address.get(name) ?? ''
    if (/^\d{1,15}$/.test(text)) found[name] = Number(text)
  }
  // Every name was given the kind of value that it has.
  return found as ExchangeFilters
}

/** What the API takes for a search. */
const longestText = 100

export function hasFilters(filters: ExchangeFilters): boolean {
  return Object.keys(filters).length > 0
}

/** An error is what neither ended well nor was ended by its caller or a budget. */
const noErrors = new Set(['complete', 'client-left', 'budget-stop'])

export function isFailure(result: string): boolean {
  return !noErrors.has(result)
}

/** Whether the filters let an exchange through, as the ledger decides it: for those that come live. */
export function passes(filters: ExchangeFilters, exchange: Exchange): boolean {
  const { keyId, projectId, model, target, result, search, since, until } = filters
  return (
    (keyId === undefined || exchange.keyId === keyId) &&
    (projectId === undefined || exchange.projectId === projectId) &&
    (model === undefined || exchange.asked === model || exchange.target === model) &&
    (target === undefined || exchange.target === target) &&
    (result === undefined || hasResult(exchange.result, result)) &&
    (search === undefined || contains(exchange, search.toLowerCase())) &&
    (since === undefined || exchange.startedAt >= since) &&
    (until === undefined || exchange.startedAt < until)
  )
}

function hasResult(found: string, wanted: string): boolean {
  return wanted === 'failed' ? isFailure(found) : found === wanted
}

function contains({ id, asked, target }: Exchange, part: string): boolean {
  return [id, asked, target ?? ''].some((text) => text.toLowerCase().includes(part))
}
