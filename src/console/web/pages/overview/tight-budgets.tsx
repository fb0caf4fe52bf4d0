import { Progress } from '@radix-ui/themes'

import type { Budget } from '#console/web/api/contract.ts'
import { useAsk } from '#console/web/api/use-ask.ts'
import { Money } from '#console/web/parts/amounts.tsx'
import { Answered } from '#console/web/parts/answered.tsx'
import { DataTable } from '#console/web/parts/data-table.tsx'
import { Section } from '#console/web/parts/page.tsx'
import { When } from '#console/web/parts/when.tsx'

import { HolderLink } from './holder-link.tsx'

/** A budget is told of from this share on. */
const tightFrom = 0.75
const mostHolders = 500
const mostShown = 8
const renewedMs = 15_000

/** Budgets of which little is left. */
export function TightBudgets() {
  const query = useAsk(
    'GET /api/budgets',
    { query: { limit: mostHolders } },
    { refetchInterval: renewedMs },
  )
  return (
    <Section title="Budgets near their end">
      <Answered query={query}>
        {({ budgets }) => {
          const tight = budgets
            .filter((budget) => shareOf(budget) >= tightFrom)
            .toSorted((one, other) => shareOf(other) - shareOf(one))
          if (tight.length === 0) return <NoneTight count={budgets.length} />
          return <TightTable budgets={tight.slice(0, mostShown)} />
        }}
      </Answered>
    </Section>
  )
}

function NoneTight({ count }: { readonly count: number }) {
  return (
    <p className="calm">
      {count === 0 ? 'Nobody has a budget yet.' : `None of ${count} is three quarters used.`}
    </p>
  )
}

function TightTable({ budgets }: { readonly budgets: readonly Budget[] }) {
  return (
    <DataTable
      caption="Budgets near their end"
      rows={budgets}
      idOf={({ holder, period }) => `${holder} ${period}`}
      columns={[
        { id: 'holder', title: 'Whose', cell: ({ holder }) => <HolderLink holder={holder} /> },
        {
          id: 'share',
          title: 'Used',
          cell: (budget) => (
            <Progress
              value={Math.min(100, 100 * shareOf(budget))}
              color={shareOf(budget) >= 1 ? 'red' : 'amber'}
              aria-label={`${Math.round(100 * shareOf(budget))} % used`}
            />
          ),
        },
        { id: 'left', title: 'Left', isNumber: true, cell: ({ left }) => <Money micro={left} /> },
        {
          id: 'ends',
          title: 'Anew',
          cell: ({ endsAt }) => <When at={endsAt} as="ago" />,
          isMinor: true,
        },
      ]}
    />
  )
}

function shareOf({ amount, used, held }: Budget): number {
  return amount === 0 ? 1 : (used + held) / amount
}
