import type { Address } from '#console/web/parts/use-address.ts'

import { rangeOf, type UsageRange } from './usage-range.ts'
import { type Grouping, groupings, type Measure, measures } from './usage-row.ts'

/** What of usage is looked at, as the address has it. */
export interface UsageView {
  readonly range: UsageRange
  readonly by: Grouping
  readonly measure: Measure
  readonly filters: UsageFilters
}

export interface UsageFilters {
  readonly keyId?: string
  readonly projectId?: string
  readonly model?: string
}

export const usageFilters = [
  ['keyId', 'Key'],
  ['projectId', 'Project'],
  ['model', 'Model'],
] as const

/** Reads the address; what it does not say, or says wrong, is as usual. */
export function usageView({ get }: Pick<Address, 'get'>, now: number): UsageView {
  const range = rangeOf(
    {
      range: get('range') ?? undefined,
      from: get('from') ?? undefined,
      to: get('to') ?? undefined,
    },
    now,
  )
  const filters = Object.fromEntries(
    usageFilters.flatMap(([name]) => {
      const value = get(name) ?? ''
      return value === '' ? [] : [[name, value.slice(0, longestFilter)]]
    }),
  )
  return {
    range,
    by: named(groupings, get('by')) ?? 'model',
    measure: named(measures, get('show')) ?? 'cost',
    filters,
  }
}

const longestFilter = 200

function named<const Name extends string>(
  all: readonly (readonly [Name, string])[],
  name: string | null,
): Name | undefined {
  return all.find(([known]) => known === name)?.[0]
}
