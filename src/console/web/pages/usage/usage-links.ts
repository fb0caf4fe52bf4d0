import type { Address } from '#console/web/parts/use-address.ts'

import type { UsageView } from './usage-address.ts'
import { groupId, type UsageRow } from './usage-row.ts'

/** Where one looks closer at a group: the same page narrowed to it and split by something else, or its exchanges. */
export function closerLink(
  row: UsageRow,
  view: UsageView,
  { linkTo }: Pick<Address, 'linkTo'>,
): string | undefined {
  const { by } = view
  const id = groupId(row, by)
  if (id === '') return undefined
  switch (by) {
    case 'model':
    case 'asked':
      return linkTo({ model: id, by: 'key' })
    case 'key':
      return linkTo({ keyId: id, by: 'model' })
    case 'project':
      return linkTo({ projectId: id, by: 'key' })
    case 'day':
      return linkTo({ range: 'custom', from: id, to: id, by: 'model' })
    case 'result':
      return exchangesLink(view, { result: id })
    case 'owner':
      return undefined
    default:
      return by satisfies never
  }
}

/** The exchanges of the time and the filters that are looked at. */
export function exchangesLink(
  { range, filters }: Pick<UsageView, 'range' | 'filters'>,
  more: Readonly<Record<string, string>> = {},
): string {
  const { since, until } = range
  const query = new URLSearchParams({
    ...filters,
    ...more,
    since: String(since),
    ...(until !== undefined && { until: String(until) }),
  })
  return `/exchanges?${query}`
}
