import { Text } from '@radix-ui/themes'

import { Nothing } from '#console/web/parts/amounts.tsx'
import { DataTable } from '#console/web/parts/data-table.tsx'
import type { Policy } from '#keys/policy.ts'

import { type Limit, limits } from './limit-words.ts'

/** Somebody with a policy: the one that is looked at first, then those above it. */
export interface PolicyOf {
  readonly called: string
  readonly policy: Policy
}

/** What is limited, by whom. What nobody limits is not listed. */
export function PolicyTable({ holders }: { readonly holders: readonly PolicyOf[] }) {
  const said = limits.filter(({ of }) => holders.some(({ policy }) => of(policy) !== undefined))
  if (said.length === 0)
    return (
      <Text as="p" size="2" color="gray">
        {holders.length > 1
          ? 'Nothing is limited, neither here nor above: every model, endpoint and address, at any rate.'
          : 'Nothing is limited: every model, endpoint and address, at any rate.'}
      </Text>
    )
  return (
    <DataTable
      caption="Limits"
      rows={said}
      idOf={({ id }: Limit) => id}
      columns={[
        { id: 'limit', title: 'Limit', cell: ({ title }) => title },
        ...holders.map(({ called, policy }, index) => ({
          id: String(index),
          title: called,
          cell: ({ of }: Limit) => <LimitText text={of(policy)} />,
        })),
      ]}
    />
  )
}

function LimitText({ text }: { readonly text: string | undefined }) {
  return text === undefined ? <Nothing /> : <span className="limit-text">{text}</span>
}
