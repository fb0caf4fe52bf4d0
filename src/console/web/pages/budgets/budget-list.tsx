import { PlusIcon } from '@radix-ui/react-icons'
import { Button } from '@radix-ui/themes'
import { useState } from 'react'

import { periods } from '#budgets/periods.ts'
import type { Budget } from '#console/web/api/contract.ts'
import { useChange } from '#console/web/api/use-ask.ts'
import { ConfirmDialog } from '#console/web/parts/confirm-dialog.tsx'
import { Empty } from '#console/web/parts/empty.tsx'
import { Section } from '#console/web/parts/page.tsx'

import { BudgetCard } from './budget-card.tsx'
import { BudgetDialog, budgetQuestions } from './budget-dialog.tsx'
import { periodWords } from './budget-words.ts'

export interface BudgetListProps {
  /** `key:<id>`, `project:<id>` or `org`. */
  readonly holder: string
  /** What the holder is called in a sentence: "This key". */
  readonly called: string
  readonly budgets: readonly Budget[]
  readonly mayChange: boolean
}

/** The budgets of a holder, with what can be done with them. */
export function BudgetList({ holder, called, budgets, mayChange }: BudgetListProps) {
  const [asked, setAsked] = useState<Asked>()
  const free = periods.filter((period) => !budgets.some((budget) => budget.period === period))
  const close = (): void => setAsked(undefined)
  const add = mayChange && free.length > 0 && (
    <Button size="1" variant="soft" onClick={() => setAsked({ for: 'set' })}>
      <PlusIcon aria-hidden="true" /> Set a budget
    </Button>
  )
  return (
    <Section title="Budgets" actions={budgets.length > 0 && add}>
      {budgets.length === 0 ? (
        <Empty title={`${called} has no budget of its own.`} next={add || undefined}>
          {holder === 'org'
            ? 'Nothing but the budgets of projects and keys limits what is spent.'
            : 'It may spend what those above it may.'}
        </Empty>
      ) : (
        <div className="budget-grid">
          {budgets.map((budget) => (
            <BudgetCard
              key={budget.period}
              budget={budget}
              {...(mayChange && {
                onEdit: () => setAsked({ for: 'set', budget }),
                onRemove: () => setAsked({ for: 'remove', budget }),
              })}
            />
          ))}
        </div>
      )}
      {asked?.for === 'set' && (
        <BudgetDialog holder={holder} budget={asked.budget} free={free} onClose={close} />
      )}
      {asked?.for === 'remove' && (
        <RemoveBudget holder={holder} budget={asked.budget} onClose={close} />
      )}
    </Section>
  )
}

type Asked =
  | { readonly for: 'set'; readonly budget?: Budget }
  | { readonly for: 'remove'; readonly budget: Budget }

interface RemoveBudgetProps {
  readonly holder: string
  readonly budget: Budget
  readonly onClose: () => void
}

function RemoveBudget({ holder, budget: { period }, onClose }: RemoveBudgetProps) {
  const remove = useChange('DELETE /api/budgets/{holder}/{period}', budgetQuestions)
  return (
    <ConfirmDialog
      isOpen
      title={`Remove the budget “${periodWords[period].toLowerCase()}”?`}
      action="Remove"
      onConfirm={() => remove.mutateAsync({ params: { holder, period } })}
      onClose={onClose}
    >
      Nothing but the budgets above limits what is spent from then on. What was spent stays in the
      books.
    </ConfirmDialog>
  )
}
