import { Flex } from '@radix-ui/themes'

import { Choice } from '#console/web/parts/choice.tsx'
import { Field } from '#console/web/parts/field.tsx'
import { FilterChip } from '#console/web/parts/filter-chip.tsx'
import type { Address } from '#console/web/parts/use-address.ts'

import { usageFilters, type UsageView } from './usage-address.ts'
import { dayMs, dayText, namedRanges, usualRange } from './usage-range.ts'
import { groupings, measures } from './usage-row.ts'

export interface UsageControlsProps {
  readonly view: UsageView
  readonly address: Address
  /** What the ids of the filters stand for, where that is known. */
  readonly nameOf: (filter: string, id: string) => string
}

/** What is looked at: the time, what it is split by, what is drawn, and what it was narrowed to. */
export function UsageControls({ view, address, nameOf }: UsageControlsProps) {
  const range = address.get('range') ?? usualRange
  const { change } = address
  return (
    <Flex direction="column" gap="3">
      <Flex gap="3" wrap="wrap" align="end">
        <Choice
          label="Time"
          value={range}
          options={[...namedRanges, ['custom', 'From day to day']]}
          onChoose={(chosen) =>
            change(
              chosen === 'custom'
                ? { range: chosen, ...daysOf(view) }
                : { range: chosen, from: undefined, to: undefined },
            )
          }
        />
        {range === 'custom' && <Days view={view} address={address} />}
        <Choice
          label="Split by"
          value={view.by}
          options={groupings}
          onChoose={(by) => change({ by })}
        />
        <Choice
          label="Show"
          value={view.measure}
          options={measures}
          onChoose={(show) => change({ show })}
        />
      </Flex>
      <Flex gap="2" wrap="wrap">
        {usageFilters.map(([filter, name]) => {
          const id = view.filters[filter]
          if (id === undefined) return null
          return (
            <FilterChip
              key={filter}
              name={name}
              value={nameOf(filter, id)}
              onRemove={() => change({ [filter]: undefined }, { isStep: true })}
            />
          )
        })}
      </Flex>
    </Flex>
  )
}

/** The first and the last day, both of them in UTC as the ledger counts days. */
function Days({ view, address }: Pick<UsageControlsProps, 'view' | 'address'>) {
  const { from, to } = daysOf(view)
  return (
    <>
      <Field
        label="From (UTC)"
        type="date"
        value={address.get('from') ?? from}
        max={address.get('to') ?? to}
        onChange={(event) => address.change({ from: event.currentTarget.value })}
      />
      <Field
        label="To (UTC)"
        type="date"
        value={address.get('to') ?? to}
        min={address.get('from') ?? from}
        onChange={(event) => address.change({ to: event.currentTarget.value })}
      />
    </>
  )
}

function daysOf({ range: { since, until } }: UsageView): {
  readonly from: string
  readonly to: string
} {
  return { from: dayText(since), to: dayText((until ?? Date.now() + dayMs) - dayMs) }
}
