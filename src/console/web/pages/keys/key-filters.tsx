import type { Key } from '#console/web/api/contract.ts'
import { useAsk } from '#console/web/api/use-ask.ts'
import { Choice } from '#console/web/parts/choice.tsx'
import { FilterBar } from '#console/web/parts/filter-bar.tsx'
import { SearchField } from '#console/web/parts/search-field.tsx'
import type { Filters } from '#console/web/parts/use-filters.ts'

import { statusWords } from './key-status.tsx'

export const keyFilterNames = ['search', 'projectId', 'status'] as const

export interface KeyFiltersProps {
  readonly filters: Filters<(typeof keyFilterNames)[number]>
}

/** What the list of keys can be narrowed by. */
export function KeyFilters({ filters: { values, isAny, set, clear } }: KeyFiltersProps) {
  const projects = useAsk('GET /api/projects').data?.projects ?? []
  return (
    <FilterBar isAny={isAny} onClear={clear}>
      <SearchField
        label="Search"
        placeholder="name, owner or id"
        value={values.search ?? ''}
        onSearch={(text) => set('search', text)}
      />
      <Choice
        label="Project"
        options={[['', 'All projects'], ...projects.map(({ id, name }) => [id, name] as const)]}
        value={values.projectId ?? ''}
        onChoose={(id) => set('projectId', id)}
      />
      <Choice
        label="Status"
        options={[['', 'Any status'], ...Object.entries(statusWords)]}
        value={statusOf(values.status) ?? ''}
        onChoose={(status) => set('status', status)}
      />
    </FilterBar>
  )
}

/** A status as an address names it; undefined for what is none. */
export function statusOf(word: string | undefined): Key['status'] | undefined {
  return statuses.find((status) => status === word)
}

const statuses: readonly Key['status'][] = ['active', 'early', 'expired', 'archived', 'revoked']
