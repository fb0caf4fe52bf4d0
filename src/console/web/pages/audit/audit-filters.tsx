import { useAsk } from '#console/web/api/use-ask.ts'
import { readTime } from '#console/web/pages/keys/local-time.ts'
import { Choice } from '#console/web/parts/choice.tsx'
import { Field } from '#console/web/parts/field.tsx'
import { FilterBar } from '#console/web/parts/filter-bar.tsx'
import { SearchField } from '#console/web/parts/search-field.tsx'
import type { Filters } from '#console/web/parts/use-filters.ts'

import { everyAction } from './audit-actions.ts'

export const auditFilterNames = ['action', 'actor', 'object', 'from', 'to'] as const

type Values = Filters<(typeof auditFilterNames)[number]>['values']

export interface AuditFiltersProps {
  readonly filters: Filters<(typeof auditFilterNames)[number]>
}

/** Whoever acts without an account. */
const others = [
  ['nobody', 'nobody: refused at the door'],
  ['setup', 'the setup token'],
  ['gateway', 'the gateway at its start'],
] as const

/** What the log can be narrowed by. */
export function AuditFilters({ filters: { values, isAny, set, clear } }: AuditFiltersProps) {
  const users = useAsk('GET /api/users').data?.users ?? []
  return (
    <FilterBar isAny={isAny} onClear={clear}>
      <Choice
        label="What"
        options={[['', 'Everything'], ...everyAction.map((action) => [action, action] as const)]}
        value={values.action ?? ''}
        onChoose={(action) => set('action', action)}
      />
      <Choice
        label="Who"
        options={[
          ['', 'Everybody'],
          ...users.map(({ id, name }) => [id, name] as const),
          ...others,
        ]}
        value={values.actor ?? ''}
        onChoose={(actor) => set('actor', actor)}
      />
      <SearchField
        label="Object"
        placeholder="key:… project:… org"
        value={values.object ?? ''}
        onSearch={(object) => set('object', object.trim())}
      />
      <Field
        label="From"
        type="datetime-local"
        value={values.from ?? ''}
        onChange={(event) => set('from', event.currentTarget.value)}
      />
      <Field
        label="Until"
        type="datetime-local"
        value={values.to ?? ''}
        onChange={(event) => set('to', event.currentTarget.value)}
      />
    </FilterBar>
  )
}

/** The same as the API is asked for it. What an address says wrongly is left out. */
export function auditQuery({ action, actor, object, from, to }: Values) {
  return { action, actor, object, since: timeOf(from), until: timeOf(to) }
}

function timeOf(text: string | undefined): number | undefined {
  const read = readTime(text ?? '')
  return read.type === 'time' ? read.at : undefined
}
