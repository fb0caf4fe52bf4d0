import { useCallback, useDeferredValue, useState } from 'react'

import { errorKinds } from '#chat/error.ts'
import { useAsk } from '#console/web/api/use-ask.ts'
import { readTime, timeToType } from '#console/web/pages/keys/local-time.ts'
import { Choice } from '#console/web/parts/choice.tsx'
import { Field } from '#console/web/parts/field.tsx'
import { FilterBar } from '#console/web/parts/filter-bar.tsx'
import { SearchField } from '#console/web/parts/search-field.tsx'
import type { Address } from '#console/web/parts/use-address.ts'

import { type ExchangeFilters, filterNames, hasFilters } from './exchange-filters.ts'
import { SuggestedField } from './suggested-field.tsx'

export interface ExchangeFilterBarProps {
  readonly filters: ExchangeFilters
  readonly change: Address['change']
}

/** What exchanges are looked for. Every choice holds at once, and begins the list anew. */
export function ExchangeFilterBar({ filters, change }: ExchangeFilterBarProps) {
  const { search = '', result = '', since, until } = filters
  const narrow = (part: Partial<ExchangeFilters>): void => change({ ...part, before: undefined })
  const find = useCallback((text: string) => change({ search: text, before: undefined }), [change])
  const [isOpen] = useState(
    [filters.projectId, filters.target, since, until].some((value) => value !== undefined),
  )
  const all = Object.fromEntries(filterNames.map((name) => [name, undefined]))
  return (
    <FilterBar
      isAny={hasFilters(filters)}
      onClear={() => change({ ...all, before: undefined }, { isStep: true })}
    >
      <SearchField
        label="Search"
        placeholder="id, model or target"
        value={search}
        onSearch={find}
      />
      <Choice
        label="Result"
        value={result}
        options={results(result)}
        onChoose={(chosen) => narrow({ result: chosen })}
      />
      <KeyField value={filters.keyId ?? ''} onChoose={(keyId) => narrow({ keyId })} />
      <ModelField value={filters.model ?? ''} onChoose={(model) => narrow({ model })} />
      <details className="exchanges-more" open={isOpen}>
        <summary>Project, target and time</summary>
        <div className="exchanges-more-fields">
          <ProjectField
            value={filters.projectId ?? ''}
            onChoose={(projectId) => narrow({ projectId })}
          />
          <TargetField value={filters.target ?? ''} onChoose={(target) => narrow({ target })} />
          <TimeField
            label="From"
            value={since}
            onChoose={(time) => change({ since: time, before: undefined })}
          />
          <TimeField
            label="Until"
            value={until}
            onChoose={(time) => change({ until: time, before: undefined })}
          />
        </div>
      </details>
    </FilterBar>
  )
}

const known = ['complete', 'failed', 'client-left', 'budget-stop']

/** Every result that there may be, and the one that the address names even if there is none such. */
function results(chosen: string): readonly (readonly [string, string])[] {
  const words: Readonly<Record<string, string>> = { failed: 'every failure' }
  const codes = [...known, ...Object.keys(errorKinds)]
  const all = chosen === '' || codes.includes(chosen) ? codes : [...codes, chosen]
  return [['', 'any'], ...all.map((code) => [code, words[code] ?? code] as const)]
}

interface ChoosingProps {
  readonly value: string
  readonly onChoose: (value: string) => void
}

/** There may be a million keys: those are offered that fit what is typed. */
function KeyField({ value, onChoose }: ChoosingProps) {
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.split(' · ')[0] ?? '')
  const found = useAsk('GET /api/keys', { query: { search: search || undefined, limit: 20 } })
  const chosen = useAsk('GET /api/keys/{id}', { params: { id: value } }, { enabled: value !== '' })
  const keys = [
    ...(chosen.data === undefined ? [] : [chosen.data.key]),
    ...(found.data?.keys ?? []),
  ]
  const suggestions = new Map(keys.map(({ id, name }) => [id, `${name} · ${id}`]))
  return (
    <SuggestedField
      label="Key"
      placeholder="name or id"
      value={value}
      suggestions={[...suggestions]}
      onChoose={onChoose}
      onType={setTyped}
    />
  )
}

function ProjectField({ value, onChoose }: ChoosingProps) {
  const projects = useAsk('GET /api/projects').data?.projects ?? []
  return (
    <Choice
      label="Project"
      value={value}
      options={[['', 'any'], ...projects.map(({ id, name }) => [id, name] as const)]}
      onChoose={onChoose}
    />
  )
}

function ModelField({ value, onChoose }: ChoosingProps) {
  const models = useAsk('GET /api/models').data?.models ?? []
  return (
    <SuggestedField
      label="Model"
      placeholder="as it was asked for"
      value={value}
      suggestions={models.map(({ id }) => [id, id] as const)}
      onChoose={onChoose}
    />
  )
}

function TargetField({ value, onChoose }: ChoosingProps) {
  const models = useAsk('GET /api/models').data?.models ?? []
  const targets = new Set(models.flatMap((model) => model.targets.map(({ target }) => target)))
  return (
    <SuggestedField
      label="Target"
      placeholder="upstream/model"
      value={value}
      suggestions={[...targets].map((target) => [target, target] as const)}
      onChoose={onChoose}
    />
  )
}

interface TimeFieldProps {
  readonly label: string
  readonly value: number | undefined
  readonly onChoose: (time: number | undefined) => void
}

/** A time in the reader's own zone. */
function TimeField({ label, value, onChoose }: TimeFieldProps) {
  return (
    <Field
      label={label}
      type="datetime-local"
      value={timeToType(value)}
      onChange={(event) => {
        const read = readTime(event.currentTarget.value)
        if (read.type !== 'problem') onChoose(read.type === 'time' ? read.at : undefined)
      }}
    />
  )
}
