import { Flex } from '@radix-ui/themes'

import { type Period, periods } from '#budgets/periods.ts'
import type { Budget } from '#console/web/api/contract.ts'
import { useChange } from '#console/web/api/use-ask.ts'
import { CheckField } from '#console/web/parts/check-field.tsx'
import { Choice } from '#console/web/parts/choice.tsx'
import { Dialog } from '#console/web/parts/dialog.tsx'
import { Field } from '#console/web/parts/field.tsx'
import { FormFoot } from '#console/web/parts/form-foot.tsx'
import { useForm } from '#console/web/parts/use-form.ts'

import { periodHints, periodWords } from './budget-words.ts'
import { dollarsToType, readDollars } from './typed-dollars.ts'

export interface BudgetDialogProps {
  readonly holder: string
  /** The one that is changed; absent for a new one. */
  readonly budget: Budget | undefined
  /** The periods that have no budget yet. */
  readonly free: readonly Period[]
  readonly onClose: () => void
}

/** Sets what a holder may spend in a period. */
export function BudgetDialog(props: BudgetDialogProps) {
  const title = props.budget === undefined ? 'Set a budget' : 'Change the budget'
  return (
    <Dialog isOpen title={title} onClose={props.onClose}>
      <BudgetForm {...props} />
    </Dialog>
  )
}

interface BudgetFormFields {
  readonly period: Period
  readonly amount: string
  readonly isStrict: boolean
}

function BudgetForm({ holder, budget, free, onClose }: BudgetDialogProps) {
  const set = useChange('PUT /api/budgets/{holder}/{period}', budgetQuestions)
  const form = useForm<BudgetFormFields>({ initial: fieldsOf(budget, free), isField })
  const { fields, change, problems } = form
  const save = async (): Promise<void> => {
    const read = readDollars(fields.amount)
    if (read.type === 'problem') return form.tell({ amount: read.words })
    const body = { amount: read.amount, isStrict: fields.isStrict }
    const saved = await form.save(() =>
      set.mutateAsync({ params: { holder, period: fields.period }, body }),
    )
    if (saved !== undefined) onClose()
  }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Flex direction="column" gap="4">
        <Choice
          label="Period"
          options={(budget === undefined ? free : [budget.period]).map((period) => [
            period,
            periodWords[period],
          ])}
          hint={periodHints[fields.period]}
          value={fields.period}
          disabled={budget !== undefined}
          onChoose={(value) => change({ period: periods.find((one) => one === value) ?? 'month' })}
        />
        <Field
          label="Dollars"
          inputMode="decimal"
          autoFocus
          autoComplete="off"
          placeholder="50.00"
          error={problems['amount']}
          value={fields.amount}
          onChange={(event) => change({ amount: event.currentTarget.value })}
        />
        <CheckField
          label="Never more than that"
          hint="An answer is cut where what was held for it ends. Otherwise it is finished, and may be charged beyond."
          isOn={fields.isStrict}
          onSwitch={(isStrict) => change({ isStrict })}
        />
        <FormFoot
          {...form}
          action={budget === undefined ? 'Set budget' : 'Save'}
          onCancel={onClose}
        />
      </Flex>
    </form>
  )
}

/** What shows budgets, and is asked again when one has changed. */
export const budgetQuestions = [
  'GET /api/keys/{id}',
  'GET /api/projects/{id}',
  'GET /api/organisation',
  'GET /api/budgets',
] as const

function fieldsOf(budget: Budget | undefined, free: readonly Period[]): BudgetFormFields {
  if (budget === undefined)
    return {
      period: free.includes('month') ? 'month' : (free[0] ?? 'month'),
      amount: '',
      isStrict: true,
    }
  const { period, amount, isStrict } = budget
  return { period, amount: dollarsToType(amount), isStrict }
}

function isField(name: string): boolean {
  return name === 'amount'
}
